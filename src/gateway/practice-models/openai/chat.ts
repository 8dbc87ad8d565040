import type { ChatCompletion, ChatCompletionChunk } from 'openai/resources/chat/completions'
import { randomToken } from '#lib/ids.ts'
import { composeReply, type Reply, type Tool, type Turn } from '../generate/reply.ts'
import { countTokens, splitIntoPieces, tokensPerImage } from '../generate/tokens.ts'
import { json, type Accepted, type AcceptContext, type Answer } from '../wire.ts'
import { ChatInput, type ChatMessage } from './chat-input.ts'
import { check, outputLimit, requireContext, requireModel, requireStrictSchema } from './check.ts'
import { cachedTokensOf, listOf, sse, sseDone, unix } from './common.ts'
import { logprobsOf } from './logprobs.ts'
import { invalidRequest } from './wire.ts'

export function acceptChat(given: unknown, { now }: AcceptContext): Accepted {
  const input = check(ChatInput, given)
  const model = requireModel(input.model, 'chat', 'chat/completions')
  checkCombinations(input)
  requireAnsweredCalls(input.messages)
  const limit = outputLimit(model, ...limitOf(input))
  const prompt = measure(input)
  requireContext(model, prompt.tokens, 'messages')
  return {
    model: model.id,
    answer: ({ tokens }) => {
      const reply = composeReply({ ...turnOf(input), maxTokens: limit, tokens })
      const completion = complete(input, reply, { prompt: prompt.tokens, created: unix(now) })
      return input.stream ? streamOf(completion, input) : json(completion)
    },
  }
}

const limitOf = ({ max_completion_tokens: most, max_tokens: old }: ChatInput): [number | null | undefined, string] =>
  most === null || most === undefined ? [old, 'max_tokens'] : [most, 'max_completion_tokens']

/** @throws {ProviderError} 400 for parameters that exclude or require each other */
function checkCombinations(input: ChatInput): void {
  const { tools = [], tool_choice: choice, response_format: format } = input
  const refuse = (message: string, param: string, code: string | null = null) =>
    invalidRequest(message, { param, code })
  if (typeof input.max_tokens === 'number' && typeof input.max_completion_tokens === 'number')
    throw refuse(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      'max_tokens',
      'invalid_parameter_combination',
    )
  if (input.stream_options && !input.stream)
    throw refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options')
  if (typeof input.top_logprobs === 'number' && !input.logprobs)
    throw refuse("The 'logprobs' parameter must be set to true to use 'top_logprobs'.", 'top_logprobs')
  if (input.modalities?.includes('audio'))
    throw refuse('This model does not support the requested modalities.', 'modalities', 'unsupported_value')
  if (tools.length === 0 && choice !== undefined && choice !== 'none')
    throw refuse("'tool_choice' is only allowed when 'tools' are specified.", 'tool_choice')
  if (tools.length === 0 && input.parallel_tool_calls !== undefined)
    throw refuse("'parallel_tool_calls' is only allowed when 'tools' are specified.", 'parallel_tool_calls')
  const named = nameIn(choice)
  if (named !== null && !tools.some((tool) => nameOf(tool) === named))
    throw refuse(`Tool choice '${named}' not found in 'tools' parameter.`, 'tool_choice')
  for (const [at, tool] of tools.entries())
    if (tool.type === 'function' && tool.function.strict)
      requireStrictSchema(
        tool.function.parameters,
        `function '${tool.function.name}'`,
        `tools[${at}].function.parameters`,
      )
  if (format?.type === 'json_schema' && format.json_schema.strict)
    requireStrictSchema(format.json_schema.schema, `response_format '${format.json_schema.name}'`, 'response_format')
  if (format?.type === 'json_object' && !input.messages.some((message) => /json/i.test(textOf(message))))
    throw refuse(
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      'messages',
    )
}

const nameOf = (tool: NonNullable<ChatInput['tools']>[number]): string =>
  tool.type === 'function' ? tool.function.name : tool.custom.name

function nameIn(choice: ChatInput['tool_choice']): string | null {
  if (typeof choice !== 'object') return null
  if (choice.type === 'function') return choice.function.name
  return choice.type === 'custom' ? choice.custom.name : null
}

/** @throws {ProviderError} 400 unless each tool call is followed by its result, and each result has a call */
function requireAnsweredCalls(messages: readonly ChatMessage[]): void {
  let open = new Set<string>()
  let called = new Set<string>()
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!called.has(message.tool_call_id))
        throw invalidRequest(
          "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
          { param: `messages.[${at}].role` },
        )
      open.delete(message.tool_call_id)
      continue
    }
    requireNone(open, at)
    const ids = message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : []
    open = new Set(ids)
    called = new Set(ids)
  }
  requireNone(open, messages.length)
}

function requireNone(open: ReadonlySet<string>, at: number): void {
  if (open.size === 0) return
  throw invalidRequest(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    { param: `messages.[${at}].role` },
  )
}

/** The text of a message, without its tool calls. */
function textOf(message: ChatMessage): string {
  const { content } = message
  if (typeof content === 'string') return content
  const parts = (content ?? []).map((part) =>
    part.type === 'text' ? part.text : part.type === 'refusal' ? part.refusal : '',
  )
  return parts.join('')
}

