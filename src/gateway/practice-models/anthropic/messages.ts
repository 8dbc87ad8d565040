import type { ContentBlock, Message } from '@anthropic-ai/sdk/resources/messages'
import type { z } from 'zod'
import { randomToken } from '#lib/ids.ts'
import { composeReply, type Reply } from '../generate/reply.ts'
import { splitIntoPieces } from '../generate/tokens.ts'
import { json, type Accepted, type AcceptContext, type Answer } from '../wire.ts'
import { check, requireModel } from './check.ts'
import { CountInput, MessagesInput, SamplingInput } from './messages-input.ts'
import { checkMessages, measure, turnOf } from './prompt.ts'
import { hasSampling, invalidRequest } from './wire.ts'

export function acceptMessage(given: unknown, _: AcceptContext, headers: Headers): Accepted {
  const input = hasSampling(headers) ? checkSampling(check(SamplingInput, given)) : check(MessagesInput, given)
  const model = requireModel(input.model)
  checkMessages(input)
  const { max_tokens: maxTokens, thinking } = input
  if (maxTokens > model.maxOutputTokens)
    throw invalidRequest(
      `max_tokens: ${maxTokens} > ${model.maxOutputTokens}, which is the maximum allowed number of output tokens for ${model.id}`,
    )
  if (thinking?.type === 'enabled' && thinking.budget_tokens >= maxTokens)
    throw invalidRequest('`max_tokens` must be greater than `thinking.budget_tokens`.')
  const { tokens: promptTokens } = measure(input)
  if (promptTokens > model.contextTokens)
    throw invalidRequest(`prompt is too long: ${promptTokens} tokens > ${model.contextTokens} maximum`)
  return {
    model: model.id,
    answer: ({ tokens }) => {
      const stop = input.stop_sequences ?? []
      const message = write(input, composeReply({ ...turnOf(input), stop, maxTokens, tokens }))
      return input.stream ? streamOf(message) : json(message)
    },
  }
}

/** @throws {ProviderError} 400 */
function checkSampling(input: z.output<typeof SamplingInput>): MessagesInput {
  if (input.temperature !== undefined && input.top_p !== undefined)
    throw invalidRequest('`temperature` and `top_p` cannot both be specified for this model. Please use only one.')
  return input
}

export function acceptCount(given: unknown): Accepted {
  const input = check(CountInput, given)
  const model = requireModel(input.model)
  checkMessages(input)
  return { model: model.id, answer: () => json({ input_tokens: measure(input).tokens }) }
}

const stopReasons = {
  stop: 'end_turn',
  stop_sequence: 'stop_sequence',
  length: 'max_tokens',
  tools: 'tool_use',
} as const

function write(input: MessagesInput, reply: Reply): Message {
  const { tokens, cached } = measure(input)
  const written = cached?.ttl === '1h' ? cached.tokens : 0
  const read = cached?.ttl === '5m' ? cached.tokens : 0
  return {
    id: `msg_${randomToken(18)}`,
    type: 'message',
    role: 'assistant',
    model: input.model,
    content: contentOf(reply),
    stop_reason: stopReasons[reply.finish],
    stop_sequence: reply.stopSequence,
    stop_details: null,
    container: null,
    diagnostics: null,
    usage: {
      input_tokens: tokens - written - read,
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: written },
      output_tokens: reply.tokens,
      output_tokens_details: { thinking_tokens: 0 },
      server_tool_use: null,
      service_tier: 'standard',
      inference_geo: null,
      speed: null,
    },
  }
}

const contentOf = ({ text, calls }: Reply): ContentBlock[] =>
  calls.length > 0
    ? calls.map(({ name, input }) => ({
        type: 'tool_use',
        id: `toolu_${randomToken(18)}`,
        name,
        input: parseComplete(input),
        caller: { type: 'direct' },
      }))
    : text
      ? [{ type: 'text', text, citations: null }]
      : []

/** The arguments of a call that `max_tokens` ended are no JSON anymore. */
function parseComplete(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

interface WireEvent {
  type: string
  [field: string]: unknown
}

const event = (data: WireEvent): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`

function streamOf(message: Message): Answer {
  const { content, usage, stop_reason, stop_sequence, stop_details, container } = message
  const started = {
    ...message,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  }
  const events: WireEvent[] = [
    { type: 'message_start', message: started },
    ...content.flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence, stop_details, container },
      usage: {
        input_tokens: usage.input_tokens,
        cache_creation_input_tokens: usage.cache_creation_input_tokens,
        cache_read_input_tokens: usage.cache_read_input_tokens,
        output_tokens: usage.output_tokens,
        output_tokens_details: usage.output_tokens_details,
        server_tool_use: usage.server_tool_use,
      },
    },
    { type: 'message_stop' },
  ]
  return { events: events.map(event) }
}

function blockEvents(block: ContentBlock, index: number): WireEvent[] {
  const isText = block.type === 'text'
  const text = isText ? block.text : block.type === 'tool_use' ? JSON.stringify(block.input) : ''
  return [
    { type: 'content_block_start', index, content_block: isText ? { ...block, text: '' } : { ...block, input: {} } },
    ...(index === 0 ? [{ type: 'ping' }] : []),
    ...splitIntoPieces(text).map((piece) => ({
      type: 'content_block_delta',
      index,
      delta: isText ? { type: 'text_delta', text: piece } : { type: 'input_json_delta', partial_json: piece },
    })),
    { type: 'content_block_stop', index },
  ]
}
