import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { nullableField, plainText } from '#lib/text.ts'
import { Text, Version } from '../posts/input.ts'

export const CorrectionInput = z.object({
  id: Id,
  text: Text.describe('The whole new text, within the limits of the network.'),
  reason: nullableField(plainText(500).trim())
    .optional()
    .describe('Why the post is corrected. Only people of the organization see it.'),
  version: Version,
})
export type CorrectionInput = z.output<typeof CorrectionInput>
