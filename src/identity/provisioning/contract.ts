import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { email, name } from '../contract/fields.ts'
import { Entitlement, terms } from '../entitlements/contract.ts'

const order = z.object({
  email,
  workspaceName: name('The workspace’s name').optional(),
  company: name('The company’s name').optional(),
  name: name('The person’s name').optional(),
  serviceId: Id,
  redirectUri: z.string().min(1).max(2000),
  entitlement: Entitlement.optional(),
})

/** IDN-41: what a checkout that went through asks for. The entitlement's fields may stand beside the others, too. */
export const Checkout = order
  .extend(z.object(terms).partial().shape)
  .refine((input) => input.workspaceName ?? input.company, {
    path: ['workspaceName'],
    message: 'Send a workspaceName or a company.',
  })
  .transform(({ mode, paidAppCount, appSlugs, seats, ...input }) => {
    const beside = { mode, paidAppCount, appSlugs, seats }
    const isSaid = Object.values(beside).some((value) => value !== undefined)
    return isSaid && !input.entitlement ? { ...input, entitlement: beside } : input
  })
  .pipe(order)
export type Checkout = z.infer<typeof Checkout>

export const Provisioned = z.object({
  orgId: Id,
  userId: Id,
  created: z.boolean().describe('False where the person owned a workspace already.'),
  loginUrl: z.string().describe('Signs the person in, once. For the browser that has just paid, and nobody else.'),
  expiresAt: Timestamp,
})
