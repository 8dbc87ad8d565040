import { z } from 'zod'
import { Provider } from './networks.ts'

/** Hashtags or mentions that a brand can write again. */
export const SuggestionList = z.object({
  items: z.array(
    z.object({
      text: z.string().describe('With its `#` or `@`.'),
      posts: z.int().describe('How many of the newest 300 posts contain it.'),
      providers: z.array(Provider).describe('The networks of those posts. A mention can be another account elsewhere.'),
    }),
  ),
})
export type SuggestionList = z.output<typeof SuggestionList>
