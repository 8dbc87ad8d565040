import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core'
import { openPage } from '../support/browser.ts'
import { waitUntil } from '../boot/program.ts'
import { newPerson, register } from './person.ts'
import { main, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite
let context: BrowserContext
let page: Page
let devtools: CDPSession
let worker: Worker
let registrationId: string

beforeAll(async () => {
  stage = await openTestSite()
  const opened = await openPage(stage.browser, {
    url: at('/register'),
    context: { serviceWorkers: 'allow' },
  })
  page = opened.page
  context = page.context()
  await register(page, newPerson())
  await page.waitForURL((url) => url.pathname !== '/register')
  await page.goto(at('/dashboard'))
  await main(page).getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated')
  const [running] = context.serviceWorkers()
  worker = running ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(replaceBrowser)
  devtools = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL, isDeleted }) => scopeURL === at('/') && !isDeleted)
      if (own) resolve(own.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  registrationId = await registered
})
afterAll(() => stage.close())

const at = (path: string) => stage.server.url + path

/** Chromium without a window denies notifications, and only a person can click them, so the browser's part is replaced. */
const replaceBrowser = `
  self.shown = []
  self.closed = []
  self.focused = []
  self.openedUrls = []
  self.registration.showNotification = async (title, options) => { self.shown.push({ title, ...options }) }
  WindowClient.prototype.focus = async function () { self.focused.push(this.url); return this }
  self.clients.openWindow = async (url) => { self.openedUrls.push(url); return null }
`

/** As the person clicks a notification with this data. */
const click = (data: object | null) =>
  worker.evaluate(`(async () => {
    const done = []
    const event = Object.defineProperties(new Event('notificationclick'), {
      notification: { value: { data: ${JSON.stringify(data)}, close: () => self.closed.push(true) } },
      waitUntil: { value: (promise) => done.push(promise) },
    })
    self.dispatchEvent(event)
    await Promise.all(done)
  })()`)

const take = (list: 'shown' | 'closed' | 'focused' | 'openedUrls') =>
  worker.evaluate<unknown[]>(`self.${list}.splice(0)`)

/** What the notification of a push message is shown with. */
async function push(data: string): Promise<unknown[]> {
  await devtools.send('ServiceWorker.deliverPushMessage', { origin: stage.server.url, registrationId, data })
  await waitUntil(() => worker.evaluate<boolean>('self.shown.length > 0'))
  return take('shown')
}

test('DSH-37 push message is shown as a notification with its tag, and one that can’t be read in general words', async () => {
  const { href, ...words } = {
    title: 'Dispute opened',
    body: 'Answer it by Friday.',
    href: '/pay/orders',
    tag: 'atrium-1',
  }
  const icon = '/apple-touch-icon.png'
  expect(await push(JSON.stringify({ href, ...words }))).toEqual([{ ...words, icon, data: { href } }])
  const usual = { title: 'Atrium', body: 'There is something new.', tag: 'atrium', icon, data: { href: '/actions' } }
  for (const data of ['not JSON', '']) expect(await push(data)).toEqual([usual])
  expect((await fetch(at(icon))).status).toBe(200)
})

test('DSH-37 click on a notification closes it and opens its page in the window that shows it, else in a new one', async () => {
  await page.goto(at('/apps'))
  await click({ href: '/apps?view=favorites' })
  await page.waitForURL(at('/apps?view=favorites'))
  expect(await take('focused')).toEqual([at('/apps?view=favorites')])
  await click(null)
  expect(await take('openedUrls')).toEqual([at('/actions')])
  expect([page.url(), await take('closed')]).toEqual([at('/apps?view=favorites'), [true, true]])
})

test('DSH-37 click on a notification opens a window when the app has none, and nothing of another site', async () => {
  for (const href of ['https://elsewhere.example/', '//elsewhere.example/']) await click({ href })
  expect(new URL(page.url()).pathname).toBe('/apps')
  await page.goto('about:blank')
  for (const href of ['https://elsewhere.example/', '/\\elsewhere.example', '/actions#action-1']) await click({ href })
  expect(await take('openedUrls')).toEqual([at('/actions#action-1')])
})
