import { z } from 'zod'
import { publicUrl } from '#lib/public-url.ts'
import { Id, newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { BillingOverview } from '#views/dashboard/billing/billing.tsx'
import { BillingPayerFacts } from '#views/dashboard/billing/payer.tsx'
import { BillingQuote } from '#views/dashboard/billing/quote.tsx'
import {
  Billing,
  BillingAddress,
  BillingCancellation,
  BillingChange,
  BillingChoice,
  BillingOrder,
  BillingPayer,
  BillingPreview,
  BillingQuery,
} from './contract.ts'
import { readBilling, readBuyer, requireSubscription } from './read.ts'

const one = z.object({ id: Id })
const place = '/settings/billing'

const ofOwner = {
  permission: 'role:owner',
  transaction: false,
  problems: {
    already_subscribed: 409,
    gateway_unavailable: 503,
    invoice_unpaid: 409,
    no_subscription: 409,
    organization_suspended: 409,
    outcome_unknown: 502,
    payments_unavailable: 503,
    payment_declined: 402,
    preview_changed: 409,
    preview_expired: 409,
    seats_in_use: 409,
    subscription_busy: 409,
    subscription_state: 409,
  },
} as const

export const getBilling = operation({
  ...ofOwner,
  route: 'GET /api/organizations/:id/billing',
  summary: 'Get the plan and invoices of your organization',
  input: BillingQuery,
  output: Billing,
  run: (call) => readBilling(call, call.input.id, call.input.ordered),
  view: (billing) => <BillingOverview billing={billing} />,
})

export const getBillingPayer = operation({
  ...ofOwner,
  route: 'GET /api/organizations/:id/billing/payer',
  summary: 'Get the payment method and billing details',
  input: one,
  output: BillingPayer,
  run: async (call) => {
    const { id } = await requireSubscription(call, call.input.id)
    return { ...(await call.subscriptions.payer(id)), organizationId: call.input.id }
  },
  view: (payer) => <BillingPayerFacts payer={payer} />,
})

export const previewBilling = operation({
  ...ofOwner,
  route: 'GET /api/organizations/:id/billing/preview',
  summary: 'Preview the price of another package or seats',
  input: BillingChoice,
  output: BillingPreview,
  run: async (call) => {
    const { id: organizationId, package: name, seats } = call.input
    const { id: subscriptionId } = await requireSubscription(call, organizationId)
    const preview = await call.subscriptions.preview({
      subscriptionId,
      ...(name !== undefined && { package: name }),
      ...(seats !== undefined && { seats }),
    })
    return { ...preview, organizationId }
  },
  view: (preview) => <BillingQuote preview={preview} />,
})

export const changeBilling = operation({
  ...ofOwner,
  route: 'POST /api/organizations/:id/billing/change',
  summary: 'Change the package or seats',
  input: BillingChange,
  output: Billing,
  run: async (call) => {
    const { id: organizationId, package: name, seats, prorationDate, amountDue } = call.input
    const { id } = await requireSubscription(call, organizationId)
    await call.subscriptions.change({
      id,
      ...(name !== undefined && { package: name }),
      ...(seats !== undefined && { seats }),
      prorationDate: prorationDate.toISOString(),
      amountDue,
    })
    return reply(200, await readBilling(call, organizationId), { toast: 'Plan changed', next: place })
  },
  view: (billing) => <BillingOverview billing={billing} />,
})

export const cancelBilling = operation({
  ...ofOwner,
  route: 'POST /api/organizations/:id/billing/cancel',
  summary: 'Cancel or resume the subscription',
  input: BillingCancellation,
  output: Billing,
  run: async (call) => {
    const { id: organizationId, resume } = call.input
    const { id } = await requireSubscription(call, organizationId)
    await call.subscriptions.cancel({ id, resume })
    return reply(200, await readBilling(call, organizationId), { next: place })
  },
  view: (billing) => <BillingOverview billing={billing} />,
})

export const createBillingPortal = operation({
  ...ofOwner,
  route: 'POST /api/organizations/:id/billing/portal',
  summary: 'Create a billing portal session',
  input: one,
  output: BillingAddress,
  run: async (call) => {
    const { id } = await requireSubscription(call, call.input.id)
    const returnUrl = publicUrl(place, call.config, call.request)
    const { url } = await call.subscriptions.portal({ id, returnUrl })
    return reply(200, { url }, { next: url })
  },
})

export const orderPackage = operation({
  ...ofOwner,
  route: 'POST /api/organizations/:id/billing/checkout',
  summary: 'Start a checkout for your organization',
  input: BillingOrder,
  output: BillingAddress,
  run: async (call) => {
    const { id: organizationId, package: name, seats } = call.input
    const { organization, user } = await readBuyer(call, organizationId)
    const back = publicUrl(place, call.config, call.request)
    const paid = `${back}?ordered=true`
    const { checkoutUrl } = await call.subscriptions.checkout(
      {
        package: name,
        seats,
        ownerId: organizationId,
        email: user.email,
        name: organization,
        successUrl: paid,
        cancelUrl: back,
      },
      newId(),
      call.config.PUBLIC_URL === undefined ? call.request.url.origin : null,
    )
    const url = checkoutUrl ?? paid
    return reply(200, { url }, { next: url })
  },
})
