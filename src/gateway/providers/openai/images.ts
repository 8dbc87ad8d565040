import { z } from 'zod'
import { plainText } from '#lib/text.ts'
import type { TokenUsage } from '../../models/price.ts'
import type { Adapter, Answer } from '../adapter.ts'
import { formOf } from '../form-body.ts'
import { noParts } from '../map-adapter.ts'
import { ModelName } from './chat-types.ts'
import { fileField } from './file-field.ts'

const shared = {
  /** The organization’s, when not set. */
  model: ModelName.optional(),
  prompt: plainText(32_000).min(1),
  stream: z.union([z.boolean(), z.enum(['true', 'false'])]).nullish(),
}

export const ImageRequest = z.looseObject({ ...shared, n: z.int().min(1).max(10).nullish() })
export type ImageRequest = z.output<typeof ImageRequest>

const Picture = fileField('image.png', 'image/png')
/** A form: its numbers arrive as text. */
export const ImageEditRequest = z.looseObject({
  ...shared,
  image: z.union([Picture, z.array(Picture).min(1).max(16)]),
  mask: Picture.optional(),
  n: z.coerce.number().int().min(1).max(10).optional(),
})
export type ImageEditRequest = z.output<typeof ImageEditRequest>

export const openAiImages = (request: ImageRequest, model: string): Adapter<never> => ({
  path: '/images/generations',
  body: () => JSON.stringify({ ...request, model }),
  read: readImages,
  parts: noParts,
})

export const openAiImageEdits = (request: ImageEditRequest, model: string): Adapter<never> => ({
  path: '/images/edits',
  body: () => formOf({ ...request, model }, ['image']),
  read: readImages,
  parts: noParts,
})

const count = z.number().min(0).nullish()
const Images = z.looseObject({
  data: z.array(z.unknown()),
  usage: z
    .looseObject({
      input_tokens: count,
      output_tokens: count,
      input_tokens_details: z.looseObject({ image_tokens: count }).nullish(),
    })
    .nullish(),
})

function readImages(json: unknown): Answer {
  const body = Images.parse(json)
  const { usage } = body
  const isCounted = usage?.output_tokens !== undefined && usage.output_tokens !== null
  const counted: TokenUsage | null = isCounted
    ? {
        inputTokens: usage.input_tokens ?? 0,
        inputImageTokens: usage.input_tokens_details?.image_tokens ?? 0,
        outputTokens: usage.output_tokens ?? 0,
        outputImageTokens: usage.output_tokens ?? 0,
      }
    : null
  return { body, usage: counted, outputBytes: 0 }
}
