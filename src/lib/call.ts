import type { z } from 'zod'
import type { Actor } from './actor.ts'
import type { Database } from './db/database.ts'
import type { RequestContext, RequestFacts } from './request/context.ts'
import type { Clock } from './time.ts'

export type { RequestFacts } from './request/context.ts'

/** The clients of other contexts and the settings. These add theirs by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Provided {}

export interface Askable<Given, Result> {
  route: string
  input: z.ZodType<unknown, Given>
  output: z.ZodType<Result>
}

export interface Call<Input = unknown, Who = Actor | null> extends Provided {
  readonly input: Input
  readonly actor: Who
  readonly db: Database
  readonly now: Clock
  readonly operation: string
  readonly request: RequestFacts
  readonly context: RequestContext
  /** Aborts when the client goes away, and when the operation's `timeout` passes. Long work should stop then. */
  readonly signal: AbortSignal
  /** Runs a GET operation with the caller's permissions; not counted or audited. @throws {Problem} like it */
  ask<Given, Result>(operation: Askable<Given, Result>, input: NoInfer<Given>): Promise<Result>
}
