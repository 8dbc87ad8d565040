import type { Provided } from './call.ts'
import type { DatabaseHandle } from './db.ts'
import type { Metrics } from './metrics.ts'

/** The dependencies of a context’s `start`. */
export interface StartDependencies extends Provided {
  readonly database: DatabaseHandle
  readonly metrics: Metrics
  /** This server's own URL. */
  readonly baseUrl: () => string
}

/** Running work beside requests. */
export interface Running {
  /** Starts nothing new, and waits up to `graceMs` for running work. */
  stop(graceMs: number): Promise<void>
}
