import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page, WebSocketRoute } from 'playwright-core'
import { closeWindows, openBrowser, openPage } from '../support/browser.ts'
import { eventually, killRest } from '../boot/program.ts'
import { layoutFaults } from '../support/layout.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serve, type Served } from '../support/served.ts'
import { connectFromComposer, nameFirstBrand, newPerson, openFirstBrand, register } from './person.ts'

let database: TestDatabase
let server: Served
let browser: Browser

// The server is a separate process, as in production.
beforeAll(async () => {
  database = await freshDatabase()
  ;[server, browser] = await Promise.all([serve({ databaseUrl: database.url }), openBrowser()])
})

afterAll(async () => {
  await closeWindows(browser)
  await killRest()
  await database.drop()
})

const handle = 'acme.coffee'
/** The steps to the first post, as the page shows them. */
async function expectSteps(page: Page, states: ('done' | 'current' | '')[]): Promise<void> {
  const steps = page.getByRole('list', { name: 'Getting started' }).getByRole('listitem')
  const read = () =>
    steps.evaluateAll((items) =>
      items.map((item) => (item.ariaCurrent === 'step' ? 'current' : (item.dataset['state'] ?? ''))),
    )
  await eventually(async () => Bun.deepEquals(await read(), states))
  expect(await read()).toEqual(states)
  const size = page.viewportSize() ?? { width: 1280, height: 720 }
  for (const width of [320, size.width]) {
    await page.setViewportSize({ ...size, width })
    expect([width, await layoutFaults(page)]).toEqual([width, []])
  }
}

const main = (page: Page) => page.getByRole('main')
const status = (page: Page, word: string) => main(page).locator('.page-header .status', { hasText: word })

/** The list shows a post that was created elsewhere while its live channel was cut off (DSH-21). */
async function showsAnotherPost(page: Page, channels: WebSocketRoute[]): Promise<void> {
  const post = page.url()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Posts' }).click()
  await main(page).getByText('Fresh beans on Monday.').waitFor()
  channels.length = 0
  await page.reload()
  expect(await eventually(() => channels.length > 0)).toBe(true)
  await channels[0]?.close({ code: 1012 })
  const brandId = await page.evaluate(async () => (await (await fetch('/api/brands')).json()).items[0].id)
  await page.evaluate(
    async (body) => {
      const headers = { 'content-type': 'application/json' }
      await fetch('/api/posts', { method: 'POST', headers, body: JSON.stringify(body) })
    },
    { brandId, provider: 'sandbox', text: 'Made by another program.' },
  )
  await main(page).getByText('Made by another program.').waitFor()
  // A channel that is cut off before it is ready refreshes the page at once and connects again a moment later.
  expect(await eventually(() => channels.length > 1)).toBe(true)
  await page.goto(post)
}

test('PLT-06 SOC-20 DSH-21 new person signs up, connects the sandbox and sees a post published once, without a reload', async () => {
  const { page, errors } = await openPage(browser, { url: server.url, context: { reducedMotion: 'no-preference' } })
  const channels: WebSocketRoute[] = []
  await page.routeWebSocket(/\/api\/live$/, (channel) => {
    channels.push(channel)
    channel.connectToServer()
  })

  expect(new URL(page.url()).pathname).toBe('/register')
  await register(page, newPerson())
  await openFirstBrand(page)
  await expectSteps(page, ['current', '', ''])
  expect(
    await main(page)
      .getByLabel('Name', { exact: true })
      .evaluate((field) => field === document.activeElement),
  ).toBe(true)
  await nameFirstBrand(page, 'Acme Coffee')
  await expectSteps(page, ['done', 'current', ''])
  expect(await main(page).locator('[data-variant=primary]:visible').count()).toBe(1)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Posts' }).click()
  await page.getByText('No posts yet').waitFor()
  await expectSteps(page, ['done', '', 'current'])

  await main(page).getByRole('link', { name: 'Create post' }).click()
  await page.getByText('connect an account later').waitFor()
  await expectSteps(page, ['done', '', 'current'])
  await page.getByLabel('Text', { exact: true }).fill('Fresh beans on Monday.')
  await connectFromComposer(page, 'Sandbox', { Handle: handle })
  await expectSteps(page, ['done', 'done', 'current'])
  expect(await page.getByRole('checkbox', { name: `Sandbox: @${handle}` }).isChecked()).toBe(true)
  expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('Fresh beans on Monday.')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await status(page, 'Scheduled').waitFor()

  page.once('dialog', (question) => void question.accept())
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await status(page, 'Published').waitFor()

  await showsAnotherPost(page, channels)

  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open on Sandbox' }).click()
  const timeline = await opened
  await timeline.getByRole('heading', { level: 1, name: `@${handle}` }).waitFor()
  expect(await timeline.getByText('Fresh beans on Monday.').count()).toBe(1)
  expect(errors).toEqual([])
})
