import type { ImageType, Provider } from '../contract.ts'
import type { RetrySafety } from '../schema.ts'
import type { Outside } from './outside.ts'

/** A network, as publishing sees it. */
export interface Network {
  readonly provider: Provider
  readonly name: string
  /** On its card. */
  readonly note: string
  /** The default, while an account's own limits aren't known. */
  readonly limits: Limits
  /** How to continue when it is unknown whether a post arrived. */
  readonly retrySafety: RetrySafety
  readonly connect: ConnectMethod
  /** The limits of an account, when they differ: those of its instance. */
  limitsOf?(metadata: Metadata): Limits
  /** The length of a text as this network counts it. */
  count(text: string, limits?: Limits): number
  /** The network's ID of the post at this URL; null when it isn't a post of this network. */
  postIdOf(permalink: string): string | null
  /** Sends a post, once. Never throws: each outcome has a name. */
  publish(call: PublishCall): Promise<PublishOutcome>
  /** Asks whether this post arrived since the attempt began. Never throws. */
  readBack(call: PublishCall): Promise<ReadBack>
  /** Deletes a published post from the network, if it still exists. Never throws. */
  remove(call: RemoveCall): Promise<Removal>
  /** Exchanges refused tokens for new ones, if the network can. Never throws. */
  renew?(call: NetworkCall): Promise<Renewal>
  /** Revokes the account's tokens at the network, if it can. Never throws. */
  revoke?(call: RevokeCall): Promise<void>
}

/** How accounts are connected: with a form of Atrium, or on the consent page of the network. */
type ConnectMethod =
  | { by: 'none' }
  | { by: 'form'; signIn(form: unknown, call: ConnectCall): Promise<ConnectedAccount> }
  | { by: 'authorize'; authorization: Authorization }

/** Both steps of an OAuth consent. They throw the Problem that the person sees. */
export interface Authorization {
  /** Returns the consent page. `pending` is sealed and passed to `finish`. */
  begin(form: unknown, call: AuthorizeCall): Promise<{ authorizeUrl: string; pending: unknown }>
  finish(response: { code: string; pending: unknown }, call: ConnectCall): Promise<ConnectedAccount>
}

export interface ConnectCall {
  outside: Outside
  signal: AbortSignal
}
export interface AuthorizeCall extends ConnectCall {
  /** Connects the redirect with this request. */
  state: string
  /** The page of Atrium that the network redirects to. */
  redirectUri: string
  apps: Apps
}

/** Registrations of Atrium at instances, each for all accounts there. */
export interface Apps {
  find(host: string, redirectUri: string): Promise<App | null>
  keep(host: string, redirectUri: string, app: App): Promise<void>
}
export interface App {
  clientId: string
  clientSecret: string
}

export interface ConnectedAccount {
  externalId: string
  name: string
  metadata: Metadata
  tokens: Tokens
  scopes: string[]
}

/** Data of an account, in the network's own format. */
export type Metadata = Record<string, unknown>
/** Credentials in the network's own format: never logged, sealed at rest. */
export type Tokens = Record<string, string>

export interface Limits {
  characters: number
  media: number
  /** Limits of an image, if they are known. */
  images?: { bytes: number; types: readonly ImageType[] }
  /** Of the text in UTF-8. */
  bytes?: number
  /** The length that each URL counts as. */
  urlCharacters?: number
}

/** The account of a call. */
export interface Account {
  /** The network's ID of it. */
  externalId: string
  metadata: Metadata
  tokens: Tokens
}

export interface NetworkCall {
  account: Account
  outside: Outside
  /** Aborts at the timeout of the call. */
  signal: AbortSignal
}

export interface PublishCall extends NetworkCall {
  /** The same for every attempt to send this content of this post, and for no other. */
  key: string
  text: string
  media: readonly OutgoingMedia[]
  /** The network's id of the post that this one replies to. */
  replyTo: string | null
  /** When the attempt began. */
  startedAt: Date
}

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
  /** A retry can succeed. */
  transient: boolean
  /** Until the end of the rate limit, as the network said. */
  retryAfterMs?: number
  /** The subject of the rate limit: the account by default. */
  limitOf?: 'account' | 'host'
}

/** The network no longer accepts the account's tokens. */
export interface Unauthorized {
  kind: 'unauthorized'
  message: string
}

/** It may have arrived: the response timed out or was lost. */
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
  /** `final`: a retry won't help. */
  | { kind: 'unreadable'; message: string; final: boolean }

export type Renewal =
  | { kind: 'renewed'; tokens: Tokens }
  /** Final: a person has to connect the account again. */
  | { kind: 'signed_out'; message: string }
  /** The network can't tell; the tokens stay. */
  | { kind: 'later'; message: string }

export type Removal = { kind: 'removed' } | Refusal | Unauthorized | Unclear
