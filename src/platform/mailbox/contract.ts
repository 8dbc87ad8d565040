import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

export const KeptMail = z.object({
  id: Id,
  recipient: z.string(),
  subject: z.string(),
  createdAt: Timestamp,
})
export type KeptMail = z.output<typeof KeptMail>

export const KeptMailDetail = KeptMail.extend({
  text: z.string(),
  html: z.string(),
  calendar: z
    .object({ method: z.enum(['REQUEST', 'CANCEL']), content: z.string() })
    .optional()
    .describe('The attached iCalendar file of an invitation.'),
})
export type KeptMailDetail = z.output<typeof KeptMailDetail>

export const KeptMailFilter = z.object({
  q: plainText(200).optional().describe('Part of the subject or the recipient.'),
})
export type KeptMailFilter = z.output<typeof KeptMailFilter>

export const KeptMailList = listOf(KeptMail)
export type KeptMailList = z.output<typeof KeptMailList>
