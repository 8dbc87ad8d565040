import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { flawsOf } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

interface Draft {
  cause: string
  title: string
  actions?: object[]
}

const post = (page: Page, draft: Draft) =>
  page.evaluate(async (sent) => {
    const response = await fetch('/api/notifications', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'It needs a decision.', href: '/actions', ...sent }),
    })
    const { id }: { id: string } = await response.json()
    return id
  }, draft)
const cards = (page: Page) => main(page).locator('[data-action]')

test.each([1440, 360])(
  'DSH-20 action without a button is assigned to a colleague and marked as done with the keyboard, at %d px',
  async (width) => {
    const { page, errors } = await ada.open('/actions', { width })
    await post(page, { cause: `plain ${width}`, title: 'Water the plants' })
    const card = main(page).locator('[data-action]')
    await card.getByRole('button', { name: 'Mark as done' }).waitFor()
    await card.getByRole('button', { name: 'More for Water the plants' }).press('Enter')
    await page.getByRole('button', { name: 'Assign to…' }).press('Enter')
    await page.getByRole('heading', { name: 'Assign to' }).waitFor()
    await page.keyboard.press('ArrowDown')
    expect(await flawsOf(page)).toEqual({})
    await page.keyboard.press('Enter')
    await page.getByText('Assigned', { exact: true }).waitFor()
    await card.getByText(/ · for \w+/).waitFor()
    expect(await page.locator('.menu:popover-open').count()).toBe(0)
    await card.getByRole('button', { name: 'Mark as done' }).press('Enter')
    await main(page).getByText('Nothing to do').waitFor()
    expect(errors).toEqual([])
    await page.close()
  },
)

test('DSH-20 ten actions are worked with the keyboard alone, without leaving the page', async () => {
  const { page, errors } = await ada.open('/actions')
  await main(page).getByText('Nothing to do').waitFor()
  for (let nth = 1; nth <= 10; nth++) {
    const id = await post(page, { cause: `c${nth}`, title: `Decide about ${nth}` })
    // Its button resolves it, as those of services do.
    const resolve = { label: 'Approve', method: 'POST', href: `/api/notifications/${id}/resolve` }
    await post(page, { cause: `c${nth}`, title: `Decide about ${nth}`, actions: [resolve] })
  }
  await page.reload()
  expect(await cards(page).count()).toBe(10)
  expect(await flawsOf(page)).toEqual({})
  await page.keyboard.press('j')
  for (let left = 10; left > 0; left--) {
    await page.keyboard.press('Tab')
    while (!(await page.evaluate(() => document.activeElement?.textContent?.trim() === 'Approve')))
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    // What a program posted says first what it sends.
    await page.getByText('A program posted this').filter({ visible: true }).waitFor()
    while (!(await page.evaluate(() => document.activeElement?.matches('dialog [type=submit]'))))
      await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.waitForFunction((count) => document.querySelectorAll('[data-action]').length === count, left - 1)
  }
  await main(page).getByText('Nothing to do').waitFor()
  expect(new URL(page.url()).pathname).toBe('/actions')
  expect(errors).toEqual([])
})

test('DSH-20 refused button says why in its card, and a snoozed action can be undone', async () => {
  const { page } = await ada.open('/actions')
  await post(page, {
    cause: 'refused',
    title: 'Ask again',
    actions: [{ label: 'Ask now', method: 'POST', href: '/api/payments/00000000-0000-7000-8000-000000000000/check' }],
  })
  const card = cards(page).filter({ hasText: 'Ask again' })
  await card.waitFor()
  await card.getByRole('button', { name: 'Ask now' }).click()
  await card.getByRole('dialog').getByRole('button', { name: 'Ask now' }).click()
  await card.getByText(/doesn’t exist/).waitFor()
  await card.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await card.getByRole('button', { name: 'More for Ask again' }).click()
  await page.getByRole('button', { name: 'Snooze for a week' }).click()
  await card.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await card.waitFor()
})
