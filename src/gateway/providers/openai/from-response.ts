import { Problem } from '#lib/errors.ts'
import { textIn } from '../anthropic/types.ts'
import type { ChatRequest } from './chat-types.ts'
import type { ResponseInputItem, ResponseRequest } from './response-types.ts'

type Message = ChatRequest['messages'][number]
type Fields = Record<string, unknown>

/** A request of the Responses API as a chat completion. @throws {Problem} 400 for items that have no equivalent there */
export function chatOfResponse(request: ResponseRequest): ChatRequest {
  const { model, input, instructions, max_output_tokens: maxOutput, temperature, top_p: topP, stream } = request
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input
  return {
    model,
    messages: [
      ...(instructions ? [{ role: 'system', content: instructions }] : []),
      ...joinCalls(items.flatMap(messageOf)),
    ],
    ...(typeof maxOutput === 'number' && { max_completion_tokens: maxOutput }),
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof topP === 'number' && { top_p: topP }),
    ...(stream && { stream: true }),
    ...(typeof request.reasoning?.effort === 'string' && { reasoning_effort: request.reasoning.effort }),
    ...formatOf(request),
    ...toolsOf(request),
  }
}

function messageOf(item: ResponseInputItem): Message[] {
  const type = item.type ?? 'message'
  if (type === 'message') return [{ role: item.role ?? 'user', content: contentOf(item['content']) }]
  if (type === 'function_call') return [{ role: 'assistant', content: null, tool_calls: [callOf(item)] }]
  if (type === 'function_call_output') {
    const output = item['output']
    const content = typeof output === 'string' ? output : contentOf(output)
    return [{ role: 'tool', tool_call_id: textIn(item, 'call_id'), content }]
  }
  // It can't be continued at another provider.
  if (type === 'reasoning') return []
  throw unsupported('input', type)
}

const callOf = (item: ResponseInputItem): Fields => ({
  id: textIn(item, 'call_id'),
  type: 'function',
  function: { name: textIn(item, 'name'), arguments: textIn(item, 'arguments') },
})

function contentOf(content: unknown): Message['content'] {
  if (typeof content === 'string') return content
  const parts: unknown[] = Array.isArray(content) ? content : []
  return parts.map((part) => {
    const type = textIn(Object(part), 'type')
    if (type === 'input_text' || type === 'output_text') return { type: 'text', text: textIn(Object(part), 'text') }
    if (type === 'input_image') return { type: 'image_url', image_url: { url: textIn(Object(part), 'image_url') } }
    throw unsupported('input', type)
  })
}

/** Calls that were made together belong to one message. */
function joinCalls(messages: readonly Message[]): Message[] {
  const joined: Message[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    const calls = message['tool_calls']
    if (last?.role === 'assistant' && Array.isArray(calls))
      last['tool_calls'] = [...(Array.isArray(last['tool_calls']) ? last['tool_calls'] : []), ...calls]
    else joined.push({ ...message })
  }
  return joined
}

function formatOf({ text }: ResponseRequest): Fields {
  const format = text?.format
  if (!format || format.type === 'text') return {}
  if (format.type !== 'json_schema') return { response_format: format }
  const { type, ...schema } = format
  return { response_format: { type, json_schema: schema } }
}

function toolsOf({ tools, tool_choice: choice, parallel_tool_calls: parallel }: ResponseRequest): Fields {
  if (!tools || tools.length === 0) return {}
  const named = typeof choice === 'object' && choice !== null ? textIn(choice, 'name') : ''
  const chosen = named === '' ? choice : { type: 'function', function: { name: named } }
  return {
    tools: tools.map(({ type, ...called }) => {
      if (type !== 'function') throw unsupported('tools', type)
      return { type, function: called }
    }),
    ...(chosen !== undefined && chosen !== null && { tool_choice: chosen }),
    ...(typeof parallel === 'boolean' && { parallel_tool_calls: parallel }),
  }
}

function unsupported(param: string, type: string): Problem {
  const message = `${param}: the type ${type} is not supported.`
  return new Problem(400, 'unsupported_parameter', message, {
    members: { error: { message, type: 'invalid_request_error', code: 'unsupported_parameter', param } },
  })
}
