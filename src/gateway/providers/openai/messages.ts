import type { Adapter, Answer, Part } from '../adapter.ts'
import { messageUsageOf } from '../anthropic/usage.ts'
import type { MessageEvent, MessagesRequest } from '../anthropic/types.ts'
import type { SseEvent } from '../sse-events.ts'
import type { TokenUsage } from '../../models/price.ts'
import { openAiChat } from './chat.ts'
import { ChatCompletion, type ChatChunk } from './chat-types.ts'
import { chatOfMessages } from './from-messages.ts'

/** A request of Anthropic’s Messages API to a provider that speaks the OpenAI API. */
export function openAiMessages(request: MessagesRequest, model: string, provider: string): Adapter<MessageEvent> {
  const chat = openAiChat(chatOfMessages(request), model, provider)
  return {
    path: chat.path,
    body: (maxOutput) => chat.body(maxOutput),
    read: (json) => toMessage(chat.read(json)),
    parts: (events: AsyncIterable<SseEvent>) => toEvents(chat.parts(events)),
  }
}

const stopReasons: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  function_call: 'tool_use',
  content_filter: 'refusal',
}

const stopReasonOf = (reason: string | null | undefined): string => stopReasons[reason ?? ''] ?? 'end_turn'

function toMessage({ body, usage, outputBytes }: Answer): Answer {
  const { id, model, choices } = ChatCompletion.parse(body)
  const [choice] = choices
  const text = choice?.message.content ?? ''
  const calls = (choice?.message.tool_calls ?? []).map(({ id: callId, function: called }) => ({
    type: 'tool_use',
    id: callId ?? '',
    name: called?.name ?? '',
    input: parsed(called?.arguments ?? ''),
  }))
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: model ?? '',
    content: [...(text === '' ? [] : [{ type: 'text', text }]), ...calls],
    stop_reason: stopReasonOf(choice?.finish_reason),
    stop_sequence: null,
    usage: messageUsageOf(usage ?? { inputTokens: 0, outputTokens: 0 }),
  }
  return { body: message, usage, outputBytes }
}

function parsed(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return { arguments: text }
  }
}

/** The content blocks of a stream: one of text, then one for each tool call. */
class Blocks {
  #open: number | null = null
  #next = 0
  readonly #calls = new Map<number, number>()

  #isCall(index: number): boolean {
    return [...this.#calls.values()].includes(index)
  }

  *text(text: string): Generator<MessageEvent> {
    if (this.#open === null || this.#isCall(this.#open)) yield* this.#begin({ type: 'text', text: '' })
    yield this.#delta({ type: 'text_delta', text })
  }

  *call(at: number, id: string, name: string, text: string): Generator<MessageEvent> {
    if (!this.#calls.has(at)) {
      yield* this.#begin({ type: 'tool_use', id, name, input: {} })
      this.#calls.set(at, this.#next - 1)
    }
    if (text !== '') yield this.#delta({ type: 'input_json_delta', partial_json: text })
  }

  *close(): Generator<MessageEvent> {
    if (this.#open !== null) yield { type: 'content_block_stop', index: this.#open }
    this.#open = null
  }

  *#begin(block: { type: string } & Record<string, unknown>): Generator<MessageEvent> {
    yield* this.close()
    this.#open = this.#next++
    yield { type: 'content_block_start', index: this.#open, content_block: block }
  }

  #delta(delta: { type: string } & Record<string, unknown>): MessageEvent {
    return { type: 'content_block_delta', index: this.#open ?? 0, delta }
  }
}

async function* toEvents(parts: AsyncIterable<Part<ChatChunk>>): AsyncGenerator<Part<MessageEvent>> {
  const blocks = new Blocks()
  let isStarted = false
  let finish: string | null = null
  let total: TokenUsage = { inputTokens: 0, outputTokens: 0 }
  for await (const { item, usage, outputBytes } of parts) {
    if (usage) total = usage
    const events: MessageEvent[] = []
    if (!isStarted) events.push(startOf(item))
    isStarted = true
    for (const { delta, finish_reason: reason } of item.choices) {
      if (delta?.content) events.push(...blocks.text(delta.content))
      for (const { index = 0, id = '', function: called } of delta?.tool_calls ?? [])
        events.push(...blocks.call(index, id, called?.name ?? '', called?.arguments ?? ''))
      finish = reason ?? finish
    }
    for (const [at, event] of events.entries())
      yield { item: event, outputBytes: at === 0 ? outputBytes : 0, ...(at === 0 && usage && { usage }) }
    if (events.length === 0) yield { item: { type: 'ping' }, outputBytes, ...(usage && { usage }) }
  }
  for (const item of blocks.close()) yield { item, outputBytes: 0 }
  const delta = { stop_reason: stopReasonOf(finish), stop_sequence: null }
  yield { item: { type: 'message_delta', delta, usage: messageUsageOf(total) }, outputBytes: 0 }
  yield { item: { type: 'message_stop' }, outputBytes: 0 }
}

const startOf = ({ id, model }: ChatChunk): MessageEvent => ({
  type: 'message_start',
  message: {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: model ?? '',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: messageUsageOf({ inputTokens: 0, outputTokens: 0 }),
  },
})
