import { migrationState } from './migrate.ts'
import type { DatabaseHandle } from './db.ts'

/** What readiness found: `ok`, or why not. */
export type Checks = Record<string, string>

/** Whoever asks waits a few seconds at most; a database that is starting or stuck may take longer. Milliseconds. */
const patience = 3_000
const tooSlow: Checks = { database: 'unreachable', migrations: 'unknown', identity: 'unknown' }

/** Answers `/healthz` (this process is alive) and `/readyz` (it can do its work); undefined for any other path. */
export async function answerHealth(url: URL, checks: () => Promise<Checks>): Promise<Response | undefined> {
  if (url.pathname === '/healthz') return Response.json({ status: 'ok' })
  if (url.pathname !== '/readyz') return undefined
  const found = await Promise.race([checks(), Bun.sleep(patience).then(() => tooSlow)])
  const ready = Object.values(found).every((state) => state === 'ok')
  return Response.json({ status: ready ? 'ready' : 'not_ready', checks: found }, { status: ready ? 200 : 503 })
}

/** Whether the database answers and has every migration of this release. */
export async function databaseChecks({ sql }: DatabaseHandle): Promise<Checks> {
  try {
    const { pending } = await migrationState(sql)
    return { database: 'ok', migrations: pending.length === 0 ? 'ok' : `${pending.length} pending` }
  } catch {
    return { database: 'unreachable', migrations: 'unknown' }
  }
}