/** Bytes of all texts, tool calls and definitions of tools, and 85 tokens per image. */
function measure({ messages, tools }: ChatInput): { tokens: number } {
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
  const callTexts = calls.map((call) =>
    call.type === 'function' ? call.function.name + call.function.arguments : call.custom.name + call.custom.input,
  )
  const text = [...messages.map(textOf), ...callTexts, ...(tools ? [JSON.stringify(tools)] : [])].join('')
  const images = messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === 'image_url') : [],
  )
  return { tokens: Math.max(1, countTokens(text)) + images.length * tokensPerImage }
}

function turnOf(input: ChatInput): Omit<Turn, 'maxTokens' | 'tokens'> {
  const last = input.messages.at(-1)
  const { response_format: format } = input
  return {
    said: last ? textOf(last) : '',
    isToolResult: last?.role === 'tool' || last?.role === 'function',
    tools: (input.tools ?? []).map(toTool),
    choice: choiceOf(input.tool_choice),
    parallel: input.parallel_tool_calls ?? true,
    format:
      format?.type === 'json_schema'
        ? { schema: format.json_schema.schema ?? {} }
        : format?.type === 'json_object'
          ? 'json'
          : 'text',
    stop: listOf(input.stop),
  }
}

const toTool = (tool: NonNullable<ChatInput['tools']>[number]): Tool =>
  tool.type === 'function'
    ? { name: tool.function.name, schema: tool.function.parameters }
    : { name: tool.custom.name, takesText: true }

function choiceOf(choice: ChatInput['tool_choice']): Turn['choice'] {
  const named = nameIn(choice)
  if (named !== null) return { name: named }
  const mode = typeof choice === 'object' && choice.type === 'allowed_tools' ? choice.allowed_tools.mode : choice
  return mode === 'required' ? 'any' : mode === 'none' ? 'none' : 'auto'
}

const finishReasons = { stop: 'stop', stop_sequence: 'stop', length: 'length', tools: 'tool_calls' } as const

function complete(
  input: ChatInput,
  reply: Reply,
  { prompt, created }: { prompt: number; created: number },
): ChatCompletion {
  const { text, calls, tokens, finish } = reply
  const choices = Array.from({ length: input.n ?? 1 }, (_, index) => ({
    index,
    message: {
      role: 'assistant' as const,
      content: text,
      refusal: null,
      annotations: [],
      ...(calls.length > 0 && { tool_calls: calls.map(toToolCall) }),
    },
    logprobs: input.logprobs ? { content: logprobsOf(text ?? '', input.top_logprobs ?? 0), refusal: null } : null,
    finish_reason: finishReasons[finish],
  }))
  const output = tokens * choices.length
  return {
    id: `chatcmpl-${randomToken(18)}`,
    object: 'chat.completion',
    created,
    model: input.model,
    choices,
    usage: {
      prompt_tokens: prompt,
      completion_tokens: output,
      total_tokens: prompt + output,
      prompt_tokens_details: { cached_tokens: cachedTokensOf(prompt, input.prompt_cache_key), audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    service_tier: 'default',
    system_fingerprint: 'fp_practice',
  }
}

const toToolCall = ({ name, takesText, input }: Reply['calls'][number]) => {
  const id = `call_${randomToken(18)}`
  return takesText
    ? { id, type: 'custom' as const, custom: { name, input } }
    : { id, type: 'function' as const, function: { name, arguments: input } }
}

interface Delta {
  role?: 'assistant'
  content?: string | null
  refusal?: null
  tool_calls?: object[]
}

type FinishReason = ChatCompletion['choices'][number]['finish_reason']

function streamOf(completion: ChatCompletion, { stream_options: options, logprobs }: ChatInput): Answer {
  const { id, created, model, service_tier: tier, system_fingerprint: fingerprint, usage } = completion
  const common = { id, object: 'chat.completion.chunk', created, model, service_tier: tier } as const
  const chunk = (choices: object[], spent: ChatCompletionChunk['usage'] = null): string =>
    sse({ ...common, system_fingerprint: fingerprint, choices, ...(options?.include_usage && { usage: spent }) })
  const of = (index: number, delta: Delta, reason: FinishReason | null = null) => {
    const likely = logprobs && delta.content ? { content: logprobsOf(delta.content, 0), refusal: null } : null
    return chunk([{ index, delta, logprobs: likely, finish_reason: reason }])
  }
  const events = completion.choices.flatMap(({ index, message, finish_reason: reason }) => [
    of(index, { role: 'assistant', content: message.content === null ? null : '', refusal: null }),
    ...splitIntoPieces(message.content ?? '').map((content) => of(index, { content })),
    ...(message.tool_calls ?? []).flatMap((call, at) =>
      deltasOf(call, at).map((delta) => of(index, { tool_calls: [delta] })),
    ),
    of(index, {}, reason),
  ])
  return { events: [...events, ...(options?.include_usage ? [chunk([], usage)] : []), sseDone] }
}

function deltasOf(
  call: NonNullable<ChatCompletion['choices'][number]['message']['tool_calls']>[number],
  index: number,
) {
  const { id, type } = call
  if (call.type === 'custom') {
    const { name, input } = call.custom
    const pieces = splitIntoPieces(input).map((piece) => ({ index, custom: { input: piece } }))
    return [{ index, id, type, custom: { name, input: '' } }, ...pieces]
  }
  const { name, arguments: text } = call.function
  const pieces = splitIntoPieces(text).map((piece) => ({ index, function: { arguments: piece } }))
  return [{ index, id, type, function: { name, arguments: '' } }, ...pieces]
}
