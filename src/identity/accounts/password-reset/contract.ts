import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { email, NewPassword } from '../../contract/fields.ts'

export const PasswordResetRequest = z.object({ email })

/** The same for every address, with an account or without. */
export const PasswordResetSent = z.object({ status: z.literal('reset_sent'), email: z.string() })

/** A form without a checked box sends one empty item. */
const Removed = z.preprocess(
  (value) => (Array.isArray(value) ? value.filter((item) => item !== '') : value),
  z.array(Id).max(200),
)

export const PasswordReset = z.object({
  token: z.string().max(200),
  password: NewPassword,
  remove: Removed.optional().describe(
    'IDs of passkeys and connected identities to remove. Default: those added in the last 30 days.',
  ),
})
export type PasswordReset = z.infer<typeof PasswordReset>
