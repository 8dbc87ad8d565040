import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { Connection, ConnectionDetails, Integration, IntegrationList } from '#social/types'
import { connections } from '../../src/social/schema.ts'
import { openSocialServer, type SocialServer, type ProblemBody } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
})
afterAll(() => desk.close())

const connect = (platform: string, form: Record<string, unknown>) =>
  ada.person.fetch<{ connection: Connection } & ProblemBody>(`POST /api/integrations/${platform}/connect`, {
    brandId: ada.brand.id,
    ...form,
  })

const cards = async (query = '') => {
  const { body } = await ada.person.fetch<{ items: Integration[]; nextCursor: null }>(`GET /api/integrations${query}`)
  return new Map(body.items.map((card) => [card.provider, card]))
}

test('SOC-05 network that only needs a handle connects immediately', async () => {
  const reported = await connect('sandbox', { handle: 'acme_1' })
  expect(reported.status).toBe(201)
  expect(reported.body.connection).toMatchObject({
    provider: 'sandbox',
    brandId: ada.brand.id,
    ownerId: ada.person.id,
    active: true,
    account: { name: 'acme_1' },
    health: 'ok',
  })
})

test('SOC-05 connecting an account again returns the same one as active', async () => {
  const first = (await connect('sandbox', { handle: 'again' })).body.connection
  await ada.person.fetch(`POST /api/accounts/${first.id}/deactivate`)
  const second = (await connect('sandbox', { handle: 'again' })).body.connection
  expect(second).toEqual({ ...first, active: true })
})

test.each(['tiktok', 'x', 'youtube', 'linkedin-page'])('SOC-05 %s is rejected before connecting', async (platform) => {
  const reported = await connect(platform, {})
  expect([reported.status, reported.body.code]).toEqual([409, 'provider_not_connectable'])
})

test('SOC-05 unknown network returns 404, and an invalid handle 422', async () => {
  expect((await connect('friendster', {})).status).toBe(404)
  const reported = await connect('sandbox', { handle: 'No Spaces' })
  expect([reported.status, reported.body.errors[0]?.path]).toEqual([422, 'handle'])
  const foreign = await createWriter(desk)
  expect((await connect('sandbox', { brandId: foreign.brand.id, handle: 'acme' })).status).toBe(404)
})

test('SOC-04 every network has a card', async () => {
  const shown = await cards()
  expect(shown.size).toBe(12)
  expect(shown.get('sandbox')).toMatchObject({ readiness: 'sandbox-only', limits: { characters: 500, media: 4 } })
  expect(shown.get('youtube')).toMatchObject({ readiness: 'setup-required', connect: 'authorize', connections: [] })
})

test('SOC-04 Groups and Pages are listed from the network’s data', async () => {
  const writer = await createWriter(desk, ada.person)
  const metadata = { pages: [{ id: 'p', name: 'Page' }], groups: [{ id: 'g', name: 'Group' }] }
  await desk.database.db.update(connections).set({ metadata }).where(eq(connections.id, writer.connection.id))
  const card = (await cards(`?brandId=${writer.brand.id}`)).get('sandbox')
  const connectionId = writer.connection.id
  expect(card?.targets).toMatchObject({
    pages: [{ id: 'p', name: 'Page', connectionId }],
    groups: [{ id: 'g', name: 'Group', connectionId }],
    organizations: [],
  })
})

test('SOC-03 one account has its limits, permissions and Pages', async () => {
  const writer = await createWriter(desk, ada.person)
  const { id } = writer.connection
  const metadata = { pages: [{ id: 'p', name: 'Page' }], groups: 'none' }
  await desk.database.db
    .update(connections)
    .set({ metadata, scopes: ['write'] })
    .where(eq(connections.id, id))
  const { body } = await ada.person.fetch<ConnectionDetails>(`GET /api/accounts/${id}`)
  expect(body).toMatchObject({
    id,
    ownerId: ada.person.id,
    ownerName: null,
    limits: { characters: 500, media: 4 },
    scopes: ['write'],
    pages: [{ id: 'p', name: 'Page' }],
    groups: [],
    organizations: [],
    scheduledPosts: 0,
  })
})

