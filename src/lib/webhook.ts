import type { Call } from './call.ts'
import type { JobDependencies } from './job.ts'
import type { ParamsOf } from './operation.ts'

interface IncomingWebhook<Param extends string = string> {
  /** The raw body, which is what providers sign. */
  readonly raw: Uint8Array
  readonly headers: Headers
  readonly params: Readonly<Record<Param, string>>
  readonly query: URLSearchParams
}

export interface EventId {
  /** The provider's id of the event, unique within the webhook's path: a repeated one is not handled again. */
  id: string
  type?: string
  /** Whose event it is, if `verify` knows. */
  organizationId?: string
  /** The provider’s ID of what the event is about. */
  objectId?: string
}

interface ReceivedEvent<Param extends string = string> {
  readonly eventId: string
  readonly type: string | null
  readonly organizationId?: string | null
  readonly objectId?: string | null
  readonly params: Readonly<Record<Param, string>>
  readonly raw: Uint8Array
  readonly receivedAt: Date
}

/** What `handle` found out. `ignored`: the event has an unknown type or isn't about anything of ours. */
export interface EventOutcome {
  state?: 'ignored'
  organizationId?: string
}

type WebhookCall = Call<null, null>

interface Definition<Path extends string> {
  /** Name of the queue that handles its events: `<context>.<provider>`. */
  name: string
  path: Path & `/${string}`
  summary: string
  /** Limit of the body in bytes; 1 MiB when not set. */
  bodyLimit?: number
  /** How many of its events a server handles at once; 1 when not set. */
  concurrency?: number
  /** How many of them can be of one organization: fewer, so that one with many events leaves room for others. */
  perTenant?: number
  /** Checks the signature before anything is stored. Throws a Problem for a wrong one. It can read the database. */
  verify(incoming: IncomingWebhook<ParamsOf<Path>>, call: WebhookCall): Promise<EventId> | EventId
  /** Answers the GET by which a provider verifies the URL, as text. Throws a Problem to refuse. */
  challenge?(incoming: Omit<IncomingWebhook<ParamsOf<Path>>, 'raw'>, call: WebhookCall): Promise<string> | string
  /** Handles a stored event in the background. It runs again when it throws, and when an admin replays the event. */
  handle(event: ReceivedEvent<ParamsOf<Path>>, work: JobDependencies): Promise<EventOutcome | void>
}

export interface Webhook {
  name: string
  path: string
  summary: string
  bodyLimit?: number
  concurrency?: number
  perTenant?: number
  verify(incoming: IncomingWebhook, call: WebhookCall): Promise<EventId> | EventId
  challenge?(incoming: Omit<IncomingWebhook, 'raw'>, call: WebhookCall): Promise<string> | string
  handle(event: ReceivedEvent, work: JobDependencies): Promise<EventOutcome | void>
}

export const webhook = <const Path extends string>(definition: Definition<Path>): Webhook => definition
