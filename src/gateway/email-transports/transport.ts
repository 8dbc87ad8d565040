import type { DkimSelector } from '../contract/senders.ts'

export interface DkimKey {
  domain: string
  selector: DkimSelector
  /** PEM. */
  privateKey: string
}

interface Attachment {
  name: string
  type: string
  content: Buffer
}

export interface OutgoingEmail {
  /** Of the message. */
  id: string
  /** Differs after a failure that a person retries: else the provider would repeat its first response. */
  idempotencyKey: string
  /** With angle brackets, the same in each attempt. */
  messageId: string
  date: Date
  from: { name: string; address: string }
  replyTo: string | null
  to: readonly string[]
  cc: readonly string[]
  /** Those that still have to get it, also of `bcc`. */
  recipients: readonly string[]
  subject: string
  text: string | null
  html: string | null
  attachments: readonly Attachment[]
  headers: Readonly<Record<string, string>>
  /** Null where the provider signs. */
  dkim: DkimKey | null
}

export interface RecipientResult {
  state: 'sent' | 'deferred' | 'bounced'
  response: string
}

export interface Delivery {
  server: string | null
  /** The version of TLS; null without encryption. */
  encryption: string | null
  response: string
  providerMessageId: string | null
  /** By recipient. */
  results: ReadonlyMap<string, RecipientResult>
}

type FailureOutcome = 'deferred' | 'bounced' | 'failed' | 'unknown'

/**
 * No recipient got it. `failed`: another attempt is pointless, for a reason of ours. `unknown`: the content was sent, and the connection was lost before the server responded to it,
 * so it can have been accepted.
 */
export class NotDelivered extends Error {
  readonly outcome: FailureOutcome
  readonly server: string | null
  /** Whether the server refused it, unlike a lost connection. */
  readonly hasResponse: boolean
  /** The key or password was refused before anything was sent: another one can be tried. */
  readonly rejectsCredential: boolean

  constructor(
    outcome: FailureOutcome,
    message: string,
    options: { server?: string | null; cause?: unknown; hasResponse?: boolean; rejectsCredential?: boolean } = {},
  ) {
    super(message.replaceAll(/\s+/g, ' ').slice(0, 1_000), { cause: options.cause })
    this.outcome = outcome
    this.server = options.server ?? null
    this.hasResponse = options.hasResponse ?? false
    this.rejectsCredential = options.rejectsCredential ?? false
  }
}

export interface Progress {
  /** Resolves once it is stored that content is about to be sent. */
  beginData(): Promise<void>
  signal: AbortSignal
}

export interface EmailTransport {
  /** As usage is counted. */
  provider: string
  /** @throws {NotDelivered} */
  send(email: OutgoingEmail, progress: Progress): Promise<Delivery>
}
