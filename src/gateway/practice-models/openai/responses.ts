import type { Response as ModelResponse, ResponseOutputItem } from 'openai/resources/responses/responses'
import { randomToken } from '#lib/ids.ts'
import { composeReply, type Reply, type Turn } from '../generate/reply.ts'
import { countTokens, splitIntoPieces, tokensPerImage } from '../generate/tokens.ts'
import { json, type Accepted, type AcceptContext, type Answer } from '../wire.ts'
import { check, outputLimit, requireContext, requireModel, requireStrictSchema } from './check.ts'
import { cachedTokensOf, sseNamed, unix, type WireEvent } from './common.ts'
import { logprobsOf } from './logprobs.ts'
import { ResponsesInput, type ResponsesItem } from './responses-input.ts'
import { invalidRequest } from './wire.ts'

export function acceptResponse(given: unknown, { now }: AcceptContext): Accepted {
  const input = check(ResponsesInput, given)
  const model = requireModel(input.model, 'chat', 'responses')
  const items = itemsOf(input)
  checkCombinations(input, items)
  const limit = outputLimit(model, input.max_output_tokens, 'max_output_tokens')
  const prompt = measure(input, items)
  requireContext(model, prompt, 'input')
  return {
    model: model.id,
    answer: ({ tokens }) => {
      const reply = composeReply({ ...turnOf(input, items), maxTokens: limit, tokens })
      const response = respondWith(input, reply, { prompt, created: unix(now) })
      return input.stream ? streamOf(response) : json(response)
    },
  }
}

const itemsOf = ({ input }: ResponsesInput): ResponsesItem[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input

/** @throws {ProviderError} 400 */
function checkCombinations(input: ResponsesInput, items: readonly ResponsesItem[]): void {
  const { tools = [], tool_choice: choice, text } = input
  const refuse = (message: string, param: string, code: string | null = null) =>
    invalidRequest(message, { param, code })
  if (items.length === 0) throw refuse("Missing required parameter: 'input'.", 'input', 'missing_required_parameter')
  if (input.previous_response_id)
    throw refuse(
      `Previous response with id '${input.previous_response_id}' not found.`,
      'previous_response_id',
      'previous_response_not_found',
    )
  if (input.conversation) throw refuse('Conversation not found.', 'conversation', 'conversation_not_found')
  if (input.background)
    throw refuse(`Background mode is not supported with ${input.model}.`, 'background', 'unsupported_parameter')
  if (input.stream_options && !input.stream)
    throw refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
  if (tools.length === 0 && choice !== undefined && choice !== 'none' && choice !== 'auto')
    throw refuse("Tool choice 'required' must be specified with 'tools' parameter.", 'tool_choice')
  const named = nameIn(choice)
  if (named !== null && !tools.some(({ name }) => name === named))
    throw refuse(`Tool choice '${named}' not found in 'tools' parameter.`, 'tool_choice')
  for (const [at, tool] of tools.entries())
    if (tool.type === 'function' && tool.strict)
      requireStrictSchema(tool.parameters, `function '${tool.name}'`, `tools[${at}].parameters`)
  if (text?.format?.type === 'json_schema' && text.format.strict)
    requireStrictSchema(text.format.schema, `response_format '${text.format.name}'`, 'text.format.schema')
  if (text?.format?.type === 'json_object' && !/json/i.test(input.instructions + items.map(textOf).join('')))
    throw refuse(
      "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
      'input',
    )
  requireAnsweredCalls(items)
}

/** @throws {ProviderError} 400 unless each call has an output, and each output a call */
function requireAnsweredCalls(items: readonly ResponsesItem[]): void {
  const calls = new Set<string>()
  const outputs = new Set<string>()
  for (const item of items) {
    if (item.type === 'function_call' || item.type === 'custom_tool_call') calls.add(item.call_id)
    if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') continue
    if (!calls.has(item.call_id))
      throw invalidRequest(`No tool call found for function call output with call_id ${item.call_id}.`, {
        param: 'input',
      })
    outputs.add(item.call_id)
  }
  const missing = [...calls].find((id) => !outputs.has(id))
  if (missing) throw invalidRequest(`No tool output found for function call ${missing}.`, { param: 'input' })
}

const nameIn = (choice: ResponsesInput['tool_choice']): string | null =>
  typeof choice === 'object' && choice.type !== 'allowed_tools' ? choice.name : null

type Content = Extract<ResponsesItem, { type: 'message' }>['content']
type Part = Exclude<Content, string>[number]

const textOfParts = (content: string | readonly Part[]): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => ('text' in part ? part.text : 'refusal' in part ? part.refusal : '')).join('')

function textOf(item: ResponsesItem): string {
  switch (item.type) {
    case 'message':
      return textOfParts(item.content)
    case 'function_call':
      return item.name + item.arguments
    case 'custom_tool_call':
      return item.name + item.input
    case 'reasoning':
      return ''
    default:
      return textOfParts(item.output)
  }
}

const isImage = ({ type }: { type: string }): boolean => type === 'input_image'

function countImages(item: ResponsesItem): number {
  const parts = item.type === 'message' ? item.content : 'output' in item ? item.output : ''
  return typeof parts === 'string' ? 0 : parts.filter(isImage).length
}

function measure({ instructions, tools }: ResponsesInput, items: readonly ResponsesItem[]): number {
  const text = [instructions ?? '', ...items.map(textOf), ...(tools ? [JSON.stringify(tools)] : [])].join('')
  const images = items.reduce((sum, item) => sum + countImages(item), 0)
  return Math.max(1, countTokens(text)) + images * tokensPerImage
}

