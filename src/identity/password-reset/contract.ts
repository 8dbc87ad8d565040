import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { email, NewPassword } from '../contract/fields.ts'

export const PasswordResetRequest = z.object({ email })

/** The same for every address. */
export const PasswordResetSent = z.object({ status: z.literal('reset_sent'), email: z.string() })

/** An unticked form still sends one empty item. */
const Removed = z.preprocess(
  (value) => (Array.isArray(value) ? value.filter((item) => item !== '') : value),
  z.array(Id).max(200),
)

export const PasswordReset = z.object({
  token: z.string().max(200),
  password: NewPassword,
  remove: Removed.optional().describe(
    'The passkeys and connected identities that end with it; those added in the last 30 days when not said.',
  ),
})
export type PasswordReset = z.infer<typeof PasswordReset>
