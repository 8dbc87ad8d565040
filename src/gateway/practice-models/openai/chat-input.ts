import { z } from 'zod'
import {
  breakpoint,
  CacheRetention,
  ImageUrl,
  JsonObject,
  LogitBias,
  Metadata,
  Moderation,
  Penalty,
  ReasoningEffort,
  Seed,
  ServiceTier,
  Stop,
  StreamOptions,
  Temperature,
  ToolName,
  TopP,
  Verbosity,
} from './common.ts'

const TextPart = z.strictObject({ type: z.literal('text'), text: z.string(), ...breakpoint })
const RefusalPart = z.strictObject({ type: z.literal('refusal'), refusal: z.string() })
const UserPart = z.discriminatedUnion('type', [
  TextPart,
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: ImageUrl, detail: z.enum(['auto', 'low', 'high', 'original']).optional() }),
    ...breakpoint,
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: z.base64(), format: z.enum(['wav', 'mp3']) }),
    ...breakpoint,
  }),
  z.strictObject({
    type: z.literal('file'),
    file: z.strictObject({
      file_data: z.string().optional(),
      file_id: z.string().optional(),
      filename: z.string().optional(),
    }),
    ...breakpoint,
  }),
])
const texts = z.union([z.string(), z.array(TextPart).min(1)])
const name = z.string().optional()

const ToolCall = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    id: z.string(),
    function: z.strictObject({ name: z.string(), arguments: z.string() }),
  }),
  z.strictObject({
    type: z.literal('custom'),
    id: z.string(),
    custom: z.strictObject({ name: z.string(), input: z.string() }),
  }),
])

const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('developer'), content: texts, name }),
  z.strictObject({ role: z.literal('system'), content: texts, name }),
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(UserPart).min(1)]), name }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.union([z.string(), z.array(z.discriminatedUnion('type', [TextPart, RefusalPart])).min(1)]).nullish(),
    refusal: z.string().nullish(),
    tool_calls: z.array(ToolCall).min(1).optional(),
    audio: z.strictObject({ id: z.string() }).nullish(),
    function_call: z.strictObject({ name: z.string(), arguments: z.string() }).nullish(),
    name,
  }),
  z.strictObject({ role: z.literal('tool'), content: texts, tool_call_id: z.string() }),
  z.strictObject({ role: z.literal('function'), content: z.string().nullable(), name: z.string() }),
])

const CustomToolFormat = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text') }),
    z.strictObject({
      type: z.literal('grammar'),
      grammar: z.strictObject({ definition: z.string(), syntax: z.enum(['lark', 'regex']) }),
    }),
  ])
  .optional()

const Tool = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    function: z.strictObject({
      name: ToolName,
      description: z.string().optional(),
      parameters: JsonObject.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
  z.strictObject({
    type: z.literal('custom'),
    custom: z.strictObject({ name: ToolName, description: z.string().optional(), format: CustomToolFormat }),
  }),
])

const ToolChoice = z.union([
  z.enum(['none', 'auto', 'required']),
  z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('function'), function: z.strictObject({ name: z.string() }) }),
    z.strictObject({ type: z.literal('custom'), custom: z.strictObject({ name: z.string() }) }),
    z.strictObject({
      type: z.literal('allowed_tools'),
      allowed_tools: z.strictObject({ mode: z.enum(['auto', 'required']), tools: z.array(JsonObject) }),
    }),
  ]),
])

const ResponseFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    json_schema: z.strictObject({
      name: ToolName,
      description: z.string().optional(),
      schema: JsonObject.optional(),
      strict: z.boolean().nullish(),
    }),
  }),
])

export const ChatInput = z.strictObject({
  model: z.string(),
  messages: z.array(Message).min(1),
  frequency_penalty: Penalty,
  logit_bias: LogitBias,
  logprobs: z.boolean().nullish(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  max_tokens: z.int().min(1).nullish(),
  metadata: Metadata,
  modalities: z.array(z.enum(['text', 'audio'])).nullish(),
  moderation: Moderation,
  n: z.int().min(1).max(128).nullish(),
  parallel_tool_calls: z.boolean().optional(),
  prediction: z.strictObject({ type: z.literal('content'), content: texts }).nullish(),
  presence_penalty: Penalty,
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: z
    .strictObject({ mode: z.enum(['implicit', 'explicit']).optional(), ttl: z.literal('30m').optional() })
    .optional(),
  prompt_cache_retention: CacheRetention,
  reasoning_effort: ReasoningEffort,
  response_format: ResponseFormat.optional(),
  safety_identifier: z.string().nullish(),
  seed: Seed,
  service_tier: ServiceTier,
  stop: Stop,
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: StreamOptions,
  temperature: Temperature,
  tool_choice: ToolChoice.optional(),
  tools: z.array(Tool).max(128).optional(),
  top_p: TopP,
  user: z.string().optional(),
  verbosity: Verbosity,
})
export type ChatInput = z.output<typeof ChatInput>
export type ChatMessage = ChatInput['messages'][number]
