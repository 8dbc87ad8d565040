import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { UnsavedPostList } from '#social/types'
import { killRest } from '../boot/program.ts'
import { closeWindows, openBrowser } from '../support/browser.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serve, type Served } from '../support/served.ts'
import { signIn } from './person.ts'
import { createPublisher, main, openAs, type Publisher, type TestSite } from './test-site.ts'

// The server is a process that is killed, and started again on its port and database, while a person types.

let database: TestDatabase
let stage: TestSite
let server: Served
let ada: Publisher

const close = async () => {
  await closeWindows(stage.browser)
  await killRest()
  await database.drop()
}

beforeAll(async () => {
  database = await freshDatabase()
  const [first, browser] = await Promise.all([serve({ databaseUrl: database.url }), openBrowser()])
  server = first
  stage = { server, browser, database, close }
  ada = await createPublisher(stage)
})

afterAll(() => close())

const text = (page: Page) => page.getByLabel('Text', { exact: true })
const saved = (page: Page) => page.locator('#saved-state', { hasText: /^Saved \d\d:\d\d$/ })
const stored = async () =>
  (await ada.fetchJson<UnsavedPostList>('GET /api/unsaved-posts')).items.map((each) => each.text)

async function killServer(): Promise<void> {
  server.kill('SIGKILL')
  await server.exited
}

async function restartServer(): Promise<void> {
  server = await serve({ databaseUrl: database.url, env: { PORT: new URL(server.url).port } })
}

test('SOC-12 text typed while the server is killed and restarted is stored, also when another tab signs out right after', async () => {
  const { page } = await openAs(stage, ada.person, `/workspace/posts/new?brandId=${ada.brandId}`)
  page.on('dialog', (dialog) => void dialog.accept())
  await text(page).pressSequentially('Before the kill, ')
  await saved(page).waitFor()
  await text(page).pressSequentially('unsent, ')
  await killServer()
  await text(page).pressSequentially('while it is down, ')
  await page.getByText('This browser keeps your text').waitFor()
  const restarting = restartServer()
  await text(page).pressSequentially('while it starts, ', { delay: 30 })
  await restarting
  await saved(page).waitFor()
  const all = 'Before the kill, unsent, while it is down, while it starts, '
  expect(await stored()).toEqual([all])
  await page.reload()
  expect(await text(page).inputValue()).toBe(all)

  const other = await page.context().newPage()
  await other.goto(`${stage.server.url}/workspace/posts`)
  await other.getByRole('button', { name: /^Account:/ }).click()
  await killServer()
  await text(page).fill('Typed before the sign-out.')
  await page.getByText('This browser keeps your text').waitFor()
  await restartServer()
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByLabel('Email').waitFor()
  expect(await stored()).toEqual(['Typed before the sign-out.'])
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('unsaved:')))).toEqual([])

  await text(page).pressSequentially(' And after.')
  await signIn(other, ada.person)
  await main(other).getByRole('heading', { level: 1 }).waitFor()
  await text(page).pressSequentially('!')
  await saved(page).waitFor()
  expect(await stored()).toEqual(['Typed before the sign-out. And after.!'])
})
