import type { z } from 'zod'
import type { Provided } from './call.ts'
import type { DatabaseHandle } from './db.ts'
import type { Schema } from './operation.ts'
import type { Clock } from './time.ts'

/** For code that runs in jobs, and in requests without a transaction. */
export interface Work extends Provided {
  readonly database: Pick<DatabaseHandle, 'db' | 'transaction'>
  readonly now: Clock
}

export interface JobDependencies extends Work {
  readonly database: DatabaseHandle
}

interface JobCall<Input> extends JobDependencies {
  readonly input: Input
}

interface JobOptions<Input> {
  name: string
  input: Schema<Input, Input>
  /** Attempts after the first, with exponential backoff and jitter; 5 when not set. */
  retries?: number
  concurrency?: number
  maxSeconds?: number
  /** At most one job with a key waits for its first run. A running one can have missed the cause. */
  uniqueBy?(input: Input): string
}

interface Definition<Input> extends JobOptions<Input> {
  /** On one server, fewer than `concurrency`, so that a tenant with many jobs leaves room for others. */
  perTenant?: { of(input: Input): string; concurrency: number }
  run(call: JobCall<Input>): Promise<void>
  /**
   * Called at least once after the last retry, on any server that works the queue. The last attempt can still run when
   * it lost the database or exceeded `maxSeconds`.
   */
  onRetriesExhausted?(call: JobCall<Input>): Promise<void>
}

interface BatchDefinition<Input> extends JobOptions<Input> {
  batchSize: number
  /** Does all of a batch or nothing, in one transaction. The jobs of a failed batch are run again one by one. */
  run(call: JobCall<Input[]>): Promise<void>
}

export interface Job {
  name: string
  input: z.ZodType
  retries?: number
  concurrency?: number
  maxSeconds?: number
  uniqueBy?(input: unknown): string
  perTenant?: { of(input: unknown): string; concurrency: number }
  batchSize?: number
  run(call: JobCall<unknown>): Promise<void>
  onRetriesExhausted?(call: JobCall<unknown>): Promise<void>
}

export interface TypedJob<Input> extends Job {
  readonly __input?: Input
}

/** @throws when `perTenant` leaves no room for other tenants */
export function job<Input>(definition: Definition<Input>): TypedJob<Input> {
  const { name, perTenant, concurrency = 1 } = definition
  if (perTenant && perTenant.concurrency >= concurrency)
    throw new Error(`${name}: perTenant.concurrency must be less than concurrency (${concurrency})`)
  return definition as never
}

export const batchJob = <Input>(definition: BatchDefinition<Input>): TypedJob<Input> => definition as never
