import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { createSuperAdminLink } from '#identity'
import { openDatabase } from '#lib/db.ts'
import { openPage } from '../support/browser.ts'
import { totp } from '../support/totp.ts'
import { flawsOf } from './payments-site.ts'
import { main, openTestSite, type TestSite } from './test-site.ts'

const password = 'correct horse battery'

let stage: TestSite

beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

async function send(path: string, body: unknown): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(stage.server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(response.status).toBe(201)
}

async function openInbox(email = 'root@example.com', expected: number[] = []) {
  const database = openDatabase(stage.database.url, 1)
  const link = await createSuperAdminLink(database.db, email, new Date())
  await database.close()
  const opened = await openPage(stage.browser, { url: stage.server.url + link, expected })
  await opened.page.getByLabel('Your name').fill('Root')
  await opened.page.getByLabel('Password', { exact: true }).fill(password)
  await opened.page.getByRole('button', { name: 'Become a super admin' }).click()
  await main(opened.page).getByRole('heading', { name: 'Organizations' }).waitFor()
  await opened.page.getByRole('link', { name: 'Inbox' }).first().click()
  return opened
}

test('DSH-30 DSH-31 inbox shows a new message without a reload, names its topics as the form does, and marks it as done', async () => {
  const { page, errors } = await openInbox()
  await main(page).getByText('Nothing has arrived yet').waitFor()
  await send('/api/waitlist', { topics: ['networks', 'hosting'], email: 'wait@example.com' })
  const row = main(page).getByRole('row', { name: /wait@example.com/ })
  await row.getByText('More networks, Hosting in your region').waitFor()
  expect(await page.getByText('This page is out of date').count()).toBe(0)
  expect(await flawsOf(page)).toEqual({})

  const slots = await fetch(`${stage.server.url}/api/demo-slots`)
  const { items } = await slots.json()
  const { startsAt } = items.find(({ available }: { available: boolean }) => available)
  await send('/api/demo-bookings', { name: 'Dora Demo', email: 'dora@example.com', startsAt })
  const day = new Date(startsAt).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
  await main(page)
    .getByRole('row', { name: /Dora Demo/ })
    .getByText(`On ${new Date(startsAt).toLocaleDateString('en-GB', { weekday: 'short', timeZone: 'UTC' })} ${day}`)
    .waitFor()

  await row.getByRole('link').click()
  await main(page).getByText('More networks, Hosting in your region').waitFor()
  await main(page).getByRole('button', { name: 'Mark as done' }).click()
  await main(page).getByRole('button', { name: 'Open again' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-30 super admin filters checkouts by state, and sees what happened to each, on wide and narrow screens', async () => {
  const database = openDatabase(stage.database.url, 1)
  await database.sql`
    INSERT INTO dashboard.checkouts (id, package, seats, email, organization_name, secret_hash, state, problem, created_at)
    VALUES (gen_random_uuid(), 'five', 4, 'ann@example.com', 'Ann', 'x', 'abandoned', NULL, now()),
      (gen_random_uuid(), 'ten', 3, 'bea@example.com', 'Bea', 'x', 'refused', 'order_unclaimed', now())`
  await database.close()
  const { page, errors } = await openInbox('second@example.com')
  await page.getByRole('link', { name: 'Checkouts' }).first().click()
  await main(page).getByRole('heading', { name: 'Checkouts' }).waitFor()
  const row = (name: string) => main(page).getByRole('row', { name })
  await row('Ann').waitFor()
  expect(await flawsOf(page)).toEqual({})
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await row('Bea').getByText('Refused, refunded').waitFor()
    await row('Bea').getByText('No organization was chosen in 14 days').waitFor()
    expect(await row('Bea').getByText('Ten, 3 seats').filter({ visible: true }).count()).toBe(1)
  }
  await main(page).getByLabel('State').selectOption('Abandoned')
  await row('Bea').waitFor({ state: 'detached' })
  await row('Ann').getByText('Abandoned').waitFor()
  expect(new URL(page.url()).searchParams.get('state')).toBe('abandoned')
  expect(errors).toEqual([])
})

/** In the settings of the person who is signed in. Returns its secret. */
async function addAuthenticator(page: Page): Promise<string> {
  await page.goto(`${stage.server.url}/settings/security`)
  await page.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Can’t scan it?').click()
  const secret = await page.locator('[data-secret]').innerText()
  await page.getByLabel('Code from the app').fill(totp(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByRole('button', { name: 'I’ve saved them' }).click()
  await page.getByText('10 left').waitFor()
  return secret
}

test('DSH-31 super admin confirms with a code of the app, erases everything of one address, and ends the confirmation', async () => {
  const { page, errors } = await openInbox('third@example.com', [422])
  const secret = await addAuthenticator(page)
  const own = { name: 'Gina Gone', email: 'gina@example.com' }
  await send('/api/contact', { ...own, message: 'What do you keep about me?' })
  await send('/api/contact', { ...own, message: 'Delete it' })
  await send('/api/contact', { name: 'Stan Stays', email: 'stan@example.com', message: 'Hello' })
  await page.goto(`${stage.server.url}/admin/inbox`)
  const rowsOf = (name: string) => main(page).getByRole('row', { name: new RegExp(name) })
  await rowsOf('Gina Gone').first().waitFor()
  await main(page).getByText('Erase a visitor').click()
  expect(await main(page).getByRole('button', { name: 'Erase' }).count()).toBe(0)
  const code = main(page).getByLabel('Code from your authenticator app')
  await code.fill('000000')
  await main(page).getByRole('button', { name: 'Confirm' }).click()
  await main(page).getByText('Incorrect or already used code').waitFor()
  expect(await flawsOf(page)).toEqual({})
  // The next code: that of the set-up is used.
  await code.fill(totp(secret, Date.now() + 30_000))
  await main(page).getByRole('button', { name: 'Confirm' }).click()
  await main(page).getByText('You are confirmed until').waitFor()

  await main(page).getByRole('button', { name: 'Erase a visitor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Erase a visitor?' })
  expect(await flawsOf(page)).toEqual({})
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await rowsOf('Gina Gone').count()).toBe(2)
  await main(page).getByRole('button', { name: 'Erase a visitor' }).click()
  await dialog.getByLabel('Email address').fill('Gina@example.com')
  await page.keyboard.press('Enter')
  await page.getByText('2 entries erased').waitFor()
  await rowsOf('Gina Gone').first().waitFor({ state: 'detached' })
  expect(await rowsOf('Stan Stays').count()).toBe(1)
  const database = openDatabase(stage.database.url, 1)
  const stored =
    await database.sql`SELECT email FROM dashboard.inquiries WHERE email LIKE 'gina%' OR email LIKE 'stan%'`
  await database.close()
  expect(stored.map(({ email }) => email)).toEqual(['stan@example.com'])

  await main(page).getByRole('button', { name: 'End confirmation' }).click()
  await main(page).getByText('You are confirmed until').waitFor({ state: 'detached' })
  await main(page).getByText('Erase a visitor').click()
  await code.waitFor()
  expect(errors).toEqual([])
})
