import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, password, tokenIn, type Caller, type World } from '../support/world.ts'

let world: World
let pay: Caller
let socialId: string
let payId: string

beforeAll(async () => {
  world = await openWorld()
  pay = world.services['platform-pay'] ?? world.stranger
  socialId = world.serviceId
  payId = (await world.stranger.fetchJson<{ id: string }>('GET /api/services/by-slug/platform-pay')).id
})

afterAll(() => world.close())

interface State {
  mode: string
  used: number
  allowed: number | null
  left: number | null
  seats: { used: number; paid: number | null; left: number | null }
}

interface Owner extends Caller {
  id: string
  organizationId: string
}

/** A person with their own workspace, which has this entitlement and no paid app. */
async function owner(entitlement?: object): Promise<Owner> {
  const person = { email: `${newId()}@example.com`, password, name: 'Grace', createOrganization: true }
  const route = 'POST /register'
  const made = await world.stranger.fetchJson<{
    user: { id: string }
    organization: { id: string }
    accessToken: string
  }>(route, person, 201)
  const send: Caller['fetch'] = (requested, body, headers) =>
    world.stranger.fetch(requested, body, { authorization: `Bearer ${made.accessToken}`, ...headers })
  const caller = { ...callerBy(send), id: made.user.id, organizationId: made.organization.id }
  for (const id of [socialId, payId])
    await caller.fetch(`DELETE /api/organizations/${caller.organizationId}/apps/${id}`)
  if (entitlement)
    await pay.fetchJson(`PUT /api/internal/organizations/${caller.organizationId}/entitlement`, entitlement)
  return caller
}

const callerBy = (send: Caller['fetch']): Caller => ({
  credential: {},
  fetch: send,
  fetchJson: async (route, body, status = 200) => {
    const response = await send(route, body)
    const text = await response.text()
    if (response.status !== status) throw new Error(`${route} answered ${response.status}: ${text}`)
    return text ? JSON.parse(text) : null
  },
})

const apps = ({ organizationId }: Owner) => `/api/organizations/${organizationId}/apps`
const install = (by: Owner, serviceId: string) => by.fetch(`POST ${apps(by)}`, { serviceId })
const stateOf = (by: Owner) => by.fetchJson<State>(`GET /api/organizations/${by.organizationId}/entitlement`)
const slugsOf = async (by: Owner) =>
  (await by.fetchJson<{ items: { slug: string }[] }>(`GET ${apps(by)}`)).items.map(({ slug }) => slug)

/** Registers more paid apps than the platform has for as long as `act` takes. */
async function paidApps(count: number): Promise<string[]> {
  const rows = await world.database.sql<{ id: string }[]>`
    INSERT INTO identity.services (slug, name, description, surface_kind, first_party, paid)
    SELECT 'paid-' || right(gen_random_uuid()::text, 12), 'Paid', 'An app', 'app', true, true
    FROM generate_series(1, ${count}) RETURNING id`
  return rows.map(({ id }) => id)
}

test('IDN-44 every app can be installed without an entitlement', async () => {
  const grace = await owner()
  expect(await stateOf(grace)).toMatchObject({ mode: 'all', used: 0, allowed: null, left: null })
  for (const id of [socialId, payId]) expect((await install(grace, id)).status).toBe(201)
  expect(await stateOf(grace)).toMatchObject({ used: 2, seats: { used: 1, paid: null, left: null } })
})

test('IDN-44 app installation past the paid count returns 402 with the entitlement that would allow it', async () => {
  const grace = await owner({ mode: 'count', paidAppCount: 1 })
  expect((await install(grace, socialId)).status).toBe(201)
  const refused = await install(grace, payId)
  expect([refused.status, await refused.json()]).toMatchObject([
    402,
    {
      code: 'entitlement_exceeded',
      title: 'Entitlement exceeded',
      mode: 'count',
      used: 1,
      allowed: 1,
      wouldAllow: { mode: 'count', paidAppCount: 3 },
    },
  ])
  expect(await slugsOf(grace)).not.toContain('platform-pay')
  expect(await stateOf(grace)).toMatchObject({ used: 1, allowed: 1, left: 0 })
})

test('IDN-44 entitlements for three, five and ten apps reject the next app, and mode all rejects none', async () => {
  const ids = await paidApps(12)
  for (const [paidAppCount, next] of [
    [3, { mode: 'count', paidAppCount: 5 }],
    [5, { mode: 'count', paidAppCount: 10 }],
    [10, { mode: 'all' }],
  ] as const) {
    const grace = await owner({ mode: 'count', paidAppCount })
    const answers = []
    for (const id of ids.slice(0, paidAppCount + 1)) answers.push(await install(grace, id))
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(paidAppCount).fill(201), 402])
    expect(await answers.at(-1)?.json()).toMatchObject({ wouldAllow: next })
  }
  const all = await owner({ mode: 'all' })
  for (const id of ids) expect((await install(all, id)).status).toBe(201)
})