function turnOf(input: ResponsesInput, items: readonly ResponsesItem[]): Omit<Turn, 'maxTokens' | 'tokens'> {
  const last = items.at(-1)
  const format = input.text?.format
  const { tool_choice: choice } = input
  const named = nameIn(choice)
  const mode = typeof choice === 'object' && choice.type === 'allowed_tools' ? choice.mode : choice
  return {
    said: last ? textOf(last) : '',
    isToolResult: last?.type === 'function_call_output' || last?.type === 'custom_tool_call_output',
    tools: (input.tools ?? []).map((tool) =>
      tool.type === 'function' ? { name: tool.name, schema: tool.parameters } : { name: tool.name, takesText: true },
    ),
    choice: named === null ? (mode === 'required' ? 'any' : mode === 'none' ? 'none' : 'auto') : { name: named },
    parallel: input.parallel_tool_calls ?? true,
    format:
      format?.type === 'json_schema' ? { schema: format.schema } : format?.type === 'json_object' ? 'json' : 'text',
    stop: [],
  }
}

type Sent = Omit<ModelResponse, 'output_text'>

function respondWith(
  input: ResponsesInput,
  reply: Reply,
  { prompt, created }: { prompt: number; created: number },
): Sent {
  const { tokens, finish } = reply
  const isCut = finish === 'length'
  const cached = cachedTokensOf(prompt, input.prompt_cache_key)
  return {
    id: `resp_${randomToken(24)}`,
    object: 'response',
    created_at: created,
    status: isCut ? 'incomplete' : 'completed',
    completed_at: isCut ? null : created,
    access_programs: null,
    background: false,
    error: null,
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    instructions: input.instructions ?? null,
    max_output_tokens: input.max_output_tokens ?? null,
    max_tool_calls: input.max_tool_calls ?? null,
    metadata: input.metadata ?? {},
    model: input.model,
    output: outputOf(input, reply),
    parallel_tool_calls: input.parallel_tool_calls ?? true,
    previous_response_id: null,
    prompt_cache_key: input.prompt_cache_key ?? null,
    reasoning: { effort: input.reasoning?.effort ?? null, summary: input.reasoning?.summary ?? null },
    safety_identifier: input.safety_identifier ?? null,
    service_tier: 'default',
    temperature: input.temperature ?? 1,
    text: { format: input.text?.format ?? { type: 'text' }, verbosity: input.text?.verbosity ?? 'medium' },
    tool_choice: input.tool_choice ?? 'auto',
    tools: (input.tools ?? []).map((tool) =>
      tool.type === 'function'
        ? {
            ...tool,
            parameters: tool.parameters ?? null,
            strict: tool.strict ?? true,
            description: tool.description ?? null,
          }
        : tool,
    ),
    top_logprobs: input.top_logprobs ?? 0,
    top_p: input.top_p ?? 1,
    truncation: input.truncation ?? 'disabled',
    usage: {
      input_tokens: prompt,
      input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
      output_tokens: tokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: prompt + tokens,
    },
    ...(input.user && { user: input.user }),
  }
}

function outputOf(
  { include, top_logprobs: top }: ResponsesInput,
  { text, calls, finish }: Reply,
): ResponseOutputItem[] {
  const status = finish === 'length' ? 'incomplete' : 'completed'
  if (calls.length > 0)
    return calls.map(({ name, takesText, input }) => {
      const callId = `call_${randomToken(18)}`
      return takesText
        ? { type: 'custom_tool_call', id: `ctc_${randomToken(24)}`, call_id: callId, name, input }
        : { type: 'function_call', id: `fc_${randomToken(24)}`, call_id: callId, name, arguments: input, status }
    })
  const logprobs = include?.includes('message.output_text.logprobs') ? logprobsOf(text ?? '', top ?? 0) : []
  return [
    {
      type: 'message',
      id: `msg_${randomToken(24)}`,
      status,
      role: 'assistant',
      content: [{ type: 'output_text', annotations: [], logprobs, text: text ?? '' }],
    },
  ]
}

function streamOf(response: Sent): Answer {
  const started = { ...response, status: 'in_progress', completed_at: null, incomplete_details: null, output: [] }
  const events: WireEvent[] = [
    { type: 'response.created', response: { ...started, usage: null } },
    { type: 'response.in_progress', response: { ...started, usage: null } },
    ...response.output.flatMap(itemEvents),
    { type: response.status === 'incomplete' ? 'response.incomplete' : 'response.completed', response },
  ]
  return { events: events.map((event, at) => sseNamed({ ...event, sequence_number: at })) }
}

function itemEvents(item: ResponseOutputItem, index: number): WireEvent[] {
  const place = { output_index: index, item_id: item.id ?? '' }
  const added = (pending: object) => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { ...item, ...pending },
  })
  const done = { type: 'response.output_item.done', output_index: index, item }
  if (item.type === 'function_call')
    return [
      added({ arguments: '', status: 'in_progress' }),
      ...splitIntoPieces(item.arguments).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...place,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...place, name: item.name, arguments: item.arguments },
      done,
    ]
  if (item.type === 'custom_tool_call')
    return [
      added({ input: '' }),
      ...splitIntoPieces(item.input).map((delta) => ({
        type: 'response.custom_tool_call_input.delta',
        ...place,
        delta,
      })),
      { type: 'response.custom_tool_call_input.done', ...place, input: item.input },
      done,
    ]
  const [part] = item.type === 'message' ? item.content : []
  if (part?.type !== 'output_text') throw new Error(`No events for ${item.type}`)
  const content = { ...place, content_index: 0 }
  return [
    added({ status: 'in_progress', content: [] }),
    { type: 'response.content_part.added', ...content, part: { ...part, text: '', logprobs: [] } },
    ...splitIntoPieces(part.text).map((delta) => ({
      type: 'response.output_text.delta',
      ...content,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...content, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...content, part },
    done,
  ]
}
