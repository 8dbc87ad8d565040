import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readConfig } from '#config'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { openEvents, type Events } from '#lib/events.ts'
import { newId } from '#lib/ids.ts'
import { createSecrets } from '#lib/secrets.ts'
import { createScheduler, type Scheduler } from '#social'
import { claimPosts, type Claim } from '../../src/social/publishing/claim.ts'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let fresh: TestDatabase
let database: DatabaseHandle
let events: Events
let scheduler: Scheduler
/** Handles of the accounts that the network was asked to post for. */
const asked: string[] = []
const silence = Promise.withResolvers<Response>()

/** A network that never answers for accounts named `hanging-…`. */
const network = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: ({ url }) => {
    const handle = new URL(url).pathname.split('/')[5] ?? ''
    asked.push(handle)
    return handle.startsWith('hanging') ? silence.promise : Response.json({ id: newId(), url })
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
  // Publishing to the sandbox asks nothing of the rest.
  const unused = null as never
  const identity = { isSuspended: async () => false } as never
  scheduler = createScheduler({
    database,
    events,
    config,
    identity,
    secrets: createSecrets(new Uint8Array(32).fill(7)),
    queue: unused,
    outbound: unused,
    storage: unused,
    log: { error: () => {} },
    baseUrl: () => network.url.href,
  })
})

afterAll(async () => {
  silence.resolve(new Response(null, { status: 500 }))
  await scheduler.stop(0)
  void network.stop(true)
  await events.close()
  await database.close()
  await fresh.drop()
})

/** An organization with one due post on each of its accounts, which are on `host`, or each on a host of its own. */
async function organization(handles: string[], host: string | null = null): Promise<string> {
  const [brand, owner, organizationId] = [newId(), newId(), newId()]
  await database.sql`insert into social.brands (id, platform_org_id, name, slug, time_zone)
    values (${brand}, ${organizationId}, 'Acme', 'acme', 'UTC')`
  await database.sql`
    insert into social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
    select gen_random_uuid(), ${brand}, 'sandbox', ${owner}, handle, handle,
      jsonb_build_object('origin', coalesce(${host}, 'https://' || handle || '.example'))
    from unnest(${handles}::text[]) handle`
  await database.sql`
    insert into social.posts (id, brand_id, author_id, provider, status, text, target, scheduled_at, due_at)
    select gen_random_uuid(), ${brand}, ${owner}, 'sandbox', 'scheduled', 'Hello',
      jsonb_build_object('connectionId', c.id), now(), now()
    from social.connections c where c.brand_id = ${brand}`
  return organizationId
}

const publishedCount = async () => (await database.sql`select from social.posts where status = 'published'`).length

/** Looks for due posts, as the schedule does each second. */
const afterLooks = (condition: () => boolean | Promise<boolean>) =>
  eventually(() => {
    scheduler.wake()
    return condition()
  })

test('SOC-25 due posts of an organization or host without a free place take no places of others', async () => {
  const full = await organization(
    Array.from({ length: 40 }, (_, at) => `full-${at}`),
    'https://shared.example',
  )
  const other = await organization(['other-on-shared'], 'https://shared.example')
  await organization(
    Array.from({ length: 10 }, (_, at) => `away-${at}`),
    'https://away.example',
  )
  const undone = new Error('Only looked at')
  const claims = async (freeByOrganization: Record<string, number>) => {
    let claimed: Claim[] = []
    const looking = database.transaction(async (tx) => {
      const wanted = { owner: newId(), leaseMs: 1_000, busy: new Set<string>(), limit: 100 }
      const places = { perHost: 32, perOrganization: 64, freeByHost: { 'https://away.example': 0 }, freeByOrganization }
      claimed = await claimPosts(tx, { ...wanted, ...places })
      throw undone
    })
    await expect(looking).rejects.toBe(undone)
    return claimed.map(({ organizationId, host }) => `${organizationId} ${host}`)
  }
  expect(await claims({ [full]: 0 })).toEqual([`${other} https://shared.example`])
  expect((await claims({ [full]: 1 })).sort()).toEqual(
    [`${full} https://shared.example`, `${other} https://shared.example`].toSorted(),
  )
  expect(await claims({})).toHaveLength(32)
  await database.sql`delete from social.posts`
})

test('SOC-25 300 posts of an organization on as many hosts that never respond don’t delay other organizations', async () => {
  await organization(Array.from({ length: 300 }, (_, at) => `hanging-${at}`))
  scheduler.start()
  expect(await afterLooks(() => asked.length >= 64)).toBe(true)
  await organization(['healthy'])
  expect(await afterLooks(async () => (await publishedCount()) === 1)).toBe(true)
  expect(asked.filter((handle) => handle.startsWith('hanging'))).toHaveLength(64)
}, 60_000)
