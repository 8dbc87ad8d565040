import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import postgres from 'postgres'
import { freePort } from '#lib/postgres/launch.ts'
import { eventually } from '../boot/program.ts'
import { axe, openPage } from '../support/browser.ts'
import { layoutFaults } from '../support/layout.ts'
import { createPublisher, main, openTestSite } from './test-site.ts'

let stage: Awaited<ReturnType<typeof openTestSite>>
let sql: postgres.Sql

beforeAll(async () => {
  // The practice provider’s pages are at this port.
  stage = await openTestSite({ PORT: String(freePort()) })
  // A server without accounts has no front page.
  await createPublisher(stage, { connected: false })
  sql = postgres(stage.database.url, { max: 1 })
})
afterAll(async () => {
  await sql.end()
  await stage.close()
})

const widths = [390, 1280]

async function expectNoFlaws(page: Page): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    expect({ width, axe: await axe(page), layout: await layoutFaults(page) }).toEqual({ width, axe: [], layout: [] })
  }
}

const factOf = (page: Page, name: string) =>
  main(page).locator('dt', { hasText: name }).first().locator('xpath=following-sibling::dd[1]')

test('DSH-30 stranger buys a package from the front page, lands signed in with apps and seats, and has an invoice in the mailbox', async () => {
  const email = `bakery-${Bun.randomUUIDv7('hex').slice(-10)}@example.com`
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/` })
  await main(page).getByRole('link', { name: 'Get started' }).first().click()
  await main(page).getByRole('link', { name: 'Choose Three' }).click()
  await page.getByRole('heading', { level: 1, name: 'Create your organization' }).waitFor()
  await expectNoFlaws(page)
  expect(await page.getByRole('radio', { name: /^Three/ }).isChecked()).toBe(true)
  await page.getByLabel('Seats').fill('4')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Organization name').fill('Corner Bakery')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('heading', { name: 'Pay €36.00' }).waitFor()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByRole('heading', { name: 'Your organization is ready' }).waitFor()
  await page.getByText('2 paid apps').waitFor()
  await expectNoFlaws(page)
  await page.getByRole('button', { name: 'Open Atrium' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()

  await page.goto(`${stage.server.url}/settings/billing`)
  expect(await factOf(page, 'Package').textContent()).toBe('Three')
  expect(await factOf(page, 'Apps').textContent()).toBe('2 of 3 installed')
  expect(await factOf(page, 'Seats').textContent()).toBe('1 of 4 in use')

  await page.goto(`${stage.server.url}/dev/mailbox?q=${encodeURIComponent(email)}`)
  await main(page)
    .getByRole('link', { name: /^Invoice .*Corner Bakery: €36\.00 paid$/ })
    .click()
  const link = page.getByRole('link', { name: /invoices/ }).first()
  await page.goto((await link.getAttribute('href')) ?? '')
  await page.getByText('36.00 · paid').waitFor()
  expect(errors).toEqual([])
})

interface Order {
  page: Page
  errors: string[]
  email: string
}

const newEmail = (name: string): string => `${name}-${Bun.randomUUIDv7('hex').slice(-10)}@example.com`

/** Orders four seats of a package, up to the page to pay on. */
async function order(webhooks: string, email = newEmail(webhooks)): Promise<Order> {
  const behavior = {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhooks }),
  }
  expect((await fetch(`${stage.server.url}/dev/payments/behavior`, behavior)).status).toBe(200)
  const { page, errors } = await openPage(stage.browser, {
    url: `${stage.server.url}/checkout?package=three&seats=4`,
  })
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Organization name').fill('Corner Bakery')
  await page.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('heading', { name: 'Pay €36.00' }).waitFor()
  return { page, errors, email }
}

/** Pays, and returns to the order once `until` is done. Playwright can’t hold a redirect, so it is followed by hand. */
async function pay({ page }: Order, until: () => Promise<unknown> = async () => {}): Promise<void> {
  const paid = Promise.withResolvers<string>()
  await page.route('**/dev/payments/checkout/*', async (route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    await route.abort('aborted')
    paid.resolve(response.headers()['location'] ?? '')
  })
  await page.getByRole('button', { name: 'Pay', exact: true }).click({ noWaitAfter: true })
  const next = await paid.promise
  await until()
  await page.goto(next)
}

const stateOf = async ({ email }: Order): Promise<string | undefined> => {
  const [row] = await sql<{ state: string }[]>`SELECT state FROM dashboard.checkouts WHERE email = ${email}`
  return row?.state
}

const waitingEvents = async (): Promise<number> => {
  const [row] = await sql<{ waiting: number }[]>`
    SELECT (SELECT count(*)::int FROM practice_payments.deliveries) +
      (SELECT count(*)::int FROM platform.received_webhooks WHERE state = 'waiting') AS waiting`
  return row?.waiting ?? 0
}

/** The buyer signs in, and everything is there once. */
async function expectOneOrganization({ page, errors, email }: Order): Promise<void> {
  await page.getByRole('heading', { name: 'Your organization is ready' }).waitFor()
  await page.getByRole('button', { name: 'Open Atrium' }).click()
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
  await page.goto(`${stage.server.url}/settings/billing`)
  expect(await factOf(page, 'Apps').textContent()).toBe('2 of 3 installed')
  expect(await factOf(page, 'Seats').textContent()).toBe('1 of 4 in use')
  const [found] = await sql`
    SELECT (SELECT count(*)::int FROM identity.users WHERE email = ${email}) AS people,
      (SELECT count(*)::int FROM identity.memberships m JOIN identity.users u ON u.id = m.user_id
        WHERE u.email = ${email}) AS organizations,
      (SELECT count(*)::int FROM practice_payments.objects o WHERE o.type = 'charge'
        AND o.data ->> 'customer' = s.provider_customer_id) AS charges,
      (SELECT count(*)::int FROM platform.mails m WHERE m.recipient = ${email} AND m.subject LIKE 'Invoice %') AS invoices
    FROM dashboard.checkouts c JOIN payments.subscriptions s ON s.id = c.subscription_id WHERE c.email = ${email}`
  expect(found).toEqual({ people: 1, organizations: 1, charges: 1, invoices: 1 })
  expect(errors).toEqual([])
}

test('DSH-30 buyer’s organization is ready on arrival, when the webhook comes before the redirect', async () => {
  const bought = await order('ok')
  await pay(bought, async () => expect(await eventually(async () => (await stateOf(bought)) === 'ready')).toBe(true))
  await expectOneOrganization(bought)
})

test('DSH-30 page of the order waits and continues by itself, when the webhook comes after the redirect', async () => {
  const bought = await order('delay')
  await pay(bought)
  await bought.page.getByRole('heading', { name: 'Waiting for your payment' }).waitFor()
  await expectOneOrganization(bought)
})

test('DSH-30 buyer has one organization and one invoice, when the webhook comes twice', async () => {
  const bought = await order('duplicate')
  await pay(bought)
  await bought.page.getByRole('heading', { name: 'Your organization is ready' }).waitFor()
  expect(await eventually(async () => (await waitingEvents()) === 0)).toBe(true)
  await expectOneOrganization(bought)
})

test('DSH-30 buyer’s organization is created after a restart of the server, when the webhook comes only then', async () => {
  const bought = await order('delay')
  await pay(bought, async () => {
    await stage.restart()
    expect(await stateOf(bought)).not.toBe('ready')
  })
  await expectOneOrganization(bought)
})

test('DSH-30 owner of an account uses a paid order for their organization on its page, once their address is verified', async () => {
  const owner = await createPublisher(stage, { connected: false })
  const { email } = owner.person
  const bought = await order('ok', email)
  await pay(bought)
  await bought.page.getByRole('link', { name: 'Sign in' }).last().waitFor()
  const { pathname } = new URL(bought.page.url())
  const { page, errors } = await owner.open(pathname)
  await main(page).getByText('Verify your email address in your profile first').waitFor()
  await expectNoFlaws(page)
  await sql`UPDATE identity.users SET email_verified_at = now() WHERE email = ${email}`
  await page.reload()
  await expectNoFlaws(page)
  await main(page)
    .getByRole('button', { name: /^Use it for acme-/ })
    .dblclick()
  await page.getByRole('heading', { name: 'Your organization is ready' }).waitFor()
  await page.goto(`${stage.server.url}/settings/billing`)
  expect(await factOf(page, 'Package').textContent()).toBe('Three')
  expect(errors).toEqual([])
})
