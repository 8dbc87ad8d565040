import { z } from 'zod'
import { RequestedModel } from '../openai/chat-types.ts'

const Block = z.looseObject({ type: z.string() })
export type Block = z.output<typeof Block>

const Content = z.union([z.string(), z.array(Block)])

/** The parts of a request that the gateway reads; all others reach Anthropic unchanged. */
export const MessagesRequest = z.looseObject({
  model: RequestedModel,
  max_tokens: z.int().min(1),
  messages: z.array(z.looseObject({ role: z.enum(['user', 'assistant', 'system']), content: Content })).min(1),
  system: Content.nullish(),
  stream: z.boolean().nullish(),
  stop_sequences: z.array(z.string()).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  tools: z.array(z.looseObject({ name: z.string().optional(), type: z.string().nullish() })).nullish(),
  tool_choice: z.looseObject({ type: z.string(), name: z.string().optional() }).nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
})
export type MessagesRequest = z.output<typeof MessagesRequest>

export const CountTokensRequest = MessagesRequest.omit({ max_tokens: true, stream: true })
export type CountTokensRequest = z.output<typeof CountTokensRequest>

const count = z.number().min(0).nullish()
export const MessageUsage = z.looseObject({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  cache_creation: z.looseObject({ ephemeral_1h_input_tokens: count }).nullish(),
  server_tool_use: z.looseObject({ web_search_requests: count }).nullish(),
})
export type MessageUsage = z.output<typeof MessageUsage>

export const Message = z.looseObject({
  id: z.string().default(''),
  model: z.string().default(''),
  content: z.array(Block).default([]),
  stop_reason: z.string().nullish(),
  usage: MessageUsage.nullish(),
})
export type Message = z.output<typeof Message>

export const MessageEvent = z.looseObject({
  type: z.string(),
  index: z.int().optional(),
  message: Message.optional(),
  content_block: Block.optional(),
  delta: z.looseObject({ type: z.string().optional(), stop_reason: z.string().nullish() }).optional(),
  usage: MessageUsage.nullish(),
  error: z
    .looseObject({ type: z.string().optional(), message: z.string().default('The provider reported an error.') })
    .optional(),
})
export type MessageEvent = z.output<typeof MessageEvent>

export const textIn = (value: object, name: string): string => {
  const text: unknown = Reflect.get(value, name)
  return typeof text === 'string' ? text : ''
}
