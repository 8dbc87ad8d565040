import { z } from 'zod'
import {
  breakpoint,
  CacheRetention,
  CustomFormat,
  ImageUrl,
  JsonObject,
  Metadata,
  Moderation,
  ReasoningEffort,
  Temperature,
  ToolName,
  TopP,
  Verbosity,
} from './common.ts'

const InputText = z.strictObject({ type: z.literal('input_text'), text: z.string(), ...breakpoint })
const Annotations = z.array(JsonObject)
const InputImage = z.strictObject({
  type: z.literal('input_image'),
  detail: z.enum(['low', 'high', 'auto', 'original']).optional(),
  image_url: ImageUrl.nullish(),
  file_id: z.string().nullish(),
  ...breakpoint,
})
const InputFile = z.strictObject({
  type: z.literal('input_file'),
  detail: z.enum(['low', 'high', 'auto']).optional(),
  file_data: z.string().optional(),
  file_id: z.string().nullish(),
  file_url: z.string().optional(),
  filename: z.string().optional(),
  ...breakpoint,
})
const OutputText = z.strictObject({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: Annotations.optional(),
  logprobs: Annotations.optional(),
})
const Refusal = z.strictObject({ type: z.literal('refusal'), refusal: z.string() })
const Content = z.union([
  z.string(),
  z.array(z.discriminatedUnion('type', [InputText, InputImage, InputFile, OutputText, Refusal])),
])
const Status = z.enum(['in_progress', 'completed', 'incomplete']).nullish()
const Phase = z.enum(['commentary', 'final_answer']).nullish()
const ToolOutput = z.union([z.string(), z.array(z.discriminatedUnion('type', [InputText, InputImage, InputFile]))])

const Item = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('message'),
    role: z.enum(['user', 'assistant', 'system', 'developer']),
    content: Content,
    id: z.string().optional(),
    status: Status,
    phase: Phase,
  }),
  z.strictObject({
    type: z.literal('function_call'),
    id: z.string().optional(),
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
    status: Status,
  }),
  z.strictObject({
    type: z.literal('function_call_output'),
    id: z.string().nullish(),
    call_id: z.string(),
    output: ToolOutput,
    status: Status,
  }),
  z.strictObject({
    type: z.literal('custom_tool_call'),
    id: z.string().optional(),
    call_id: z.string(),
    name: z.string(),
    input: z.string(),
    status: Status,
  }),
  z.strictObject({
    type: z.literal('custom_tool_call_output'),
    id: z.string().optional(),
    call_id: z.string(),
    output: ToolOutput,
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: z.string().optional(),
    summary: z.array(JsonObject),
    content: z.array(JsonObject).nullish(),
    encrypted_content: z.string().nullish(),
    status: Status,
  }),
])
const isUntyped = (item: unknown): item is object =>
  typeof item === 'object' && item !== null && !Array.isArray(item) && !('type' in item)

const Tool = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('function'),
    name: ToolName,
    description: z.string().nullish(),
    parameters: JsonObject.nullish(),
    strict: z.boolean().nullish(),
    defer_loading: z.boolean().optional(),
  }),
  z.strictObject({
    type: z.literal('custom'),
    name: ToolName,
    description: z.string().optional(),
    format: CustomFormat,
    defer_loading: z.boolean().optional(),
  }),
])

const TextFormat = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text') }),
  z.strictObject({ type: z.literal('json_object') }),
  z.strictObject({
    type: z.literal('json_schema'),
    name: ToolName,
    schema: JsonObject,
    description: z.string().optional(),
    strict: z.boolean().nullish(),
  }),
])

export const ResponsesInput = z.strictObject({
  model: z.string(),
  input: z.union([
    z.string(),
    // Only messages can do without a type.
    z.array(z.preprocess((item) => (isUntyped(item) ? { ...item, type: 'message' } : item), Item)),
  ]),
  background: z.boolean().nullish(),
  conversation: z.union([z.string(), z.strictObject({ id: z.string() })]).nullish(),
  include: z
    .array(
      z.enum([
        'file_search_call.results',
        'web_search_call.results',
        'web_search_call.action.sources',
        'message.input_image.image_url',
        'computer_call_output.output.image_url',
        'code_interpreter_call.outputs',
        'reasoning.encrypted_content',
        'message.output_text.logprobs',
      ]),
    )
    .nullish(),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(16).nullish(),
  max_tool_calls: z.int().min(1).nullish(),
  metadata: Metadata,
  moderation: Moderation,
  parallel_tool_calls: z.boolean().nullish(),
  previous_response_id: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  prompt_cache_options: z
    .strictObject({
      mode: z.enum(['implicit', 'explicit']).optional(),
      ttl: z.enum(['30m', '12h']).optional(),
      prewarm: z.boolean().optional(),
      comparison_response_id: z.string().nullish(),
    })
    .optional(),
  prompt_cache_retention: CacheRetention,
  reasoning: z
    .strictObject({
      effort: ReasoningEffort,
      summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
      generate_summary: z.enum(['auto', 'concise', 'detailed']).nullish(),
      context: z.enum(['auto', 'current_turn', 'all_turns']).nullish(),
      mode: z.string().optional(),
    })
    .nullish(),
  safety_identifier: z.string().nullish(),
  service_tier: z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']).nullish(),
  store: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z.strictObject({ include_obfuscation: z.boolean().optional() }).nullish(),
  temperature: Temperature,
  text: z.strictObject({ format: TextFormat.optional(), verbosity: Verbosity }).optional(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('function'), name: z.string() }),
        z.strictObject({ type: z.literal('custom'), name: z.string() }),
        z.strictObject({
          type: z.literal('allowed_tools'),
          mode: z.enum(['auto', 'required']),
          tools: z.array(JsonObject),
        }),
      ]),
    ])
    .optional(),
  tools: z.array(Tool).max(128).optional(),
  top_logprobs: z.int().min(0).max(20).nullish(),
  top_p: TopP,
  truncation: z.enum(['auto', 'disabled']).nullish(),
  user: z.string().optional(),
})
export type ResponsesInput = z.output<typeof ResponsesInput>
export type ResponsesItem = Exclude<ResponsesInput['input'], string>[number]
