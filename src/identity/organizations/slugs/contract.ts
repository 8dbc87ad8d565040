import { z } from 'zod'
import { plainText } from '#lib/text.ts'

export const SlugQuery = z.object({ slug: plainText(1000).default('') })

export const SlugAvailability = z.object({
  available: z.boolean(),
  slug: z.string(),
  reason: z.enum(['available', 'taken', 'invalid', 'reserved', 'empty']),
})
export type SlugAvailability = z.infer<typeof SlugAvailability>
