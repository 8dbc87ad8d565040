import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { email, name } from '../../contract/fields.ts'
import { Entitlement, terms } from '../entitlements/contract.ts'

const order = z.object({
  email,
  workspaceName: name('the organization’s name').optional(),
  company: name('the company’s name').optional(),
  name: name('the person’s name').optional(),
  serviceId: Id,
  redirectUri: z.string().min(1).max(2000),
  entitlement: Entitlement.optional(),
  accountId: Id.optional().describe(
    'The ID of the account to create. With it, an address that has another account is 409 `account_exists`, and nothing is changed.',
  ),
})

/** IDN-41. The entitlement’s fields can also be sent alongside the others. */
export const Checkout = order
  .extend(z.object(terms).partial().shape)
  .refine((input) => input.workspaceName ?? input.company, {
    path: ['workspaceName'],
    message: 'workspaceName or company is required.',
  })
  .transform(({ mode, paidAppCount, appSlugs, seats, ...input }) => {
    const fields = { mode, paidAppCount, appSlugs, seats }
    const isSet = Object.values(fields).some((value) => value !== undefined)
    return isSet && !input.entitlement ? { ...input, entitlement: fields } : input
  })
  .pipe(order)
export type Checkout = z.infer<typeof Checkout>

export const ProvisioningResult = z.object({
  orgId: Id,
  userId: Id,
  created: z.boolean().describe('False when the person already owned an organization.'),
  loginUrl: z
    .string()
    .describe(
      'Signs the person in, once. Redirect the browser that completed the payment to it, and don’t share it with anyone else.',
    ),
  expiresAt: Timestamp,
})

/** As the dashboard sends it. */
export type ProvisionDraft = z.input<typeof order> & { accountId: string }

/** As its client reads it. */
export const ReceivedProvisioning = ProvisioningResult.extend({ expiresAt: z.coerce.date() })
export type ReceivedProvisioning = z.output<typeof ReceivedProvisioning>
