import { z } from 'zod'
import { notFound } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { BillingOverview } from '#views/dashboard/billing/billing.tsx'
import { getBilling } from './billing.operations.tsx'

export const billingPage = page({
  path: '/settings/billing',
  permission: 'role:owner',
  frame: 'settings',
  screen: 'plans',
  icon: 'credit-card',
  keywords: 'plan invoices seats package subscription',
  title: 'Billing',
  summary: 'Package, seats, invoices and payment methods.',
  query: z.object({}),
  load: ({ ask, actor }) => {
    if (!actor.organization) throw notFound('organization')
    return ask(getBilling, { id: actor.organization.id })
  },
  view: (billing) => <BillingOverview billing={billing} />,
})
