import type { ImagesResponse } from 'openai/resources/images'
import { z } from 'zod'
import type { PracticeModel } from '../catalog.ts'
import { drawPicture } from '../generate/picture.ts'
import { countTokens, tokensPerImage } from '../generate/tokens.ts'
import { json, type Accepted, type AcceptContext, type Answer } from '../wire.ts'
import { check, requireModel } from './check.ts'
import { sseNamed, unix } from './common.ts'
import { toFields } from './form.ts'
import { invalidRequest } from './wire.ts'

const sizes = ['1024x1024', '1536x1024', '1024x1536', 'auto'] as const

const fields = {
  model: z.string(),
  prompt: z.string().min(1).max(32_000),
  background: z.enum(['transparent', 'opaque', 'auto']).nullish(),
  n: z.int().min(1).max(10).nullish(),
  output_compression: z.int().min(0).max(100).nullish(),
  output_format: z.enum(['png', 'jpeg', 'webp']).nullish(),
  partial_images: z.int().min(0).max(3).nullish(),
  quality: z.enum(['low', 'medium', 'high', 'auto']).nullish(),
  safety_identifier: z.string().nullish(),
  size: z.enum(sizes).nullish(),
  stream: z.boolean().nullish(),
  user: z.string().optional(),
}

const GenerateInput = z.strictObject({ ...fields, moderation: z.enum(['low', 'auto']).nullish() })

const types = ['image/png', 'image/jpeg', 'image/webp']
const Picture = z
  .instanceof(File)
  .refine(
    ({ type }) => types.includes(type.split(';')[0] ?? ''),
    `Invalid file. Supported types are: ${types.join(', ')}.`,
  )
const EditInput = z.strictObject({
  ...fields,
  image: z.union([Picture, z.array(Picture).min(1).max(16)]),
  mask: Picture.optional(),
  input_fidelity: z.enum(['high', 'low']).nullish(),
})
type Wanted = z.output<z.ZodObject<typeof fields>>

export function acceptImageGeneration(given: unknown, { now }: AcceptContext): Accepted {
  const input = check(GenerateInput, given)
  const model = requireModel(input.model, 'image', 'images/generations')
  return acceptDrawing(input, { model, images: 0, event: 'image_generation', seed: '', now })
}

export async function acceptImageEdit(given: unknown, { now }: AcceptContext): Promise<Accepted> {
  const input = check(EditInput, given instanceof FormData ? toFields(given) : given)
  const model = requireModel(input.model, 'image', 'images/edits')
  const images = [input.image].flat()
  const sums = await Promise.all(images.map(async (image) => Bun.hash.crc32(await image.arrayBuffer())))
  return acceptDrawing(input, { model, images: images.length, event: 'image_edit', seed: sums.join(), now })
}

interface Drawing {
  model: PracticeModel
  /** How many images the request contains. */
  images: number
  event: 'image_generation' | 'image_edit'
  seed: string
  now: Date
}

/** Output tokens of a square image. */
const tokensByQuality = { low: 272, medium: 1056, high: 4160 }
const longTokensByQuality = { low: 408, medium: 1584, high: 6240 }

function acceptDrawing(input: Wanted, { model, images, event, seed, now }: Drawing): Accepted {
  const { n, stream, partial_images: partial } = input
  if (partial && !stream)
    throw invalidRequest("The 'partial_images' parameter is only allowed when 'stream' is enabled.", {
      param: 'partial_images',
    })
  const count = n ?? 1
  const quality = input.quality && input.quality !== 'auto' ? input.quality : 'medium'
  const size = input.size && input.size !== 'auto' ? input.size : '1024x1024'
  const format = input.output_format ?? 'png'
  const background = input.background === 'transparent' ? 'transparent' : 'opaque'
  if (background === 'transparent' && format === 'jpeg')
    throw invalidRequest('Transparent background is not supported for JPEG.', { param: 'background' })
  const [width = 0, height = 0] = size.split('x').map(Number)
  return {
    model: model.id,
    answer: async ({ tokens }) => {
      const each = tokens ?? (size === '1024x1024' ? tokensByQuality : longTokensByQuality)[quality]
      const text = countTokens(input.prompt)
      const output = each * count
      const response = {
        created: unix(now),
        background,
        output_format: format,
        quality,
        size,
        data: await Promise.all(
          Array.from({ length: count }, async (_, at) => ({
            b64_json: await drawPicture(`${input.prompt} ${seed} ${at}`, { width, height, format }),
          })),
        ),
        usage: {
          input_tokens: text + images * tokensPerImage,
          input_tokens_details: { text_tokens: text, image_tokens: images * tokensPerImage },
          output_tokens: output,
          total_tokens: text + images * tokensPerImage + output,
          output_tokens_details: { image_tokens: output, text_tokens: 0 },
        },
      } satisfies ImagesResponse
      return stream ? streamOf(response, event, partial ?? 0) : json(response)
    },
  }
}

type Drawn = Required<Pick<ImagesResponse, 'background' | 'output_format' | 'quality' | 'size' | 'usage'>> & {
  created: number
  data: { b64_json: string }[]
}

function streamOf({ data, created, usage, ...facts }: Drawn, event: Drawing['event'], partial: number): Answer {
  return {
    events: data.flatMap(({ b64_json: image }) => {
      const common = { b64_json: image, created_at: created, ...facts }
      const partials = Array.from({ length: partial }, (_, at) => ({
        type: `${event}.partial_image`,
        ...common,
        partial_image_index: at,
      }))
      return [...partials.map(sseNamed), sseNamed({ type: `${event}.completed`, ...common, usage })]
    }),
  }
}
