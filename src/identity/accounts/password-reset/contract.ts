import { z } from 'zod'
import { withoutEmpty } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { email, NewPassword } from '../../contract/fields.ts'

export const PasswordResetRequest = z.object({ email })

/** The same for every address, with an account or without. */
export const PasswordResetSent = z.object({ status: z.literal('reset_sent'), email: z.string() })

const Removed = withoutEmpty(z.array(Id).max(200))

export const PasswordResetToken = z.object({ token: z.string().max(200) })

/** Other than the password: a reset must remove it explicitly. */
export const SignInMethod = z.object({
  id: Id,
  kind: z.enum(['passkey', 'identity']),
  name: z.string(),
  addedAt: Timestamp,
  isNew: z
    .boolean()
    .describe('Whether it was added in the last 30 days, after sign-up. A reset removes it by default.'),
  isLocked: z
    .boolean()
    .describe('Whether an organization requires it as a second factor. An emailed link alone can’t remove it.'),
})
export type SignInMethod = z.output<typeof SignInMethod>
export type SignInMethodRow = z.input<typeof SignInMethod>

export const PasswordResetLink = z.object({ email: z.string(), methods: z.array(SignInMethod) })
export type PasswordResetLink = z.output<typeof PasswordResetLink>

export const PasswordReset = z.object({
  token: z.string().max(200),
  password: NewPassword,
  remove: Removed.optional().describe(
    'IDs of passkeys and connected identities to remove. Default: those added in the last 30 days.',
  ),
})
export type PasswordReset = z.infer<typeof PasswordReset>
