import { afterAll, beforeAll, expect, test } from 'bun:test'

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { connectionUrl, readConnection } from '#lib/postgres/connection-file.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { startExternalPostgres, type ExternalPostgres, type Shutdown } from '../support/external-postgres.ts'
import { openFaultProxy, type FaultProxy } from '../support/fault-proxy.ts'
import { scaleTime } from '../support/time-scale.ts'
import { newPublisher, type Received } from '../support/publisher.ts'
import { serve, serveSandboxProcess, type Served } from '../support/served.ts'
import { keyOf, startTraffic, type Traffic } from '../support/traffic.ts'

// Servers whose database is restarted, killed, moved, reset, frozen and cut off under load. The practice network is a
// separate process with its own database: its receipts are the reference.

const long = process.env['TEST_LONG'] === 'true'
/** Number of servers, restarts of the external and the embedded database, seconds of resets. */
const plan = long
  ? { servers: 3, restarts: 50, embedded: 50, resetSeconds: 600 }
  : { servers: 2, restarts: 3, embedded: 1, resetSeconds: 4 }
const shutdowns: Shutdown[] = ['fast', 'immediate', 'killed']
/** Seconds for which the database is away, one after the other. */
const away = long ? [1, 2, 3, 5, 8, 1, 2, 15, 3, 30] : [1]
/** Milliseconds until a server must be ready again (PLT-31). */
const readyMs = scaleTime(10_000)
const handles = ['a', 'b', 'c', 'd', 'e', 'f']

let external: ExternalPostgres
let proxy: FaultProxy
let networkDatabase: TestDatabase
let network: Served
let servers: Served[]
let traffic: Traffic
const ended: string[] = []
/** Of the server with an embedded database. */
const dataDir = mkdtempSync(join(tmpdir(), 'atrium-embedded-'))

beforeAll(async () => {
  ;[external, networkDatabase] = await Promise.all([startExternalPostgres(), freshDatabase()])
  proxy = await openFaultProxy(external.url())
  network = await serveSandboxProcess(networkDatabase.url)
  servers = []
  for (let nth = 0; nth < plan.servers; nth++) servers.push(await start(proxy.url, `server ${nth}`))
  traffic = await trafficTo(servers)
}, scaleTime(120_000))

afterAll(async () => {
  await killRest()
  await proxy.stop()
  await external.remove()
  await networkDatabase.drop()
  rmSync(dataDir, { recursive: true, force: true })
}, scaleTime(60_000))

async function start(databaseUrl: string, name: string, env: Record<string, string> = {}): Promise<Served> {
  const server = await serve({ databaseUrl, env: { SANDBOX_URL: network.url, LOG_LEVEL: 'error', ...env } })
  void server.exited.then((status) => ended.push(`${name} ended with ${status}:\n${server.output().slice(-2000)}`))
  return server
}

/** Two callers per server, with their own accounts. */
async function trafficTo(targets: readonly Served[], prefix = ''): Promise<Traffic> {
  const ada = await newPublisher(targets[0]?.url ?? '')
  const connectionIds: string[] = []
  for (const handle of handles) connectionIds.push(await ada.connect(prefix + handle))
  const key = await keyOf(ada)
  return startTraffic(
    targets.flatMap(({ url }) => [1, 2].map(() => ({ url, key, brandId: ada.brandId, connectionIds }))),
  )
}

const isReady = async ({ url }: Served): Promise<boolean> => {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(scaleTime(4_000)) }).catch(() => null)
  return answer?.status === 200
}

/** Every server becomes ready in time, accepts posts, and none has exited. */
async function expectRecovery(what: string, targets = servers, load = traffic): Promise<void> {
  const before = load.acknowledged()
  const ready = await Promise.all(targets.map((server) => eventually(() => isReady(server), readyMs)))
  expect([what, ready, ended]).toEqual([what, targets.map(() => true), []])
  const goesOn = () => load.acknowledged() > before + 2 * targets.length
  expect([what, await eventually(goesOn, readyMs)]).toEqual([what, true])
}

test(`PLT-31 servers survive ${plan.restarts} restarts, kills and moves of the database and become ready again`, async () => {
  for (let nth = 0; nth < plan.restarts; nth++) {
    const how = shutdowns[nth % shutdowns.length] ?? 'fast'
    const seconds = away[nth % away.length] ?? 1
    await external.end(how)
    await Bun.sleep(seconds * 1000)
    // Every third restart is on another address, as after a failover.
    await external.begin({ another: nth % 3 === 2 })
    proxy.retarget(external.url())
    await expectRecovery(`restart ${nth}, ${how}, away for ${seconds} s`)
  }
}, 3_600_000)

