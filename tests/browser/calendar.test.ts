import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
})
afterAll(() => stage.close())

const write = (text: string, scheduledAt: string) =>
  ada.fetchJson<{ id: string }>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text,
    status: 'scheduled',
    scheduledAt,
  })
const open = (query: string, options = {}) => ada.open(`/workspace/calendar?brandId=${ada.brandId}&${query}`, options)

const event = (page: Page, text: string) => main(page).locator('.event', { hasText: text })
const day = (page: Page, date: string) => main(page).locator(`#day-${date}`)
const isIn = (page: Page, date: string, text: string) => day(page, date).locator('.event', { hasText: text }).waitFor()
const time = (page: Page, text: string) => event(page, text).locator('time').textContent()

test('SOC-34 post is dragged to another day and back by Undo, and keeps its time of day', async () => {
  await write('Dragged', '2099-03-27T09:00')
  const { page, errors } = await open('date=2099-03-01')
  await isIn(page, '2099-03-27', 'Dragged')
  expect(await axe(page)).toEqual([])
  await day(page, '2099-03-31').scrollIntoViewIfNeeded()
  // Clocks go forward on the 29th.
  await event(page, 'Dragged').dragTo(day(page, '2099-03-31'))
  await page.getByText('Moved to Tue 31 Mar 09:00').waitFor()
  await isIn(page, '2099-03-31', 'Dragged')
  expect(await time(page, 'Dragged')).toBe('09:00')
  await page.getByRole('button', { name: 'Undo' }).click()
  await isIn(page, '2099-03-27', 'Dragged')
  expect(errors).toEqual([])
})

test('SOC-34 post is dragged to another hour of the week', async () => {
  await write('To the afternoon', '2099-06-02T09:00')
  const { page, errors } = await open('view=week&date=2099-06-02')
  await isIn(page, '2099-06-02', 'To the afternoon')
  expect(await axe(page)).toEqual([])
  const column = await day(page, '2099-06-04').boundingBox()
  const hour = (column?.height ?? 0) / 12
  await event(page, 'To the afternoon').dragTo(day(page, '2099-06-04'), {
    sourcePosition: { x: 20, y: 2 },
    targetPosition: { x: 20, y: hour * 6.5 + 2 },
  })
  await page.getByText('Moved to Thu 4 Jun 14:30').waitFor()
  await isIn(page, '2099-06-04', 'To the afternoon')
  expect(errors).toEqual([])
})

test('SOC-34 post is moved by Alt with the arrow keys, keeps the focus, and by a form', async () => {
  await write('By keyboard', '2099-06-10T09:00')
  const { page, errors } = await open('date=2099-06-01')
  await event(page, 'By keyboard').getByRole('link').first().focus()
  await page.keyboard.press('Alt+ArrowRight')
  await page.getByText('Moved to Thu 11 Jun 09:00').waitFor()
  await isIn(page, '2099-06-11', 'By keyboard')
  await page.locator(':focus', { hasText: 'By keyboard' }).waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByText('Moved to Thu 18 Jun 09:00').waitFor()
  await isIn(page, '2099-06-18', 'By keyboard')
  await page.locator(':focus', { hasText: 'By keyboard' }).waitFor()

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/move/)
  expect(await axe(page)).toEqual([])
  await page.getByLabel('Time', { exact: true }).fill('10:15')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/workspace\/calendar\?/)
  await isIn(page, '2099-06-18', 'By keyboard')
  expect(await time(page, 'By keyboard')).toBe('10:15')
  expect(errors).toEqual([])
})

test('SOC-34 move that is refused says why, and the post stays', async () => {
  await write('Stays', '2099-03-22T02:30')
  const { page } = await open('date=2099-03-01', { expected: [422] })
  await event(page, 'Stays').dragTo(day(page, '2099-03-29'))
  await page.getByText('02:30 doesn’t exist on 2099-03-29').waitFor()
  await isIn(page, '2099-03-22', 'Stays')
})

test('SOC-34 calendar follows changes that are made elsewhere, and an empty day leads to the composer', async () => {
  const { page, errors } = await open('date=2099-08-01')
  await page.getByText('No posts yet').waitFor()
  await write('Written elsewhere', '2099-08-20T12:00')
  await isIn(page, '2099-08-20', 'Written elsewhere')
  await day(page, '2099-08-21').hover()
  await day(page, '2099-08-21').getByRole('link', { name: 'New post on Friday 21 August' }).click()
  await page.waitForURL(/posts\/new/)
  expect(await page.getByLabel('Date', { exact: true }).inputValue()).toBe('2099-08-21')
  expect(errors).toEqual([])
})

test.each(['light', 'dark'] as const)(
  'SOC-34 PLT-41 calendar has no overflow and is accessible at 360 px, %s',
  async (scheme) => {
    await write(`${scheme}-Donaudampfschifffahrtsgesellschaftskapitän${'switwe'.repeat(20)}`, '2099-09-10T09:00')
    const { page, errors } = await open('date=2099-09-01', { width: 360, scheme })
    await event(page, scheme).waitFor()
    expect(await day(page, '2099-09-11').isVisible()).toBe(false)
    for (const view of ['month', 'week', 'agenda']) {
      await page.goto(`${stage.server.url}/workspace/calendar?brandId=${ada.brandId}&view=${view}&date=2099-09-07`)
      await event(page, scheme).waitFor()
      expect(await axe(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    }
    expect(errors).toEqual([])
  },
)

test('SOC-34 person subscribes to the calendar, and revokes the address', async () => {
  const { page, errors } = await open('date=2099-11-01')
  await page.getByRole('button', { name: 'Subscribe' }).click()
  const dialog = page.getByRole('dialog', { name: 'Subscribe to the calendar' })
  await dialog.getByRole('button', { name: 'Create address' }).click()
  const address = await dialog.getByLabel('Your calendar address').textContent()
  expect(address).toMatch(/\/calendar\/[\w-]{43}\.ics$/)
  expect(await axe(page)).toEqual([])
  expect((await fetch(address ?? '')).status).toBe(200)
  await dialog.getByRole('link', { name: 'Done' }).click()
  // A dialog that is opened before the refresh stays as it is until it is closed.
  await page.locator('#subscribe').getByText('Created').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await dialog.getByText('Created').waitFor()
  page.once('dialog', (question) => void question.accept())
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Calendar address revoked').waitFor()
  expect((await fetch(address ?? '')).status).toBe(404)
  expect(errors).toEqual([])
})
