import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '#lib/db.ts'
import { eventually } from '../boot/program.ts'
import { openApps, widgetOf } from '../dashboard/loopback-apps.ts'
import { scaleTime } from '../support/time-scale.ts'
import { flawsOf } from './payments-site.ts'
import { createPublisher, holdScripts, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

// The grid with apps of others that hang, fail, answer junk, have no widget, and work (DSH-11).

const apps = openApps()
let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
  const database = openDatabase(stage.database.url, 1)
  for (const slug of ['hanging', 'failing', 'junk', 'plain', 'fresh'])
    await apps.install({ database }, slug, [ada.organizationId])
  await database.close()
  apps.behaviors
    .set('hanging', () => new Promise(() => {}))
    .set('failing', () => new Response('no', { status: 500 }))
    .set('junk', () => Response.json({ title: 7 }))
    .set('plain', () => new Response('no', { status: 404 }))
    .set('fresh', () =>
      widgetOf('Today', { metrics: [{ label: 'Open', value: '3', unit: null, trend: null, href: '/' }] }),
    )
})
afterAll(async () => {
  await stage.close()
  await apps.close()
})

const card = (page: Page, name: string) => main(page).getByRole('region', { name, exact: true })
const complete = (page: Page) =>
  page.waitForFunction(() => !document.querySelector('.widget:not([hidden]) [aria-busy]'))

test('DSH-11 grid with apps that hang, fail and answer junk is complete within 2.5 s, and each card names its state', async () => {
  const { page, errors } = await ada.open('/apps')
  await page.goto(`${stage.server.url}/dashboard`, { waitUntil: 'commit' })
  const began = performance.now()
  await main(page).locator('.widget').first().waitFor()
  await complete(page)
  expect(performance.now() - began).toBeLessThan(scaleTime(2_500))
  for (const [name, reason] of [
    ['hanging', 'hanging didn’t respond within 2 seconds.'],
    ['failing', 'failing responded with 500.'],
    ['junk', 'junk responded with something that isn’t a widget.'],
  ] as const) {
    await card(page, name).getByText('Unavailable', { exact: true }).waitFor()
    await card(page, name).getByText(reason).waitFor()
    await card(page, name).getByRole('link', { name: 'Open' }).waitFor()
  }
  await card(page, 'fresh').getByText('3', { exact: true }).waitFor()
  await card(page, 'fresh').locator('header time[data-age]').waitFor()
  await card(page, 'plain').getByText('Overview', { exact: true }).waitFor()
  expect(await card(page, 'plain').getByText('Unavailable').count()).toBe(0)
  expect(await flawsOf(page)).toEqual({})
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-11 app that fails later keeps what it said, with its age, and recovers on the next refresh', async () => {
  const { page, errors } = await ada.open('/dashboard')
  await complete(page)
  apps.behaviors.set('fresh', () => new Response('no', { status: 503 }))
  const refresh = async () => {
    const answered = page.waitForResponse(
      (response) =>
        response.request().postData()?.includes('fresh') === true && response.url().endsWith('/api/widgets'),
    )
    await card(page, 'fresh').evaluate((element) => element.dispatchEvent(new CustomEvent('live')))
    await answered
  }
  await refresh()
  await card(page, 'fresh').locator('.badge time[data-age]').waitFor()
  await card(page, 'fresh').getByText('fresh responded with 503.').waitFor()
  await card(page, 'fresh').getByText('3', { exact: true }).waitFor()
  apps.behaviors.set('fresh', () => widgetOf('Today'))
  await refresh()
  await card(page, 'fresh').locator('.badge').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-02 widget is a skeleton until its data arrives, and those that are there at once are in the page', async () => {
  const { page, errors } = await ada.open('/apps')
  const { promise, resolve } = Promise.withResolvers<void>()
  const bodies: string[] = []
  await page.route('**/api/widgets', async (route) => {
    bodies.push(route.request().postData() ?? '')
    await promise
    await route.continue()
  })
  await ada.fetchJson('POST /api/widgets', {})
  // A page of a busy machine can be sent before.
  const isThere = async () => {
    bodies.length = 0
    await page.goto(`${stage.server.url}/dashboard`)
    return (await card(page, 'Payments').getByText('Takings today').count()) > 0
  }
  expect(await eventually(isThere)).toBe(true)
  await card(page, 'hanging').locator('[aria-busy=true] .skeleton').first().waitFor()
  await card(page, 'Payments').locator('header time[data-age]').waitFor()
  const busy = main(page).locator('.widget:visible [aria-busy=true]')
  expect(await eventually(async () => bodies.length === (await busy.count()))).toBe(true)
  expect(bodies.join()).not.toContain('platform-pay')
  resolve()
  await complete(page)
  expect(await main(page).locator('.widget:visible .skeleton').count()).toBe(0)
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-02 widget that failed before the grid’s script ran is requested again and says so', async () => {
  const { page } = await ada.open('/apps')
  const release = await holdScripts(page, /\/widget-grid\.js$/)
  const bodies: string[] = []
  await page.route('**/api/widgets', (route) => {
    bodies.push(route.request().postData() ?? '')
    return route.fulfill({ status: 500, contentType: 'application/problem+json', body: '{"status":500}' })
  })
  await page.goto(`${stage.server.url}/dashboard`, { waitUntil: 'commit' })
  await card(page, 'hanging').locator('[aria-busy=true]').waitFor()
  expect(await eventually(() => bodies.some((body) => body.includes('hanging')))).toBe(true)
  // The usual refresh doesn't come to its help.
  await page.locator('widget-grid').evaluate((grid) => grid.setAttribute('data-every', '3600000'))
  release()
  await card(page, 'hanging').getByText('Couldn’t load this widget.').waitFor()
  await card(page, 'hanging').getByRole('button', { name: 'Try again' }).waitFor()
  await page.close()
})
