export interface DatabaseAddress {
  /** For requests and jobs: PostgreSQL, or a pooler in transaction mode in front of it. */
  url: string
  /** PostgreSQL itself, for work that needs a session: LISTEN, advisory locks, the queue, migrations. */
  directUrl: string
  prepare: boolean
}

export interface Endpoint {
  url: string
  prepare: boolean
  /** Whether a pooler is in between: it accepts no settings, which the database's role has instead. */
  pooled: boolean
}

/** Timeouts of a pool's statements in milliseconds, enforced by PostgreSQL; 0: none. */
export interface StatementLimits {
  statementMs: number
  /** Waiting for a free connection: this process ends it. */
  queueMs: number
  lockMs: number
  idleInTransactionMs: number
}
