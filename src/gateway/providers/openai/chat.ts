import type { Adapter, Answer, Part } from '../adapter.ts'
import { StreamedError } from '../adapter.ts'
import type { SseEvent } from '../sse-events.ts'
import { baseUrlOf } from '../known.ts'
import { ChatChunk, ChatCompletion, ErrorBody, type ChatRequest } from './chat-types.ts'
import { usageOfChat } from './usage.ts'

/** Chat completions of any provider that speaks the OpenAI API. */
export const openAiChat = (request: ChatRequest, model: string, provider: string): Adapter<ChatChunk> => ({
  path: '/chat/completions',
  body: (maxOutput) => {
    const { max_tokens, max_completion_tokens, ...others } = request
    const limit = maxOutput ?? max_completion_tokens ?? max_tokens
    return JSON.stringify({
      ...others,
      model,
      ...(request.stream && { stream_options: { ...request.stream_options, include_usage: true } }),
      ...(typeof limit === 'number' && { [limitName(request, provider)]: limit }),
    })
  },
  read: readCompletion,
  parts: readChunks,
})

/**
 * Newer models of OpenAI refuse the older name. Others know only that, and some ignore the newer one: their responses
 * would have no bound. Never both: a provider can follow the one that isn’t the bound.
 */
function limitName(request: ChatRequest, provider: string): 'max_tokens' | 'max_completion_tokens' {
  const isOpenAi = provider === 'openai'
  if (!isOpenAi && baseUrlOf(provider) !== undefined) return 'max_tokens'
  if (typeof request.max_completion_tokens === 'number') return 'max_completion_tokens'
  return isOpenAi && typeof request.max_tokens !== 'number' ? 'max_completion_tokens' : 'max_tokens'
}

function readCompletion(json: unknown): Answer {
  const body = isPlainCompletion(json) ? json : ChatCompletion.parse(json)
  const outputBytes = body.choices.reduce((sum, { message }) => sum + bytesOf(message), 0)
  return { body, usage: body.usage ? usageOfChat(body.usage) : null, outputBytes }
}

type Fields = Record<string, unknown>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTextOrNone = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string'
const isCount = (value: unknown): boolean => typeof value === 'number' && value >= 0

/**
 * A text with its counts and nothing else that is read: what most responses are. Others are parsed, which takes 20 times
 * as long.
 */
function isPlainCompletion(json: unknown): json is ChatCompletion {
  if (!isObject(json) || !Array.isArray(json['choices'])) return false
  const { id, model, created, choices, usage } = json
  const isNamed = typeof id === 'string' && typeof model === 'string' && typeof created === 'number'
  return isNamed && choices.every(isPlainChoice) && isPlainUsage(usage)
}

function isPlainChoice(choice: unknown): boolean {
  if (!isObject(choice) || !isTextOrNone(choice['finish_reason']) || !isObject(choice['message'])) return false
  const { content, refusal, reasoning_content: reasoning, tool_calls: calls } = choice['message']
  return isTextOrNone(content) && isTextOrNone(refusal) && isTextOrNone(reasoning) && (calls ?? null) === null
}

function isPlainUsage(usage: unknown): boolean {
  if (!isObject(usage)) return false
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage
  return [input, output, total].every(isCount) && usageDetails.every((name) => isPlainDetails(usage[name]))
}

const usageDetails = ['prompt_tokens_details', 'completion_tokens_details']
const detailedCounts = ['cached_tokens', 'audio_tokens', 'image_tokens', 'reasoning_tokens']

const isPlainDetails = (details: unknown): boolean =>
  (details ?? null) === null ||
  (isObject(details) && detailedCounts.every((name) => (details[name] ?? null) === null || isCount(details[name])))

async function* readChunks(events: AsyncIterable<SseEvent>): AsyncGenerator<Part<ChatChunk>> {
  let hasEnd = false
  for await (const { data } of events) {
    if (data === '[DONE]') return
    const json: unknown = JSON.parse(data)
    const failed = ErrorBody.safeParse(json)
    if (failed.success) throw new StreamedError(failed.data.error.message, String(failed.data.error.code ?? ''))
    const item = ChatChunk.parse(json)
    hasEnd ||= Boolean(item.usage) || item.choices.some(({ finish_reason: reason }) => reason)
    const outputBytes = item.choices.reduce((sum, { delta }) => sum + (delta ? bytesOf(delta) : 0), 0)
    yield { item, outputBytes, ...(item.usage && { usage: usageOfChat(item.usage) }) }
  }
  // Not all send [DONE].
  if (!hasEnd) throw new Error('The stream ended before its last choice')
}

interface Written {
  content?: string | null
  refusal?: string | null
  reasoning_content?: string | null
  tool_calls?: readonly { function?: { name?: string; arguments?: string } }[] | null
}

/** A token has at least one byte. */
const bytesOf = ({ content, refusal, reasoning_content: reasoning, tool_calls: calls }: Written): number =>
  lengthOf(content) +
  lengthOf(refusal) +
  lengthOf(reasoning) +
  (calls ?? []).reduce((sum, { function: called }) => sum + lengthOf(called?.name) + lengthOf(called?.arguments), 0)

const lengthOf = (text: string | null | undefined): number => (text ? Buffer.byteLength(text) : 0)
