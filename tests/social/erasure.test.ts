import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { eraseOrganizationData } from '#lib/tenant-data/erase.ts'
import { storeApp } from '../../src/gateway/social-credentials/apps.ts'
import { sealTokens } from '../../src/social/accounts/tokens/tokens.ts'
import { disconnect } from '../../src/social/erasure/disconnect.ts'
import { deleteExpired } from '../../src/social/erasure/jobs.ts'
import { socialData } from '../../src/social/tenant-data.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let network: ReturnType<typeof Bun.serve>
/** Delays the networks' responses. */
let holding: ((request: Request) => Promise<void>) | undefined
/** The requests to the networks. */
let requested: { path: string; authorization: string | null; body: string }[]

beforeAll(async () => {
  world = await openWorld()
  network = Bun.serve({
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      requested.push({
        path: pathname,
        authorization: request.headers.get('authorization'),
        body: await request.text(),
      })
      await holding?.(request)
      return pathname.startsWith('/away') ? new Response('away', { status: 500 }) : Response.json({})
    },
  })
})

beforeEach(() => {
  requested = []
  holding = undefined
})

afterAll(async () => {
  await network.stop(true)
  await world.close()
})

const origin = () => network.url.origin

/** A brand with an account, of an organization that identity does not know. */
async function connect(options: {
  provider: string
  externalId: string
  metadata: object
  tokens: Record<string, string>
}) {
  const { sql } = world.database
  const [id, brandId, organizationId] = [newId(), newId(), newId()]
  const { provider, externalId, metadata, tokens } = options
  await sql`
    INSERT INTO social.brands (id, platform_org_id, name, slug, time_zone)
    VALUES (${brandId}, ${organizationId}, 'Brand', 'brand', 'UTC')`
  await sql`
    INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata, sealed_tokens)
    VALUES (${id}, ${brandId}, ${provider}, ${newId()}, ${externalId}, 'Account', ${sql.json({ ...metadata })},
      ${sealTokens(world.provided.secrets, id, tokens)})`
  return { organizationId, brandId }
}

const erase = (organizationId: string) =>
  eraseOrganizationData(
    { ...world.provided, database: world.database, now: () => new Date() },
    socialData,
    organizationId,
  )
const left = async (brandId: string) =>
  (await world.database.sql`SELECT FROM social.brands WHERE id = ${brandId}`).length

const mastodon = (externalId: string) => ({
  provider: 'mastodon',
  externalId,
  metadata: { origin: origin(), accountId: '1', limits: { characters: 500, media: 4, urlCharacters: 23 } },
  tokens: { access: 'the access token' },
})

test('PLT-39 SOC-05 erasure of an organization revokes a Mastodon token with the instance’s app registration', async () => {
  const place = {
    provider: 'mastodon',
    host: origin(),
    redirectUri: 'http://localhost/callback',
    scopes: ['read'],
  } as const
  const store = { db: world.database.db, secrets: world.provided.secrets }
  await storeApp(store, place, { clientId: 'us', clientSecret: 'our secret' })
  const { organizationId, brandId } = await connect(mastodon('ada@one'))
  await erase(organizationId)
  expect(requested).toHaveLength(1)
  expect(requested[0]?.path).toBe('/oauth/revoke')
  expect(Object.fromEntries(new URLSearchParams(requested[0]?.body))).toEqual({
    client_id: 'us',
    client_secret: 'our secret',
    token: 'the access token',
  })
  expect(await left(brandId)).toBe(0)
})

test('PLT-39 account that another brand also uses keeps its token', async () => {
  const [gone, stays] = [await connect(mastodon('ada@two')), await connect(mastodon('ada@two'))]
  await erase(gone.organizationId)
  expect(requested).toEqual([])
  expect([await left(gone.brandId), await left(stays.brandId)]).toEqual([0, 1])
})

test('PLT-39 erasure of an organization deletes its Bluesky session', async () => {
  const { organizationId } = await connect({
    provider: 'bluesky',
    externalId: 'did:plc:ada',
    metadata: { pds: origin() },
    tokens: { access: 'access', refresh: 'refresh' },
  })
  await erase(organizationId)
  expect(requested).toMatchObject([{ path: '/xrpc/com.atproto.server.deleteSession', authorization: 'Bearer refresh' }])
})

