import { afterAll, beforeAll, expect, test } from 'bun:test'
import { totp } from '../support/totp.ts'
import { openWorld, password as ownPassword, type Caller, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

interface Me {
  user: { name: string }
  organization: { id: string; name: string; slug: string }
}

const me = (caller: Caller) => caller.fetchJson<Me>('GET /api/auth/me')
const page = async (caller: Caller, path: string) => {
  const response = await caller.fetch(`GET ${path}`, undefined, { accept: 'text/html' })
  return { status: response.status, text: await response.text() }
}

test('IDN-08 disconnecting a provider returns the sign-in providers to htmx, and renaming a passkey the passkeys', async () => {
  const htmx = { 'hx-request': 'true' }
  const { identities, passkeys } = world.ada.things
  const renamed = await world.ada.fetch(`PUT /api/auth/me/passkeys/${passkeys}`, { name: 'Key ring' }, htmx)
  expect(await renamed.text()).toMatch(/^<li id="passkey-.*Key ring/s)
  const fragment = await (await world.ada.fetch(`DELETE /api/auth/identities/${identities}`, undefined, htmx)).text()
  expect(fragment).not.toContain(identities)
})

/** A change made from a page by htmx: it answers a fragment, and doesn't leave the page. */
async function changeFromPage(by: Caller, route: string, input?: object): Promise<string> {
  const response = await by.fetch(route, input, { 'hx-request': 'true' })
  expect([response.status < 300, response.headers.get('hx-redirect')]).toEqual([true, null])
  return response.text()
}

test('PLT-06 IDN-03 changing the name returns the profile to htmx, with the name and initials in the page’s frame', async () => {
  const fragment = await changeFromPage(world.vera, 'PUT /api/auth/me', { name: 'Vera Florence Cooper' })
  expect(fragment).toMatch(/^<section class="section" id="profile-section".* value="Vera Florence Cooper"/s)
  const [name, avatar] = [...fragment.matchAll(/<hx-partial hx-target="([^"]+)".*?<\/hx-partial>/gs)]
  expect([name?.[1], name?.[0]]).toEqual(['#user-name', expect.stringContaining('>Vera Florence Cooper<')])
  expect(avatar?.[0]).toContain('>VC<')
  const frame = (await page(world.vera, '/settings/profile')).text
  expect(frame).toMatch(/class="switcher"[^>]*popovertarget="user-menu".*<span class="avatar".*<span id="user-name"/s)
})

test('PLT-06 IDN-08 changes to the security settings return the changed part to htmx', async () => {
  const person = world.nora
  const password = { password: ownPassword }
  const change = { currentPassword: ownPassword, password: 'another horse battery' }
  expect(await changeFromPage(person, 'POST /api/auth/password', change)).toMatch(/^<li id="password-status"/)
  const back = { currentPassword: change.password, password: ownPassword }
  await changeFromPage(person, 'POST /api/auth/password', back)
  const email = { email: 'nora-new@example.com', ...password }
  expect(await changeFromPage(person, 'POST /api/auth/me/email', email)).toContain(email.email)
  expect(await changeFromPage(person, 'DELETE /api/auth/me/email')).not.toContain(email.email)
  const recovery = await changeFromPage(person, 'PUT /api/auth/me/recovery-email', email)
  expect(recovery).toContain('Not confirmed yet')

  const setUp = await changeFromPage(person, 'POST /api/auth/me/totp', password)
  const key = /data-secret[^>]*>(.*?)<\/code>/s.exec(setUp)?.[1] ?? ''
  const secret = key.replaceAll(/<[^>]*>|\s/g, '')
  const codes = await changeFromPage(person, 'POST /api/auth/me/totp/confirm', { code: totp(secret) })
  expect(codes).toMatch(/hx-get="\/settings\/security".*Recovery codes/s)
  expect(await changeFromPage(person, 'POST /api/auth/me/recovery-codes', password)).toContain('Recovery codes')
  const removed = await changeFromPage(person, 'DELETE /api/auth/me/totp', password)
  expect(removed).toMatch(/^<div class="page[^>]*id="security-settings".*Set up an authenticator app/s)
})

test('PLT-06 IDN-08 removing a passkey returns the security settings to htmx', async () => {
  const { passkeys } = world.ada.things
  const removed = await changeFromPage(world.ada, `DELETE /api/auth/me/passkeys/${passkeys}`, { password: ownPassword })
  expect(removed).toStartWith('<div class="page')
  expect(removed).not.toContain(passkeys)
})

test('IDN-10 organization includes what each member can do, and its SSO callback URL only for owners', async () => {
  const { organizations: id } = world.ada.things
  const detail = (by: Caller) => by.fetchJson<object>(`GET /api/organizations/${id}`)
  expect(await detail(world.ada)).toMatchObject({
    can: { update: true, delete: true, requireSecondFactor: false },
    secondFactors: { people: expect.any(Number), missing: expect.any(Number) },
    ssoCallbackUrl: expect.stringContaining(`/login/sso/${id}/callback`),
  })
  expect(await detail(world.vera)).toMatchObject({
    can: { update: false, delete: false, requireSecondFactor: false },
    secondFactors: null,
    ssoCallbackUrl: null,
  })
  const can = async (by: Caller) => (await by.fetchJson<{ can: object }>(`GET /api/organizations/${id}/apps`)).can
  expect([await can(world.ada), await can(world.vera)]).toEqual([
    { install: true, remove: true },
    { install: false, remove: false },
  ])
  expect((await world.vera.fetch(`GET /api/organizations/${id}/available-apps`)).status).toBe(403)
})

test('IDN-03 person changes their own name, and other fields are rejected', async () => {
  const others = { email: 'other@example.com', id: world.ada.id, principalType: 'platform_super_admin' }
  for (const [field, value] of Object.entries(others)) {
    const refused = await world.vera.fetch('PUT /api/auth/me', { name: 'Vera Rubin', [field]: value })
    expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: field }] }])
  }
  const answer = await world.vera.fetchJson('PUT /api/auth/me', { name: '  Vera Rubin ' })
  expect(answer).toMatchObject({ name: 'Vera Rubin', email: 'vera@example.com', principalType: 'user' })
  expect((await me(world.ada)).user.name).toBe('Ada')
  expect((await world.vera.fetch('PUT /api/auth/me', { name: ' ' })).status).toBe(422)
})

