import { z } from 'zod'
import { words } from '#lib/words.ts'

export const SlugQuery = z.object({ slug: words(1000).default('') })

export const SlugAvailability = z.object({
  available: z.boolean(),
  slug: z.string(),
  reason: z.enum(['available', 'taken', 'invalid', 'reserved', 'empty']),
})
export type SlugAvailability = z.infer<typeof SlugAvailability>
