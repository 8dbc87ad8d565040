import { afterAll, beforeAll, expect, test } from 'bun:test'
import { digest } from '#lib/ids.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { openWorld, password, type Caller, type Person, type World } from '../support/world.ts'

// What a session can read that lacks a required second factor or is limited to one organization.

let world: World
let zoe: World['mallory']
let umbrella: string
/** An admin of Umbrella who has only a password and no other organization. */
let max: Person

beforeAll(async () => {
  world = await openWorld()
  zoe = world.mallory
  umbrella = zoe.things.organizations
  max = await world.join(zoe, { name: 'Max', role: 'admin' })
})

afterAll(() => world.close())

const outcome = async (caller: Caller, route: string) => {
  const answer = await caller.fetch(route)
  const { code } = (await answer.json()) as { code?: string }
  return [answer.status, code]
}

const inspection = () => `GET /api/users/${zoe.id}/permissions?organizationId=${umbrella}`

async function requireTwo() {
  const { challenge } = await zoe.fetchJson<{ challenge: string }>('POST /api/auth/me/passkeys/options', { password })
  await zoe.fetchJson('POST /api/auth/me/passkeys', { credential: createAuthenticator().attest(challenge) }, 201)
  await zoe.fetchJson(`PUT /api/organizations/${umbrella}`, { requiresSecondFactor: true })
}

test('IDN-49 session with one factor can’t read the members or permissions of an organization that requires two, in any context', async () => {
  const routes = [`GET /api/organizations/${umbrella}/members`, inspection()]
  for (const route of routes) expect(await outcome(max, route), route).toEqual([200, undefined])
  await requireTwo()
  for (const context of [{ organizationId: umbrella }, { context: 'personal' }]) {
    await max.fetch('POST /api/auth/context', context)
    for (const route of routes)
      expect(await outcome(max, route), route).toEqual([403, 'organization_requires_second_factor'])
  }
  expect((await zoe.fetch(inspection())).status).toBe(200)
})

test('IDN-49 session from an organization’s single sign-on can’t read the person’s other organizations or personal settings', async () => {
  const { ada, vera, database } = world
  const acme = ada.things.organizations
  await database.sql`
    INSERT INTO identity.memberships (organization_id, user_id, role, created_at) VALUES (${acme}, ${zoe.id}, 'viewer', now())`
  const { cookie } = await zoe.signIn()
  const token = /session=([^;]+)/.exec(cookie)?.[1] ?? ''
  await database.sql`
    UPDATE identity.sessions SET only_in = ${acme}, organization_id = ${acme} WHERE token_hash = ${digest(token)}`
  const confined = (route: string) => world.stranger.fetch(route, undefined, { cookie })
  const list = (await (await confined('GET /api/organizations')).json()) as {
    items: { id: string }[]
  }
  expect(list.items.map((each) => each.id)).toEqual([acme])
  for (const path of ['', '/members'])
    expect((await confined(`GET /api/organizations/${umbrella}${path}`)).status, path).toBe(404)
  for (const recipient of [zoe.id, max.id])
    expect((await confined(`GET /api/users/${recipient}/permissions?organizationId=${umbrella}`)).status).toBe(404)
  expect((await confined(`GET /api/organizations/${acme}/members`)).status).toBe(200)
  expect((await confined(`GET /api/users/${zoe.id}/permissions`)).status).toBe(200)
  for (const own of ['auth/sessions', 'auth/identities', 'auth/me/passkeys', 'auth/me/recovery-email', 'households'])
    expect((await confined(`GET /api/${own}`)).status, own).toBe(403)
  for (const page of ['profile', 'security', 'sessions'])
    expect((await confined(`GET /settings/${page}`)).status, page).toBe(403)
  await database.sql`UPDATE identity.memberships SET role = 'owner' WHERE organization_id = ${acme} AND user_id = ${zoe.id}`
  expect((await confined('GET /settings/organization')).status).toBe(200)
  await database.sql`UPDATE identity.memberships SET role = 'viewer' WHERE organization_id = ${acme} AND user_id = ${zoe.id}`
  const elsewhere = {
    service_id: 'platform-socialize',
    redirect_uri: 'http://localhost/auth/callback',
    context: umbrella,
  }
  const refused = await world.stranger.fetch('POST /sso/handoff-code', elsewhere, {
    cookie,
    'sec-fetch-site': 'same-origin',
  })
  expect(refused.status).toBe(409)
  expect(await refused.text()).not.toContain(umbrella)
  expect((await vera.fetch(`GET /api/organizations/${acme}/members`)).status).toBe(200)
})

test('PLT-20 name and suspension reason of a suspended organization are not shown to people outside it', async () => {
  const { root, ada } = world
  await root.fetchJson(`POST /api/admin/organizations/${umbrella}/suspension`, { reason: 'Unpaid bills.' }, 201)
  expect(await outcome(ada, `GET /api/organizations/${umbrella}/members`)).toEqual([404, 'not_found'])
  await root.fetchJson(`DELETE /api/admin/organizations/${umbrella}/suspension`, undefined, 204)
})
