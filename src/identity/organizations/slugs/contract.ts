import { z } from 'zod'
import { plainText } from '#lib/text.ts'

export const SlugQuery = z.object({ slug: plainText(1000).default('') })

export const SlugAvailability = z.object({
  available: z.boolean(),
  slug: z.string(),
  reason: z.enum(['available', 'taken', 'invalid', 'reserved', 'empty']),
})
export type SlugAvailability = z.infer<typeof SlugAvailability>

export const SlugSuggestion = SlugAvailability.extend({
  suggestion: z.string().nullable().describe('A similar slug that is available, for one that is taken or reserved.'),
})
export type SlugSuggestion = z.infer<typeof SlugSuggestion>
