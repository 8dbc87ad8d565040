import { z } from 'zod'
import { Timestamp } from '#lib/time.ts'
import { email, next } from '../../contract/fields.ts'

export const MagicLinkRequest = z.object({ email, next })
export type MagicLinkRequest = z.infer<typeof MagicLinkRequest>

/** The same for known and unknown addresses. */
export const MagicLinkSent = z.object({ status: z.literal('link_sent'), email: z.string() })

export const MagicLink = z.object({
  name: z.string().describe('The person’s name.'),
  email: z.string(),
  organization: z
    .string()
    .nullable()
    .describe('The name of the organization that you’ll sign in to; null for the personal context.'),
  firstOpenedAt: Timestamp.nullable().describe('When the link was first opened.'),
})
export type MagicLink = z.output<typeof MagicLink>

export const MagicLinkToken = z.object({ token: z.string().max(200) })
