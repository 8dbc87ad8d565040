import { and, eq } from 'drizzle-orm'
import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { Id, newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { byId } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import {
  CurrentSubscription,
  PackageList,
  PackagePrice,
  PackagePriceDraft,
  Subscription,
  SubscriptionCancellation,
  SubscriptionChange,
  SubscriptionCheckout,
  SubscriptionCheckoutResult,
  SubscriptionFilter,
  SubscriptionInvoiceFilter,
  SubscriptionInvoiceList,
  SubscriptionList,
  SubscriptionOwner,
  SubscriptionPayer,
  SubscriptionPortal,
  SubscriptionPortalInput,
  SubscriptionPreview,
  SubscriptionPreviewInput,
  SubscriptionState,
} from '../contract/subscriptions.ts'
import { providerProblems } from '../provider-problems.ts'
import { subscriptions } from '../schema.ts'
import { cancelAtPeriodEnd } from './cancel.ts'
import { endNow } from './end-now.ts'
import { changeSubscription as change } from './changes/change.ts'
import { previewChange } from './changes/preview.ts'
import { assignOwner } from './checkout/assign-owner.ts'
import { startCheckout } from './checkout/start.ts'
import { describeAll, describeSubscription } from './describe.ts'
import { listInvoices } from './invoices.ts'
import { syncSubscription } from './provider/sync.ts'
import { readPayer } from './payer.ts'
import { addPrice, listPrices, readPrice } from './prices.ts'
import { findCurrent, findSubscription, payerOf, wrongState, type SubscriptionRow } from './rows.ts'

/** The services that sell packages. */
const sellers = {
  permission: 'service',
  callers: ['platform-dashboard-website', 'platform-dashboard-api'],
} as const

const atProvider = {
  ...sellers,
  transaction: false,
  problems: {
    ...providerProblems,
    idempotency_conflict: 409,
    idempotency_in_progress: 409,
    organization_suspended: 409,
    subscription_busy: 409,
    subscription_state: 409,
    identity_unavailable: 503,
  },
} as const

const describe = async (db: Database, row: SubscriptionRow) =>
  describeSubscription(row, await readPrice(db, row.priceId))

export const listPackages = operation({
  route: 'GET /api/packages',
  summary: 'List packages with their prices',
  permission: 'public',
  input: z.object({}),
  output: PackageList,
  run: ({ db, now }) => listPrices(db, now()),
})

export const createPackagePrice = operation({
  route: 'POST /api/packages/prices',
  summary: 'Create a price of a package',
  permission: 'super-admin',
  input: PackagePriceDraft,
  output: PackagePrice,
  creates: true,
  problems: { price_exists: 409 },
  run: async (call) => reply(201, await addPrice(call, call.input)),
})

export const createSubscriptionCheckout = operation({
  ...atProvider,
  route: 'POST /api/subscriptions/checkout',
  summary: 'Create a checkout for a subscription',
  creates: true,
  input: SubscriptionCheckout,
  output: SubscriptionCheckoutResult,
  answers: { 200: SubscriptionCheckoutResult, 201: SubscriptionCheckoutResult },
  problems: {
    ...atProvider.problems,
    already_subscribed: 409,
    invoice_unpaid: 409,
    seats_in_use: 409,
    trial_used: 409,
  },
  run: async (call) => {
    const { row, isNew } = await startCheckout(call, call.input)
    const result = {
      subscription: await describe(call.db, row),
      checkoutUrl: row.checkoutUrl,
      expiresAt: row.checkoutExpiresAt,
    }
    return reply(isNew ? 201 : 200, result)
  },
})

export const listSubscriptions = operation({
  ...sellers,
  route: 'GET /api/subscriptions',
  summary: 'List subscriptions of an owner',
  input: SubscriptionFilter,
  output: SubscriptionList,
  run: async ({ db, input: { ownerType, ownerId, limit, cursor } }) => {
    const slice = byId(subscriptions.id, 'desc').slice({ limit, ...(cursor !== undefined && { cursor }) })
    const rows = await db
      .select()
      .from(subscriptions)
      .where(and(eq(subscriptions.ownerType, ownerType), eq(subscriptions.organizationId, ownerId), slice.where))
      .orderBy(...slice.order)
      .limit(slice.limit)
    const { items, nextCursor } = slice.page(rows)
    return { items: await describeAll(db, items), nextCursor }
  },
})

export const getCurrentSubscription = operation({
  route: 'GET /api/subscriptions/current',
  summary: 'Get the subscription of your organization',
  permission: 'settings:read',
  input: z.object({}),
  output: CurrentSubscription,
  run: async ({ db, actor }) => {
    const row = await findCurrent(db, organizationOf(actor, 'settings:read'))
    return { subscription: row && (await describe(db, row)) }
  },
})

export const getSubscription = operation({
  ...sellers,
  route: 'GET /api/subscriptions/:id',
  summary: 'Get a subscription',
  input: z.object({ id: Id }),
  output: Subscription,
  run: async ({ db, input }) => describe(db, await findSubscription(db, input.id)),
})

export const listSubscriptionInvoices = operation({
  ...sellers,
  route: 'GET /api/subscriptions/:id/invoices',
  summary: 'List invoices of a subscription',
  input: SubscriptionInvoiceFilter,
  output: SubscriptionInvoiceList,
  run: ({ db, input }) => listInvoices(db, input),
})

export const previewSubscriptionChange = operation({
  ...atProvider,
  route: 'POST /api/subscriptions/preview',
  summary: 'Preview a change of a subscription',
  input: SubscriptionPreviewInput,
  output: SubscriptionPreview,
  problems: { ...atProvider.problems, seats_in_use: 409 },
  audit: false,
  run: (call) => previewChange(call, call.input),
})

export const changeSubscription = operation({
  ...atProvider,
  route: 'POST /api/subscriptions/:id/change',
  summary: 'Change package or seats of a subscription',
  input: SubscriptionChange,
  output: Subscription,
  problems: { ...atProvider.problems, preview_changed: 409, preview_expired: 409, seats_in_use: 409 },
  run: async (call) => describe(call.db, await change(call, call.input)),
})

export const checkSubscriptionNow = operation({
  ...atProvider,
  route: 'POST /api/subscriptions/:id/check',
  summary: 'Check a subscription at the payment provider',
  input: z.object({ id: Id }),
  output: SubscriptionState,
  audit: false,
  run: async (call) => {
    const { db, input } = call
    await findSubscription(db, input.id)
    await syncSubscription(call, input.id)
    const row = await findSubscription(db, input.id)
    return { sequence: row.lastSequence, subscription: await describe(db, row), checkoutUrl: row.checkoutUrl }
  },
})

export const assignSubscription = operation({
  ...atProvider,
  route: 'POST /api/subscriptions/:id/owner',
  summary: 'Transfer a checkout’s subscription to its organization',
  input: SubscriptionOwner,
  output: Subscription,
  problems: { ...atProvider.problems, already_subscribed: 409 },
  run: async (call) => describe(call.db, await assignOwner(call, call.input)),
})

export const endSubscription = operation({
  ...atProvider,
  route: 'POST /api/subscriptions/:id/end',
  summary: 'End a subscription now and refund its last payment',
  input: z.object({ id: Id }),
  output: Subscription,
  run: async (call) => describe(call.db, await endNow(call, call.input.id)),
})

export const cancelSubscription = operation({
  ...atProvider,
  route: 'POST /api/subscriptions/:id/cancel',
  summary: 'Cancel or resume a subscription',
  input: SubscriptionCancellation,
  output: Subscription,
  run: async (call) => describe(call.db, await cancelAtPeriodEnd(call, call.input)),
})

export const getSubscriptionPayer = operation({
  ...atProvider,
  route: 'GET /api/subscriptions/:id/payer',
  summary: 'Get the payment method of a subscription',
  input: z.object({ id: Id }),
  output: SubscriptionPayer,
  run: async (call) => readPayer(call, await findSubscription(call.db, call.input.id)),
})

export const createSubscriptionPortal = operation({
  ...atProvider,
  route: 'POST /api/subscriptions/:id/portal',
  summary: 'Create a billing portal session',
  input: SubscriptionPortalInput,
  output: SubscriptionPortal,
  run: async (call) => {
    const { id, returnUrl } = call.input
    const row = await findSubscription(call.db, id)
    const { providerCustomerId: customer } = row
    if (customer === null) throw wrongState(row, 'The subscription isn’t at the payment provider yet.')
    const { url } = await call.gateway.payments.createBillingPortalSession({
      ...payerOf(row),
      idempotencyKey: newId(),
      customer,
      returnUrl,
    })
    return { url }
  },
})
