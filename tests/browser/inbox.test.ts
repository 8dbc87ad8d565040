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

async function openInbox() {
  const database = openDatabase(stage.database.url, 1)
  const link = await createSuperAdminLink(database.db, 'root@example.com', new Date())
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

  await row.getByRole('link').click()
  await main(page).getByText('More networks, Hosting in your region').waitFor()
  await main(page).getByRole('button', { name: 'Mark as done' }).click()
  await main(page).getByRole('button', { name: 'Open again' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
})
