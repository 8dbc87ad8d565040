import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openFaultProxy, type FaultProxy } from '../support/fault-proxy.ts'
import { scaleTime } from '../support/time-scale.ts'
import { createPublisher, main, openFollowed, openTwoServers, type Publisher, type TestSite } from './test-site.ts'

// Two servers on one database: ada works at the first one, and her browser is at the second one, behind a proxy.

/** A whole cut is as long as the requirement names; what is missed doesn't depend on it. */
const cutMs = process.env['TEST_LONG'] ? 30_000 : 4_000

let first: TestSite
let second: TestSite
let proxy: FaultProxy
let ada: Publisher

beforeAll(async () => {
  const servers = await openTwoServers()
  first = servers.first
  proxy = await openFaultProxy(servers.second.server.url)
  second = { ...servers.second, server: { url: proxy.url.replace(/\/$/, '') } }
  ada = await createPublisher(first, { connected: false })
})
afterAll(async () => {
  await proxy.stop()
  await first.close()
})

/** The service raises an action for a second person when the ceiling rises, and resolves it when that is taken back. */
const raise = () => setCeiling(5_000)
const resolve = () => setCeiling(1_000)
const setCeiling = (amount: number) => ada.fetchJson('PUT /api/pay/settings', { refundCeilings: { EUR: amount } })

const post = (title: string) =>
  ada.fetchJson('POST /api/notifications', { cause: title, title, reason: 'It waits.', href: '/actions' })

const card = (page: Page, title: string) => main(page).locator('[data-action]', { hasText: title })
const raised = 'Confirm a raised ceiling'

/** At the second server. */
const openActions = () => openFollowed(second, ada.person, '/actions')

/** Milliseconds until it is on the screen, or no longer. */
async function measure(page: Page, title: string, change: () => Promise<unknown>, state: 'visible' | 'detached') {
  const began = performance.now()
  await change()
  await card(page, title).waitFor({ state })
  return performance.now() - began
}

test('DSH-21 action raised on one server is on the screen at another one within a second, and gone when it is resolved', async () => {
  await resolve()
  const page = await openActions()
  await main(page).getByText('Nothing to do').waitFor()
  const took = [
    await measure(page, raised, raise, 'visible'),
    await measure(page, raised, resolve, 'detached'),
    await measure(page, 'Another one', () => post('Another one'), 'visible'),
    await measure(page, raised, raise, 'visible'),
  ]
  expect(Math.max(...took)).toBeLessThan(scaleTime(1_000))
  await page.context().close()
})

test('DSH-21 page whose socket was cut shows what was raised and resolved meanwhile', async () => {
  await raise()
  const page = await openActions()
  await card(page, raised).waitFor()
  proxy.refuse({ cut: true })
  await post('Raised during the cut')
  await resolve()
  await Bun.sleep(cutMs)
  expect(await card(page, raised).count()).toBe(1)
  expect(await card(page, 'Raised during the cut').count()).toBe(0)
  await proxy.heal()
  await card(page, 'Raised during the cut').waitFor()
  await card(page, raised).waitFor({ state: 'detached' })
  // The channel works as before.
  await raise()
  await card(page, raised).waitFor()
  await page.context().close()
})
