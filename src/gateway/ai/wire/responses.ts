import type { ResponseEvent } from '../../providers/openai/response-types.ts'
import { eventFrame, type Encoder } from '../encoder.ts'
import { dollarsOf } from '../settle.ts'

const lastTypes = new Set(['response.completed', 'response.incomplete'])

/** Holds the last event back until the cost is known. */
export function responsesEncoder(): Encoder<ResponseEvent> {
  let sequence = 0
  let created: ResponseEvent | null = null
  let last: ResponseEvent | null = null
  const frame = (event: ResponseEvent) => eventFrame(event.type, { ...event, sequence_number: sequence++ })
  return {
    encode: (event) => {
      if (event.type === 'usage') return ''
      if (event.type === 'response.created') created = event
      if (!lastTypes.has(event.type)) return frame(event)
      last = event
      return ''
    },
    cut: () => {
      const response = { ...Object(created?.['response']), status: 'incomplete' }
      last = {
        type: 'response.incomplete',
        response: { ...response, incomplete_details: { reason: 'max_output_tokens' } },
      }
      return ': cut\n\n'
    },
    end: ({ usage, costNanoUsd }) => {
      const response: object = Object(last?.['response'])
      const counted = {
        input_tokens: usage.inputTokens,
        output_tokens: usage.outputTokens,
        total_tokens: usage.inputTokens + usage.outputTokens,
        ...Object(Reflect.get(response, 'usage')),
        cost: dollarsOf(costNanoUsd),
      }
      return frame({ type: last?.type ?? 'response.completed', response: { ...response, usage: counted } })
    },
    fail: (message) => frame({ type: 'error', code: 'stream_failed', message, param: null }),
  }
}
