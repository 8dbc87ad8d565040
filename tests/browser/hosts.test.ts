import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '#lib/db.ts'
import { axe, openPage } from '../support/browser.ts'
import { openTestSite, type TestSite } from './test-site.ts'
import { dashboardOf, newPerson, signIn, type Person } from './person.ts'

// One server with a host for each service: the browser's cookies stay with the host that set them.

let stage: TestSite
let ada: Person
let port: string
const env = {
  IDENTITY_HOST: 'id.localhost',
  SOCIAL_HOST: 'social.localhost',
  DASHBOARD_HOST: 'dashboard.localhost',
  PAY_HOST: 'pay.localhost',
}

beforeAll(async () => {
  stage = await openTestSite(env)
  port = new URL(stage.server.url).port
  ada = newPerson()
  const { workspace: organizationName, ...account } = ada
  const body = JSON.stringify({ ...account, createOrganization: true, organizationName })
  await fetch(`${stage.server.url}/register`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
})
afterAll(() => stage.close())

const at = (host: string, path = '/') => `http://${host}.localhost:${port}${path}`
const open = (host: string, path = '/login', expected: number[] = []) =>
  openPage(stage.browser, { url: at(host, path), expected })

const toSocial = (page: Page) => page.locator('#apps-menu').getByRole('link', { name: 'Social' })

async function openApps(page: Page): Promise<void> {
  await dashboardOf(page).waitFor()
  await page.getByRole('button', { name: 'App: Dashboard' }).click()
}

test('IDN-22 PLT-05 DSH-01 DSH-22 person signed in on one host opens the dashboard there, and another app, signed in, on its host', async () => {
  const { page, errors } = await open('dashboard')
  await signIn(page, ada)
  await openApps(page)
  expect(page.url()).toBe(at('dashboard', '/dashboard'))
  const requested = page.waitForRequest('**/api/launches')
  await toSocial(page).click()
  expect((await requested).url()).toBe(at('dashboard', '/api/launches'))
  await page.waitForURL(at('social', '/workspace/posts'))
  await page.getByRole('button', { name: 'App: Social' }).waitFor()
  const hosts = (await page.context().cookies()).map(({ name, domain }) => `${name} ${domain}`)
  expect(hosts).toEqual(expect.arrayContaining(['session dashboard.localhost', 'session social.localhost']))
  expect(await page.evaluate(() => sessionStorage.getItem('identity.token'))).toContain('accessToken')

  const back = page.waitForRequest('**/api/launches')
  await page.goto(at('social', '/settings/profile'))
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  expect((await back).url()).toBe(at('social', '/api/launches'))
  await page.waitForURL(at('dashboard', '/dashboard'))
  await page.goto(at('dashboard', '/api/launches'))
  const { items } = JSON.parse(await page.locator('body').innerText()) as { items: object[] }
  const launched = { surface: 'switcher', outcome: 'opened' }
  expect(items).toMatchObject([
    { ...launched, service: { name: 'Dashboard' } },
    { ...launched, service: { name: 'Social' } },
  ])
  await page.goto(at('social', '/workspace/posts'))

  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Atrium' }).waitFor()
  await page.goto(at('dashboard', '/settings/profile'))
  await page.getByRole('heading', { name: 'Sign in to Atrium' }).waitFor()
  expect(errors).toEqual([])
})

test('IDN-24 DSH-22 failed app launch shows the error on the same page and opens nothing', async () => {
  const { page } = await open('dashboard', '/login', [502, 409])
  await signIn(page, ada)
  await openApps(page)
  const here = page.url()
  await page.route('**/api/launches', (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }))
  const menu = page.locator('#apps-menu')
  await toSocial(page).click()
  await menu.getByText('Couldn’t reach Atrium').waitFor()
  expect([page.url(), page.context().pages().length]).toEqual([here, 1])
  await page.unroute('**/api/launches')
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`DELETE FROM identity.service_access USING identity.services WHERE id = service_id AND slug = 'platform-socialize'`
  await toSocial(page).click()
  await menu.getByText('Social isn’t installed in your organization').waitFor()
  expect(await menu.getByText('Couldn’t reach Atrium').count()).toBe(0)
  expect(await axe(page)).toEqual([])
  expect([page.url(), page.context().pages().length]).toEqual([here, 1])
  await sql`INSERT INTO identity.service_access (organization_id, service_id, granted_at)
    SELECT organizations.id, services.id, now() FROM identity.organizations, identity.services WHERE services.slug = 'platform-socialize'`
  await close()
})

test('IDN-23 sign-in on a host redirects to identity’s host and back, and shows no form the second time', async () => {
  const { page, errors } = await open('social', '/workspace/accounts')
  await page.getByRole('button', { name: `Continue at id.localhost:${port}` }).click()
  await page.waitForURL(/id\.localhost/)
  expect(await axe(page)).toEqual([])
  await signIn(page, ada)
  await page.waitForURL(at('social', '/workspace/accounts'))
  await page.context().clearCookies({ domain: 'social.localhost' })
  await page.reload()
  await page.getByRole('button', { name: /^Continue at/ }).click()
  await page.waitForURL(at('social', '/workspace/accounts'))
  expect(errors).toEqual([])
})

test('PAY-02 sign-in page of the host of payments redirects into single sign-on, and back to the page', async () => {
  const first = await fetch(`${stage.server.url}/login?next=/pay/orders`, {
    headers: { host: `pay.localhost:${port}`, accept: 'text/html' },
    redirect: 'manual',
  })
  const url = new URL(first.headers.get('location') ?? '')
  expect([first.status, url.origin, url.pathname]).toEqual([303, at('id', '').replace(/\/$/, ''), '/sso/authorize'])
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    service_id: 'platform-pay',
    redirect_uri: at('pay', '/auth/callback'),
    code_challenge_method: 'S256',
  })
  const { page, errors } = await open('pay', '/pay/orders')
  await page.waitForURL(/id\.localhost/)
  await signIn(page, ada)
  await page.waitForURL(at('pay', '/pay/orders'))
  await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor()
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('started-sign-in')
  expect(errors).toEqual([])
})

test('PLT-05 start page and navigation of identity’s host never lead to a 404', async () => {
  const { page, errors } = await open('id', '/')
  await page.goto(at('id', '/login'))
  await signIn(page, ada)
  await page.getByRole('heading', { level: 1, name: 'Your organizations' }).waitFor()
  const links = await page
    .locator('nav a[href]')
    .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
  const own = links.filter((href) => new URL(href).hostname === 'id.localhost')
  expect(own.length).toBeGreaterThan(2)
  const statusOf = (href: string) => page.evaluate((url) => fetch(url).then(({ status }) => status), href)
  for (const href of new Set(own)) expect([href, await statusOf(href)]).toEqual([href, 200])
  await page.goto(at('id', '/'))
  await page.getByRole('heading', { level: 1, name: 'Your organizations' }).waitFor()
  expect(errors).toEqual([])
})