test('SOC-04 account that the network has signed out needs attention and stays on its card', async () => {
  const writer = await createWriter(desk, ada.person)
  await desk.database.db
    .update(connections)
    .set({ health: 'signed_out' })
    .where(eq(connections.id, writer.connection.id))
  const card = (await cards(`?brandId=${writer.brand.id}`)).get('sandbox')
  expect(card?.attention).toContain(writer.connection.account.name)
  expect(card?.readiness).toBe('sandbox-only')
})

test('SOC-45 cards include all brands that the caller can access, or only one on request', async () => {
  const writer = await createWriter(desk)
  const second = await createWriter(desk, writer.person)
  const of = async (query: string) => {
    const { body } = await writer.person.fetch<{ items: Integration[] }>(`GET /api/integrations${query}`)
    return body.items.find(({ provider }) => provider === 'sandbox')?.connections.map(({ id }) => id)
  }
  expect(await of('')).toEqual([writer.connection.id, second.connection.id])
  expect(await of(`?brandId=${second.brand.id}`)).toEqual([second.connection.id])
})

test('PLT-06 networks and accounts offer no actions to a caller without accounts:write', async () => {
  const { person, brand, connection } = await createWriter(desk)
  const reader = desk.person({ organization: person.organization, permissions: ['posts:read', 'accounts:read'] })
  const { body } = await reader.fetch<IntegrationList>(`GET /api/integrations?brandId=${brand.id}`)
  expect(body.brand).toEqual({ id: brand.id, name: brand.name, timeZone: brand.timeZone })
  expect(body.items.filter(({ can }) => can.connect)).toEqual([])
  expect(body.items.flatMap((card) => card.connections)).toEqual([
    { ...connection, can: { pause: false, deactivate: false, reconnect: false, connect: false } },
  ])
  const own = await person.fetch<IntegrationList>('GET /api/integrations')
  expect(own.body.brand).toBeNull()
  expect(
    own.body.items
      .filter(({ can }) => can.connect)
      .map(({ provider }) => provider)
      .sort(),
  ).toEqual(['bluesky', 'discord', 'mastodon', 'sandbox'])
})

test('PLT-06 changed account returns the brand’s accounts and their number to htmx', async () => {
  const { person, brand, connection } = await createWriter(desk)
  const changed = await person.draw(`POST /api/accounts/${connection.id}/deactivate`)
  expect(changed).toContain('0 connected')
  expect(changed).toStartWith(await person.draw(`GET /api/integrations?brandId=${brand.id}`))
})

test('PLT-06 connecting an account returns the brand’s accounts to htmx, and a consent page is opened with a redirect', async () => {
  const { person, brand } = await createWriter(desk)
  const added = await person.draw('POST /api/integrations/sandbox/connect', { brandId: brand.id, handle: 'second' })
  expect(added).toContain('@second')
  expect(added).toContain('2 connected')
  expect(added).toStartWith(await person.draw(`GET /api/integrations?brandId=${brand.id}`))
})

test('PLT-06 accounts of a network are a fragment of the list of networks, and one account one of its page', async () => {
  const { person, brand, connection } = await createWriter(desk)
  const whole = await person.draw(`GET /api/integrations?brandId=${brand.id}`)
  expect(await person.draw(`GET /api/accounts/${connection.id}`)).toStartWith('<div id="account">')
  // The menu of a row is loaded when it opens.
  expect(whole).not.toContain('Deactivate')
  const list = await person.draw(`GET /api/accounts?brandId=${brand.id}&provider=sandbox`)
  expect(list).toStartWith('<ul')
  expect(whole).toContain(list)
  expect(await person.draw(`GET /api/accounts?brandId=${brand.id}&provider=bluesky`)).toBe('')
})

