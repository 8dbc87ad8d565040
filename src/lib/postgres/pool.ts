import postgres, { type Sql } from 'postgres'
import { watchConnections } from './watch.ts'

/** What a pool's statements may take, in milliseconds; 0: any time. PostgreSQL ends what takes longer. */
export interface Limits {
  statementMs: number
  /** Waiting for another transaction's lock. */
  lockMs: number
  /** A transaction that sends nothing. */
  idleInTransactionMs: number
}

/**
 * For requests and jobs: short statements, so that none holds others up for long. A transaction does nothing but ask the
 * database: one that sends nothing for 10 s has lost its client, and its locks hold others up.
 */
export const requestLimits: Limits = { statementMs: 30_000, lockMs: 5_000, idleInTransactionMs: 10_000 }
/** For the queue's own statements: its maintenance walks whole tables. */
export const queueLimits: Limits = { statementMs: 120_000, lockMs: 30_000, idleInTransactionMs: 30_000 }
/** For what takes as long as it takes: backups, migrations, waiting for a lock that names the one server to act. */
export const noLimits: Limits = { statementMs: 0, lockMs: 0, idleInTransactionMs: 0 }

interface Options {
  connections: number
  limits: Limits
}

export interface Pool {
  readonly sql: Sql
  close(): Promise<void>
}

/** A pool whose dead connections are noticed and replaced; nothing is sent until the first query. */
export function openPool(url: string, { connections, limits }: Options): Pool {
  const sql = openClient(url, connections, limits)
  const watching = watchConnections({ url, clients: [sql], statementMs: limits.statementMs })
  return {
    sql,
    close: async () => {
      watching.stop()
      await sql.end({ timeout: 5 })
    },
  }
}

/** A client without supervision: for a connection that only listens, or is ended soon. */
export const openClient = (url: string, connections: number, limits: Limits): Sql =>
  postgres(url, {
    max: connections,
    onnotice: () => {},
    connect_timeout: 5,
    keep_alive: 15,
    backoff: delayBeforeConnect,
    connection: { application_name: 'atrium', ...(isPooled(url) ? {} : settingsOf(limits)) },
  })

/** Seconds until a lost connection is opened again: never so long that a database that is back is waited for. */
const delayBeforeConnect = (failures: number): number => Math.min(0.05 * 2 ** failures, 1) * (0.5 + Math.random() / 2)

const settingsOf = ({ statementMs, lockMs, idleInTransactionMs }: Limits) => ({
  statement_timeout: statementMs,
  lock_timeout: lockMs,
  idle_in_transaction_session_timeout: idleInTransactionMs,
  // PostgreSQL lets go of connections whose network went silent within 30 s: by default it keeps them, and their places,
  // for two hours.
  tcp_keepalives_idle: 15,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
})

/** Whether a pooler in transaction mode is in between, which takes no settings: then the database's role has them. */
const isPooled = (url: string): boolean => ['false', 'disable'].includes(new URL(url).searchParams.get('prepare') ?? '')
