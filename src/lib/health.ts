import { sql as statement } from 'drizzle-orm'
import { migrationState } from './db/migrate.ts'
import type { DatabaseHandle } from './db.ts'

export type Checks = Record<string, string>

const timeoutMs = 3_000
/** All callers within this time share a result, so that many probes use one database connection. */
const checksCacheMs = 250
const timedOut: Checks = { database: 'unreachable', migrations: 'unknown', identity: 'unknown' }

export async function serveHealth(url: URL, checks: () => Promise<Checks>): Promise<Response | undefined> {
  if (url.pathname === '/healthz') return Response.json({ status: 'ok' })
  if (url.pathname !== '/readyz') return undefined
  const found = await checks()
  const ready = Object.values(found).every((state) => state === 'ok')
  return Response.json({ status: ready ? 'ready' : 'not_ready', checks: found }, { status: ready ? 200 : 503 })
}

export const createChecks = (database: DatabaseHandle, identity: () => Promise<string>): (() => Promise<Checks>) =>
  shareCalls(
    () => Promise.race([runChecks(database, identity), Bun.sleep(timeoutMs).then(() => timedOut)]),
    checksCacheMs,
  )

async function runChecks(database: DatabaseHandle, identity: () => Promise<string>): Promise<Checks> {
  const [found, state] = await Promise.all([databaseChecks(database), identity()])
  return { ...found, identity: state }
}

async function databaseChecks({ db, sql }: DatabaseHandle): Promise<Checks> {
  try {
    const [{ pending }] = await Promise.all([migrationState(sql), db.execute(statement`SELECT 1`)])
    return { database: 'ok', migrations: pending.length === 0 ? 'ok' : `${pending.length} pending` }
  } catch {
    return { database: 'unreachable', migrations: 'unknown' }
  }
}

export function shareCalls<Answer>(run: () => Promise<Answer>, cacheMs: number): () => Promise<Answer> {
  let current: Promise<Answer> | undefined
  return () => {
    if (current) return current
    const pending = run()
    const expire = () => setTimeout(() => (current = undefined), cacheMs)
    pending.then(expire, expire)
    return (current = pending)
  }
}
