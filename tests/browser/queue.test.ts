import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
  for (const time of ['09:00', '17:00'])
    await ada.fetchJson(`POST /api/brands/${ada.brandId}/queue-slots`, { days: [1, 2, 3, 4, 5, 6, 7], time })
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
const open = (query: string, options = {}) => ada.open(`/workspace/queue?brandId=${ada.brandId}&${query}`, options)

const event = (page: Page, text: string) => main(page).locator('.event', { hasText: text })
const day = (page: Page, date: string) => main(page).locator(`#day-${date}`)

test('SOC-16 queue is reached from the calendar and marked in the navigation, and a free slot leads to the composer', async () => {
  const { page, errors } = await ada.open(`/workspace/calendar?brandId=${ada.brandId}`)
  await page.getByRole('navigation', { name: 'View' }).getByRole('link', { name: 'Queue' }).click()
  await page.waitForURL(/\/workspace\/queue/)
  await page.getByRole('heading', { name: /^Queue:/ }).waitFor()
  const place = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calendar' })
  expect(await place.getAttribute('aria-current')).toBe('true')
  await main(page).getByText('Next free slot', { exact: true }).click()
  await page.waitForURL(/posts\/new/)
  expect(['09:00', '17:00']).toContain(await page.getByLabel('Time', { exact: true }).inputValue())
  expect(errors).toEqual([])
})

test('SOC-16 post is dragged to a free slot and back by Undo, and onto a post with which it swaps', async () => {
  await write('Dragged', '2099-03-23T09:00')
  await write('Swapped', '2099-03-26T17:00')
  const { page, errors } = await open('date=2099-03-23')
  const isAt = (date: string, time: string, text: string) =>
    day(page, date).locator('.event', { hasText: time }).getByText(text).waitFor()
  await isAt('2099-03-23', '09:00', 'Dragged')
  expect(await axe(page)).toEqual([])
  // Clocks go forward on the 29th.
  await event(page, 'Dragged').dragTo(day(page, '2099-03-29').locator('.event', { hasText: '17:00' }))
  await page.getByText('Moved to Sun 29 Mar 17:00').waitFor()
  await isAt('2099-03-29', '17:00', 'Dragged')
  await page.getByRole('button', { name: 'Undo' }).click()
  await isAt('2099-03-23', '09:00', 'Dragged')
  await event(page, 'Dragged').dragTo(event(page, 'Swapped'))
  await page.getByText('Moved to Thu 26 Mar 17:00, swapped with 1 post').waitFor()
  await isAt('2099-03-26', '17:00', 'Dragged')
  await isAt('2099-03-23', '09:00', 'Swapped')
  expect(errors).toEqual([])
})

test('SOC-16 post is moved by Alt with the arrow keys, several times at once, and keeps the focus', async () => {
  await write('By keyboard', '2099-04-13T11:00')
  const { page, errors } = await open('date=2099-04-13')
  await event(page, 'By keyboard').getByRole('link').first().focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Alt+ArrowRight')
  await day(page, '2099-04-14').locator('.event', { hasText: '17:00' }).getByText('By keyboard').waitFor()
  await page.locator(':focus', { hasText: 'By keyboard' }).waitFor()
  await page.keyboard.press('Alt+ArrowUp')
  await day(page, '2099-04-14').locator('.event', { hasText: '09:00' }).getByText('By keyboard').waitFor()
  expect(errors).toEqual([])
})

test('SOC-16 move that is refused says why, and the post stays', async () => {
  await write('Stays', '2099-04-27T09:00')
  const { page } = await open('date=2099-04-27', { expected: [409] })
  const setApprovals = (approvals: number) =>
    ada.fetchJson(`PUT /api/brands/${ada.brandId}`, { reviewPolicy: { approvals } })
  await setApprovals(1)
  await event(page, 'Stays').dragTo(day(page, '2099-04-29').locator('.event', { hasText: '17:00' }))
  await page.getByText('Couldn’t move the post. This post needs an approval').waitFor()
  await day(page, '2099-04-27').locator('.event', { hasText: 'Stays' }).waitFor()
  await setApprovals(0)
})

test('SOC-16 post is moved by its buttons and by a form of all slots, with the keyboard', async () => {
  await write('By buttons', '2099-04-06T09:00')
  const { page, errors } = await open('date=2099-04-06')
  await event(page, 'By buttons').getByRole('link').first().focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Moved to Mon 6 Apr 17:00').waitFor()
  await page.locator('#day-2099-04-06 .event', { hasText: '17:00' }).getByText('By buttons').waitFor()
  await page
    .locator(':focus')
    .and(page.getByRole('button', { name: 'Move By buttons later' }))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByText('Moved to Tue 7 Apr 09:00').waitFor()
  await day(page, '2099-04-07').locator('.event', { hasText: '09:00' }).getByText('By buttons').waitFor()
  await page
    .locator(':focus')
    .and(page.getByRole('button', { name: 'Move By buttons later' }))
    .waitFor()
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await page.locator('#day-2099-04-06 .event', { hasText: '17:00' }).getByText('By buttons').waitFor()
  await event(page, 'By buttons').hover()
  await page.getByRole('link', { name: 'Choose a slot for By buttons' }).click()
  await page.waitForURL(/\/workspace\/queue\/.*\/move/)
  expect(await axe(page)).toEqual([])
  await page.getByLabel('Slot', { exact: true }).selectOption({ label: 'Wed 8 Apr 17:00, free' })
  await page.getByRole('button', { name: 'Move' }).click()
  await page.waitForURL(/\/workspace\/queue\?/)
  await day(page, '2099-04-08').locator('.event', { hasText: 'By buttons' }).waitFor()
  expect(errors).toEqual([])
})

