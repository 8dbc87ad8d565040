import { z } from 'zod'
import { nullableField } from '#lib/text.ts'
import { email } from '../../contract/fields.ts'
import { Proof } from '../../sign-in/second-factor/contract.ts'

/** IDN-07. */
export const RecoveryEmail = z.object({
  status: z.enum(['missing', 'pending', 'verified']),
  email: z.string().nullable(),
})
export type RecoveryEmail = z.infer<typeof RecoveryEmail>

/** `null` removes it. */
export const RecoveryEmailEdit = Proof.extend({
  email: nullableField(email),
})
export type RecoveryEmailEdit = z.infer<typeof RecoveryEmailEdit>

export const RecoveryEmailLink = z.object({ email: z.string() })
export type RecoveryEmailLink = z.infer<typeof RecoveryEmailLink>

export const RecoveryEmailConfirmation = z.object({ token: z.string().max(200) })
