import { z } from 'zod'
import { email, NewPassword } from '../contract/fields.ts'

export const PasswordResetRequest = z.object({ email })

/** The same for every address. */
export const PasswordResetSent = z.object({ status: z.literal('reset_sent'), email: z.string() })

export const PasswordReset = z.object({ token: z.string().max(200), password: NewPassword })
export type PasswordReset = z.infer<typeof PasswordReset>
