import { z } from 'zod'
import { Timestamp } from '#lib/time.ts'
import { email } from '../../contract/fields.ts'
import { Proof } from '../../sign-in/second-factor/contract.ts'

export const EmailChangeRequest = Proof.extend({ email })
export type EmailChangeRequest = z.infer<typeof EmailChangeRequest>

/** The same whether or not the address is taken: only its mailbox learns that. */
export const EmailChangePending = z.object({ status: z.literal('confirmation_sent'), email: z.string() })

export const OwnEmail = z.object({
  email: z.string(),
  pending: z
    .object({
      email: z.string().describe('The new address.'),
      confirmed: z.object({ current: z.boolean(), new: z.boolean() }).describe('Which addresses have confirmed it.'),
      expiresAt: Timestamp.describe('When the links expire.'),
    })
    .nullable()
    .describe('The change that both addresses have to confirm.'),
})
export type OwnEmail = z.output<typeof OwnEmail>
export type OwnEmailRow = z.input<typeof OwnEmail>

export const EmailChangeConfirmation = z.object({ token: z.string().max(200) })

export const EmailChangeLink = z.object({
  from: z.string().describe('The current address.'),
  to: z.string().describe('The new address.'),
})
export type EmailChangeLink = z.infer<typeof EmailChangeLink>

export const EmailChange = z.object({
  status: z.enum(['waiting', 'changed']).describe('`waiting` until both addresses have confirmed the change.'),
  email: z.string().describe('The new address.'),
})
export type EmailChange = z.infer<typeof EmailChange>
