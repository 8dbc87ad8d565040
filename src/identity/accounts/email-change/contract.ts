import { z } from 'zod'
import { email } from '../../contract/fields.ts'
import { Proof } from '../../sign-in/second-factor/contract.ts'

export const EmailChangeRequest = Proof.extend({ email })
export type EmailChangeRequest = z.infer<typeof EmailChangeRequest>

/** The same whether or not the address is taken: only its mailbox learns that. */
export const EmailChangePending = z.object({ status: z.literal('confirmation_sent'), email: z.string() })

export const OwnEmail = z.object({
  email: z.string(),
  pending: z.string().nullable().describe('The new address, until both addresses have confirmed it.'),
})
export type OwnEmail = z.infer<typeof OwnEmail>

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
