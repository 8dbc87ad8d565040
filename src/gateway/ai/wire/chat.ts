import type { ChatChunk, ChatRequest } from '../../providers/openai/chat-types.ts'
import { chatUsageOf } from '../../providers/openai/usage.ts'
import { costComment, dataFrame, type Encoder } from '../encoder.ts'
import { dollarsOf } from '../settle.ts'

const done = 'data: [DONE]\n\n'

/** The usage is always requested from the provider, and shown as the caller asked. */
export function chatEncoder({ stream_options: options }: Pick<ChatRequest, 'stream_options'>): Encoder<ChatChunk> {
  const showsUsage = options?.include_usage === true
  let last: ChatChunk | null = null
  let lastUsage: ChatChunk['usage'] = null
  const choices = new Set<number>()
  return {
    encode: (chunk) => {
      const { usage, ...shown } = chunk
      last = shown
      if (usage) lastUsage = usage
      for (const choice of chunk.choices) choices.add(choice.index)
      if (chunk.choices.length === 0 && usage) return ''
      return dataFrame(showsUsage ? { ...shown, usage: null } : shown)
    },
    cut: () =>
      dataFrame({
        ...last,
        choices: [...choices].map((index) => ({ index, delta: {}, finish_reason: 'length' })),
      }),
    end: ({ usage, costNanoUsd }) => {
      const shown = { ...(lastUsage ?? chatUsageOf(usage)), cost: dollarsOf(costNanoUsd) }
      return (showsUsage ? dataFrame({ ...last, choices: [], usage: shown }) : costComment(costNanoUsd)) + done
    },
    fail: (message) => dataFrame({ error: { message, type: 'server_error', code: 'stream_failed', param: null } }),
  }
}
