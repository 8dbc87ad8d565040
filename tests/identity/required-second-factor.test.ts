import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createAuthenticator } from '../support/authenticator.ts'
import { totp } from '../support/totp.ts'
import { openWorld, password, type Caller, type Person, type World } from '../support/world.ts'

// An organization that requires a second factor. Zoe owns it; Max is a member with a password only.

let world: World
let zoe: World['ada']
let organizationId: string

beforeAll(async () => {
  world = await openWorld()
  zoe = world.mallory
  organizationId = zoe.things.organizations
})

afterAll(() => world.close())

const requested = (caller: Caller, route: string, body?: unknown) =>
  caller.fetch(route, body).then((answer) => answer.status)

interface Reported {
  code: string
  unmetRequirement: { name: string; needs: string } | null
  organization: { id: string } | null
  permissions: string[]
}

const outcome = async (answer: Response) => {
  const { code } = (await answer.json()) as Reported
  return [answer.status, code]
}

const needed = [403, 'organization_requires_second_factor']
const require = (requiresSecondFactor: boolean) =>
  zoe.fetch(`PUT /api/organizations/${organizationId}`, { requiresSecondFactor })

/** Adds an authenticator app in this session and returns its code generator. */
async function addTotp(person: Caller) {
  const { secret } = await person.fetchJson<{ secret: string }>('POST /api/auth/me/totp', { password })
  await person.fetchJson('POST /api/auth/me/totp/confirm', { code: totp(secret) })
  return (later = 0) => totp(secret, Date.now() + later)
}

/** Adds a passkey in this session. */
async function addPasskey(person: Caller): Promise<string> {
  const { challenge } = await person.fetchJson<{ challenge: string }>('POST /api/auth/me/passkeys/options', {
    password,
  })
  const credential = createAuthenticator().attest(challenge)
  return (await person.fetchJson<{ id: string }>('POST /api/auth/me/passkeys', { credential }, 201)).id
}

const join = (name: string, role = 'editor'): Promise<Person> => world.join(zoe, { name, role })

const settingsText = async () => {
  const html = await (await zoe.fetch('GET /settings/sign-in', undefined, { accept: 'text/html' })).text()
  return html.replaceAll(/\s+/g, ' ')
}

test('IDN-49 second factor can be required only by an owner who has signed in with one', async () => {
  expect(await outcome(await require(true))).toEqual(needed)
  expect(await settingsText()).toMatch(/Set up your own second factor first.*href="\/settings\/security"/)
  const max = await join('Early')
  expect(
    await outcome(await max.fetch(`PUT /api/organizations/${organizationId}`, { requiresSecondFactor: true })),
  ).toEqual([403, 'permission_missing'])
  await addPasskey(zoe)
  expect((await require(true)).status).toBe(200)
  expect((await require(false)).status).toBe(200)
})

test('IDN-49 owner confirms before members without a second factor are locked out, and the section replaces itself', async () => {
  await join('Bare')
  const { secondFactors, can } = await zoe.fetchJson<{
    secondFactors: { people: number; missing: number }
    can: { requireSecondFactor: boolean }
  }>(`GET /api/organizations/${organizationId}`)
  const { people, missing } = secondFactors
  expect([can.requireSecondFactor, people - missing]).toEqual([true, 1])
  expect(await settingsText()).toContain(`${missing} of ${people} members of Umbrella`)
  const htmx = { 'hx-request': 'true' }
  const route = `PUT /api/organizations/${organizationId}`
  const changed = await zoe.fetch(route, { requiresSecondFactor: true }, htmx)
  expect(changed.headers.get('hx-redirect')).toBeNull()
  expect(await changed.text()).toMatch(/^<section class="section" id="second-factor-requirement".*Make it optional/s)
  await require(false)
})

test('IDN-49 member without a second factor is rejected from the next request, and their API keys keep working', async () => {
  const max = await join('Max', 'admin')
  const key = await max.createKey({ scopes: ['posts.read'] })
  expect(await requested(max, 'GET /api/posts')).toBe(200)
  await require(true)
  expect(await outcome(await max.fetch('GET /api/posts'))).toEqual(needed)
  expect(await requested(key, 'GET /api/posts')).toBe(200)
  expect(await requested(zoe, 'GET /api/posts')).toBe(200)
  expect(await max.fetchJson<Reported>('GET /validate')).toMatchObject({
    organization: null,
    permissions: [],
    unmetRequirement: { name: 'Umbrella', needs: 'second_factor' },
  })
  expect(await requested(max, 'GET /api/auth/me')).toBe(200)
  for (const query of ['', `?organizationId=${organizationId}`])
    expect(await outcome(await max.fetch(`GET /api/users/${max.id}/permissions${query}`))).toEqual(needed)
  await addTotp(max)
  expect(await requested(max, 'GET /api/posts')).toBe(200)
})

