import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { SuggestionList } from '../contract.ts'
import { findSuggestions } from './find.ts'

export const listSuggestions = operation({
  route: 'GET /api/brands/:id/suggestions',
  summary: 'List hashtags or mentions of a brand',
  permission: 'posts:read',
  machine: true,
  input: z.object({
    id: Id,
    kind: z.enum(['hashtag', 'mention'], 'Must be hashtag or mention.'),
    prefix: optionalField(plainText(100)).describe('How it begins, with or without its `#` or `@`.'),
  }),
  output: SuggestionList,
  run: (call) => findSuggestions(call, call.input),
})
