import postgres, { type PooledConnection, type Sql } from 'postgres'
import { DatabaseTimeout } from './faults.ts'
import type { Endpoint, StatementLimits } from './endpoint.ts'

const tickMs = 500
/** Silence after which the database is asked whether the statement is still running. */
const silentMs = 4_000
const overdueMs = 5_000
const [probeTimeoutMs, probeIntervalMs] = [3_000, 2_000]

interface WatchOptions {
  endpoint: Endpoint
  clients: readonly Sql[]
  limits: Pick<StatementLimits, 'statementMs' | 'queueMs'>
}

/** A network that drops packets, or a host that disappeared, closes no connection. */
export function watchConnections({ endpoint, clients, limits: { statementMs, queueMs } }: WatchOptions): {
  stop(): void
} {
  let isProbing = false
  let lastProbe = -Infinity

  const check = async () => {
    for (const client of clients) client.rejectQueued(queueMs, () => tooBusy(queueMs))
    const connections = clients.flatMap((client) => client.connections)
    const silent = connections.filter((connection) => connection.silentMs > silentMs)
    if (silent.length === 0) return
    const overdue = silent.filter((connection) => statementMs > 0 && connection.silentMs > statementMs + overdueMs)
    const probes = !isProbing && performance.now() - lastProbe > probeIntervalMs
    const lost = new Set([...overdue, ...(probes ? await forgotten(silent) : [])])
    if (lost.size === 0) return
    // Idle connections are probably lost too. Reopening them costs less than a request that fails.
    for (const connection of connections) if (connection.idle) lost.add(connection)
    for (const connection of lost) connection.destroy(noAnswer())
  }

  const forgotten = async (silent: PooledConnection[]): Promise<PooledConnection[]> => {
    isProbing = true
    lastProbe = performance.now()
    try {
      return await findForgotten(endpoint, silent)
    } catch {
      return [] // The database is unavailable. Connections that survive that are checked again.
    } finally {
      isProbing = false
    }
  }

  const timer = setInterval(() => void check(), tickMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

/**
 * Ends backends that are idle or gone: their locks would block others until PostgreSQL notices. Behind a pooler nothing
 * can be found, since its pids are not the database's.
 */
async function findForgotten({ url, prepare }: Endpoint, silent: PooledConnection[]): Promise<PooledConnection[]> {
  const sql = postgres(url, {
    max: 1,
    prepare,
    onnotice: () => {},
    connect_timeout: probeTimeoutMs / 1000,
    fetch_types: false,
  })
  const find = async () => {
    const rows = await sql<{ pid: number; own: number }[]>`
      SELECT pid, pg_backend_pid() AS own FROM pg_stat_activity
      WHERE datname = current_database() AND coalesce(state, '') NOT LIKE 'idle%'
        AND wait_event IS DISTINCT FROM 'ClientRead'`
    if (rows[0]?.own !== sql.connections[0]?.pid) return []
    const working = new Set(rows.map(({ pid }) => pid))
    // Checked again, since an answer could have arrived.
    const forgotten = silent.filter(({ silentMs: silence, pid }) => silence > silentMs && !working.has(pid ?? 0))
    const pids = forgotten.flatMap(({ pid }) => pid ?? [])
    if (pids.length > 0) await endBackends(sql, pids)
    return forgotten
  }
  try {
    return await Promise.race([find(), Bun.sleep(probeTimeoutMs).then(() => Promise.reject(noAnswer()))])
  } finally {
    void sql.end({ timeout: 0 }).catch(() => {})
  }
}

const endBackends = (sql: Sql, pids: number[]) => sql`
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = ANY(string_to_array(${pids.join()}, ',')::int[]) AND datname = current_database() AND usename = current_user
    AND (wait_event = 'ClientRead' OR state LIKE 'idle%')
    AND state_change < clock_timestamp() - ${silentMs / 2} * interval '1 millisecond'`

const tooBusy = (ms: number) =>
  new DatabaseTimeout('DATABASE_BUSY', `No database connection became free within ${ms / 1000} s`)
const noAnswer = () => new DatabaseTimeout('DATABASE_SILENT', 'The database connection was lost')