test(`PLT-31 servers survive ${plan.resetSeconds} s of connection resets, 2 of 100 packets`, async () => {
  proxy.reset(0.02)
  await Bun.sleep(plan.resetSeconds * 1000)
  await proxy.heal()
  await expectRecovery('resets')
}, 3_600_000)

test('PLT-31 servers survive half-closed connections and become ready again', async () => {
  for (let nth = 0; nth < 3; nth++) {
    proxy.halfCloseAll()
    await Bun.sleep(200)
  }
  await expectRecovery('half closes')
}, 600_000)

test('PLT-31 servers replace connections that go silent and become ready again', async () => {
  proxy.blackholeOpen()
  await Bun.sleep(500)
  await expectRecovery('silent connections')
  // Each request is answered, at worst with 503, when its connection is found silent or its wait for a lock ends.
  expect(traffic.slowestMs()).toBeLessThan(scaleTime(20_000))
}, 600_000)

test.skipIf(!long)(
  'PLT-31 servers survive a database that is frozen, slow, refusing or unreachable for 30 s',
  async () => {
    const faults = {
      frozen: () => proxy.freeze(),
      slow: () => proxy.delay(300),
      refused: () => proxy.refuse({ cut: true }),
      'cut off': () => proxy.blackhole(),
    }
    for (const [name, fault] of Object.entries(faults)) {
      fault()
      await Bun.sleep(30_000)
      await proxy.heal()
      await expectRecovery(name)
    }
  },
  3_600_000,
)

test('PLT-31 SOC-24 every acknowledged post exists once and is published at most once after the faults', async () => {
  const texts = await traffic.stop()
  expect(texts.length).toBeGreaterThan(20)
  const sql = postgres(external.url(), { max: 1, onnotice: () => {} })
  await expectPublished(sql, texts)
  await sql.end()
}, 600_000)

/** Every post is published, has one receipt of the network and is the only one with its text. */
async function expectPublished(sql: postgres.Sql, texts: readonly string[], prefix = ''): Promise<void> {
  const waiting = async () =>
    (await sql`SELECT id FROM social.posts WHERE status IN ('scheduled', 'publishing')`).length === 0
  await eventually(waiting, 60_000)
  const left = await sql`SELECT status, waiting_for, due_at - now() AS due, lease_owner, (
      SELECT json_agg(json_build_object('state', state, 'owner', lease_owner, 'at', started_at)) FROM social.publish_attempts a
      WHERE a.post_id = p.id) AS attempts FROM social.posts p WHERE status IN ('scheduled', 'publishing')`
  expect([...left]).toEqual([])
  const rows = await sql<{ text: string; status: string; platform_post_id: string | null }[]>`
    SELECT text, status, platform_post_id FROM social.posts`
  const statuses = new Map(rows.map(({ text, status }) => [text, status]))
  expect(statuses.size).toBe(rows.length)
  expect(texts.filter((text) => statuses.get(text) !== 'published')).toEqual([])
  const received = (await Promise.all(handles.map((handle) => receivedBy(prefix + handle)))).flat()
  const ours = rows.flatMap(({ platform_post_id: id }) => id ?? [])
  expect(received.map(({ id }) => id).sort()).toEqual(ours.sort())
  expect(new Set(received.map(({ text }) => text)).size).toBe(received.length)
}

async function receivedBy(handle: string): Promise<Received[]> {
  const response = await fetch(`${network.url}/dev/sandbox/api/accounts/${handle}/posts`)
  return ((await response.json()) as { items: Received[] }).items
}

test(`PLT-31 PLT-03 server restarts its embedded database and becomes ready after each of ${plan.embedded} kills`, async () => {
  const server = await start('', 'the embedded server', { DATA_DIR: dataDir })
  const load = await trafficTo([server], 'embedded-')
  const postmaster = () => Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
  for (let nth = 0; nth < plan.embedded; nth++) {
    process.kill(postmaster(), (['SIGKILL', 'SIGQUIT', 'SIGINT'] as const)[nth % 3])
    await Bun.sleep(200)
    await expectRecovery(`embedded ${nth}`, [server], load)
  }
  const texts = await load.stop()
  const { url } = embeddedAt(dataDir)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await expectPublished(sql, texts, 'embedded-')
  await sql.end()
}, 3_600_000)

/** The address of the embedded database of a data folder. */
function embeddedAt(folder: string): { url: string } {
  const connection = readConnection(folder)
  if (!connection) throw new Error(`${folder} has no database`)
  return { url: connectionUrl(connection) }
}
