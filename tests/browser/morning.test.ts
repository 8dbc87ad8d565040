import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { eventually } from '../boot/program.ts'
import { raiseMorning } from './morning-work.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher
let raised: { stop(): Promise<void> }

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
  raised = await raiseMorning(stage, ada)
})
afterAll(async () => {
  await raised.stop()
  await stage.close()
})

const titles = {
  refund: 'Approve a €100.00 refund',
  dispute: 'Respond to the dispute about order',
  posts: '2 posts to Sandbox failed',
  unknown: 'Did this post reach Sandbox?',
  account: /Reconnect .*roastery.* on Sandbox/,
  budget: 'Used up',
  webhook: 'The webhook Shop was disabled',
  ceiling: 'Confirm a raised ceiling of payments',
  invitation: 'Your invitation was accepted',
  post: 'A post to Sandbox failed',
}

test('DSH-20 a morning of ten actions is worked with the keyboard alone, without leaving the page', async () => {
  const { page, errors } = await ada.open('/actions')
  const left = new Set<string>()
  page.on('framenavigated', (frame) => left.add(new URL(frame.url()).pathname))
  for (const [name, title] of Object.entries(titles)) if (name !== 'post') await cardOf(page, title).waitFor()
  expect(await cards(page).count()).toBe(9)

  await openFilter(page, 'Payments', 3)
  await openFilter(page, 'All apps', 9)

  await choose(page, titles.budget, 'Assign to me')
  await cardOf(page, titles.budget).getByText('for Ada Lovelace').waitFor()
  await openFilter(page, 'Me', 1)
  await openFilter(page, 'Anyone', 9)

  await choose(page, titles.webhook, 'Snooze until tomorrow')
  await cardOf(page, titles.webhook).waitFor({ state: 'detached' })
  await openFilter(page, 'Snoozed', 1)
  await choose(page, titles.webhook, 'End snooze')
  await main(page).getByText('Nothing snoozed').waitFor()
  await openFilter(page, 'Open', 9)

  await press(page, titles.webhook, 'Enable')
  await press(page, titles.refund, 'Approve €100.00')
  await press(page, titles.dispute, 'Accept the loss', { isConfirmed: true })
  await press(page, titles.ceiling, 'Confirm', { isConfirmed: true })
  await press(page, titles.posts, 'Retry all')
  await press(page, titles.unknown, 'Mark as published', {
    text: `${stage.server.url}/dev/sandbox/${ada.handle}`,
  })
  await press(page, titles.budget, 'Raise the limit', { text: '500' })
  await press(page, titles.invitation, 'Dismiss')
  await press(page, titles.account, 'Reconnect')
  // It failed while the account was signed out.
  await press(page, titles.post, 'Move to drafts')
  await eventually(async () => (await cards(page).count()) === 0)
  expect(await cards(page).allInnerTexts()).toEqual([])
  await main(page).getByText('Nothing to do').waitFor()
  expect([...left]).toEqual(['/actions'])
  expect(errors).toEqual([])
})

const cards = (page: Page) => main(page).locator('[data-action]')
const cardOf = (page: Page, title: string | RegExp) => cards(page).filter({ hasText: title })
const hasFocus = (element: Locator) => element.evaluate((each) => each === document.activeElement)

/** Tab, or Shift and Tab, from where the focus is. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let stops = 0; stops < 100; stops += 1) {
    const way = await element.evaluate((wanted) => {
      const { activeElement: focused, body } = document
      if (wanted === focused) return null
      const isBefore = focused && wanted.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING
      return focused !== body && isBefore ? 'Shift+Tab' : 'Tab'
    })
    if (way === null) return
    await page.keyboard.press(way)
  }
  throw new Error(`A hundred stops of the Tab key don't lead to ${String(element)}`)
}

async function openFilter(page: Page, name: string, count: number): Promise<void> {
  await tabTo(page, main(page).getByRole('link', { name, exact: true }))
  await page.keyboard.press('Enter')
  await main(page).locator('[aria-current=page]', { hasText: name }).waitFor()
  await page.waitForFunction((wanted) => document.querySelectorAll('[data-action]').length === wanted, count)
}

/** `j` and `k` move between the cards. */
async function focusCard(page: Page, title: string | RegExp): Promise<Locator> {
  const card = cardOf(page, title)
  await card.waitFor()
  for (let steps = 0; steps < 30; steps += 1) {
    const key = await card.evaluate((wanted) => {
      const list = [...document.querySelectorAll('[data-action]')]
      const at = list.findIndex((each) => each.contains(document.activeElement))
      return wanted === document.activeElement ? null : at >= list.indexOf(wanted) ? 'k' : 'j'
    })
    if (key === null) return card
    await page.keyboard.press(key)
  }
  throw new Error(`The keys don't lead to ${String(title)}`)
}

/** Presses a button of the card, which goes away. */
async function press(
  page: Page,
  title: string | RegExp,
  label: string,
  { isConfirmed = false, text = '' }: { isConfirmed?: boolean; text?: string } = {},
): Promise<void> {
  const card = await focusCard(page, title)
  if (text) {
    await tabTo(page, card.getByRole('textbox'))
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
  }
  await tabTo(page, card.getByRole('button', { name: label, exact: true }).first())
  await page.keyboard.press('Enter')
  if (isConfirmed) {
    await tabTo(page, card.getByRole('dialog').getByRole('button', { name: label, exact: true }))
    await page.keyboard.press('Enter')
  }
  await card.waitFor({ state: 'detached' })
}

/** Chooses in the menu of the card. */
async function choose(page: Page, title: string | RegExp, item: string): Promise<void> {
  const card = await focusCard(page, title)
  await tabTo(page, card.getByRole('button', { name: /^More for/ }))
  await page.keyboard.press('Enter')
  const wanted = card.getByRole('button', { name: item })
  await wanted.waitFor()
  for (let steps = 0; steps < 10 && !(await hasFocus(wanted)); steps += 1) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
}
