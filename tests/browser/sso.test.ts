import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { openDatabase } from '#lib/db.ts'
import { axe, openPage } from '../support/browser.ts'
import { openCornerShop, slug, type ThirdPartyApp } from '../support/third-party-app.ts'
import { openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'
import { signIn } from './person.ts'

let stage: TestSite
let shop: ThirdPartyApp
let ada: Publisher
beforeAll(async () => {
  stage = await openTestSite()
  shop = openCornerShop(() => stage.server.url)
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`WITH made AS (
    INSERT INTO identity.services (slug, name, description) VALUES (${slug}, 'Corner Shop', 'Sells things') RETURNING id)
    INSERT INTO identity.service_redirect_uris SELECT id, ${`${shop.origin}/auth/callback`} FROM made`
  await close()
  ada = await createPublisher(stage)
})
afterAll(async () => {
  await shop.stop()
  await stage.close()
})

const enterShop = (path = '/', expected = [401]) => openPage(stage.browser, { url: shop.origin + path, expected })
const says = (page: Page, id: string, text: string) => page.locator(`#${id}`, { hasText: text }).waitFor()
const keptToken = (page: Page) => page.evaluate(() => sessionStorage.getItem('identity.token') ?? '')

test('IDN-04 IDN-17 IDN-23 person signs in to a third-party app with password, consent and code, and the app stays signed in', async () => {
  const { page, errors } = await enterShop()
  await says(page, 'who', 'signed out')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, ada.person)
  await page.getByRole('heading', { name: 'Sign in to Corner Shop?' }).waitFor()
  expect(await axe(page)).toEqual([])
  const addresses: string[] = []
  page.on('framenavigated', (frame) => addresses.push(frame.url()))
  await page.getByRole('button', { name: 'Sign in to Corner Shop' }).click()
  await says(page, 'who', ada.person.name)
  expect(page.url()).toBe(`${shop.origin}/?welcome`)
  expect(addresses.filter((url) => /token|eyJ/.test(url))).toEqual([])
  expect(await keptToken(page)).toContain('accessToken')
  expect(await page.evaluate(() => document.cookie)).toBe('')

  await page.getByRole('button', { name: 'My orders' }).click()
  await says(page, 'problem', 'permission_missing')
  await page.goBack()
  expect(page.url()).not.toMatch(/sso_code/)

  await page.goto(shop.origin)
  await says(page, 'who', ada.person.name)
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await says(page, 'kept', 'none')
  await says(page, 'who', ada.person.name)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await says(page, 'who', 'signed out')
  expect(errors.filter((error) => !error.includes('403'))).toEqual([])
})

/** A person who has signed in to the shop before. */
async function customer() {
  const opened = await enterShop()
  await opened.page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(opened.page, ada.person)
  const consent = opened.page.getByRole('button', { name: 'Sign in to Corner Shop' })
  await consent.or(opened.page.locator('#who', { hasText: ada.person.name })).waitFor()
  if (await consent.isVisible()) await consent.click()
  await says(opened.page, 'who', ada.person.name)
  return opened
}

