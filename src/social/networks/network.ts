import type { SocialCredentials, VideoClient, VideoUser } from '#gateway'
import type { Image } from '#lib/images/prepared.ts'
import type { Counting, ImageType, LinkPreview, Provider, VideoType, YouTubeOptions } from '../contract.ts'
import type { RetrySafety } from '../schema.ts'
import type { PlaceField } from './places.ts'
import type { Outside } from './outside.ts'

/** `prepare`, `publish`, `readBack`, `checkPublished`, `remove`, `renew`, `revoke` and `checkAccount` never throw: each outcome has a name. */
export interface Network {
  readonly provider: Provider
  readonly name: string
  readonly note: string
  readonly limits: Limits
  readonly retrySafety: RetrySafety
  readonly connect: ConnectMethod
  limitsOf?(metadata: Metadata): Limits
  /** What a target can name within an account. */
  readonly places?: readonly PlaceField[]
  /** Why posts of an account are likely to fail, whatever they contain; null for no reason. */
  warningOf?(metadata: Metadata): string | null
  count(text: string, limits?: Limits): number
  postIdOf(permalink: string): string | null
  /** Uploads files and creates containers before the one call that publishes, without its time limit (SOC-25). */
  prepare?(call: PrepareCall): Promise<Preparation>
  /** Whether posts without files are prepared, too. */
  preparesText?: true
  /** Whether the image of a link preview is uploaded by `prepare`. */
  preparesLinkPreview?: true
  /** How long the network takes the rest of an upload and publishes it; half a day when not set. */
  uploadsLastMs?: number
  publish(call: PublishCall): Promise<PublishOutcome>
  /** Of a network that can still refuse a post that it took. */
  checkPublished?(call: PublishedCall): Promise<PublishedCheck>
  readBack(call: PublishCall): Promise<ReadBack>
  /** Absent where Atrium can’t delete posts. */
  remove?(call: RemoveCall): Promise<Removal>
  /** Comments of the account on its own posts; without them, the network has none or doesn’t let Atrium write them. */
  readonly firstComments?: FirstComments
  /** Corrections of published texts. Absent where Atrium can’t correct posts. */
  readonly corrections?: Corrections
  renew?(call: TokenCall): Promise<Renewal>
  /** How long before they expire tokens of weeks are refreshed. Negative: how long after it, so that none is forgotten. */
  readonly refreshAheadMs?: number
  /** False when a retry can help. */
  revoke?(call: TokenCall): Promise<boolean>
  /** Whether these tokens are of one connection alone, so that revoking them ends no other. */
  hasOwnSession?(tokens: Tokens): boolean
  /** Permissions without which nothing is published. */
  readonly scopes?: readonly string[]
  readonly apiVersion?: ApiVersion
  /** Asks whether the account can publish; changes nothing at the network (SOC-15). */
  checkAccount?(call: CallWithVideo): Promise<AccountCheck>
}

/** In the calls, `text` is the comment and `replyTo` the post. They never throw. */
export interface FirstComments {
  /** A permission beside those for publishing, which people give when they opt in (SOC-10). */
  readonly scope?: string
  /** Whether the network counts them apart from posts in its rate limits. */
  readonly hasOwnLimit?: true
  /** Why a post with these options can’t have one; null when it can. */
  refusalOf?(options: YouTubeOptions | null): string | null
  publish(call: PublishCall): Promise<PublishOutcome>
  readBack(call: PublishCall): Promise<ReadBack>
}

/** Sending a correction again changes nothing more. They never throw. */
export interface Corrections {
  /** A permission beside those for publishing. */
  readonly scope?: string
  /** What readers see afterwards, and what is lost. */
  readonly note: string
  correct(call: CorrectCall): Promise<CorrectionOutcome>
  /** Whether the network has the new text. */
  check(call: CorrectCall): Promise<CorrectionCheck>
}

/** The version of a network’s API that this release uses. */
export interface ApiVersion {
  name: string
  /** The day from which the network no longer promises it, such as `2027-10-01`. */
  endsOn: string
}

export type AccountCheck =
  | { kind: 'checked'; problem: { code: string; message: string } | null; quota?: { left: number; total: number } }
  | Unauthorized
  /** The network didn’t say. */
  | { kind: 'unreadable' }