test('IDN-44 free organization can’t install paid apps and can install third-party ones', async () => {
  const grace = await owner({ mode: 'free' })
  expect((await install(grace, payId)).status).toBe(402)
  expect((await install(grace, world.theirAppId)).status).toBe(201)
  expect(await stateOf(grace)).toMatchObject({ mode: 'free', used: 0, allowed: 0, left: 0 })
})

test('IDN-44 entitlement for specific apps rejects other apps', async () => {
  const grace = await owner({ mode: 'count', paidAppCount: 3, appSlugs: ['platform-socialize'] })
  expect((await install(grace, socialId)).status).toBe(201)
  const refused = await install(grace, payId)
  expect([refused.status, await refused.json()]).toMatchObject([
    402,
    { wouldAllow: { mode: 'count', paidAppCount: 3, appSlugs: ['platform-socialize', 'platform-pay'] } },
  ])
})

test('IDN-44 concurrent app installations succeed up to the paid count', async () => {
  const ids = await paidApps(8)
  const grace = await owner({ mode: 'count', paidAppCount: 3 })
  const answers = await Promise.all(ids.map((id) => install(grace, id)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(5)
  expect(await stateOf(grace)).toMatchObject({ used: 3, left: 0 })
})

test('IDN-44 removing an app makes room for another, and rejects its sessions and keys on the next request', async () => {
  const grace = await owner({ mode: 'count', paidAppCount: 1 })
  await install(grace, socialId)
  const draft = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }
  const { key } = await grace.fetchJson<{ key: string }>('POST /api/api-keys', draft, 201)
  const byKey = () => world.stranger.fetch('GET /api/posts', undefined, { authorization: `Bearer ${key}` })
  expect((await grace.fetch('GET /api/posts')).status).toBe(200)
  expect((await byKey()).status).toBe(200)
  expect((await grace.fetch(`DELETE ${apps(grace)}/${socialId}`)).status).toBe(204)
  expect((await grace.fetch('GET /api/posts')).status).toBe(403)
  expect((await byKey()).status).toBeOneOf([401, 403])
  expect((await install(grace, payId)).status).toBe(201)
  expect((await grace.fetch(`DELETE ${apps(grace)}/${socialId}`)).status).toBe(404)
})

test('IDN-44 removing a built-in app returns 409, installing twice returns 409, and installing an unknown app returns 422', async () => {
  const grace = await owner()
  const { id } = await world.stranger.fetchJson<{ id: string }>('GET /api/services/by-slug/platform-dashboard-api')
  const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code]
  expect(await codeOf(await grace.fetch(`DELETE ${apps(grace)}/${id}`))).toEqual([409, 'app_not_removable'])
  expect(await codeOf(await install(grace, id))).toEqual([409, 'already_installed'])
  expect(await codeOf(await install(grace, newId()))).toEqual([422, 'validation_failed'])
})

test('IDN-44 installing and removing apps requires an admin', async () => {
  const { organizations: id } = world.ada.things
  expect((await world.vera.fetch(`POST /api/organizations/${id}/apps`, { serviceId: world.theirAppId })).status).toBe(
    403,
  )
  expect((await world.vera.fetch(`DELETE /api/organizations/${id}/apps/${socialId}`)).status).toBe(403)
  expect((await world.vera.fetch(`GET /api/organizations/${id}/apps`)).status).toBe(200)
  expect((await world.mallory.fetch(`POST /api/organizations/${id}/apps`, { serviceId: payId })).status).toBe(404)
})

/** A person invited by an owner follows the link. */
async function comes(by: Owner): Promise<Response> {
  const email = `${newId()}@example.com`
  await by.fetchJson(`POST /api/organizations/${by.organizationId}/invitations`, { email, role: 'viewer' }, 201)
  const token = tokenIn((await world.letters(email))[0])
  return world.stranger.fetch('POST /api/invitations/register', { token, name: 'Guest', password })
}

const agent = (by: Owner) =>
  by.fetch(`POST /api/organizations/${by.organizationId}/agents`, { name: 'Bot', role: 'editor' })

