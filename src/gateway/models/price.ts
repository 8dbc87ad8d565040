import type { ModelPrice } from '@pydantic/genai-prices'

/** What a provider bills for a request. The kinds of `inputTokens` and `outputTokens` don't overlap. */
export interface TokenUsage {
  /** All of them, including the kinds below. */
  readonly inputTokens: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
  readonly cacheWrite1hTokens?: number
  readonly inputAudioTokens?: number
  readonly inputImageTokens?: number
  /** All of them, including the kinds below. */
  readonly outputTokens: number
  readonly outputAudioTokens?: number
  readonly outputImageTokens?: number
  readonly reasoningTokens?: number
  readonly audioMs?: number
  readonly webSearches?: number
  readonly requests?: number
}

export interface Price {
  readonly model: string
  /** The first day of its validity as YYYY-MM-DD; null when the catalog has known no other. */
  readonly since: string | null
  /** Tokens of input and output together. */
  readonly contextWindow: number | null
  readonly rates: ModelPrice
}