type ConnectMethod =
  | { by: 'none' }
  | { by: 'form'; signIn(form: unknown, call: ConnectCall): Promise<ConnectedAccount> }
  /** `needsApp`: of the operator or the organization, in the gateway. */
  | {
      by: 'authorize'
      authorization: Authorization
      needsApp?: true
      /** Another way, which is taken when this field of the form is filled in. */
      form?: { field: string; signIn(form: unknown, call: ConnectCall): Promise<ConnectedAccount> }
    }

/** They throw the Problem that the person sees. */
export interface Authorization {
  /** Returns the consent page. `pending` is sealed and passed to `finish`. */
  begin(form: unknown, call: AuthorizeCall): Promise<{ authorizeUrl: string; pending: unknown }>
  finish(response: ConsentCode, call: ConsentCall): Promise<ConnectedAccount | TargetChoice>
}

interface ConsentCode {
  code: string
  /** Which server responded, where the network says it (RFC 9207). */
  issuer: string | undefined
  pending: unknown
}

export interface ConnectCall {
  outside: Outside
  signal: AbortSignal
}

/** YouTube, which the gateway calls. */
export interface VideoAccess {
  client: VideoClient
  /** The organization of the brand, and our application. */
  getPayer(): Promise<Pick<VideoUser, 'organizationId' | 'applicationId'>>
}
/** `credentials`: the gateway has the secrets of our apps. */
export interface ConsentCall extends ConnectCall {
  credentials: SocialCredentials
  video: VideoAccess
  /** Of the brand. */
  organizationId: string
}
interface AuthorizeCall extends ConsentCall {
  state: string
  redirectUri: string
}

export interface ConnectedAccount {
  externalId: string
  name: string
  metadata: Metadata
  tokens: Tokens
  /** Null or absent: until the network refuses them. */
  expiresInSeconds?: number | null
  /** Until nothing renews its tokens any more; null or absent when the network doesn’t say. */
  signInEndsInSeconds?: number | null
  scopes: string[]
}

/** What one consent gives access to, such as the Pages that a person manages: they choose what is connected. */
interface TargetChoice {
  targets: ChoosableTarget[]
}

export interface ChoosableTarget {
  account: ConnectedAccount
  /** Such as `Page`. */
  detail: string
  /** Why it can’t be connected. */
  refusal: string | null
  /** Why its posts are likely to fail. */
  warning?: string
}

export type Metadata = Record<string, unknown>
/** Credentials in the network's own format: never logged, sealed at rest. */
export type Tokens = Record<string, string>

export interface Limits {
  characters: number
  media: number
  /** Whether posts without files are refused. */
  needsMedia?: boolean
  /** An animated GIF is published alone. */
  singleAnimation?: true
  /** Of the later posts of a thread, where they differ; null where there are no threads. */
  replies?: { characters: number; media: number } | null
  /** Of a first comment, counted like the text unless `counting` differs; where there are none, it is left out. */
  firstComment?: { characters: number; counting?: 'utf16' }
  /** `aspect`: width by height. */
  images?: { bytes: number; types: readonly ImageType[]; aspect?: { min: number; max: number } }
  /** Without them, the network takes none from us. */
  videos?: VideoLimits
  documents?: { bytes: number; pages: number }
  bytes?: number
  urlCharacters?: number
  hashtags?: number
  mentions?: number
  /** Characters that texts can’t have. */
  refusedCharacters?: string
  /** Characters of a video’s title, and of its tags together. */
  title?: number
  videoTags?: number
  /** Graphemes by default. */
  counting?: Counting
}

interface VideoLimits {
  types: readonly VideoType[]
  bytes: number
  durationMs: number
  minDurationMs?: number
  /** As ffmpeg names them. */
  codecs: readonly string[]
  /** Whether a post can have other files beside a video. */
  mixed?: boolean
}

export interface Account {
  externalId: string
  metadata: Metadata
  tokens: Tokens
}

export interface NetworkCall {
  account: Account
  outside: Outside
  signal: AbortSignal
}

/** YouTube is called through the gateway. */
export interface CallWithVideo extends NetworkCall {
  video: VideoAccess
}

export interface PublishCall extends NetworkCall {
  /** The same for every attempt to send this content of this post, and for no other. */
  key: string
  text: string
  media: readonly OutgoingMedia[]
  linkPreview: OutgoingLink | null
  youtube: YouTubeOptions | null
  video: VideoAccess
  replyTo: string | null
  startedAt: Date
  /** The last progress of `prepare`; null when nothing was prepared. */
  prepared: unknown
}

