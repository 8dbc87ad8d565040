import type { Call } from './call.ts'
import type { JobWork } from './job.ts'
import type { ParamsOf } from './operation.ts'

/** What a provider sent, as it came. */
interface IncomingWebhook<Param extends string = string> {
  /** The raw body: a signature is over these very bytes. */
  readonly raw: Uint8Array
  readonly headers: Headers
  readonly params: Readonly<Record<Param, string>>
  readonly query: URLSearchParams
}

/** What a provider's event is known by. */
export interface EventId {
  /** The provider's own id of it, unique within the webhook's path: one that comes again is not handled again. */
  id: string
  /** Such as `payment_intent.succeeded`. */
  type?: string
}

/** A provider's event as it was stored. */
interface ReceivedEvent<Param extends string = string> {
  readonly eventId: string
  readonly type: string | null
  readonly params: Readonly<Record<Param, string>>
  readonly raw: Uint8Array
  readonly receivedAt: Date
}

type ReceivingCall = Call<null, null>

interface Definition<Path extends string> {
  /** Name of the queue on which its events are handled: `<context>.<whose events>`. */
  name: string
  path: Path & `/${string}`
  summary: string
  /** Bytes of a body that it takes: 1 MiB when not set. */
  largestBody?: number
  /** Checks the signature, before anything is kept. Throws a Problem for one that is wrong. It can read the database. */
  verify(incoming: IncomingWebhook<ParamsOf<Path>>, call: ReceivingCall): Promise<EventId> | EventId
  /** What a GET is answered, as text: the question whether this address is the owner's. Throws a Problem to refuse. */
  challenge?(incoming: Omit<IncomingWebhook<ParamsOf<Path>>, 'raw'>, call: ReceivingCall): Promise<string> | string
  /** Handles a stored event in the background. It runs again when it throws, and when an admin replays the event. */
  handle(event: ReceivedEvent<ParamsOf<Path>>, work: JobWork): Promise<void>
}

/** A webhook with its types forgotten: what the router reads. */
export interface Webhook {
  name: string
  path: string
  summary: string
  largestBody?: number
  verify(incoming: IncomingWebhook, call: ReceivingCall): Promise<EventId> | EventId
  challenge?(incoming: Omit<IncomingWebhook, 'raw'>, call: ReceivingCall): Promise<string> | string
  handle(event: ReceivedEvent, work: JobWork): Promise<void>
}

/** Declares a provider's calls to us: verified, stored by the event's id, answered 200, and handled by a job. */
export const webhook = <const Path extends string>(definition: Definition<Path>): Webhook => definition
