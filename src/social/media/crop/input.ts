import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { aspects } from '#lib/images/edit.ts'
import { optionalField } from '#lib/text.ts'

/** Forms send numbers as text. */
const Degrees = z.coerce.number().pipe(z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]))

export const MediaCrop = z
  .object({
    id: Id,
    aspect: optionalField(z.enum(aspects)).describe('Of the largest frame that fits. The whole image when not set.'),
    rotate: Degrees.default(0).describe('Degrees, clockwise, before it is cropped.'),
    keep: z
      .enum(['start', 'center', 'end'])
      .default('center')
      .describe('The part that is kept: the top or left, the middle, or the bottom or right.'),
  })
  .refine(({ aspect, rotate }) => aspect !== undefined || rotate !== 0, {
    path: ['aspect'],
    message: 'Choose a format or a rotation.',
  })
export type MediaCrop = z.output<typeof MediaCrop>