test('IDN-49 session with one factor can’t open the organization by signing in or switching', async () => {
  await require(true)
  const lea = await join('Lea')
  expect(await outcome(await lea.fetch('GET /api/posts'))).toEqual(needed)
  const switched = await lea.fetch('POST /api/auth/context', { organizationId })
  expect(await outcome(switched)).toEqual(needed)
  const other = await lea.signIn()
  expect(await outcome(await other.fetch('GET /api/posts'))).toEqual(needed)
  const code = await addTotp(other)
  expect(await requested(other, 'GET /api/posts')).toBe(200)
  expect(await outcome(await lea.fetch('GET /api/posts'))).toEqual(needed)
  expect(await requested(lea, 'POST /api/auth/me/second-factor', { code: code() })).toBe(422)
  expect(await requested(lea, 'POST /api/auth/me/second-factor', { code: code(30_000) })).toBe(204)
  expect(await requested(lea, 'GET /api/posts')).toBe(200)
})

test('IDN-49 session without a second factor can’t add or remove factors of an account that has one', async () => {
  await require(true)
  const kim = await join('Kim')
  const passkeyId = await addPasskey(kim)
  const thief = await kim.signIn()
  expect(await outcome(await thief.fetch('POST /api/auth/me/totp', { password }))).toEqual(needed)
  expect(await outcome(await thief.fetch('POST /api/auth/me/passkeys/options', { password }))).toEqual(needed)
  expect(await outcome(await thief.fetch(`DELETE /api/auth/me/passkeys/${passkeyId}`, { password }))).toEqual(needed)
  expect(await outcome(await thief.fetch('GET /api/posts'))).toEqual(needed)
})

test('IDN-49 last second factor can’t be removed while an organization requires one', async () => {
  await require(true)
  const ben = await join('Ben')
  const passkeyId = await addPasskey(ben)
  const removePasskey = () => ben.fetch(`DELETE /api/auth/me/passkeys/${passkeyId}`, { password })
  const removeTotp = () => ben.fetch('DELETE /api/auth/me/totp', { password })
  expect(await outcome(await removePasskey())).toEqual([409, 'last_second_factor'])
  await addTotp(ben)
  const both = await Promise.all([removePasskey(), removeTotp()])
  expect(both.filter(({ status }) => status === 204).length).toBe(1)
  await require(false)
  expect([(await removePasskey()).status, (await removeTotp()).status]).toContain(204)
})

test('IDN-49 browser without a second factor is redirected to its security settings, which explain what to do', async () => {
  await require(true)
  const ida = await join('Ida')
  const { cookie } = await ida.signIn()
  const visit = (path: string) => world.stranger.fetch(`GET ${path}`, undefined, { cookie, accept: 'text/html' })
  for (const path of ['/', '/workspace/posts', '/settings/members'])
    expect((await visit(path)).headers.get('location')).toBe('/settings/security')
  expect(await (await visit('/settings/security')).text()).toContain('Umbrella requires two-factor authentication')
  expect((await visit('/settings/profile')).status).toBe(200)
})

test('IDN-49 admins see members without a second factor, and owners are emailed when a member adds the first', async () => {
  await require(true)
  const [nia, viewer] = [await join('Nia', 'admin'), await join('Vic', 'viewer')]
  const factorsSeenBy = async (who: Caller) => {
    const { items } = await who.fetchJson<{ items: { id: string; secondFactor: boolean | null }[] }>(
      `GET /api/organizations/${organizationId}/members?limit=100`,
    )
    return new Map(items.map(({ id, secondFactor }) => [id, secondFactor]))
  }
  const seen = await factorsSeenBy(zoe)
  expect([seen.get(nia.id), seen.get(zoe.id), seen.get(zoe.things.agents)]).toEqual([false, true, null])
  const reported = async () => {
    const mails = await world.letters(zoe.email)
    return mails.filter(({ subject, text }) => subject.includes('two-factor') && text.includes(nia.email)).length
  }
  await addPasskey(nia)
  expect(await reported()).toBe(1)
  await addTotp(nia)
  expect(await reported()).toBe(1)
  expect((await factorsSeenBy(nia)).get(nia.id)).toBe(true)
  await addPasskey(viewer)
  expect(new Set((await factorsSeenBy(viewer)).values())).toEqual(new Set([null]))
})
