import { Problem } from '../errors.ts'

/** 500 for a failure before anything was saved. */
export const internalError = (cause: unknown): Problem =>
  new Problem(500, 'internal_error', 'Something went wrong on our side. Nothing was changed. Try again.', { cause })

export type Effect = 'none' | 'unknown' | 'saved'

/** An internal failure after a request had, or can have had, its effect. */
export class Interrupted extends Error {
  readonly effect: Exclude<Effect, 'none'>

  constructor(effect: Exclude<Effect, 'none'>, cause: unknown) {
    super('Failed after its effect', { cause })
    this.effect = effect
  }
}
