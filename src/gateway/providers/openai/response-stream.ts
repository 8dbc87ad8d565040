import type { TokenUsage } from '../../models/price.ts'
import type { Part } from '../adapter.ts'
import type { ChatChunk } from './chat-types.ts'
import { callItem, responseObject, textItem, textPart } from './response-object.ts'
import type { OutputItem, ResponseEvent, ResponseRequest } from './response-types.ts'

interface OpenItem {
  index: number
  id: string
  text: string
  call: { callId: string; name: string } | null
}

/** The items of a streamed response: its text, then each call of a function. */
class Items {
  readonly done: OutputItem[] = []
  #open: OpenItem | null = null
  readonly #responseId: string

  constructor(responseId: string) {
    this.#responseId = responseId
  }

  *text(delta: string): Generator<ResponseEvent> {
    if (!this.#open || this.#open.call) yield* this.#begin(null)
    yield* this.#add(delta)
  }

  *call(callId: string, name: string, delta: string): Generator<ResponseEvent> {
    if (callId !== '' && this.#open?.call?.callId !== callId) yield* this.#begin({ callId, name })
    if (delta !== '') yield* this.#add(delta)
  }

  *close(): Generator<ResponseEvent> {
    if (!this.#open) return
    const { index, id, text, call } = this.#open
    const at = { item_id: id, output_index: index }
    const item = call ? callItem(id, { ...call, arguments: text }) : textItem(id, text)
    if (call) yield { type: 'response.function_call_arguments.done', ...at, name: call.name, arguments: text }
    else {
      yield { type: 'response.output_text.done', ...at, content_index: 0, text, logprobs: [] }
      yield { type: 'response.content_part.done', ...at, content_index: 0, part: textPart(text) }
    }
    this.done.push(item)
    this.#open = null
    yield { type: 'response.output_item.done', output_index: index, item }
  }

  *#begin(call: OpenItem['call']): Generator<ResponseEvent> {
    yield* this.close()
    const index = this.done.length
    const id = `${call ? 'fc' : 'msg'}_${this.#responseId}_${index}`
    this.#open = { index, id, text: '', call }
    const item = call ? callItem(id, { ...call, arguments: '' }, 'in_progress') : textItem(id, '', 'in_progress')
    yield { type: 'response.output_item.added', output_index: index, item }
    if (!call)
      yield {
        type: 'response.content_part.added',
        item_id: id,
        output_index: index,
        content_index: 0,
        part: textPart(''),
      }
  }

  *#add(delta: string): Generator<ResponseEvent> {
    if (!this.#open) return
    this.#open.text += delta
    const at = { item_id: this.#open.id, output_index: this.#open.index }
    if (this.#open.call) yield { type: 'response.function_call_arguments.delta', ...at, delta }
    else yield { type: 'response.output_text.delta', ...at, content_index: 0, delta, logprobs: [] }
  }
}

export async function* responseEvents(
  request: ResponseRequest,
  parts: AsyncIterable<Part<ChatChunk>>,
): AsyncGenerator<Part<ResponseEvent>> {
  const createdAt = Math.floor(Date.now() / 1000)
  let head: { id: string; model: string } | null = null
  let items = new Items('')
  let total: TokenUsage | null = null
  let finish: string | null = null
  const snapshot = (status: 'in_progress' | 'completed' | 'incomplete', usage: TokenUsage | null) => ({
    response: responseObject(request, {
      id: `resp_${head?.id ?? ''}`,
      model: head?.model ?? request.model,
      createdAt,
      status,
      output: items.done,
      usage,
    }),
  })
  for await (const { item, usage, outputBytes } of parts) {
    if (usage) total = usage
    const events: ResponseEvent[] = []
    if (!head) {
      head = { id: item.id, model: item.model ?? request.model }
      items = new Items(item.id)
      const response = snapshot('in_progress', null)
      events.push({ type: 'response.created', ...response }, { type: 'response.in_progress', ...response })
    }
    for (const { delta, finish_reason: reason } of item.choices) {
      if (delta?.content) events.push(...items.text(delta.content))
      for (const { id = '', function: called } of delta?.tool_calls ?? [])
        events.push(...items.call(id, called?.name ?? '', called?.arguments ?? ''))
      finish = reason ?? finish
    }
    const counted = { outputBytes, ...(usage && { usage }) }
    if (events.length === 0) yield { item: { type: 'usage' }, ...counted }
    for (const [at, event] of events.entries()) yield { item: event, ...(at === 0 ? counted : { outputBytes: 0 }) }
  }
  for (const event of items.close()) yield { item: event, outputBytes: 0 }
  const status = finish === 'length' ? 'incomplete' : 'completed'
  yield { item: { type: `response.${status}`, ...snapshot(status, total) }, outputBytes: 0 }
}
