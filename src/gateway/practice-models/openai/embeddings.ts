import { z } from 'zod'
import { embed } from '../generate/vector.ts'
import { json, type Accepted } from '../wire.ts'
import { check, requireModel } from './check.ts'
import { TextOrTokens, textsOf } from './completions.ts'
import { invalidRequest } from './wire.ts'

const maxDimensions = 1536
const maxInputs = 2048
const maxTotalTokens = 300_000

const EmbeddingInput = z.strictObject({
  model: z.string(),
  input: TextOrTokens,
  dimensions: z.int().min(1).max(maxDimensions).optional(),
  encoding_format: z.enum(['float', 'base64']).optional(),
  user: z.string().optional(),
})

export function acceptEmbeddings(given: unknown): Accepted {
  const { model: id, input, dimensions = maxDimensions, encoding_format: format } = check(EmbeddingInput, given)
  const model = requireModel(id, 'embedding', 'embeddings')
  const refuse = (message: string, code: string | null = null) => invalidRequest(message, { param: 'input', code })
  if (Array.isArray(input) && input.length > maxInputs && typeof input[0] !== 'number')
    throw refuse(`Invalid 'input': array too long. Expected an array with maximum length ${maxInputs}.`)
  const texts = textsOf(input, 'input')
  if (texts.some(({ text }) => text === '')) throw refuse("Invalid 'input': input cannot be an empty string.")
  const longest = Math.max(...texts.map(({ tokens }) => tokens))
  if (longest > model.contextTokens)
    throw refuse(
      `This model's maximum context length is ${model.contextTokens} tokens, however you requested ${longest} tokens. Please reduce your prompt.`,
      'context_length_exceeded',
    )
  const tokens = texts.reduce((sum, text) => sum + text.tokens, 0)
  if (tokens > maxTotalTokens)
    throw refuse(
      `Invalid 'input': maximum request size is ${maxTotalTokens} tokens per request.`,
      'max_tokens_per_request',
    )
  return {
    model: id,
    answer: () =>
      json({
        object: 'list',
        data: texts.map(({ text }, index) => ({
          object: 'embedding',
          index,
          embedding: encode(embed(text, dimensions), format),
        })),
        model: id,
        usage: { prompt_tokens: tokens, total_tokens: tokens },
      }),
  }
}

const encode = (vector: Float32Array, format: 'float' | 'base64' | undefined): number[] | string =>
  format === 'base64' ? Buffer.from(vector.buffer).toString('base64') : [...vector]
