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

const card = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })
const names = (page: Page) => main(page).locator('.widget:visible h2').allInnerTexts()
const loaded = (page: Page) => page.waitForFunction(() => !document.querySelector('.widget:not([hidden]) [aria-busy]'))

test('DSH-02 dashboard opens into the widgets of installed apps, with nothing above them', async () => {
  const { page, errors } = await ada.open('/dashboard')
  await loaded(page)
  const shown = await names(page)
  for (const name of ['Social', 'Payments', 'Actions', 'Gateway']) expect(shown).toContain(name)
  expect(await card(page, 'Payments').getByText('Takings').first().isVisible()).toBe(true)
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})

test('DSH-02 raised action is in its widget at once', async () => {
  const { page } = await ada.open('/dashboard')
  await loaded(page)
  await page.waitForTimeout(1_500)
  await page.evaluate(() =>
    fetch('/api/notifications', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ cause: 'x', title: 'Call the printer', reason: 'It is late.', href: '/actions' }),
    }),
  )
  await card(page, 'Actions').getByText('Call the printer').waitFor({ timeout: 5_000 })
})

test('DSH-07 widget that is hidden stays hidden after a reload, and comes back from the menu below', async () => {
  const { page } = await ada.open('/dashboard')
  await loaded(page)
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/dashboard/layout'))
  await page.getByRole('button', { name: 'Widget Gateway' }).click()
  await page.getByRole('button', { name: 'Hide' }).click()
  await saved
  await page.reload()
  await loaded(page)
  expect(await names(page)).not.toContain('Gateway')
  await page.getByRole('button', { name: 'Hidden widgets (1)' }).click()
  await page.getByRole('button', { name: 'Show Gateway' }).click()
  await card(page, 'Gateway').waitFor()
})

test('DSH-07 widget is moved with the keyboard alone, and stays there', async () => {
  const { page } = await ada.open('/dashboard')
  await loaded(page)
  const [first, second] = await names(page)
  await page.getByRole('button', { name: `Widget ${first}` }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Move' }).focus()
  const saved = page.waitForResponse((response) => response.url().endsWith('/api/dashboard/layout'))
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await saved
  await page.reload()
  await loaded(page)
  expect((await names(page)).slice(0, 2)).toEqual([second ?? '', first ?? ''])
})
