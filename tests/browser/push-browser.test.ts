import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openPushService } from '../dashboard/notify/push-service.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

// Chromium without a connection to its push service can't subscribe: the browser's part is replaced, the page's is real.

const service = openPushService()
let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(async () => {
  await stage.close()
  await service.close()
})

interface Opened {
  page: Page
  errors: string[]
  isSubscribed(): Promise<boolean>
}

/** The settings in a browser whose person answers the question about notifications so. */
async function openSettings(answer: NotificationPermission = 'granted', expected: number[] = []): Promise<Opened> {
  const { draft } = service.subscribe()
  const { page, errors } = await ada.open('/dashboard', { expected })
  await page.context().addInitScript(
    ({ subscription, permission }) => {
      const key = 'subscribed'
      const current = () =>
        sessionStorage.getItem(key) === null
          ? null
          : {
              endpoint: subscription.endpoint,
              toJSON: () => subscription,
              unsubscribe: async () => sessionStorage.removeItem(key),
            }
      const pushManager = {
        getSubscription: async () => current(),
        subscribe: async ({ applicationServerKey }: PushSubscriptionOptionsInit) => {
          if (typeof applicationServerKey !== 'string') throw new Error('The key of the server is missing')
          sessionStorage.setItem(key, applicationServerKey)
          return current()
        },
      }
      Object.defineProperty(navigator.serviceWorker, 'ready', { value: Promise.resolve({ pushManager }) })
      Object.defineProperty(Notification, 'permission', { value: 'default' })
      Notification.requestPermission = async () => permission
    },
    { subscription: draft, permission: answer },
  )
  await page.goto(`${stage.server.url}/settings/notifications`)
  return { page, errors, isSubscribed: () => page.evaluate(() => sessionStorage.getItem('subscribed') !== null) }
}

const own = (page: Page) => main(page).locator('push-browser')
const on = (page: Page) => own(page).getByText('Shows push messages.').waitFor()
const off = (page: Page) => own(page).getByText('Doesn’t show push messages.').waitFor()
const rows = (page: Page) =>
  main(page)
    .getByRole('list', { name: 'Browsers' })
    .getByRole('button', { name: /^Remove/ })

test('DSH-37 browser is subscribed and unsubscribed with the keyboard', async () => {
  const { page, errors, isSubscribed } = await openSettings()
  await off(page)
  await own(page).getByRole('button', { name: 'Enable' }).press('Enter')
  await on(page)
  await rows(page).waitFor()
  expect(await isSubscribed()).toBe(true)
  await page.reload()
  await on(page)
  await own(page).getByRole('button', { name: 'Disable' }).press('Enter')
  await off(page)
  expect(await isSubscribed()).toBe(false)
  await rows(page).click()
  await rows(page).waitFor({ state: 'detached' })
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-37 browser whose subscription the server no longer has is off, and can be subscribed again', async () => {
  const { page, errors } = await openSettings()
  await own(page).getByRole('button', { name: 'Enable' }).click()
  await on(page)
  // Its own row is removed on this page.
  await rows(page).click()
  await off(page)
  await own(page).getByRole('button', { name: 'Enable' }).click()
  await on(page)
  // And elsewhere, or with the session that created it.
  const { items } = await ada.fetchJson<{ items: { id: string }[] }>('GET /api/push-browsers')
  for (const { id } of items) await ada.fetchJson(`DELETE /api/push-browsers/${id}`)
  await page.reload()
  await off(page)
  await own(page).getByRole('button', { name: 'Enable' }).click()
  await on(page)
  await rows(page).click()
  await off(page)
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-37 browser says why it isn’t subscribed: notifications aren’t allowed, or the server refuses it', async () => {
  const denied = await openSettings('denied')
  await own(denied.page).getByRole('button', { name: 'Enable' }).click()
  await own(denied.page).getByText('You didn’t allow notifications, so none are shown.').waitFor()
  expect(await denied.isSubscribed()).toBe(false)
  await denied.page.close()
  const { page, errors, isSubscribed } = await openSettings('granted', [409])
  const detail = 'You have 20 browsers. Remove one first.'
  await page.route('**/api/push-browsers', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify({ detail }) })
      : route.continue(),
  )
  await own(page).getByRole('button', { name: 'Enable' }).click()
  await own(page).getByText(detail).waitFor()
  await own(page).getByRole('button', { name: 'Enable' }).waitFor()
  expect(await isSubscribed()).toBe(false)
  expect(errors).toEqual([])
  await page.close()
})
