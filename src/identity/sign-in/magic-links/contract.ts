import { z } from 'zod'
import { email, next } from '../../contract/fields.ts'

export const MagicLinkRequest = z.object({ email, next })
export type MagicLinkRequest = z.infer<typeof MagicLinkRequest>

/** The same for known and unknown addresses. */
export const MagicLinkSent = z.object({ status: z.literal('link_sent'), email: z.string() })

export const MagicLinkToken = z.object({ token: z.string().max(200) })
