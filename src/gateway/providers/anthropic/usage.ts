import type { TokenUsage } from '../../models/price.ts'
import type { MessageUsage } from './types.ts'

/** Anthropic counts cached tokens apart from the other input. Null when it reported nothing. */
export function usageOfMessage(usage: MessageUsage | null | undefined): TokenUsage | null {
  if (!usage || (usage.input_tokens ?? usage.output_tokens ?? null) === null) return null
  const read = usage.cache_read_input_tokens ?? 0
  const written = usage.cache_creation_input_tokens ?? 0
  const forHour = Math.min(usage.cache_creation?.ephemeral_1h_input_tokens ?? 0, written)
  return {
    inputTokens: (usage.input_tokens ?? 0) + read + written,
    cacheReadTokens: read,
    cacheWriteTokens: written - forHour,
    cacheWrite1hTokens: forHour,
    outputTokens: usage.output_tokens ?? 0,
    webSearches: usage.server_tool_use?.web_search_requests ?? 0,
  }
}

/** Later events of a stream repeat only what has changed: their counts are totals. */
export const mergeUsage = (before: MessageUsage, after: MessageUsage): MessageUsage => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([, value]) => value !== null && value !== undefined)),
})

export const messageUsageOf = (usage: TokenUsage): MessageUsage => ({
  input_tokens: usage.inputTokens - (usage.cacheReadTokens ?? 0),
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage.cacheReadTokens ?? 0,
  output_tokens: usage.outputTokens,
})