test('IDN-44 joining without an available seat returns 402 for people and agents, and the invitation stays valid', async () => {
  const grace = await owner({ mode: 'all', seats: 3 })
  expect((await comes(grace)).status).toBe(201)
  expect((await agent(grace)).status).toBe(201)
  for (const refused of [await comes(grace), await agent(grace)])
    expect([refused.status, await refused.json()]).toMatchObject([
      402,
      { code: 'entitlement_exceeded', used: 3, allowed: 3, wouldAllow: { seats: 4 } },
    ])
  expect(await stateOf(grace)).toMatchObject({ seats: { used: 3, paid: 3, left: 0 } })
  await pay.fetchJson(`PUT /api/internal/organizations/${grace.organizationId}/entitlement`, { mode: 'all', seats: 4 })
  expect((await agent(grace)).status).toBe(201)
})

test('IDN-44 concurrent acceptances succeed up to the number of seats', async () => {
  const grace = await owner({ mode: 'all', seats: 3 })
  const answers = await Promise.all(Array.from({ length: 6 }, () => agent(grace)))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
  expect(answers.filter(({ status }) => status === 402)).toHaveLength(4)
})

test('IDN-44 invitation rejected for lack of seats can be accepted later', async () => {
  const grace = await owner({ mode: 'all', seats: 1 })
  const email = `${newId()}@example.com`
  await grace.fetchJson(`POST /api/organizations/${grace.organizationId}/invitations`, { email, role: 'viewer' }, 201)
  const token = tokenIn((await world.letters(email))[0])
  const follow = () => world.stranger.fetch('POST /api/invitations/register', { token, name: 'Guest', password })
  expect((await follow()).status).toBe(402)
  await pay.fetchJson(`PUT /api/internal/organizations/${grace.organizationId}/entitlement`, { mode: 'all', seats: 2 })
  expect((await follow()).status).toBe(201)
})

test('IDN-45 billing service can read the seats and set the entitlements of any organization, and an unknown one returns 404', async () => {
  const grace = await owner({ mode: 'count', paidAppCount: 3, seats: 5 })
  expect(await pay.fetchJson(`GET /api/internal/organizations/${grace.organizationId}/seats`)).toEqual({
    used: 1,
    paid: 5,
    left: 4,
  })
  const route = `PUT /api/internal/organizations/${grace.organizationId}/entitlement`
  expect(await pay.fetchJson<State>(route, { mode: 'free' })).toMatchObject({ mode: 'free', seats: { paid: null } })
  expect((await pay.fetch(route, { mode: 'count' })).status).toBe(422)
  expect((await pay.fetch(`GET /api/internal/organizations/${newId()}/seats`)).status).toBe(404)
  expect((await pay.fetch(`PUT /api/internal/organizations/${newId()}/entitlement`, { mode: 'all' })).status).toBe(404)
})

test('IDN-45 setting entitlements returns 403 for people and other services and 401 without a credential', async () => {
  const { organizations: id } = world.ada.things
  for (const [route, body] of [
    [`GET /api/internal/organizations/${id}/seats`, undefined],
    [`PUT /api/internal/organizations/${id}/entitlement`, { mode: 'all' }],
  ] as const) {
    for (const slug of ['platform-pay', 'platform-dashboard-website', 'platform-dashboard-api'])
      expect((await world.services[slug]?.fetch(route, body))?.status).toBe(200)
    for (const caller of [world.service, world.services['platform-gateway'], world.ada, world.root, world.key])
      expect((await caller?.fetch(route, body))?.status).toBe(403)
    expect((await world.stranger.fetch(route, body)).status).toBe(401)
  }
})

test('IDN-44 owner can’t set an entitlement for their own organization', async () => {
  const grace = await owner({ mode: 'free' })
  const settings = { appEntitlement: { mode: 'all' } }
  await grace.fetch(`PUT /api/organizations/${grace.organizationId}`, { name: 'Greedy', settings, ...settings })
  expect(await stateOf(grace)).toMatchObject({ mode: 'free' })
})

test('IDN-20 each app has its own icon on the page of apps, and every first-party app is seeded with one', async () => {
  const rows = await world.database.sql`
    SELECT slug FROM identity.services WHERE slug LIKE 'platform-%' AND icon IS NULL AND surface_kind <> 'internal'`
  expect([...rows]).toEqual([])
  const id = world.ada.things.organizations
  const { items } = await world.ada.fetchJson<{ items: { slug: string; icon: string | null }[] }>(
    `GET /api/organizations/${id}/apps`,
  )
  expect(items.find(({ slug }) => slug === 'platform-socialize')?.icon).toBe('megaphone')
  const page = await world.ada.fetch(`GET /apps`, undefined, { accept: 'text/html' })
  expect(await page.text()).toMatch(
    /<span class="app-mark" data-tone="plain" data-size="lg"><svg[^>]*><use href="[^"]*#megaphone"/,
  )
})
