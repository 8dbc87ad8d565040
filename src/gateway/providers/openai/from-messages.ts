import { Problem } from '#lib/errors.ts'
import { textIn, type Block, type MessagesRequest } from '../anthropic/types.ts'
import type { ChatRequest } from './chat-types.ts'

type Fields = Record<string, unknown>
type ChatMessage = ChatRequest['messages'][number]

/** A request of Anthropic’s Messages API as a chat completion. @throws {Problem} 400 for what has no equivalent there */
export function chatOfMessages(request: MessagesRequest): ChatRequest {
  const {
    model,
    system,
    messages,
    max_tokens: maxTokens,
    stream,
    stop_sequences: stop,
    temperature,
    top_p: topP,
  } = request
  return {
    model,
    max_tokens: maxTokens,
    messages: [...systemOf(system), ...messages.flatMap(messagesOf)],
    ...(stream && { stream: true }),
    ...(stop && stop.length > 0 && { stop }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof topP === 'number' && { top_p: topP }),
    ...(typeof request.metadata?.user_id === 'string' && { user: request.metadata.user_id }),
    ...toolsOf(request),
  }
}

const systemOf = (system: MessagesRequest['system']): ChatMessage[] =>
  system === undefined || system === null ? [] : [{ role: 'system', content: textOf(system) }]

const textOf = (content: string | readonly Block[]): string =>
  typeof content === 'string' ? content : content.map((block) => textIn(block, 'text')).join('')

function messagesOf({ role, content }: MessagesRequest['messages'][number]): ChatMessage[] {
  if (typeof content === 'string') return [{ role, content }]
  if (role === 'assistant') return [assistantOf(content)]
  const results = content.filter(({ type }) => type === 'tool_result').map(resultOf)
  const parts = content.filter(({ type }) => type !== 'tool_result').map(partOf)
  return [...results, ...(parts.length > 0 ? [{ role, content: parts }] : [])]
}

function assistantOf(content: readonly Block[]): ChatMessage {
  const calls = content
    .filter(({ type }) => type === 'tool_use')
    .map((block) => ({
      id: textIn(block, 'id'),
      type: 'function',
      function: { name: textIn(block, 'name'), arguments: JSON.stringify(block['input'] ?? {}) },
    }))
  const text = content
    .filter(({ type }) => type === 'text')
    .map((block) => textIn(block, 'text'))
    .join('')
  return { role: 'assistant', content: text === '' ? null : text, ...(calls.length > 0 && { tool_calls: calls }) }
}

function resultOf(block: Block): ChatMessage {
  const content = block['content']
  const text = typeof content === 'string' ? content : Array.isArray(content) ? content.map(resultText).join('') : ''
  return { role: 'tool', tool_call_id: textIn(block, 'tool_use_id'), content: text }
}

function resultText(part: unknown): string {
  const type = textIn(Object(part), 'type')
  if (type !== 'text') throw unsupported(`a tool result of the type ${type}`)
  return textIn(Object(part), 'text')
}

function partOf(block: Block): Fields & { type: string } {
  if (block.type === 'text') return { type: 'text', text: textIn(block, 'text') }
  if (block.type === 'image') return { type: 'image_url', image_url: { url: urlOf(Object(block['source'])) } }
  throw unsupported(`content of the type ${block.type}`)
}

const urlOf = (source: object): string =>
  textIn(source, 'type') === 'url'
    ? textIn(source, 'url')
    : `data:${textIn(source, 'media_type')};base64,${textIn(source, 'data')}`

const choices: Readonly<Record<string, string>> = { auto: 'auto', any: 'required', none: 'none' }

function toolsOf({ tools, tool_choice: choice }: MessagesRequest): Fields {
  if (!tools || tools.length === 0) return {}
  const named = choice?.type === 'tool' ? { type: 'function', function: { name: choice.name } } : undefined
  const chosen = named ?? choices[choice?.type ?? '']
  return {
    tools: tools.map((tool) => {
      if (tool.type !== undefined && tool.type !== null && tool.type !== 'custom')
        throw unsupported(`the tool ${tool.type}`)
      const description = tool['description']
      const described = typeof description === 'string' ? { description } : {}
      return { type: 'function', function: { name: tool.name ?? '', ...described, parameters: tool['input_schema'] } }
    }),
    ...(chosen !== undefined && { tool_choice: chosen }),
    ...(choice?.['disable_parallel_tool_use'] === true && { parallel_tool_calls: false }),
  }
}

const unsupported = (what: string) => new Problem(400, 'unsupported_parameter', `This model doesn’t take ${what}.`)
