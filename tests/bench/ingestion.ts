import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { z } from 'zod'
import { startPostgres } from '#lib/embedded-postgres.ts'
import { newId } from '#lib/ids.ts'
import { killRest } from '../boot/program.ts'
import { serve } from '../support/served.ts'

// Measures how many usage events a second a server stores durably through HTTP in batches of 500: dedupe key, record,
// daily total and the counters of two budgets. Rounds alternate with a bare `INSERT … ON CONFLICT` of the same rows
// into the same PostgreSQL, which waits for the disk. Fails below 15,000/s, unless the machine is too busy: then below
// 0.12 of the bare statement.

const [rounds, perRound, batch, senders] = [5, 30_000, 500, 8]
const bounds = { perSecond: 15_000, ratio: 0.12 }

const folder = mkdtempSync(join(tmpdir(), 'atrium-ingestion-'))
const cluster = await startPostgres({ dataDir: folder, log: () => {} })
const server = await serve({ databaseUrl: cluster.url, env: { LOG_LEVEL: 'info' } })
const { token, organizationId } = await signUp(server.url)
await createLimits()
const sql = postgres(cluster.url, { max: senders, onnotice: () => {} })
await sql`CREATE TABLE bare_usage (organization_id uuid, request_id text, application_id text, user_id text, family text,
  provider text, model text, unit text, quantity numeric, cost_nano_usd bigint, occurred_at timestamptz, metadata jsonb,
  PRIMARY KEY (organization_id, request_id))`

const results: { own: number; bare: number }[] = []
for (let round = 0; round <= rounds; round++) {
  const batches = Array.from({ length: perRound / batch }, () => Array.from({ length: batch }, eventOf))
  const bare = await perSecond(batches, insertBare)
  const cpu = await cpuOf(server.pid)
  const own = await perSecond(batches, report)
  const spent = (await cpuOf(server.pid)) - cpu
  if (round > 0) results.push({ own, bare })
  console.log(
    `${round === 0 ? 'warm-up' : `round ${round}`}: ${own.toFixed(0)}/s, bare ${bare.toFixed(0)}/s; the server used ${((spent / perRound) * 1e6).toFixed(0)} µs per event`,
  )
}
const [own, ratio] = [median(results.map((one) => one.own)), median(results.map((one) => one.own / one.bare))]
console.log(
  `ingestion: ${own.toFixed(0)} events/s (at least ${bounds.perSecond}), ${ratio.toFixed(2)} of a bare INSERT … ON CONFLICT`,
)
await sql.end()
await killRest()
await cluster.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(own >= bounds.perSecond || ratio >= bounds.ratio ? 0 : 1)

type Event = ReturnType<typeof eventOf>

function eventOf() {
  const at = Math.floor(Math.random() * 100)
  return {
    requestId: newId(),
    applicationId: `app-${at % 3}`,
    userId: `user-${at % 20}`,
    family: 'requests',
    provider: `provider-${at % 5}`,
    model: null,
    unit: 'request',
    quantity: 1,
    costNanoUsd: 1200 + at,
    occurredAt: new Date().toISOString(),
    metadata: { brand: `brand-${at % 7}` },
  }
}

async function perSecond(batches: Event[][], send: (events: Event[]) => Promise<void>): Promise<number> {
  const bodies = batches.values()
  const started = performance.now()
  const sender = async () => {
    for (const events of bodies) await send(events)
  }
  await Promise.all(Array.from({ length: senders }, sender))
  return perRound / ((performance.now() - started) / 1000)
}

async function report(events: Event[]): Promise<void> {
  const response = await fetch(`${server.url}/platform/usage/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  const text = await response.text()
  if (text !== `{"accepted":${events.length},"duplicates":0,"rejected":[]}`) throw new Error(text)
}

async function insertBare(events: Event[]): Promise<void> {
  await sql`
    INSERT INTO bare_usage
    SELECT ${organizationId}::uuid, * FROM unnest(
      ${events.map((event) => event.requestId)}::text[], ${events.map((event) => event.applicationId)}::text[],
      ${events.map((event) => event.userId)}::text[], ${events.map((event) => event.family)}::text[],
      ${events.map((event) => event.provider)}::text[], ${events.map(() => '')}::text[],
      ${events.map((event) => event.unit)}::text[], ${events.map((event) => event.quantity)}::numeric[],
      ${events.map((event) => event.costNanoUsd)}::bigint[], ${events.map((event) => event.occurredAt)}::timestamptz[],
      ${events.map((event) => JSON.stringify(event.metadata))}::text[]::jsonb[])
    ON CONFLICT DO NOTHING`
}

/** Seconds of processor time of a process. */
async function cpuOf(pid: number): Promise<number> {
  const fields = (await Bun.file(`/proc/${pid}/stat`).text()).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

async function signUp(url: string): Promise<{ token: string; organizationId: string }> {
  const person = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ ...person, createOrganization: true, organizationName: 'Acme' })
  const response = await fetch(`${url}/register`, { method: 'POST', headers, body })
  const { accessToken } = z.object({ accessToken: z.string() }).parse(await response.json())
  const me = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${accessToken}` } })
  const { organization } = z.object({ organization: z.object({ id: z.string() }) }).parse(await me.json())
  return { token: accessToken, organizationId: organization.id }
}

/** Of the organization and of an application. */
async function createLimits(): Promise<void> {
  const setup = postgres(cluster.url, { max: 1 })
  for (const [type, value] of [
    ['organization', organizationId],
    ['application', 'app-0'],
  ] as const)
    await setup`
      INSERT INTO gateway.limits (id, organization_id, scope_type, scope_value, period, mode, limit_nano_usd, created_by, counts_from)
      VALUES (${newId()}, ${organizationId}, ${type}, ${value}, 'month', 'observe', 1000000000000, ${newId()}, to_timestamp(0))`
  await setup.end()
}