test('SOC-46 account includes the number of its scheduled posts, which the deactivation dialog shows', async () => {
  const { person, brand, connection } = await createWriter(desk)
  const schedule = (target?: object) =>
    person.fetch('POST /api/posts', {
      brandId: brand.id,
      provider: 'sandbox',
      text: 'Later',
      status: 'scheduled',
      scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
      target,
    })
  await schedule()
  await schedule({ connectionId: connection.id })
  await person.fetch('POST /api/posts', { brandId: brand.id, provider: 'sandbox', text: 'Draft' })
  const { body } = await person.fetch<Connection>(`GET /api/accounts/${connection.id}`)
  expect([body.brandName, body.scheduledPosts]).toEqual([brand.name, 2])
  const drawn = await person.draw(`GET /api/accounts/${connection.id}`)
  expect(drawn).toContain('2 scheduled posts will fail')
  expect(drawn).toContain(`accountId=${connection.id}`)
  const reader = desk.person({ organization: person.organization, permissions: ['accounts:read'] })
  expect((await reader.fetch<Connection>(`GET /api/accounts/${connection.id}`)).body.scheduledPosts).toBeNull()
})

test('SOC-46 scheduled posts of a brand are counted in one query for all its accounts', async () => {
  const { person, brand, connection } = await createWriter(desk)
  const route = `GET /api/accounts?brandId=${brand.id}&limit=100`
  const timeList = async (accounts: number) => {
    let leastMs = Infinity
    for (let run = 0; run < 3; run++) {
      const start = performance.now()
      const { items } = (await person.fetch<{ items: Connection[] }>(route)).body
      leastMs = Math.min(leastMs, performance.now() - start)
      const counts = Map.groupBy(items, ({ scheduledPosts }) => scheduledPosts)
      expect(counts.get(1_001)?.map(({ id }) => id)).toEqual([connection.id])
      expect(counts.get(0)?.length ?? 0).toBe(accounts - 1)
    }
    return leastMs
  }
  await desk.database.sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, text, status, scheduled_at, due_at)
    SELECT gen_random_uuid(), ${brand.id}, ${person.id}, 'sandbox', 'Later', 'scheduled', at, at
    FROM generate_series(1, 1500), (VALUES (now() + interval '1 day')) AS day (at)`
  const one = await timeList(1)
  await desk.database.sql`
    INSERT INTO social.connections (id, brand_id, provider, external_id, owner_id, name, created_at)
    SELECT gen_random_uuid(), brand_id, provider, 'other_' || n, owner_id, name, now()
    FROM social.connections, generate_series(1, 99) n WHERE id = ${connection.id}`
  expect((await timeList(100)) / one).toBeLessThan(40)
})

test('SOC-46 account can be listed, read, deactivated and reconnected only by its organization', async () => {
  const writer = await createWriter(desk)
  const { connection, person } = writer
  const listed = await person.fetch<{ items: Connection[] }>(`GET /api/accounts?brandId=${writer.brand.id}`)
  expect(listed.body.items).toEqual([connection])
  const off = await person.fetch<Connection>(`POST /api/accounts/${connection.id}/deactivate`)
  expect(connection.can).toEqual({ pause: true, deactivate: true, reconnect: false, connect: true })
  expect(off.body).toEqual({
    ...connection,
    active: false,
    can: { pause: false, deactivate: false, reconnect: true, connect: true },
  })
  expect((await person.fetch<Connection>(`GET /api/accounts/${connection.id}`)).body.active).toBe(false)
  const on = await person.fetch<Connection>(`POST /api/accounts/${connection.id}/reconnect`)
  expect(on.body).toEqual(connection)
  for (const route of ['GET', 'POST deactivate', 'POST reconnect']) {
    const [method, act] = route.split(' ')
    const path = `/api/accounts/${connection.id}${act ? `/${act}` : ''}`
    expect((await ada.person.fetch(`${method} ${path}`)).status).toBe(404)
  }
})
