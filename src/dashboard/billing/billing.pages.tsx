import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { BillingOverview } from '#views/dashboard/billing/billing.tsx'
import { getBilling } from './billing.operations.tsx'
import { OrderedFlag } from './contract.ts'

export const billingPage = page({
  path: '/settings/billing',
  permission: 'role:owner',
  frame: 'settings',
  screen: 'plans',
  icon: 'credit-card',
  keywords: 'plan invoices seats package subscription',
  title: 'Billing',
  summary: 'Package, seats, invoices and payment methods.',
  query: z.object({ ordered: ignoreInvalid(OrderedFlag) }),
  load: ({ ask, actor, input }) => {
    if (!actor.organization) throw notFound('organization')
    return ask(getBilling, { id: actor.organization.id, ordered: input.ordered ?? false })
  },
  view: (billing) => <BillingOverview billing={billing} />,
})
