import { Problem } from '#lib/errors.ts'
import type { ChatMessage, ChatRequest } from '../openai/chat-types.ts'
import { partsOf } from './from-parts.ts'
import { textIn } from './types.ts'

type Fields = Record<string, unknown>

/** A chat completion as a request for Anthropic’s Messages API. @throws {Problem} 400 for what has no equivalent there */
export function messagesOfChat(request: ChatRequest, model: string, maxTokens: number): Fields {
  refuseForeign(request)
  const { messages, stop, temperature, top_p: topP, user, stream } = request
  const system = messages.filter(isSystem).map(({ content }) => textOf(content))
  return {
    model,
    max_tokens: maxTokens,
    messages: joinTurns(messages.filter((message) => !isSystem(message)).map(turnOf)),
    ...(system.length > 0 && { system: system.join('\n\n') }),
    ...(stop !== undefined && stop !== null && { stop_sequences: [stop].flat() }),
    // OpenAI’s goes up to 2.
    ...(typeof temperature === 'number' && { temperature: Math.min(temperature, 1) }),
    ...(typeof topP === 'number' && { top_p: topP }),
    ...(typeof user === 'string' && { metadata: { user_id: user } }),
    ...(stream && { stream: true }),
    ...toolsOf(request),
    ...outputOf(request),
  }
}

const isSystem = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer'

const textOf = (content: ChatMessage['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map((part) => textIn(part, 'text')).join('')

interface Turn {
  role: 'user' | 'assistant'
  content: Fields[]
}

function turnOf(message: ChatMessage): Turn {
  if (message.role === 'assistant') return { role: 'assistant', content: assistantBlocks(message) }
  if (message.role !== 'tool') return { role: 'user', content: partsOf(message.content) }
  const result = { tool_use_id: textIn(message, 'tool_call_id'), content: partsOf(message.content) }
  return { role: 'user', content: [{ type: 'tool_result', ...result }] }
}

function assistantBlocks(message: ChatMessage): Fields[] {
  const calls: unknown[] = Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
  const text = textOf(message.content)
  return [...(text === '' ? [] : [{ type: 'text', text }]), ...calls.map(toolUseOf)]
}

function toolUseOf(call: unknown): Fields {
  const called: unknown = Reflect.get(Object(call), 'function')
  return {
    type: 'tool_use',
    id: textIn(Object(call), 'id'),
    name: textIn(Object(called), 'name'),
    input: parseArguments(textIn(Object(called), 'arguments')),
  }
}

function parseArguments(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch (cause) {
    throw new Problem(400, 'unsupported_parameter', 'messages: the arguments of a tool call are not valid JSON.', {
      cause,
    })
  }
}

/** Results of several tools have to be in one turn. */
function joinTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    const last = joined.at(-1)
    if (last && last.role === turn.role) last.content.push(...turn.content)
    else joined.push({ role: turn.role, content: [...turn.content] })
  }
  return joined.filter(({ content }) => content.length > 0)
}

function toolsOf({ tools, tool_choice: choice, parallel_tool_calls: parallel }: ChatRequest): Fields {
  if (!tools || tools.length === 0) return {}
  const sequential = parallel === false ? { disable_parallel_tool_use: true } : {}
  const chosen = choiceOf(choice) ?? (parallel === false ? { type: 'auto' } : null)
  return {
    tools: tools.map((tool) => {
      const called: object = Object(tool['function'])
      const schema: unknown = Reflect.get(called, 'parameters')
      return {
        name: textIn(called, 'name'),
        ...('description' in called && { description: called.description }),
        input_schema: schema ?? { type: 'object', properties: {} },
      }
    }),
    ...(chosen && { tool_choice: chosen.type === 'none' ? chosen : { ...chosen, ...sequential } }),
  }
}

function choiceOf(choice: unknown): Fields | null {
  if (choice === 'none') return { type: 'none' }
  if (choice === 'required') return { type: 'any' }
  if (typeof choice === 'object' && choice !== null)
    return { type: 'tool', name: textIn(Object(Reflect.get(choice, 'function')), 'name') }
  return choice === 'auto' ? { type: 'auto' } : null
}

const efforts = new Set(['low', 'medium', 'high', 'xhigh'])

function outputOf({ response_format: format, reasoning_effort: effort }: ChatRequest): Fields {
  const schema: unknown = Reflect.get(Object(Reflect.get(Object(format), 'json_schema')), 'schema')
  const config = {
    ...(schema !== undefined && { format: { type: 'json_schema', schema } }),
    ...(typeof effort === 'string' && efforts.has(effort) && { effort }),
  }
  return Object.keys(config).length > 0 ? { output_config: config } : {}
}

/** What would change the response, and can’t be expressed. Hints such as `seed` are left out. */
function refuseForeign(request: ChatRequest): void {
  const format: unknown = Reflect.get(Object(request['response_format']), 'type')
  const foreign = [
    ...(typeof request.n === 'number' && request.n > 1 ? ['n'] : []),
    ...(request['logprobs'] === true ? ['logprobs'] : []),
    ...(format === 'json_object' ? ['response_format'] : []),
  ]
  const [name] = foreign
  if (name === undefined) return
  const detail = `${name}: Anthropic’s models don’t support it.`
  throw new Problem(400, 'unsupported_parameter', detail, {
    members: { error: { message: detail, type: 'invalid_request_error', code: 'unsupported_parameter', param: name } },
  })
}
