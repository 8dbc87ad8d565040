import type { Adapter, Answer, Part } from '../adapter.ts'
import { StreamedError } from '../adapter.ts'
import type { SseEvent } from '../sse-events.ts'
import { Message, MessageEvent, textIn, type MessagesRequest, type MessageUsage } from './types.ts'
import { mergeUsage, usageOfMessage } from './usage.ts'

/** A request of the Messages API to a provider that speaks it: only model and bound change. */
export const nativeMessages = (
  request: MessagesRequest,
  model: string,
  headers: Readonly<Record<string, string>>,
): Adapter<MessageEvent> => ({
  path: '/messages',
  headers,
  body: (maxOutput) =>
    JSON.stringify({ ...request, model, max_tokens: Math.min(maxOutput ?? Infinity, request.max_tokens) }),
  read: readMessage,
  parts: readEvents,
})

function readMessage(json: unknown): Answer {
  const body = Message.parse(json)
  const outputBytes = Buffer.byteLength(JSON.stringify(body.content))
  return { body, usage: usageOfMessage(body.usage), outputBytes }
}

async function* readEvents(events: AsyncIterable<SseEvent>): AsyncGenerator<Part<MessageEvent>> {
  let counted: MessageUsage = {}
  for await (const { data } of events) {
    const item = MessageEvent.parse(JSON.parse(data))
    if (item.error) throw new StreamedError(item.error.message, item.error.type ?? null)
    const reported = item.message?.usage ?? item.usage
    if (reported) counted = mergeUsage(counted, reported)
    const usage = reported ? usageOfMessage(counted) : null
    yield { item, outputBytes: bytesOf(item), ...(usage && { usage }) }
    if (item.type === 'message_stop') return
  }
  throw new Error('The stream ended before its message')
}

const bytesOf = ({ delta = {} }: MessageEvent): number =>
  Buffer.byteLength(textIn(delta, 'text') + textIn(delta, 'thinking') + textIn(delta, 'partial_json'))
