import type { TokenUsage } from '../../models/price.ts'
import type { ChatUsage } from './chat-types.ts'

/** An explicit zero stays zero. Some providers count reasoning only in the total. */
export const usageOfChat = (usage: ChatUsage): TokenUsage => ({
  inputTokens: usage.prompt_tokens,
  cacheReadTokens: usage.prompt_tokens_details?.cached_tokens ?? 0,
  inputAudioTokens: usage.prompt_tokens_details?.audio_tokens ?? 0,
  outputTokens: Math.max(usage.completion_tokens ?? 0, (usage.total_tokens ?? 0) - usage.prompt_tokens),
  outputAudioTokens: usage.completion_tokens_details?.audio_tokens ?? 0,
  reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? 0,
})

export const chatUsageOf = (usage: TokenUsage): ChatUsage => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cacheReadTokens ?? 0 },
})
