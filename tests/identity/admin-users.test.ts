import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

interface Listed {
  items: { id: string; email: string; name: string; organizations: number }[]
  nextCursor: string | null
}
const find = (query: string) => world.root.fetchJson<Listed>(`GET /api/admin/users?${query}`)
const namesOf = async (query: string) =>
  (await find(`query=${encodeURIComponent(query)}`)).items.map(({ name }) => name)
const refusal = async (response: Response) => [response.status, ((await response.json()) as { code: string }).code]

interface Detail {
  organizations: { name: string; role: string }[]
  sessions: { id: string; method: string }[]
  factors: { password: boolean; totpSince: string | null; recoveryCodes: number; passkeys: { name: string }[] }
}
const inspect = (id: string) => world.root.fetchJson<Detail>(`GET /api/admin/users/${id}`)

test('PLT-38 super admin finds people by ID and by the beginning of their address or name, regardless of case', async () => {
  expect(await namesOf('ADA@exam')).toEqual(['Ada'])
  expect(await namesOf('mal')).toEqual(['Mallory'])
  expect(await namesOf('da@example')).toEqual([])
  expect(await namesOf(world.vera.id)).toEqual(['Vera'])
  expect(await namesOf(crypto.randomUUID())).toEqual([])
  for (const special of ['%', '_', '\\', 'a%']) expect(await namesOf(special)).toEqual([])
})

test('PLT-38 list of people excludes agents', async () => {
  const agent = world.ada.things.agents
  expect(await namesOf(agent)).toEqual([])
  expect((await world.root.fetch(`GET /api/admin/users/${agent}`)).status).toBe(404)
})

test('PLT-12 list of people is paged by cursor without gaps', async () => {
  const all = (await find('limit=100')).items.map(({ id }) => id)
  const paged: string[] = []
  for (let cursor = ''; ;) {
    const page = await find(`limit=2${cursor}`)
    paged.push(...page.items.map(({ id }) => id))
    if (!page.nextCursor) break
    cursor = `&cursor=${page.nextCursor}`
  }
  expect(paged).toEqual(all)
  expect(all.length).toBeGreaterThan(4)
})

test('PLT-38 prefix search for people uses an index on address and name', async () => {
  const plan = await world.database.sql.begin(async (tx) => {
    await tx`SET LOCAL enable_seqscan = off`
    return tx`EXPLAIN SELECT id FROM identity.users WHERE lower(email) LIKE 'ada%' OR lower(name) LIKE 'ada%'`
  })
  const text = JSON.stringify(plan)
  expect(text).toContain('users_email_prefix')
  expect(text).toContain('users_name_prefix')
})

test('PLT-38 person detail shows organizations, sessions and factors, and no secrets', async () => {
  const detail = await inspect(world.ada.id)
  expect(detail).toMatchObject({
    id: world.ada.id,
    email: world.ada.email,
    organizations: [{ name: 'Acme', role: 'owner' }],
  })
  expect(detail.sessions.length).toBeGreaterThan(1)
  expect(detail.factors).toMatchObject({ password: true, totpSince: null, passkeys: [{ name: 'Phone' }] })
  expect(JSON.stringify(detail)).not.toMatch(/hash|secret|publicKey|credentialId/i)
})

test('PLT-38 super admin signs a person out everywhere with a reason that is emailed and logged', async () => {
  const nora = await world.nora.signIn()
  expect((await inspect(world.nora.id)).sessions.length).toBeGreaterThan(1)
  const route = `DELETE /api/admin/users/${world.nora.id}/sessions`
  expect((await world.root.fetch(route, {})).status).toBe(422)
  expect((await world.root.fetch(route, { reason: ' ' })).status).toBe(422)
  expect((await nora.fetch('GET /api/auth/me')).status).toBe(200)
  await world.root.fetchJson(route, { reason: 'Stolen laptop.' }, 204)
  expect((await nora.fetch('GET /api/auth/me')).status).toBe(401)
  expect((await inspect(world.nora.id)).sessions).toEqual([])
  const [letter] = await world.letters(world.nora.email)
  expect(letter?.text).toContain('Reason: Stolen laptop.')
  const { items } = await world.root.fetchJson<{ items: object[] }>('GET /api/audit?operation=endUserSessions')
  expect(items[0]).toMatchObject({
    principal: { id: world.root.id },
    object: { kind: 'user', id: world.nora.id },
    after: { sessions: 0, reason: 'Stolen laptop.' },
  })
})

test('PLT-38 second factor reset by a super admin allows sign-in with only the password and emails the person', async () => {
  const { email, id } = world.ada
  const credentials = { email, password: 'correct horse battery' }
  const login = () => world.stranger.fetch('POST /api/auth/login', credentials)
  await world.database.sql`
    UPDATE identity.totp_authenticators SET confirmed_at = now(), last_step = 0 WHERE user_id = ${id}`
  expect(await refusal(await login())).toEqual([401, 'second_factor_required'])
  const route = `DELETE /api/admin/users/${id}/second-factor`
  expect((await world.root.fetch(route, {})).status).toBe(422)
  await world.root.fetchJson(route, { reason: 'Lost phone.' }, 204)
  expect((await login()).status).toBe(200)
  expect((await inspect(id)).factors).toMatchObject({ totpSince: null, recoveryCodes: 0, passkeys: [] })
  expect((await world.letters(email))[0]?.text).toContain('Reason: Lost phone.')
  expect(await refusal(await world.root.fetch(route, { reason: 'Again.' }))).toEqual([409, 'no_second_factor'])
  const { items } = await world.root.fetchJson<{ items: object[] }>('GET /api/audit?operation=resetUserSecondFactor')
  expect(items[0]).toMatchObject({
    before: { totp: 1, passkeys: 1 },
    after: { totp: 0, passkeys: 0, reason: 'Lost phone.' },
  })
})

test('PLT-38 super admin can’t sign out or reset their own account with the admin operations', async () => {
  for (const part of ['sessions', 'second-factor']) {
    const own = await world.root.fetch(`DELETE /api/admin/users/${world.root.id}/${part}`, { reason: 'Mine.' })
    expect(await refusal(own)).toEqual([409, 'own_account'])
  }
})
