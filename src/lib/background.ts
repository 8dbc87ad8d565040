import type { Provided } from './call.ts'
import type { DatabaseHandle } from './db.ts'
import type { Metrics } from './metrics.ts'

export interface StartDependencies extends Provided {
  readonly database: DatabaseHandle
  readonly metrics: Metrics
  readonly baseUrl: () => string
}

export interface Running {
  /** Starts nothing new, and waits up to `graceMs` for running work. */
  stop(graceMs: number): Promise<void>
}
