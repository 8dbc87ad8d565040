import type { TokenUsage } from '../models/price.ts'
import type { FormBody } from './form-body.ts'
import type { SseEvent } from './sse-events.ts'

/** A piece of a streamed response, in the wire format of the caller. */
export interface Part<Item> {
  item: Item
  /** Of the whole response so far: a later one replaces it. */
  usage?: TokenUsage
  /** Of the text, reasoning and arguments in this piece. */
  outputBytes: number
}

/** A complete response, in the wire format of the caller. */
export interface Answer {
  body: Record<string, unknown>
  /** Null when the provider reported none, which isn’t the same as zero. */
  usage: TokenUsage | null
  outputBytes: number
}

/** How one request is made to a model of one provider, and its response read. */
export interface Adapter<Item> {
  path: string
  headers?: Readonly<Record<string, string>>
  /** The response is text, which `read` gets as it is. */
  isText?: true
  /** `maxOutput` tokens if the budget needs a bound, else null: as the caller asked. */
  body(maxOutput: number | null): string | FormBody
  read(json: unknown): Answer
  parts(events: AsyncIterable<SseEvent>): AsyncIterable<Part<Item>>
}

/** The provider reported an error in the middle of its stream. */
export class StreamedError extends Error {
  readonly code: string | null

  constructor(message: string, code: string | null = null) {
    super(message)
    this.code = code
  }
}
