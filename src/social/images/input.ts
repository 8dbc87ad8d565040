import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { ImageSize, ImageStatus } from '../contract.ts'

const maxImages = 4

export const ImageOrder = z.object({
  brandId: Id,
  prompt: plainText(4000).trim().min(1, 'Describe the image.'),
  size: ImageSize.default('1024x1024'),
  count: z.coerce.number().int().min(1).max(maxImages).default(1),
  model: optionalField(plainText(241)).describe(
    'Another model of the organization’s catalog, for this request only. Needs images:override.',
  ),
  useBrandColors: z
    .union([z.boolean(), z.stringbool()], 'Must be true or false.')
    .default(false)
    .describe('Adds the brand’s colors to the prompt.'),
})
export type ImageOrder = z.output<typeof ImageOrder>

export const OperatorImageOrder = ImageOrder.extend({
  userId: Id.optional().describe('The member on whose behalf it is generated.'),
})

export const ImageFilter = z.object({ ...paging, brandId: Id.optional(), status: ImageStatus.optional() })
export type ImageFilter = z.output<typeof ImageFilter>
