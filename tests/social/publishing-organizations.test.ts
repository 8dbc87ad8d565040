import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readConfig } from '#config'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { openEvents, type Events } from '#lib/events.ts'
import { newId } from '#lib/ids.ts'
import { createSecrets } from '#lib/secrets.ts'
import { createScheduler, type Scheduler } from '#social'
import { claimPosts } from '../../src/social/publishing/claim.ts'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let fresh: TestDatabase
let database: DatabaseHandle
let events: Events
let scheduler: Scheduler
/** Handles of the accounts in the network's requests. */
const requested: string[] = []
const silence = Promise.withResolvers<void>()

/** A network that never responds for accounts named `hanging-…`. */
const network = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: ({ url }) => {
    const handle = new URL(url).pathname.split('/')[5] ?? ''
    requested.push(handle)
    return handle.startsWith('hanging')
      ? silence.promise.then(() => new Response(null, { status: 500 }))
      : Response.json({ id: newId(), url })
  },
})

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 4)
  events = await openEvents(database)
  const config = readConfig({
    ATRIUM_ENV: 'test',
    SANDBOX_URL: network.url.href,
    PROVIDER_TIMEOUT_MS: '60000',
    PUBLISH_HEARTBEAT_MS: '1000',
    PUBLISH_LEASE_MS: '90000',
  })
  // Publishing to the sandbox uses nothing of the rest.
  const unused = null as never
  const identity = { isSuspended: async () => false } as never
  scheduler = createScheduler({
    database,
    events,
    config,
    identity,
    secrets: createSecrets(new Uint8Array(32).fill(7)),
    queue: { enqueue: async () => {} } as never,
    gateway: {} as never,
    outbound: unused,
    storage: unused,
    log: { error: () => {} },
    baseUrl: () => network.url.href,
  })
})

afterAll(async () => {
  silence.resolve()
  await scheduler.stop(0)
  void network.stop(true)
  await events.close()
  await database.close()
  await fresh.drop()
})

/** An organization with one due post on each of its accounts, all on `host`, or each on its own host. */
async function organization(handles: string[], host: string | null = null): Promise<string> {
  const organizationId = newId()
  await addAccounts(organizationId, handles, host)
  return organizationId
}

/** A brand with these accounts, each with a due post. */
async function addAccounts(organizationId: string, handles: string[], host: string | null): Promise<void> {
  const [brand, owner] = [newId(), newId()]
  await database.sql`insert into social.brands (id, platform_org_id, name, slug, time_zone)
    values (${brand}, ${organizationId}, 'Acme', ${brand}, 'UTC')`
  await database.sql`
    insert into social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
    select gen_random_uuid(), ${brand}, 'sandbox', ${owner}, handle, handle,
      jsonb_build_object('origin', coalesce(${host}, 'https://' || handle || '.example'))
    from unnest(${handles}::text[]) handle`
  await database.sql`
    insert into social.posts (id, brand_id, author_id, provider, status, text, target, scheduled_at, due_at)
    select gen_random_uuid(), ${brand}, ${owner}, 'sandbox', 'scheduled', 'Hello',
      jsonb_build_object('connectionId', c.id), now(), clock_timestamp() - interval '1 second'
    from social.connections c where c.brand_id = ${brand}`
}

const publishedCount = async () => (await database.sql`select from social.posts where status = 'published'`).length

/** Looks for due posts, as the schedule does each second. */
const afterLooks = (condition: () => boolean | Promise<boolean>) =>
  eventually(() => {
    scheduler.wake()
    return condition()
  })

const hostOf = (name: string) => `https://${name}.example`
const handles = (name: string, count: number) => Array.from({ length: count }, (_, at) => `${name}-${at}`)

/** The claims that would follow, as `organization host`, counted. */
async function claims(places: Partial<Parameters<typeof claimPosts>[1]>): Promise<Record<string, number>> {
  const undone = new Error('Only looked at')
  const counts: Record<string, number> = {}
  const looking = database.transaction(async (tx) => {
    const wanted = { owner: newId(), leaseMs: 1_000, busy: new Set<string>(), limit: 100 }
    const limits = { perHost: 32, perOrganization: 64, share: 8 }
    const none = { freeByHost: {}, freeByOrganization: {}, takenByShare: {} }
    for (const { organizationId, host } of await claimPosts(tx, { ...wanted, ...limits, ...none, ...places })) {
      const name = `${organizationId} ${host}`
      counts[name] = (counts[name] ?? 0) + 1
    }
    throw undone
  })
  await expect(looking).rejects.toBe(undone)
  return counts
}

test('SOC-25 due posts of an organization or host without a free slot don’t take slots from others', async () => {
  const [shared, away] = [hostOf('shared'), hostOf('away')]
  const full = await organization(handles('full', 40), shared)
  const other = await organization(['other-on-shared'], shared)
  const mixed = await organization(handles('away', 10), away)
  await database.sql`update social.posts set due_at = due_at - interval '1 minute'`
  await addAccounts(mixed, ['mixed-on-shared'], shared)
  const freeByHost = { [away]: 0 }
  const both = { [`${other} ${shared}`]: 1, [`${mixed} ${shared}`]: 1 }
  expect(await claims({ freeByHost, freeByOrganization: { [full]: 0, [mixed]: 1 } })).toEqual(both)
  expect(await claims({ freeByHost, freeByOrganization: { [full]: 1 } })).toEqual({ ...both, [`${full} ${shared}`]: 1 })
  await database.sql`delete from social.posts`
})

test('SOC-25 backlog of one organization leaves a quarter of a host’s slots for others', async () => {
  const host = hostOf('turns')
  const backlog = await organization(handles('backlog', 40), host)
  expect(await claims({})).toEqual({ [`${backlog} ${host}`]: 24 })
  const [large, small] = [await organization(handles('large', 30), host), await organization(handles('small', 3), host)]
  const turns = { [`${backlog} ${host}`]: 11, [`${large} ${host}`]: 10, [`${small} ${host}`]: 3 }
  expect(await claims({})).toEqual(turns)
  // The places that an organization uses count as its turns.
  const taken = { freeByHost: { [host]: 8 }, takenByShare: { [`${host} ${backlog}`]: 24 } }
  expect(await claims(taken)).toEqual({ [`${large} ${host}`]: 5, [`${small} ${host}`]: 3 })
  expect(await claims({ ...taken, freeByHost: { [host]: 1 } })).toEqual({ [`${large} ${host}`]: 1 })
  await database.sql`delete from social.posts`
})

test('SOC-25 36 posts to a host that never responds don’t delay another organization’s posts to it', async () => {
  await organization(handles('hanging-together', 36), hostOf('one'))
  scheduler.start()
  const isHanging = (handle: string) => handle.startsWith('hanging-together')
  expect(await afterLooks(() => requested.filter(isHanging).length >= 24)).toBe(true)
  await organization(['healthy-neighbor'], hostOf('one'))
  expect(await afterLooks(async () => (await publishedCount()) === 1)).toBe(true)
  expect(requested.filter(isHanging)).toHaveLength(24)
})

test('SOC-25 300 posts of one organization to 300 hosts that never respond don’t delay other organizations', async () => {
  await organization(handles('hanging-apart', 300))
  const isHanging = (handle: string) => handle.startsWith('hanging-apart')
  // One round doesn't claim them all.
  scheduler.wake()
  expect(await eventually(() => requested.filter(isHanging).length >= 64)).toBe(true)
  await organization(['healthy'])
  expect(await afterLooks(async () => (await publishedCount()) === 2)).toBe(true)
  expect(requested.filter(isHanging)).toHaveLength(64)
})
