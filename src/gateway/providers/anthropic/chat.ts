import { defaultOutput } from '../output.ts'
import type { Adapter, Answer, Part } from '../adapter.ts'
import { StreamedError } from '../adapter.ts'
import type { ChatChunk, ChatRequest } from '../openai/chat-types.ts'
import { chatUsageOf } from '../openai/usage.ts'
import type { SseEvent } from '../sse-events.ts'
import { messagesOfChat } from './from-chat.ts'
import { Message, MessageEvent, textIn, type Block, type MessageUsage } from './types.ts'
import { mergeUsage, usageOfMessage } from './usage.ts'

/** Chat completions of a model that speaks Anthropic’s Messages API. */
export const anthropicChat = (request: ChatRequest, model: string): Adapter<ChatChunk> => {
  const maxTokens = request.max_completion_tokens ?? request.max_tokens ?? defaultOutput(model)
  return {
    path: '/messages',
    body: (maxOutput) => JSON.stringify(messagesOfChat(request, model, maxOutput ?? maxTokens)),
    read: readMessage,
    parts: readEvents,
  }
}

const finishReasons: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

const finishReasonOf = (reason: string | null | undefined): string => finishReasons[reason ?? ''] ?? 'stop'

function readMessage(json: unknown): Answer {
  const message = Message.parse(json)
  const texts = message.content.filter(({ type }) => type === 'text').map((block) => textIn(block, 'text'))
  const calls = message.content.filter(({ type }) => type === 'tool_use').map(callOf)
  const usage = usageOfMessage(message.usage)
  const content = texts.length > 0 ? texts.join('') : null
  const body = {
    id: `chatcmpl-${message.id}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: message.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, ...(calls.length > 0 && { tool_calls: calls }) },
        logprobs: null,
        finish_reason: finishReasonOf(message.stop_reason),
      },
    ],
    ...(usage && { usage: chatUsageOf(usage) }),
  }
  return { body, usage, outputBytes: message.content.reduce((sum, block) => sum + bytesOf(block), 0) }
}

const callOf = (block: Block) => ({
  id: textIn(block, 'id'),
  type: 'function',
  function: { name: textIn(block, 'name'), arguments: JSON.stringify(block['input'] ?? {}) },
})

const bytesOf = (block: Block): number =>
  Buffer.byteLength(textIn(block, 'text') + textIn(block, 'thinking')) +
  (block['input'] === undefined ? 0 : Buffer.byteLength(JSON.stringify(block['input'])))

async function* readEvents(events: AsyncIterable<SseEvent>): AsyncGenerator<Part<ChatChunk>> {
  const created = Math.floor(Date.now() / 1000)
  let head = { id: '', model: '' }
  let counted: MessageUsage = {}
  let calls = 0
  const chunk = (delta: Record<string, unknown>, finish: string | null = null): ChatChunk => ({
    id: `chatcmpl-${head.id}`,
    object: 'chat.completion.chunk',
    created,
    model: head.model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  for await (const { data } of events) {
    const event = MessageEvent.parse(JSON.parse(data))
    if (event.error) throw new StreamedError(event.error.message, event.error.type ?? null)
    if (event.message) head = event.message
    const reported = event.message?.usage ?? event.usage
    if (reported) counted = mergeUsage(counted, reported)
    const total = usageOfMessage(counted)
    const usage = reported && total ? { usage: total } : {}
    if (event.type === 'message_start')
      yield { item: chunk({ role: 'assistant', content: '' }), outputBytes: 0, ...usage }
    else if (event.type === 'content_block_start' && event.content_block?.type === 'tool_use') {
      const { id, function: called } = callOf(event.content_block)
      const call = { index: calls++, id, type: 'function', function: { name: called.name, arguments: '' } }
      yield { item: chunk({ tool_calls: [call] }), outputBytes: Buffer.byteLength(called.name) }
    } else if (event.type === 'content_block_delta' && event.delta) yield deltaOf(event.delta, calls, chunk)
    else if (event.type === 'message_delta') {
      const item = chunk({}, finishReasonOf(event.delta?.stop_reason))
      yield { item: { ...item, ...(total && { usage: chatUsageOf(total) }) }, outputBytes: 0, ...usage }
    } else if (event.type === 'message_stop') return
  }
  throw new Error('The stream ended before its message')
}

function deltaOf(delta: object, calls: number, chunk: (delta: Record<string, unknown>) => ChatChunk): Part<ChatChunk> {
  const type = textIn(delta, 'type')
  if (type === 'input_json_delta') {
    const text = textIn(delta, 'partial_json')
    const call = { index: Math.max(calls - 1, 0), function: { arguments: text } }
    return { item: chunk({ tool_calls: [call] }), outputBytes: Buffer.byteLength(text) }
  }
  const text = textIn(delta, 'text')
  // Thinking isn’t shown, but it is billed.
  const outputBytes = Buffer.byteLength(text) + Buffer.byteLength(textIn(delta, 'thinking'))
  return { item: chunk(type === 'text_delta' ? { content: text } : {}), outputBytes }
}