/** Holds identity's responses to the page until the returned function is called. */
async function holdAnswers(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/api/auth/**', (route) => promise.then(() => route.continue()))
  return resolve
}

test('IDN-04 IDN-26 app has its token immediately after a reload, and its buttons work before identity responds', async () => {
  const { page, errors } = await customer()
  const letGo = await holdAnswers(page)
  await page.reload()
  await says(page, 'kept', 'a token')
  expect(await page.locator('#who').innerText()).toBe('…')
  await page.getByRole('button', { name: 'My orders' }).click()
  await says(page, 'problem', 'permission_missing')
  letGo()
  await says(page, 'who', ada.person.name)

  const other = await enterShop()
  const letOther = await holdAnswers(other.page)
  await other.page.reload()
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.getByRole('heading', { name: 'Sign in to Atrium' }).waitFor()
  letOther()
  expect(errors.filter((error) => !error.includes('403'))).toEqual([])
})

const uselessResponses = [
  ['a bearer token', '?access_token=eyJ.eyJ.x&token=eyJ.eyJ.x#access_token=eyJ.eyJ.x', 'code_missing'],
  ['a made-up code', '?sso_code=made-up', 'invalid_code'],
  ['an unrequested response', '?sso_code=made-up&state=made-up', 'state_mismatch'],
  ['a refusal', '?error=access_denied', 'access_denied'],
]
test.each(uselessResponses)(
  'IDN-04 DSH-03 %s in the callback URL signs no one in and is removed from the URL',
  async (_, query, code) => {
    for (const [origin, expectShown] of [
      [shop.origin, (page: Page) => says(page, 'problem', code)],
      [stage.server.url, (page: Page) => page.getByRole('heading', { name: 'Sign-in failed' }).waitFor()],
    ] as const) {
      const { page, errors } = await openPage(stage.browser, {
        url: `${origin}/auth/callback${query}`,
        expected: [401],
      })
      await expectShown(page)
      expect(page.url()).toBe(`${origin}/auth/callback`)
      expect(await keptToken(page)).toBe('')
      expect(errors).toEqual([])
    }
  },
)

test('IDN-03 IDN-17 two tabs that refresh expired tokens at the same time both get new ones', async () => {
  const { page } = await customer()
  const second = await page.context().newPage()
  await second.goto(shop.origin)
  await says(second, 'who', ada.person.name)
  const renew = (of: Page) =>
    of.evaluate(async () => {
      sessionStorage.setItem('identity.token', JSON.stringify({ accessToken: 'over', expiresAt: Date.now() + 60_000 }))
      const client = (globalThis as unknown as { identity: { me(): Promise<{ user: { name: string } } | null> } })
        .identity
      return (await client.me())?.user.name
    })
  expect(await Promise.all([renew(page), renew(second)])).toEqual([ada.person.name, ada.person.name])
  expect(await Promise.all([renew(second), renew(page)])).toEqual([ada.person.name, ada.person.name])
})

/** Local state as a user or another script could write it: a token without a signature, and a cached identity. */
const forgeLocalState = (page: Page, id: string) =>
  page.evaluate((userId) => {
    const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
    const accessToken = `${part({ alg: 'none' })}.${part({ sub: userId, exp: Date.now() / 1000 + 3600 })}.`
    const user = { id: userId, email: 'ada@example.com', name: 'Forged', role: 'owner' }
    for (const storage of [sessionStorage, localStorage]) {
      storage.setItem('identity.token', JSON.stringify({ accessToken, expiresAt: Date.now() + 3_600_000 }))
      for (const key of ['identity.me', 'identity.user', 'preferences', 'user'])
        storage.setItem(key, JSON.stringify({ user, context: 'organization', organization: { id: userId } }))
    }
    document.cookie = `access_token=${accessToken}; path=/`
  }, id)

test('SOC-44 forged identity in the storage of a client changes nothing: its user comes from the server alone', async () => {
  const { user } = await ada.fetchJson<{ user: { id: string } }>('GET /api/auth/me')
  const { page, errors } = await enterShop()
  await says(page, 'who', 'signed out')
  await forgeLocalState(page, user.id)
  await page.reload()
  await says(page, 'who', 'signed out')
  expect(await keptToken(page)).toBe('')
  await page.getByRole('button', { name: 'My orders' }).click()
  await says(page, 'problem', 'invalid_token')

  await page.goto(`${stage.server.url}/login`)
  await forgeLocalState(page, user.id)
  await page.goto(`${stage.server.url}/workspace/posts`)
  await page.getByRole('heading', { name: 'Sign in to Atrium' }).waitFor()

  const mallory = await createPublisher(stage, { name: 'Mallory' })
  const own = await mallory.open('/workspace/posts')
  await forgeLocalState(own.page, user.id)
  await own.page.goto(`${stage.server.url}/settings/profile`)
  await own.page.getByRole('main').getByText(mallory.person.email).first().waitFor()
  expect(await own.page.getByText(ada.person.email).count()).toBe(0)
  expect([...errors, ...own.errors]).toEqual([])
})

/** A link that signs in as this person, as an attacker could send it. */
async function handOffLink(owner: Publisher): Promise<string> {
  const options = { service_id: 'platform-socialize', redirect_uri: `${stage.server.url}/auth/callback` }
  return (await owner.fetchJson<{ url: string }>('POST /sso/handoff-code', options)).url
}

test('IDN-22 PLT-21 hand-off link from another person asks for confirmation before switching accounts, and declining changes nothing', async () => {
  const mallory = await createPublisher(stage, { name: 'Mallory' })
  const { page, errors } = await ada.open('/workspace/posts', { expected: [409] })
  await page.goto(await handOffLink(mallory))
  await page.getByRole('heading', { name: 'Switch to another account?' }).waitFor()
  const question = await page.getByRole('alert').innerText()
  expect(question).toContain(ada.person.email)
  expect(question).toContain(mallory.person.email)
  expect(page.url()).toBe(`${stage.server.url}/auth/callback`)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL((url) => url.pathname !== '/auth/callback')
  await page.goto(`${stage.server.url}/settings/profile`)
  await page.getByRole('main').getByText(ada.person.email).first().waitFor()

  await page.goto(await handOffLink(mallory))
  await page.getByRole('button', { name: 'Switch account' }).click()
  await page.waitForURL((url) => url.pathname.startsWith('/workspace'))
  await page.goto(`${stage.server.url}/settings/profile`)
  await page.getByRole('main').getByText(mallory.person.email).first().waitFor()
  expect(errors).toEqual([])
})
