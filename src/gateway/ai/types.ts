import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Hold } from '../budgets/types.ts'
import type { UseCase } from '../contract/models.ts'
import type { Adapter, Answer, Part } from '../providers/adapter.ts'
import type { UsageRow } from '../usage/insert.ts'
import type { Attribution } from './attribution.ts'
import type { Bound } from './bound.ts'
import type { Candidate } from './candidates.ts'
import type { Timings } from './timings.ts'

export type AiCall = Call<unknown, Actor>

/** What a route wants from a model. */
export interface Inquiry<Item> {
  requested: string
  kinds: readonly UseCase[]
  bound: Bound
  streams: boolean
  /** What the usage is about, as the caller says; kept with it. */
  metadata?: Record<string, unknown>
  /** What usage counts, other than tokens. */
  unit?: { name: string; quantity: number }
  /** @throws {Problem} 400 for what the model’s provider has no equivalent of */
  adapt(candidate: Candidate): Adapter<Item>
}

/** A model’s response that still has to be settled. */
export interface Exchange<Item> {
  call: AiCall
  inquiry: Inquiry<Item>
  attribution: Attribution
  hold: Hold
  /** Of its usage row. */
  requestId: string
  candidate: Candidate
  /** Models that were tried before. */
  fallbacks: number
  /** Tokens per choice that the hold pays for; null where no budget is enforced. */
  maxOutput: number | null
  /** Attempts before, under the same hold: they were refused or failed. */
  billed: readonly UsageRow[]
  timings: Timings
  startedAt: number
  firstByteMs: number
}

export type Reached<Item> =
  | { kind: 'answer'; exchange: Exchange<Item>; answer: Answer }
  | { kind: 'stream'; exchange: Exchange<Item>; first: Part<Item>; rest: AsyncIterator<Part<Item>>; stop(): void }
