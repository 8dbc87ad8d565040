import { z } from 'zod'
import { CallMetadata, RequestedModel } from './chat-types.ts'

const Item = z.looseObject({ type: z.string().optional(), role: z.string().optional() })
export type ResponseInputItem = z.output<typeof Item>

/** The parts of a request that the gateway can translate for every provider. */
export const ResponseRequest = z.looseObject({
  model: RequestedModel,
  input: z.union([z.string().min(1), z.array(Item).min(1)]),
  instructions: z.string().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  temperature: z.number().nullish(),
  top_p: z.number().nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish(),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).nullish(),
  text: z.looseObject({ format: z.looseObject({ type: z.string() }).nullish() }).nullish(),
  reasoning: z.looseObject({ effort: z.string().nullish() }).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  metadata: CallMetadata,
})
export type ResponseRequest = z.output<typeof ResponseRequest>

export type OutputItem = Record<string, unknown> & { type: string; id: string }

export interface ResponseEvent {
  type: string
  [field: string]: unknown
}
