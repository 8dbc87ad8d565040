import type { Provider } from '../contract.ts'
import type { RetrySafety } from '../schema.ts'

/** What one network is and does: the only thing that publishing knows of it. */
export interface Network {
  readonly provider: Provider
  readonly name: string
  readonly limits: Limits
  /** What may be done when it is unknown whether a post arrived. */
  readonly retrySafety: RetrySafety
  readonly connect: 'form' | 'authorize' | 'none'
  /** The length of a text as this network counts it. */
  count(text: string): number
  /** The network's id of the post at this address; null when the address isn't a post of this network. */
  postIdOf(permalink: string): string | null
  /** Sends one post, once. Never throws: each end of the call has its name. */
  publish(call: PublishCall): Promise<PublishOutcome>
  /** Asks what arrived on the account since a time. Never throws. */
  readBack(call: ReadBackCall): Promise<ReadBack>
}

export interface Limits {
  characters: number
  media: number
}

interface NetworkCall {
  /** The account as the network names it. */
  account: string
  text: string
  /** The network's id of the post that this one replies to. */
  replyTo: string | null
  /** Where the sandbox network stands. */
  sandboxUrl: string
  /** Ends the call at its time-out. */
  signal: AbortSignal
}
export type PublishCall = NetworkCall
export interface ReadBackCall extends NetworkCall {
  since: Date
}

/** A post on the network. */
export interface Receipt {
  platformPostId: string
  permalink: string
}

export type PublishOutcome =
  | ({ kind: 'published' } & Receipt)
  /** It certainly did not arrive. */
  | { kind: 'refused'; code: string; message: string; transient: boolean; retryAfterMs?: number }
  /** It may have arrived: the answer timed out or was lost. */
  | { kind: 'unclear'; code: 'provider_timed_out' | 'answer_lost'; message: string }

export type ReadBack =
  /** Every post since then that could be this one, oldest first; none: it certainly did not arrive. */
  | { kind: 'read'; candidates: Receipt[] }
  /** `final`: asking again won't help. */
  | { kind: 'unreadable'; message: string; final: boolean }
