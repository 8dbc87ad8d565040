import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe, openPage } from '../support/browser.ts'
import { startOidcServer, type OidcServer } from '../support/oidc-server.ts'
import { holdScripts, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite
let oidc: OidcServer

beforeAll(async () => {
  oidc = await startOidcServer()
  stage = await openTestSite({
    UPSTREAM_OIDC_ISSUER: oidc.issuer,
    UPSTREAM_OIDC_CLIENT_ID: oidc.client.id,
    UPSTREAM_OIDC_CLIENT_SECRET: oidc.client.secret,
    UPSTREAM_OIDC_NAME: 'Keyhouse',
  })
  oidc.open([`${stage.server.url}/login/sso/oidc/callback`])
})

afterAll(async () => {
  await stage.close()
  await oidc.stop()
})

test('IDN-08 person signs up with a provider, signs in again with it, and can’t remove the last sign-in method', async () => {
  oidc.people.set('grace', { email: 'grace@example.com', email_verified: true, name: 'Grace Hopper' })
  const { page, errors } = await openPage(stage.browser, { url: `${stage.server.url}/register`, expected: [409] })
  // The provider's own page requests a font from the internet.
  await page.route('https://fonts.googleapis.com/**', (route) => route.fulfill({ contentType: 'text/css', body: '' }))
  await page.getByRole('button', { name: 'Continue with Keyhouse' }).click()
  await page.getByPlaceholder('Enter any login').fill('grace')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: /^Account: Grace Hopper/ }).waitFor()

  await page.goto(`${stage.server.url}/settings/security`)
  const own = page.getByRole('region', { name: 'Signing in' })
  expect(await axe(page)).toEqual([])
  await own.getByRole('button', { name: 'Disconnect Keyhouse' }).click()
  await own.getByText('This is your only sign-in method').waitFor()

  await page.getByRole('button', { name: /^Account:/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Continue with Keyhouse' }).click()
  await page.getByRole('button', { name: /^Account: Grace Hopper/ }).waitFor()
  expect(page.url()).not.toContain('code=')
  expect(errors).toEqual([])
})

test('IDN-08 click without scripts opens the provider', async () => {
  const { page } = await openPage(stage.browser, { url: 'about:blank', context: { javaScriptEnabled: false } })
  await page.goto(`${stage.server.url}/login`)
  await page.getByRole('button', { name: 'Continue with Keyhouse' }).click()
  await page.getByPlaceholder('Enter any login').waitFor()
})

test('IDN-08 click before the scripts load opens the provider once they are loaded', async () => {
  const { page, errors } = await openPage(stage.browser, { url: 'about:blank' })
  await page.route('https://fonts.googleapis.com/**', (route) => route.fulfill({ contentType: 'text/css', body: '' }))
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  const letGo = await holdScripts(page)
  await page.goto(`${stage.server.url}/login`, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Continue with Keyhouse' }).click()
  letGo()
  await page.getByPlaceholder('Enter any login').waitFor()
  expect(sent).toEqual(['/api/auth/sso/oidc'])
  expect(errors).toEqual([])
})