test('PLT-39 unavailable network does not delay an erasure', async () => {
  const { organizationId, brandId } = await connect({
    provider: 'bluesky',
    externalId: 'did:plc:away',
    metadata: { pds: 'http://127.0.0.1:9' },
    tokens: { access: 'access', refresh: 'refresh' },
  })
  await erase(organizationId)
  expect(await left(brandId)).toBe(0)
})

const bluesky = (externalId: string) => ({
  provider: 'bluesky',
  externalId,
  metadata: { pds: origin() },
  tokens: { access: 'access', refresh: 'refresh' },
})

/** Accounts of one brand. */
async function connectMany(count: number) {
  const made = await connect(bluesky('did:plc:1'))
  const { secrets } = world.provided
  for (let n = 2; n <= count; n++) {
    const id = newId()
    await world.database.sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata, sealed_tokens)
      SELECT ${id}, brand_id, provider, owner_id, ${`did:plc:${n}`}, name, metadata,
        ${sealTokens(secrets, id, { access: 'access', refresh: 'refresh' })}
      FROM social.connections WHERE brand_id = ${made.brandId} LIMIT 1`
  }
  return made
}

test('PLT-39 the tokens of several accounts are revoked at the same time', async () => {
  const { organizationId, brandId } = await connectMany(8)
  const all = Promise.withResolvers<void>()
  let [open, most] = [0, 0]
  holding = ({ signal }) => {
    most = Math.max(most, ++open)
    if (open === 8) all.resolve()
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    return Promise.race([all.promise, aborted]).finally(() => open--)
  }
  await erase(organizationId)
  expect(most).toBe(8)
  expect(await left(brandId)).toBe(0)
})

test('PLT-39 hosts that never respond delay an erasure for a limited time, regardless of how many accounts they have', async () => {
  const { brandId } = await connectMany(20)
  holding = ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
  const work = { ...world.provided, database: world.database, now: () => new Date() }
  await disconnect(work, [brandId], { concurrency: 2, accountMs: 10 * 60_000, organizationMs: 200 })
  const kept = await world.database.sql`
    SELECT FROM social.connections WHERE brand_id = ${brandId} AND sealed_tokens IS NOT NULL`
  expect([requested.length, kept.length]).toEqual([2, 0])
})

test('PLT-39 two simultaneous erasures of the same organization both finish and leave no data', async () => {
  const { organizationId, brandId } = await connect({
    provider: 'sandbox',
    externalId: 'ada',
    metadata: {},
    tokens: {},
  })
  const { sql } = world.database
  await sql`
    INSERT INTO social.posts (id, brand_id, provider, author_id, text, status)
    SELECT ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${brandId}, 'sandbox', ${newId()}, 'Hello', 'draft' FROM generate_series(1, 1201) n`
  const waiting = () =>
    sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  // The first run deletes all that the second one waits for, and more is left.
  let runs: Promise<unknown> = Promise.resolve()
  await sql.begin(async (first) => {
    await first`
      DELETE FROM social.posts WHERE id IN (
        SELECT id FROM social.posts WHERE brand_id = ${brandId} ORDER BY id LIMIT 1200)`
    runs = Promise.all([erase(organizationId), erase(organizationId)])
    while ((await waiting()).length < 2) await Bun.sleep(10)
  })
  await runs
  expect(await left(brandId)).toBe(0)
})

test('PLT-39 only rows past their declared retention are deleted', async () => {
  const { sql } = world.database
  await sql`
    INSERT INTO social.rate_windows (provider, host, account, opens_at) VALUES
      ('mastodon', 'over.example', '', now() - interval '25 hours'), ('mastodon', 'open.example', '', now() + interval '1 hour')`
  await deleteExpired.run({ ...world.provided, input: {}, database: world.database, now: () => new Date() })
  const hosts = await sql<{ host: string }[]>`SELECT host FROM social.rate_windows`
  expect(hosts.map(({ host }) => host)).toEqual(['open.example'])
})
