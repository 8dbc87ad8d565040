import type { z } from 'zod'
import type { Provided } from './call.ts'
import type { DatabaseHandle } from './db.ts'
import type { Schema } from './operation.ts'
import type { Clock } from './time.ts'

/** What a job runs with; it opens its own transactions, since it may call outside. */
interface JobCall<Input> extends Provided {
  readonly input: Input
  readonly database: DatabaseHandle
  readonly now: Clock
}

interface Definition<Input> {
  /** Queue name: `<context>.<what it does>`. */
  name: string
  input: Schema<Input, Input>
  /** Attempts after the first, with exponential backoff and jitter. */
  retries?: number
  /** Jobs of this queue that one server runs side by side; 1 when not set. Each costs a query every 2 s. */
  concurrency?: number
  /** Jobs of one group that all servers together run side by side; any number when not set. */
  perGroup?: number
  /** Seconds that one run can take; 15 minutes when not set. */
  maxSeconds?: number
  run(call: JobCall<Input>): Promise<void>
}

/** A job with its types forgotten: what the queue reads. */
export interface Job {
  name: string
  input: z.ZodType
  retries?: number
  concurrency?: number
  perGroup?: number
  maxSeconds?: number
  run(call: JobCall<unknown>): Promise<void>
}

/** A job whose input type is known to whoever enqueues it. */
export interface TypedJob<Input> extends Job {
  readonly __input?: Input
}

/** Declares background work on the queue. */
export const job = <Input>(definition: Definition<Input>): TypedJob<Input> => definition as never
