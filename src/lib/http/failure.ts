import { Problem } from '../errors.ts'

/** 500 for what failed before anything was saved. */
export const internalError = (cause: unknown): Problem =>
  new Problem(500, 'internal_error', 'Something failed on our side. Nothing was changed; try again.', { cause })

/** What a request did before something failed. */
export type Effect = 'none' | 'unknown' | 'saved'

/** A failure of ours after a request had its effect, or can have had it. */
export class Interrupted extends Error {
  readonly effect: Exclude<Effect, 'none'>

  constructor(effect: Exclude<Effect, 'none'>, cause: unknown) {
    super('Failed after its effect', { cause })
    this.effect = effect
  }
}
