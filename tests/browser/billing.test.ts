import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { freePort } from '#lib/postgres/launch.ts'
import { axe, openPage } from '../support/browser.ts'
import { layoutFaults } from '../support/layout.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let owner: Publisher

beforeAll(async () => {
  // The practice provider’s pages are at this port.
  stage = await openTestSite({ PORT: String(freePort()) })
  owner = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

const widths = [390, 1280]

async function expectNoFlaws(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    expect({ width, axe: await axe(page), layout: await layoutFaults(page) }).toEqual({ width, axe: [], layout: [] })
  }
}

const fact = (page: Page, name: string, value: string) =>
  main(page)
    .locator('#plan dt', { hasText: name })
    .locator('xpath=following-sibling::dd[1]')
    .filter({ hasText: value })
    .waitFor()

test('DSH-32 owner orders a package, previews and makes a change, cancels and resumes', async () => {
  const { page, errors } = await owner.open('/settings/billing')
  await fact(page, 'Package', 'None')
  await page.getByLabel('Seats').fill('2')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('heading', { name: 'Pay €18.00' }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(/\/settings\/billing/)
  await page.locator('#change').waitFor()
  await fact(page, 'Package', 'Three')
  await fact(page, 'Seats', 'of 2 in use')
  await page.locator('#payer').getByText('Visa ending 4242').waitFor()
  await main(page)
    .getByRole('row', { name: /Next invoice/ })
    .getByText('€18.00')
    .waitFor()
  await expectNoFlaws(page)

  await page.getByRole('radio', { name: /^Five/ }).check()
  await page.getByRole('spinbutton', { name: 'Seats' }).fill('3')
  await page.getByRole('button', { name: 'See the price' }).click()
  const quote = page.locator('#billing-quote')
  await quote.getByText('Due now').waitFor()
  await expectNoFlaws(page)
  await quote.getByRole('button', { name: 'Change to Five with 3 seats' }).click()
  await fact(page, 'Package', 'Five')
  await fact(page, 'Price', '3 seats')
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Everything works until').waitFor()
  await expectNoFlaws(page)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByText(/^The subscription ends on/).count()).toBe(0)
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByText(/^The subscription ends on/).waitFor()
  await expectNoFlaws(page)
  await page.getByRole('button', { name: 'Resume subscription' }).click()
  await page.getByRole('button', { name: 'Cancel subscription' }).waitFor()
  expect(await page.getByText(/^The subscription ends on/).count()).toBe(0)
  expect(errors).toEqual([])
})

test('DSH-32 owner previews and makes a change without scripts, reads why one is refused, and sees the price of an earlier sale', async () => {
  const opened = await owner.open('/settings/billing')
  const storageState = await opened.page.context().storageState()
  await opened.page.context().close()
  const { page, errors } = await openPage(stage.browser, {
    url: `${stage.server.url}/settings/billing`,
    context: { javaScriptEnabled: false, storageState },
  })
  const see = async (seats: string) => {
    await page.getByRole('spinbutton', { name: 'Seats' }).fill(seats)
    await page.getByRole('button', { name: 'See the price' }).click()
  }
  await see('3')
  await page.locator('#billing-quote [role=alert]').waitFor()
  await see('4')
  expect(await page.getByRole('spinbutton', { name: 'Seats' }).inputValue()).toBe('4')
  await page.locator('#billing-quote').getByText('Due now').waitFor()
  await page.getByRole('button', { name: 'Change to Five with 4 seats' }).click()
  await fact(page, 'Price', '4 seats')
  expect(new URL(page.url()).search).toBe('')
  const sql = postgres(stage.database.url, { max: 1 })
  await sql`
    INSERT INTO payments.package_prices (id, package, currency, unit_amount, active_from)
    VALUES (gen_random_uuid(), 'five', 'EUR', 1600, now() - interval '1 second')`
  await sql.end()
  await page.reload()
  const plan = page.locator('.plan').filter({ hasText: 'Five of our apps' })
  await plan.getByText('€14.00', { exact: true }).waitFor()
  await plan.getByText('Your price. New customers pay €16.00').waitFor()
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-32 owner sees the steps of an unpaid plan: everything works, no apps and members, an end that keeps the data, and a free plan that keeps what it has', async () => {
  const sql = postgres(stage.database.url, { max: 1 })
  const { page, errors } = await owner.open('/settings/billing')
  const steps = [
    {
      columns: { status: 'past_due', access: 'full', past_due_since: daysAgo(2) },
      title: 'The last payment failed',
      text: 'after that no apps can be installed and no one can join',
    },
    {
      columns: { status: 'past_due', access: 'read_only', past_due_since: daysAgo(15) },
      title: 'An invoice isn’t paid',
      text: 'No apps can be installed and no one can join',
    },
    {
      columns: { status: 'canceled', access: 'ended', past_due_since: null, ended_at: daysAgo(1) },
      title: 'The subscription has ended',
      text: 'Their data is kept until',
    },
  ]
  for (const { columns, title, text } of steps) {
    await sql`UPDATE payments.subscriptions SET ${sql(columns)} WHERE organization_id = ${owner.organizationId}`
    await page.reload()
    await main(page).getByText(title, { exact: true }).waitFor()
    await main(page).getByText(text).waitFor()
    await expectNoFlaws(page)
  }
  await page.locator('#order').waitFor()
  const unverified = {
    package: 'free',
    status: 'past_due',
    access: 'read_only',
    past_due_since: daysAgo(15),
    ended_at: null,
  }
  await sql`UPDATE payments.subscriptions SET ${sql(unverified)} WHERE organization_id = ${owner.organizationId}`
  await page.reload()
  await main(page).getByText('The yearly verification isn’t paid', { exact: true }).waitFor()
  await main(page).getByText('keeps its seat and its free apps').waitFor()
  await expectNoFlaws(page)
  await sql.end()
  expect(errors).toEqual([])
})

const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000)