test('IDN-10 organization renamed by its owner immediately has the new slug in every token', async () => {
  const { organizations: id } = world.mallory.things
  const presented = async () => (await world.mallory.fetchJson<Me>('GET /validate')).organization.slug
  expect(await presented()).toBe('umbrella')
  const edit = { name: 'Umbrella Corp', slug: 'umbrella-corp' }
  expect(await world.mallory.fetchJson(`PUT /api/organizations/${id}`, edit)).toMatchObject({
    id,
    ...edit,
    role: 'owner',
  })
  expect(await presented()).toBe('umbrella-corp')
})

test('PLT-06 renaming an organization returns its section, its name in the frame and in the deletion dialog, without a redirect', async () => {
  const { organizations: id } = world.mallory.things
  const frame = (await page(world.mallory, '/settings/organization')).text
  const htmx = { 'hx-request': 'true' }
  const answer = await world.mallory.fetch(`PUT /api/organizations/${id}`, { name: 'Umbrella Works' }, htmx)
  expect([answer.status, answer.headers.get('hx-redirect')]).toEqual([200, null])
  const fragment = await answer.text()
  expect(fragment).toMatch(/^<section class="section" id="organization-section".*value="Umbrella Works"/s)
  expect(fragment).toMatch(/<hx-partial.*Type Umbrella Works to confirm/s)
  const inFrame = /<span id="organization-name">([^<]+)/
  expect([inFrame.test(frame), inFrame.exec(fragment)?.[1]]).toEqual([true, 'Umbrella Works'])
  // htmx replaces the name in the menu by its place.
  expect(frame).toMatch(
    /id="organizations-menu".*<button[^>]*aria-current="true"[^>]*organizationId[^>]*><svg[^<]*<use[^<]*<\/use><\/svg><span class="truncate">/s,
  )
})

test('IDN-10 taken or malformed slug is rejected with an error on its field', async () => {
  const route = `PUT /api/organizations/${world.ada.things.organizations}`
  await world.mallory.fetchJson(`PUT /api/organizations/${world.mallory.things.organizations}`, { slug: 'taken' })
  const taken = await world.ada.fetch(route, { slug: 'taken' })
  expect([taken.status, await taken.json()]).toMatchObject([409, { code: 'slug_taken', errors: [{ path: 'slug' }] }])
  const malformed = await world.ada.fetch(route, { slug: 'Not A Slug' })
  expect([malformed.status, await malformed.json()]).toMatchObject([422, { errors: [{ path: 'slug' }] }])
  expect((await world.ada.fetch(route, {})).status).toBe(422)
  expect((await me(world.ada)).organization.slug).toBe('acme')
})

test('IDN-10 organization settings can be changed only by owners and read by viewers', async () => {
  const { organizations: id } = world.ada.things
  expect((await world.vera.fetch(`PUT /api/organizations/${id}`, { name: 'Vera’s' })).status).toBe(403)
  expect((await page(world.ada, '/settings/organization')).text).toContain(`hx-put="/api/organizations/${id}"`)
  const read = (await page(world.vera, '/settings/organization')).text
  expect(read).toContain('Only owners can change this')
  expect(read).not.toContain('hx-put="/api/organizations')
})

test('IDN-10 settings show each person the pages that they can open', async () => {
  const tabs = async (caller: Caller) =>
    [...(await page(caller, '/settings/profile')).text.matchAll(/href="(\/settings\/\w+)" *(?:aria|>)/g)].map(
      ([, path]) => path,
    )
  expect(await tabs(world.ada)).toContain('/settings/organization')
  expect(await tabs(world.nora)).not.toContain('/settings/organization')
  expect((await page(world.nora, '/settings/organization')).status).toBe(403)
})
