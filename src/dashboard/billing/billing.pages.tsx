import { z } from 'zod'
import { notFound, Problem } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { BillingOverview, type BillingChosen } from '#views/dashboard/billing/billing.tsx'
import { getBilling, previewBilling } from './billing.operations.tsx'
import { BillingChoice, OrderedFlag } from './contract.ts'

export const billingPage = page({
  path: '/settings/billing',
  permission: 'role:owner',
  frame: 'settings',
  screen: 'plans',
  icon: 'credit-card',
  keywords: 'plan invoices seats package subscription',
  title: 'Billing',
  summary: 'Package, seats, invoices and payment methods.',
  query: z.object({
    ordered: ignoreInvalid(OrderedFlag),
    package: ignoreInvalid(BillingChoice.shape.package),
    seats: ignoreInvalid(BillingChoice.shape.seats),
  }),
  load: async ({ ask, actor, input: { ordered = false, ...choice } }) => {
    if (!actor.organization) throw notFound('organization')
    const { id } = actor.organization
    const billing = await ask(getBilling, { id, ordered })
    const isAsked = choice.package !== undefined && choice.seats !== undefined
    const quote: BillingChosen['quote'] = isAsked
      ? await ask(previewBilling, { id, ...choice }).then((preview) => ({ preview }), problemOf)
      : null
    return { billing, chosen: { package: choice.package, seats: choice.seats, quote } }
  },
  view: (props) => <BillingOverview {...props} />,
})

function problemOf(error: unknown): { problem: string } {
  if (error instanceof Problem) return { problem: error.message }
  throw error
}
