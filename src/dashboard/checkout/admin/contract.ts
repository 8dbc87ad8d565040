import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { checkoutStates } from '../../schema/checkouts.ts'
import { CheckoutState } from '../contract.ts'

export const AdminCheckout = CheckoutState.pick({
  id: true,
  state: true,
  package: true,
  seats: true,
  organizationName: true,
  apps: true,
  paidAt: true,
  readyAt: true,
  createdAt: true,
}).extend({
  problem: z
    .string()
    .nullable()
    .describe(
      'Why it is `refused`: `not_a_customer`, `workspace_suspended` or `account_deletion_pending` of the email address, `order_unclaimed` or `order_ended`.',
    ),
  email: z.string(),
  organizationId: Id.nullable().describe('Of the organization that it was used for.'),
  signedInAt: Timestamp.nullable().describe('When the browser that paid signed in.'),
})
export type AdminCheckout = z.output<typeof AdminCheckout>

export const AdminCheckoutFilter = z.object({
  q: optionalField(plainText(100).trim()).describe(
    'Beginnings of words of the email address, its domain or the organization’s name.',
  ),
  state: optionalField(z.enum(checkoutStates)),
  ...paging,
})
export type AdminCheckoutFilter = z.output<typeof AdminCheckoutFilter>

export const AdminCheckoutList = listOf(AdminCheckout)