test('SOC-16 queue shows a move by a button without a live connection', async () => {
  await write('Offline', '2099-04-21T09:00')
  const { page, errors } = await open('date=2099-04-20')
  await page.routeWebSocket(/./, () => {})
  await page.reload()
  await event(page, 'Offline').hover()
  await page.getByRole('button', { name: 'Move Offline later' }).click()
  await day(page, '2099-04-21').locator('.event', { hasText: '17:00' }).getByText('Offline').waitFor()
  expect(errors).toEqual([])
})

test('SOC-16 post is moved without scripts, and the refusal of an outdated form is shown', async () => {
  const { id } = await write('Plain', '2099-04-20T09:00')
  const { page } = await open('date=2099-04-20', { scripts: false, expected: [409] })
  await event(page, 'Plain').hover()
  await page.getByRole('button', { name: 'Move Plain later' }).click()
  await page.locator('#day-2099-04-20 .event', { hasText: '17:00' }).getByText('Plain').waitFor()
  await ada.fetchJson(`PUT /api/posts/${id}`, { text: 'Plain, edited' })
  await event(page, 'Plain').hover()
  await page.getByRole('button', { name: 'Move Plain later' }).click()
  await page.getByText('Someone else changed this post').first().waitFor()
})

test('SOC-16 PLT-42 queue is found in the palette by its name and by its slots', async () => {
  const { page, errors } = await ada.open('/workspace/posts')
  for (const words of ['queue', 'slots']) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(words)
    await page
      .getByRole('dialog', { name: 'Search and commands' })
      .getByRole('option', { name: 'Queue', exact: true })
      .click()
    await page.waitForURL(/\/workspace\/queue/)
    await page.getByRole('heading', { name: /^Queue:/ }).waitFor()
  }
  expect(errors).toEqual([])
})

test('SOC-16 queue follows changes that are made elsewhere', async () => {
  const { page, errors } = await open('date=2099-05-04')
  await day(page, '2099-05-05').getByText('17:00').waitFor()
  await write('Written elsewhere', '2099-05-05T12:00')
  await day(page, '2099-05-05').locator('.event', { hasText: 'Written elsewhere' }).waitFor()
  expect(errors).toEqual([])
})

test.each(['light', 'dark'] as const)('SOC-16 PLT-41 queue has no overflow and is accessible, %s', async (scheme) => {
  const text = `${scheme}-Donaudampfschifffahrtsgesellschaftskapitän${'switwe'.repeat(20)}`
  await write(text, '2099-09-10T09:00')
  for (const width of [320, 768, 1280]) {
    const { page, errors } = await open('date=2099-09-07', { width, scheme })
    await event(page, scheme).waitFor()
    expect(await axe(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    if (Bun.env.SHOTS) await page.screenshot({ path: `/tmp/w4-${scheme}-${width}.png`, fullPage: true })
    expect(errors).toEqual([])
  }
})

test.each([1440, 360])(
  'SOC-16 slot at a time that clocks skip is explained while it is added, and in the queue of that day, at %d px',
  async (width) => {
    const own = await createPublisher(stage)
    const { page, errors } = await own.open(`/workspace/brands/${own.brandId}`, { width })
    const slots = main(page).getByRole('region', { name: 'Queue slots' })
    await slots.getByRole('checkbox', { name: 'Sunday' }).check()
    await slots.getByLabel('Time').fill('02:30')
    await slots.getByRole('button', { name: 'Add', exact: true }).click()
    const skipped = slots.getByText(/^On \d+ Mar \d+, 02:30 doesn’t exist in Europe\/Berlin/)
    await skipped.waitFor()
    await slots.getByText(/^On \d+ Oct \d+, 02:30 occurs twice in Europe\/Berlin/).waitFor()
    expect(await axe(page)).toEqual([])
    await page.goto(`${stage.server.url}/workspace/queue?brandId=${own.brandId}&date=2099-03-29`)
    await day(page, '2099-03-29').getByText('Slot of 02:30, which doesn’t exist on this day').waitFor()
    await day(page, '2099-03-29').locator('.event', { hasText: '03:30' }).waitFor()
    expect([await axe(page), await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)]).toEqual([
      [],
      true,
    ])
    expect(errors).toEqual([])
  },
)
