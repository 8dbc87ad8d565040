import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Post } from '#social/types'
import { axe } from '../support/browser.ts'
import { layoutFaults } from '../support/layout.ts'
import { createPublisher, joinOrganization, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
})
afterAll(() => stage.close())

const home = () => `/workspace?brandId=${ada.brandId}`
const section = (page: Page, name: string) => main(page).getByRole('region', { name })
const write = (text: string, more = {}) =>
  ada.fetchJson<Post>('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text, ...more })
const publish = ({ id }: Post) => ada.fetchJson(`POST /api/posts/${id}/publish-now`)

/** A day of the brand from today on. */
const dayAfter = (days: number): string => Temporal.Now.plainDateISO('Europe/Berlin').add({ days }).toString()
const plan = (text: string, days: number) =>
  write(text, { status: 'scheduled', scheduledAt: `${dayAfter(days)}T10:00`, timeZone: 'Europe/Berlin' })

test('SOC-36 home shows a post that is published meanwhile, without a reload', async () => {
  const post = await write('Published meanwhile')
  const { page, errors } = await ada.open(home())
  await section(page, 'Today').getByText('Nothing is planned for today').waitFor()
  await publish(post)
  await section(page, 'Recently published').getByRole('link', { name: 'Published meanwhile' }).waitFor()
  await section(page, 'Today').getByText('1 published').waitFor()
  expect(errors).toEqual([])
})

test('SOC-36 agenda of today has a line at the current time, which is moved behind the posts whose time has come', async () => {
  const own = await createPublisher(stage, { timeZone: 'Asia/Tokyo' })
  const draft = { brandId: own.brandId, provider: 'sandbox', text: 'Just now' }
  await own.fetchJson(`POST /api/posts/${(await own.fetchJson<Post>('POST /api/posts', draft)).id}/publish-now`)
  const { page, errors } = await own.open(`/workspace?brandId=${own.brandId}`)
  const items = section(page, 'Today').getByRole('listitem')
  await section(page, 'Today').getByText('1 published').waitFor()
  const time = new Intl.DateTimeFormat('en-GB', { timeZone: 'Asia/Tokyo', hour: '2-digit' })
  expect(await items.nth(1).getByRole('separator', { name: 'Now' }).count()).toBe(1)
  expect(await items.nth(1).innerText()).toContain(`${time.format(new Date())}:`)
  // As it was before the post.
  await items.nth(1).evaluate((line) => line.parentElement?.prepend(line))
  await page.evaluate(() => document.querySelector('day-agenda li:not([data-now])')?.scrollIntoView())
  await section(page, 'Today').locator('li:first-child + [data-now]').waitFor()
  expect(errors).toEqual([])
})

test('SOC-36 home shows a failed post as one that needs attention, until it is solved elsewhere', async () => {
  const { page, errors } = await ada.open(home())
  await ada.setBehavior({ mode: 'fail', status: 400, times: 1 })
  const post = await write('Refused by the network')
  await publish(post)
  await section(page, 'Needs attention').getByText('Refused by the network').waitFor()
  await ada.fetchJson(`DELETE /api/posts/${post.id}`)
  await section(page, 'Needs attention').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})

test('SOC-36 PLT-40 days ahead lead to the calendar, and empty ones to a new post of that day, by keyboard', async () => {
  await plan('The day after tomorrow', 2)
  const { page, errors } = await ada.open(home())
  const week = section(page, 'Week ahead')
  const day = week.getByRole('listitem').nth(1)
  await day.getByRole('link', { name: /^1 post/ }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/workspace\/calendar\?.*view=week/)
  await main(page)
    .locator(`#day-${dayAfter(2)} .event`, { hasText: 'The day after tomorrow' })
    .waitFor()
  await page.goBack()
  await week.getByRole('link', { name: 'Calendar' }).focus()
  // The days follow, and the first one is empty.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/workspace\/posts\/new/)
  expect(await page.getByLabel('Date', { exact: true }).inputValue()).toBe(dayAfter(1))
  expect(errors).toEqual([])
})

test.each(['light', 'dark'] as const)(
  'SOC-36 PLT-41 home has no overflow and is accessible at 360 px, with long words, %s',
  async (scheme) => {
    await publish(await write(`Donaudampfschifffahrtsgesellschaftskapitän${'switwe'.repeat(20)}`))
    await plan(`Rindfleischetikettierungsüberwachung${'saufgaben'.repeat(10)}`, 3)
    const { page, errors } = await ada.open(home(), { width: 360, scheme })
    await section(page, 'Recently published').getByText('Donaudampf').first().waitFor()
    expect([await axe(page), await layoutFaults(page)]).toEqual([[], []])
    expect(errors).toEqual([])
  },
)

test.each([
  [1440, 'light'],
  [360, 'dark'],
] as const)(
  'SOC-36 SOC-32 home shows a post that a reviewer sends back, and the results of 7 days, at %d px, %s',
  async (width, scheme) => {
    const own = await createPublisher(stage)
    const ben = await createPublisher(stage, { name: 'Ben Hart', connected: false })
    await joinOrganization(stage, ben, own, 'reviewer')
    const create = (text: string) =>
      own.fetchJson<Post>('POST /api/posts', { brandId: own.brandId, provider: 'sandbox', text })
    await own.fetchJson(`POST /api/posts/${(await create('Out')).id}/publish-now`)
    const post = await create(`Without a price ${'x'.repeat(90)}`)
    await own.fetchJson(`POST /api/posts/${post.id}/review-requests`, {})
    const { page, errors } = await own.open(`/workspace?brandId=${own.brandId}`, { width, scheme })
    const results = section(page, 'Last 7 days')
    await results.getByText('1 published · 0 published before').waitFor()
    const { page: reviewer } = await ben.open(`/workspace/posts/${post.id}`)
    await main(reviewer).getByLabel('Why (optional)').fill('Please add the price')
    await main(reviewer).getByRole('button', { name: 'Request changes' }).click()
    await section(page, 'Needs attention').getByText('Please add the price').waitFor()
    await section(page, 'Needs attention').getByText('Changes requested by Ben Hart').waitFor()
    expect([await axe(page), await layoutFaults(page), errors]).toEqual([[], [], []])
    await section(page, 'Needs attention').getByRole('link', { name: 'Open' }).click()
    await page.waitForURL((url) => url.pathname.includes(post.id))
  },
)
