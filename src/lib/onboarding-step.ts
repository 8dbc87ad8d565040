import type { Actor } from './actor.ts'
import type { Call } from './call.ts'

export type StepCall = Call<unknown, Actor>

/** What is around a step. */
export interface StepFrame {
  /** The URL of the step before; null at the first one. */
  back: string | null
  /** Where `{ "outcome": "skipped" }` is put to go on without it; null for a required step. */
  skip: string | null
  /** Of the step after it. */
  next: string
}

/** A step in which new people and organizations are set up. Its forms send the operations of its context (DSH-04). */
export interface OnboardingStep {
  /** Lowercase letters. */
  readonly step: string
  /** Its name in the list of steps. */
  readonly title: string
  /** Its place among the steps of all contexts. */
  readonly rank: number
  /** Who takes it once: each person, or the owners of each organization. */
  readonly scope: 'person' | 'organization'
  readonly optional: boolean
  /** From what exists already; null where the caller can't take it. */
  find(call: StepCall): Promise<{ done: boolean } | null>
  /** Asks what it shows. The returned function draws it with the rest of the page. */
  draw(call: StepCall, frame: StepFrame): Promise<() => JSX.Element>
}
