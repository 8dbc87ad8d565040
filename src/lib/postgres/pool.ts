import postgres, { type Sql } from 'postgres'
import type { DatabaseAddress, Endpoint, StatementLimits } from './endpoint.ts'
import { watchConnections } from './watch.ts'

export type { DatabaseAddress, Endpoint, StatementLimits } from './endpoint.ts'

export const directAddress = (url: string): DatabaseAddress => ({ url, directUrl: url, prepare: true })

export const endpointsOf = ({ url, directUrl, prepare }: DatabaseAddress): { shared: Endpoint; direct: Endpoint } => ({
  shared: { url, prepare, pooled: url !== directUrl },
  direct: { url: directUrl, prepare: true, pooled: false },
})

/** Short, so that none blocks others for long. A transaction that sends nothing for 10 s has lost its client. */
export const requestLimits: StatementLimits = {
  statementMs: 30_000,
  queueMs: 5_000,
  lockMs: 5_000,
  idleInTransactionMs: 10_000,
}
/** For the queue's own statements: its maintenance walks whole tables. */
export const queueLimits: StatementLimits = {
  statementMs: 120_000,
  queueMs: 5_000,
  lockMs: 30_000,
  idleInTransactionMs: 30_000,
}
/** For work without a limit: backups, migrations, waiting for a lock that selects one server. */
export const noLimits: StatementLimits = { statementMs: 0, queueMs: 5_000, lockMs: 0, idleInTransactionMs: 0 }

interface Options {
  connections: number
  limits: StatementLimits
}

export interface Pool {
  readonly sql: Sql
  close(): Promise<void>
}

export function openPool(endpoint: Endpoint, { connections, limits }: Options): Pool {
  const sql = openClient(endpoint, connections, limits)
  const watching = watchConnections({ endpoint, clients: [sql], limits })
  return {
    sql,
    close: async () => {
      watching.stop()
      await sql.end({ timeout: 5 })
    },
  }
}

export const openClient = ({ url, prepare, pooled }: Endpoint, connections: number, limits: StatementLimits): Sql =>
  postgres(url, {
    max: connections,
    prepare,
    onnotice: () => {},
    connect_timeout: 5,
    keep_alive: 15,
    backoff: delayBeforeConnect,
    connection: { application_name: 'atrium', ...(pooled ? {} : settingsOf(limits)) },
  })

/** Seconds until a lost connection is reopened: short, so that a recovered database is used soon. */
const delayBeforeConnect = (failures: number): number => Math.min(0.05 * 2 ** failures, 1) * (0.5 + Math.random() / 2)

const settingsOf = ({ statementMs, lockMs, idleInTransactionMs }: StatementLimits) => ({
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
  // Makes PostgreSQL close connections with a silent network within 30 s. By default it keeps them for two hours.
  tcp_keepalives_idle: 15,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
})
