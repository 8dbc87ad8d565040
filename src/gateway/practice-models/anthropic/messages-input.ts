import { z } from 'zod'

const CacheControl = z.strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() }).nullish()
const cached = { cache_control: CacheControl }
const JsonObject = z.record(z.string(), z.unknown())

const TextBlock = z.strictObject({
  type: z.literal('text'),
  text: z.string().min(1, 'text content blocks must be non-empty'),
  citations: z.array(JsonObject).nullish(),
  ...cached,
})
const mediaTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const
const ImageBlock = z.strictObject({
  type: z.literal('image'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.enum(mediaTypes), data: z.base64().min(1) }),
    z.strictObject({ type: z.literal('url'), url: z.url({ protocol: /^https?$/ }) }),
    z.strictObject({ type: z.literal('file'), file_id: z.string() }),
  ]),
  ...cached,
})
const DocumentBlock = z.strictObject({
  type: z.literal('document'),
  source: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('base64'), media_type: z.literal('application/pdf'), data: z.base64().min(1) }),
    z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
    z.strictObject({ type: z.literal('url'), url: z.url() }),
    z.strictObject({
      type: z.literal('content'),
      content: z.union([z.string(), z.array(z.discriminatedUnion('type', [TextBlock, ImageBlock]))]),
    }),
    z.strictObject({ type: z.literal('file'), file_id: z.string() }),
  ]),
  citations: z.strictObject({ enabled: z.boolean().optional() }).nullish(),
  context: z.string().nullish(),
  title: z.string().nullish(),
  ...cached,
})
const ToolUseBlock = z.strictObject({
  type: z.literal('tool_use'),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().min(1).max(200),
  input: JsonObject,
  caller: JsonObject.optional(),
  ...cached,
})
const ToolResultBlock = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  content: z
    .union([z.string(), z.array(z.discriminatedUnion('type', [TextBlock, ImageBlock, DocumentBlock]))])
    .optional(),
  is_error: z.boolean().optional(),
  ...cached,
})
const ThinkingBlock = z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() })
const RedactedBlock = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() })

const UserBlock = z.discriminatedUnion('type', [TextBlock, ImageBlock, DocumentBlock, ToolResultBlock])
const AssistantBlock = z.discriminatedUnion('type', [TextBlock, ToolUseBlock, ThinkingBlock, RedactedBlock])

const Message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('user'), content: z.union([z.string(), z.array(UserBlock)]) }),
  z.strictObject({ role: z.literal('assistant'), content: z.union([z.string(), z.array(AssistantBlock)]) }),
  z.strictObject({ role: z.literal('system'), content: z.union([z.string(), z.array(TextBlock)]) }),
])

const Tool = z.strictObject({
  type: z.literal('custom').nullish(),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z.looseObject({
    type: z.literal('object'),
    properties: z.unknown().optional(),
    required: z.array(z.string()).nullish(),
  }),
  strict: z.boolean().optional(),
  eager_input_streaming: z.boolean().nullish(),
  defer_loading: z.boolean().optional(),
  input_examples: z.array(JsonObject).optional(),
  allowed_callers: z.array(z.string()).optional(),
  ...cached,
})

const disable = { disable_parallel_tool_use: z.boolean().optional() }
const ToolChoice = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('auto'), ...disable }),
  z.strictObject({ type: z.literal('any'), ...disable }),
  z.strictObject({ type: z.literal('tool'), name: z.string(), ...disable }),
  z.strictObject({ type: z.literal('none') }),
])

const display = z.enum(['summarized', 'omitted']).nullish()
const Thinking = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('enabled'), budget_tokens: z.int().min(1024), display }),
  z.strictObject({ type: z.literal('adaptive'), display }),
  z.strictObject({ type: z.literal('disabled') }),
  z.strictObject({ type: z.literal('between_tools') }),
])

const prompt = {
  model: z.string().min(1),
  messages: z.array(Message).min(1, 'at least one message is required'),
  system: z.union([z.string(), z.array(TextBlock)]).optional(),
  tools: z.array(Tool).optional(),
  tool_choice: ToolChoice.optional(),
  thinking: Thinking.optional(),
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).nullish(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: JsonObject }).nullish(),
    })
    .optional(),
  ...cached,
}

export const CountInput = z.strictObject(prompt)

export const MessagesInput = z.strictObject({
  ...prompt,
  max_tokens: z.int().min(0),
  metadata: z.strictObject({ user_id: z.string().max(256).nullish() }).optional(),
  service_tier: z.enum(['auto', 'standard_only']).optional(),
  stop_sequences: z.array(z.string().regex(/\S/, 'each stop sequence must contain non-whitespace')).optional(),
  stream: z.boolean().optional(),
})
/** As of the version 2023-06-01. */
export const SamplingInput = MessagesInput.extend({
  temperature: z.number().min(0).max(1).optional(),
  top_k: z.int().min(0).optional(),
  top_p: z.number().min(0).max(1).optional(),
})
export type MessagesInput = z.output<typeof MessagesInput>
export type Prompt = z.output<typeof CountInput>
export type MessageInput = Prompt['messages'][number]
export type Block = Exclude<MessageInput['content'], string>[number]
