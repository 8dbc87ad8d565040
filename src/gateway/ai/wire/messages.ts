import type { MessageEvent } from '../../providers/anthropic/types.ts'
import { messageUsageOf } from '../../providers/anthropic/usage.ts'
import { eventFrame, type Encoder } from '../encoder.ts'
import { dollarsOf } from '../settle.ts'

/** Holds the last usage back until the cost is known. */
export function messagesEncoder(): Encoder<MessageEvent> {
  let delta: MessageEvent | null = null
  let openBlock: number | null = null
  return {
    encode: (event) => {
      if (event.type === 'message_stop') return ''
      if (event.type === 'message_delta') {
        delta = event
        return ''
      }
      if (event.type === 'content_block_start') openBlock = event.index ?? 0
      if (event.type === 'content_block_stop') openBlock = null
      return eventFrame(event.type, event)
    },
    cut: () => {
      delta = { type: 'message_delta', delta: { stop_reason: 'max_tokens', stop_sequence: null } }
      return openBlock === null
        ? ': cut\n\n'
        : eventFrame('content_block_stop', { type: 'content_block_stop', index: openBlock })
    },
    end: ({ usage, costNanoUsd }) => {
      const last = delta ?? { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } }
      const shown = { ...messageUsageOf(usage), ...last.usage, cost: dollarsOf(costNanoUsd) }
      return (
        eventFrame('message_delta', { ...last, usage: shown }) + eventFrame('message_stop', { type: 'message_stop' })
      )
    },
    fail: (message) => eventFrame('error', { type: 'error', error: { type: 'api_error', message } }),
  }
}
