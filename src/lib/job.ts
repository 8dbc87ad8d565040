import type { z } from 'zod'
import type { Provided } from './call.ts'
import type { DatabaseHandle } from './db.ts'
import type { Schema } from './operation.ts'
import type { Clock } from './time.ts'

/** What a job runs with; it opens its own transactions, since it may call outside. */
export interface JobWork extends Provided {
  readonly database: DatabaseHandle
  readonly now: Clock
}

interface JobCall<Input> extends JobWork {
  readonly input: Input
}

interface Common<Input> {
  /** Queue name: `<context>.<what it does>`. */
  name: string
  input: Schema<Input, Input>
  /** Attempts after the first, with exponential backoff and jitter; 5 when not set. */
  retries?: number
  /** Jobs (batches, of a batch job) that one server runs side by side; 1 when not set. */
  concurrency?: number
  /** Seconds that one run can take; 15 minutes when not set. */
  maxSeconds?: number
  /**
   * What there is one of at a time: while a job with the same key waits for its first run, enqueueing another does
   * nothing. One that is already running doesn't count, since it can have missed what the new one is for.
   */
  uniqueBy?(input: Input): string
}

interface Definition<Input> extends Common<Input> {
  /**
   * Of `concurrency`, how many jobs of one tenant run side by side on a server: less than all, so that a tenant with
   * many jobs leaves room for the others. Waiting jobs are taken in turns of tenants.
   */
  perTenant?: { of(input: Input): string; concurrency: number }
  run(call: JobCall<Input>): Promise<void>
}

interface BatchDefinition<Input> extends Common<Input> {
  /** Jobs of one batch at most. */
  batchSize: number
  /**
   * Does all of a batch or, throwing, nothing: in one transaction. A batch that fails is run again job by job, so that
   * only those fail that can't be done.
   */
  run(call: JobCall<Input[]>): Promise<void>
}

/** A job with its types forgotten: what the queue reads. */
export interface Job {
  name: string
  input: z.ZodType
  retries?: number
  concurrency?: number
  maxSeconds?: number
  uniqueBy?(input: unknown): string
  perTenant?: { of(input: unknown): string; concurrency: number }
  /** Of a batch job: `run` gets a list of inputs. */
  batchSize?: number
  run(call: JobCall<unknown>): Promise<void>
}

/** A job with its input type, for enqueuing. */
export interface TypedJob<Input> extends Job {
  readonly __input?: Input
}

/** Declares background work on the queue. @throws when `perTenant` leaves no room for other tenants */
export function job<Input>(definition: Definition<Input>): TypedJob<Input> {
  const { name, perTenant, concurrency = 1 } = definition
  if (perTenant && perTenant.concurrency >= concurrency)
    throw new Error(`${name}: perTenant.concurrency must be less than concurrency (${concurrency})`)
  return definition as never
}

/** Declares background work that does many jobs at once, such as inserting their rows. */
export const batchJob = <Input>(definition: BatchDefinition<Input>): TypedJob<Input> => definition as never
