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
  const body = ChatCompletion.parse(json)
  const outputBytes = body.choices.reduce((sum, { message }) => sum + bytesOf(message), 0)
  return { body, usage: body.usage ? usageOfChat(body.usage) : null, outputBytes }
}

async function* readChunks(events: AsyncIterable<SseEvent>): AsyncGenerator<Part<ChatChunk>> {
  for await (const { data } of events) {
    if (data === '[DONE]') return
    const json: unknown = JSON.parse(data)
    const failed = ErrorBody.safeParse(json)
    if (failed.success) throw new StreamedError(failed.data.error.message, String(failed.data.error.code ?? ''))
    const item = ChatChunk.parse(json)
    const outputBytes = item.choices.reduce((sum, { delta }) => sum + (delta ? bytesOf(delta) : 0), 0)
    yield { item, outputBytes, ...(item.usage && { usage: usageOfChat(item.usage) }) }
  }
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
