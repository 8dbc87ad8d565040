import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createSuperAdminLink } from '#identity'
import { openDatabase } from '#lib/db.ts'
import { openPage } from '../support/browser.ts'
import { flawsOf } from './payments-site.ts'
import { main, openTestSite, type TestSite } from './test-site.ts'

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

async function openInbox(email = 'root@example.com') {
  const database = openDatabase(stage.database.url, 1)
  const link = await createSuperAdminLink(database.db, email, new Date())
  await database.close()
  const opened = await openPage(stage.browser, { url: stage.server.url + link })
  await opened.page.getByLabel('Your name').fill('Root')
  await opened.page.getByLabel('Password', { exact: true }).fill('correct horse battery')
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
