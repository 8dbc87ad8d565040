import type { z } from 'zod'
import type { Provided } from './call.ts'
import type { DatabaseHandle } from './db.ts'
import type { Schema } from './operation.ts'
import type { Clock } from './time.ts'

/** The dependencies of a job. It opens its own transactions, since it can call other servers. */
export interface JobDependencies extends Provided {
  readonly database: DatabaseHandle
  readonly now: Clock
}

interface JobCall<Input> extends JobDependencies {
  readonly input: Input
}

interface JobOptions<Input> {
  /** Queue name: `<context>.<what it does>`. */
  name: string
  input: Schema<Input, Input>
  /** Attempts after the first, with exponential backoff and jitter; 5 when not set. */
  retries?: number
  /** Concurrent jobs (or batches) on one server; 1 when not set. */
  concurrency?: number
  /** Limit of one run in seconds; 15 minutes when not set. */
  maxSeconds?: number
  /**
   * The key of which at most one job waits: while a job with the same key waits for its first run, enqueuing another does
   * nothing. A running job doesn't count, since it could have missed the cause of the new one.
   */
  uniqueBy?(input: Input): string
}

interface Definition<Input> extends JobOptions<Input> {
  /**
   * Concurrent jobs of one tenant on one server: fewer than `concurrency`, so that a tenant with many jobs leaves room for
   * others. Tenants take turns.
   */
  perTenant?: { of(input: Input): string; concurrency: number }
  run(call: JobCall<Input>): Promise<void>
  /**
   * Settles what the job would have done, once its retries are used up: by errors, or because a server was killed during
   * the last attempt. Called at least once, some seconds later, on any server that works the queue. The last attempt can
   * still run when it lost the database or exceeded `maxSeconds`.
   */
  onRetriesExhausted?(call: JobCall<Input>): Promise<void>
}

interface BatchDefinition<Input> extends JobOptions<Input> {
  batchSize: number
  /**
   * Does all of a batch, or throws and does nothing, in one transaction. The jobs of a failed batch are run again one by
   * one, so that only those that can't be done fail.
   */
  run(call: JobCall<Input[]>): Promise<void>
}

/** A job without its type parameters, for the queue. */
export interface Job {
  name: string
  input: z.ZodType
  retries?: number
  concurrency?: number
  maxSeconds?: number
  uniqueBy?(input: unknown): string
  perTenant?: { of(input: unknown): string; concurrency: number }
  /** Set for a batch job: `run` gets a list of inputs. */
  batchSize?: number
  run(call: JobCall<unknown>): Promise<void>
  onRetriesExhausted?(call: JobCall<unknown>): Promise<void>
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

export const batchJob = <Input>(definition: BatchDefinition<Input>): TypedJob<Input> => definition as never