/** `signal` has no time limit: each request of `outside` has the one of a response, unless it sets its own. */
export interface PrepareCall extends Omit<PublishCall, 'prepared'> {
  /** What was saved last for this content and account; null at first. */
  progress: unknown
  /** Saves what another process needs to continue. @throws when this one has to stop */
  save(progress: unknown, percent?: number): Promise<void>
}

/** The gateway isn’t available, and nothing was done: the post waits for it. */
export interface GatewayMissing {
  kind: 'waiting'
  reason: 'gateway_unavailable'
}

export type Preparation =
  | { kind: 'ready'; prepared: unknown }
  /** What was saved is complete, but the network isn’t done with it. */
  | { kind: 'processing'; retryAfterMs: number }
  | Refusal
  | Unauthorized
  | GatewayMissing

export interface TokenCall extends NetworkCall {
  credentials: SocialCredentials
  /** The account here, with the organization of its brand. */
  holder: { id: string; organizationId: string }
}

export interface RemoveCall extends CallWithVideo {
  platformPostId: string
}

export interface CorrectCall extends CallWithVideo {
  platformPostId: string
  text: string
}

export type CorrectionOutcome = { kind: 'corrected' } | Refusal | Unauthorized | Unclear

export type CorrectionCheck =
  { kind: 'corrected' } | { kind: 'not_corrected' } | { kind: 'unreadable'; message: string } | Unauthorized

export interface PublishedCall extends CallWithVideo {
  platformPostId: string
}

/** `shown`: to its readers, or its owner has deleted it since. `receipt`: an ID and a link that the post didn’t have before. */
export type PublishedCheck = { kind: 'shown'; receipt?: Receipt } | { kind: 'processing' } | Refusal | Unauthorized

export interface OutgoingMedia {
  /** Of the file, as its uploader named it. */
  name: string | null
  contentType: string
  /** In pixels; null for files without. */
  width: number | null
  height: number | null
  /** Of a video or animated GIF; null for other files, and when it is unknown. */
  durationMs: number | null
  alt: string
  size: number
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  /** For networks that fetch files: public, and valid for some hours. */
  url: string
  /** The bytes from `start` up to `end`, so that a large file is never in memory. */
  slice(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>
}

export interface OutgoingLink extends LinkPreview {
  /** A JPEG, PNG or WebP image; null when there is none, or it can’t be downloaded. */
  loadImage(): Promise<Image | null>
  /** Whether an image that was uploaded before can still be published: false where approvals are required. */
  allowsImage(): Promise<boolean>
}

export interface Receipt {
  platformPostId: string
  permalink: string
}

export interface Refusal {
  kind: 'refused'
  code: string
  message: string
  transient: boolean
  retryAfterMs?: number
  /** The account by default. */
  limitOf?: LimitOf
}

/** What a rate limit counts the calls of. Organizations can bring apps of their own, so an app’s limit isn’t the host’s. */
export type LimitOf = 'account' | 'app' | 'host'

export interface Unauthorized {
  kind: 'unauthorized'
  message: string
}

/** It may have arrived: the response timed out or was lost. */
export interface Unclear {
  kind: 'unclear'
  code: 'provider_timed_out' | 'answer_lost' | 'provider_error'
  message: string
}

/** A refused or unauthorized post certainly did not arrive. */
/** `closedForMs`: the account’s rate limit is used up for so long. `isShown`: no `checkPublished` is needed. */
export type PublishOutcome =
  | ({ kind: 'published'; closedForMs?: number; isShown?: true } & Receipt)
  | Refusal
  | Unauthorized
  | Unclear
  | GatewayMissing

export type ReadBack =
  /** Every post since then that could be this one, oldest first; none: it certainly did not arrive. */
  | { kind: 'read'; candidates: Receipt[] }
  /** `final`: a retry won't help. `listsSame`: the same text is there, and the network doesn’t name its author. */
  | { kind: 'unreadable'; message: string; final: boolean; listsSame?: true }

export type Renewal =
  /** `expiresInSeconds: 0`: the access token has expired, and the refresh token is still good. */
  | { kind: 'renewed'; tokens: Tokens; expiresInSeconds?: number | null; signInEndsInSeconds?: number | null }
  /** Final: a person has to connect the account again. */
  | { kind: 'signed_out'; message: string }
  /** The network can't tell, or the gateway is unavailable; the tokens stay. */
  | { kind: 'later'; message: string; waitsFor?: 'gateway' }

export type Removal = { kind: 'removed' } | Refusal | Unauthorized | Unclear
