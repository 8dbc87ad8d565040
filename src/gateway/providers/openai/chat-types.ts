import { z } from 'zod'
import { plainText } from '#lib/text.ts'

/** `provider/model`, or a model’s name. It becomes a header of the response. */
export const ModelName = z
  .string()
  .min(1)
  .max(241)
  .regex(/^[!-~]+$/, 'Must be visible ASCII characters without spaces.')

/** Also a use case, for its whole chain. */
export const RequestedModel = ModelName.default('text')

/** Kept with the usage, and not sent to providers. */
export const CallMetadata = z
  .record(plainText(64), plainText(512))
  .refine((fields) => Object.keys(fields).length <= 16, 'Must have at most 16 fields.')
  .refine((fields) => Buffer.byteLength(JSON.stringify(fields)) <= 1024, 'Must have at most 1 KiB.')
  .nullish()

const Message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
})

/** The parts of a request that the gateway reads; all others reach the provider unchanged. */
export const ChatRequest = z.looseObject({
  model: RequestedModel,
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.int().min(1).nullish(),
  max_completion_tokens: z.int().min(1).nullish(),
  n: z.int().min(1).max(128).nullish(),
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
  metadata: CallMetadata,
})
export type ChatRequest = z.output<typeof ChatRequest>
export type ChatMessage = ChatRequest['messages'][number]

const count = z.number().min(0).nullish()
export const ChatUsage = z.looseObject({
  prompt_tokens: z.number().min(0),
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: z.looseObject({ cached_tokens: count, audio_tokens: count, image_tokens: count }).nullish(),
  completion_tokens_details: z
    .looseObject({ reasoning_tokens: count, audio_tokens: count, image_tokens: count })
    .nullish(),
})
export type ChatUsage = z.output<typeof ChatUsage>

const ToolCall = z.looseObject({
  id: z.string().optional(),
  function: z.looseObject({ name: z.string().optional(), arguments: z.string().optional() }).optional(),
})

const text = z.string().nullish()

export const ChatCompletion = z.looseObject({
  id: z.string().default(''),
  model: z.string().optional(),
  created: z.number().optional(),
  choices: z.array(
    z.looseObject({
      finish_reason: text,
      message: z.looseObject({
        content: text,
        refusal: text,
        reasoning_content: text,
        tool_calls: z.array(ToolCall).nullish(),
      }),
    }),
  ),
  usage: ChatUsage.nullish(),
})
export type ChatCompletion = z.output<typeof ChatCompletion>

const StreamedToolCall = ToolCall.extend({ index: z.int().optional() })

export const ChatChunk = z.looseObject({
  id: z.string().default(''),
  model: z.string().optional(),
  created: z.number().optional(),
  choices: z
    .array(
      z.looseObject({
        index: z.int().default(0),
        finish_reason: text,
        delta: z
          .looseObject({
            content: text,
            refusal: text,
            reasoning_content: text,
            tool_calls: z.array(StreamedToolCall).nullish(),
          })
          .nullish(),
      }),
    )
    .default([]),
  usage: ChatUsage.nullish(),
})
export type ChatChunk = z.output<typeof ChatChunk>

export const ErrorBody = z.looseObject({
  error: z.looseObject({
    message: z.string().default('The provider reported an error.'),
    type: z.string().nullish(),
    code: z.union([z.string(), z.number()]).nullish(),
    param: z.string().nullish(),
  }),
})
