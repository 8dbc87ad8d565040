import type { ImageType, Provider } from '../contract.ts'
import type { RetrySafety } from '../schema.ts'
import type { Outside } from './outside.ts'

/** What one network is and does: the only thing that publishing knows of it. */
export interface Network {
  readonly provider: Provider
  readonly name: string
  /** Said on its card. */
  readonly note: string
  /** What it takes where an account's own limits aren't known. */
  readonly limits: Limits
  /** What may be done when it is unknown whether a post arrived. */
  readonly retrySafety: RetrySafety
  readonly connect: Connecting
  /** What it takes from an account, where that differs: the limits of its instance. */
  limitsOf?(metadata: Metadata): Limits
  /** The length of a text as this network counts it. */
  count(text: string, limits?: Limits): number
  /** The network's id of the post at this address; null when the address isn't a post of this network. */
  postIdOf(permalink: string): string | null
  /** Sends one post, once. Never throws: each end of the call has its name. */
  publish(call: PublishCall): Promise<PublishOutcome>
  /** Asks whether this post arrived since the attempt began. Never throws. */
  readBack(call: PublishCall): Promise<ReadBack>
  /** Deletes a published post from the network; one that is gone already is fine. Never throws. */
  remove(call: RemoveCall): Promise<Removal>
  /** Trades tokens that the network no longer takes for new ones, where it has such. Never throws. */
  renew?(call: NetworkCall): Promise<Renewal>
  /** Asks the network to take the account's tokens no longer, where it can be asked. Never throws. */
  revoke?(call: RevokeCall): Promise<void>
}

/** How accounts are connected: by a form of ours, or by the consent page of the network. */
type Connecting =
  | { by: 'none' }
  | { by: 'form'; signIn(form: unknown, call: ConnectCall): Promise<SignedIn> }
  | { by: 'authorize'; authorization: Authorization }

/** Both sides of an OAuth consent. They throw the Problem that the person is shown. */
export interface Authorization {
  /** Where the person consents. `kept` is for `finish`, sealed meanwhile. */
  begin(form: unknown, call: AuthorizeCall): Promise<{ authorizeUrl: string; kept: unknown }>
  finish(answer: { code: string; kept: unknown }, call: ConnectCall): Promise<SignedIn>
}

/** What connecting an account needs of the world. */
export interface ConnectCall {
  outside: Outside
  signal: AbortSignal
}
export interface AuthorizeCall extends ConnectCall {
  /** Ties the answer to the question. */
  state: string
  /** Our page that the network sends the person back to. */
  redirectUri: string
  apps: Apps
}

/** Our registrations at instances; one is good for everyone who connects there. */
export interface Apps {
  find(host: string, redirectUri: string): Promise<App | null>
  keep(host: string, redirectUri: string, app: App): Promise<void>
}
export interface App {
  clientId: string
  clientSecret: string
}

/** An account as the network told of it. */
export interface SignedIn {
  externalId: string
  name: string
  metadata: Metadata
  tokens: Tokens
  scopes: string[]
}

/** What the network told of an account, in the network's own shape. */
export type Metadata = Record<string, unknown>
/** Credentials in the network's own shape: never logged, sealed at rest. */
export type Tokens = Record<string, string>

export interface Limits {
  characters: number
  media: number
  /** What an image may be, where it is known. */
  images?: { bytes: number; types: readonly ImageType[] }
  /** The most bytes of text in UTF-8. */
  bytes?: number
  /** What each address counts as, whatever its length. */
  urlCharacters?: number
}

/** The account that a call acts as. */
export interface Account {
  /** As the network names it. */
  externalId: string
  metadata: Metadata
  tokens: Tokens
}

export interface NetworkCall {
  account: Account
  outside: Outside
  /** Ends the call at its time-out. */
  signal: AbortSignal
}

export interface PublishCall extends NetworkCall {
  /** The same for every try to send this content of this post, and for no other. */
  key: string
  text: string
  media: readonly OutgoingMedia[]
  /** The network's id of the post that this one replies to. */
  replyTo: string | null
  /** When the attempt began. */
  startedAt: Date
}

/** Our registrations at a server of the network. */
export interface RevokeCall extends NetworkCall {
  apps(host: string): Promise<App[]>
}

export interface RemoveCall extends NetworkCall {
  platformPostId: string
}

/** A file of a post. */
export interface OutgoingMedia {
  contentType: string
  width: number
  height: number
  alt: string
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

/** A post on the network. */
export interface Receipt {
  platformPostId: string
  permalink: string
}

export interface Refusal {
  kind: 'refused'
  code: string
  message: string
  /** It may be taken later as it is. */
  transient: boolean
  /** Milliseconds until the rate limit opens again, as the network said. */
  retryAfterMs?: number
  /** Whose rate limit it is: the account's unless said. */
  limitOf?: 'account' | 'host'
}

/** The network no longer takes the account's tokens. */
export interface Unauthorized {
  kind: 'unauthorized'
  message: string
}

/** It may have arrived: the answer timed out or was lost. */
export interface Unclear {
  kind: 'unclear'
  code: 'provider_timed_out' | 'answer_lost'
  message: string
}

/** A refused or unauthorized post certainly did not arrive. */
export type PublishOutcome = ({ kind: 'published' } & Receipt) | Refusal | Unauthorized | Unclear

export type ReadBack =
  /** Every post since then that could be this one, oldest first; none: it certainly did not arrive. */
  | { kind: 'read'; candidates: Receipt[] }
  /** `final`: asking again won't help. */
  | { kind: 'unreadable'; message: string; final: boolean }

export type Renewal =
  | { kind: 'renewed'; tokens: Tokens }
  /** For good: a person has to connect the account again. */
  | { kind: 'signed_out'; message: string }
  /** The network couldn't say; the tokens stay. */
  | { kind: 'later'; message: string }

export type Removal = { kind: 'removed' } | Refusal | Unauthorized | Unclear
