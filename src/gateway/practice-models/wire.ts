import type { PracticeModelsBehavior } from './contract.ts'
import type { ProviderError } from './provider-error.ts'

/** A body as a whole, or the events of a stream. */
export type Answer = { contentType: string; body: string } | { events: readonly string[] }

export interface Accepted {
  /** Null for requests that name none. */
  model: string | null
  answer(behavior: Pick<PracticeModelsBehavior, 'tokens'>): Answer | Promise<Answer>
}

export interface AcceptContext {
  now: Date
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  requestId: string
}

/** A provider's format of headers and errors. */
export interface Wire {
  /** @throws {ProviderError} 401 without a valid key, and 400 without a required header */
  authenticate(headers: Headers): string
  /** Of the request, for the list of received requests. */
  keyIn(headers: Headers): string | null
  formatError(error: ProviderError, requestId: string): unknown
  headers(facts: { requestId: string; processingMs: number }): Record<string, string>
  /** The refusal that the behavior `fail` demands. */
  failure(status: number): ProviderError
  rateLimit(model: string | null, retryAfter: number): ProviderError
  unsupportedType(contentType: string, expected: string): ProviderError
  malformedBody(): ProviderError
  tooLarge(): ProviderError
}

export interface ProviderEndpoint {
  method: 'GET' | 'POST'
  /** Below the base address, with `:name` for a parameter. */
  path: string
  wireOf(headers: Headers): Wire
  reads?: 'json' | 'form'
  /** @throws {ProviderError} for an input that the provider refuses */
  accept(input: unknown, context: AcceptContext, headers: Headers): Accepted | Promise<Accepted>
}

export const json = (body: unknown): Answer => ({ contentType: 'application/json', body: JSON.stringify(body) })
