import { z } from 'zod'
import type { Adapter } from '../adapter.ts'
import { noParts } from '../map-adapter.ts'
import { CallMetadata, RequestedModel } from './chat-types.ts'

const tokens = z.array(z.int().min(0))
export const EmbeddingRequest = z.looseObject({
  model: RequestedModel.default('embedding'),
  input: z.union([z.string(), z.array(z.string()).min(1), tokens.min(1), z.array(tokens).min(1)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.int().min(1).nullish(),
  metadata: CallMetadata,
})
export type EmbeddingRequest = z.output<typeof EmbeddingRequest>

const count = z.number().min(0).nullish()
const Embeddings = z.looseObject({
  data: z.array(z.unknown()),
  usage: z.looseObject({ prompt_tokens: count, total_tokens: count }).nullish(),
})

/** The vectors are passed on as they are: clients ask for base64 and decode it themselves. */
export const openAiEmbeddings = (request: EmbeddingRequest, model: string): Adapter<never> => ({
  path: '/embeddings',
  body: () => JSON.stringify({ ...request, model }),
  read: (json) => {
    const body = Embeddings.parse(json)
    const inputTokens = body.usage?.prompt_tokens ?? body.usage?.total_tokens ?? null
    return { body, usage: inputTokens === null ? null : { inputTokens, outputTokens: 0 }, outputBytes: 0 }
  },
  parts: noParts,
})
