import type { PaymentsWork } from '../../work.ts'
import { eq } from 'drizzle-orm'
import { writeOutcomeOf } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { outcomeUnknown } from '../changes/settle.ts'
import { ensureProviderPrice, readPrice } from '../prices.ts'
import { syncSubscription, inAuditedTransaction } from '../provider/sync.ts'
import { findSubscription, payerOf, type SubscriptionRow } from '../rows.ts'
import { saveSubscription } from '../save.ts'
import { subscriptions } from '../../schema.ts'
import { ensureCustomer } from './customer.ts'
import { checkoutBusy } from './sending.ts'

const dayMs = 23 * 60 * 60_000

/**
 * Its page to pay on, or the subscription itself when a payment method is saved. With the row’s ID as key, so a
 * repetition makes nothing new. @throws {Problem} what the provider refused, 409 `subscription_busy` when another checkout
 * replaced it, and 502 `outcome_unknown`
 */
export async function createAtProvider(work: PaymentsWork, row: SubscriptionRow): Promise<SubscriptionRow> {
  try {
    const payable = await prepare(work, row)
    requireIncomplete(payable)
    const declined = payable.paymentMethodId === null ? payable : await subscribe(work, payable)
    if (declined) await openPage(work, declined)
  } catch (error) {
    if (error instanceof Problem && error.code === 'subscription_busy') throw error
    if (writeOutcomeOf(error) !== 'refused') {
      work.log.warn('The outcome of a subscription’s creation is unknown', { subscription: row.id })
      throw outcomeUnknown(error)
    }
    // The refusal of a repetition says nothing about the request before.
    if (row.sentAt === null) await change(work, row.id, { status: 'canceled', endedAt: work.now(), nextCheckAt: null })
    throw error
  }
  const after = await findSubscription(work.db, row.id)
  if (after.status === 'canceled') throw checkoutBusy()
  return after
}

function requireIncomplete({ status }: SubscriptionRow): void {
  if (status === 'canceled') throw checkoutBusy()
}

/** From now on no other checkout replaces it, until its lease ends. @throws {Problem} 409 when one did */
async function claim(work: PaymentsWork, { id }: SubscriptionRow): Promise<void> {
  requireIncomplete(await change(work, id, { sentAt: work.now() }))
}

/** How it is paid is decided once. */
async function prepare(work: PaymentsWork, row: SubscriptionRow): Promise<SubscriptionRow> {
  if (row.providerCustomerId !== null) return row
  return change(work, row.id, await ensureCustomer(work, row))
}

/** Not `organizationId`: that names whose orders an event is about. */
const metadataOf = ({ id, ownerType, organizationId: ownerId }: SubscriptionRow) => ({
  subscriptionId: id,
  ownerType,
  ownerId,
})

async function openPage(work: PaymentsWork, row: SubscriptionRow): Promise<void> {
  const { id, seats, providerCustomerId, successUrl, cancelUrl, trialDays, createdAt } = row
  const price = await ensureProviderPrice(work, row, await readPrice(work.db, row.priceId))
  const metadata = metadataOf(row)
  await claim(work, row)
  const made = await work.gateway.payments.createCheckoutSession({
    ...payerOf(row),
    idempotencyKey: `${id}:session`,
    mode: 'subscription',
    ...(providerCustomerId !== null && { customer: providerCustomerId }),
    lineItems: [{ price, quantity: seats }],
    subscriptionData: { metadata, ...(trialDays !== null && { trialPeriodDays: trialDays }) },
    metadata,
    clientReferenceId: id,
    successUrl,
    cancelUrl,
    expiresAt: new Date(createdAt.getTime() + dayMs).toISOString(),
  })
  const after = await change(work, id, {
    checkoutSessionId: made.id,
    checkoutUrl: made.url,
    checkoutExpiresAt: made.expiresAt,
  })
  // Its lease ended before the response came.
  if (after.status === 'canceled')
    await work.gateway.payments.expireCheckoutSession({
      ...payerOf(row),
      id: made.id,
      idempotencyKey: `${id}:expire`,
    })
}

/** Returns the row when its payment method was declined: then it is paid on a page. */
async function subscribe(work: PaymentsWork, row: SubscriptionRow): Promise<SubscriptionRow | null> {
  const { id, seats, providerCustomerId: customer, paymentMethodId, trialDays } = row
  if (customer === null || paymentMethodId === null) throw new Error('The subscription has no saved payment method')
  const price = await ensureProviderPrice(work, row, await readPrice(work.db, row.priceId))
  await claim(work, row)
  try {
    const made = await work.gateway.payments.createSubscription({
      ...payerOf(row),
      idempotencyKey: id,
      customer,
      items: [{ price, quantity: seats }],
      defaultPaymentMethod: paymentMethodId,
      paymentBehavior: 'error_if_incomplete',
      ...(trialDays !== null && { trialPeriodDays: trialDays }),
      metadata: metadataOf(row),
    })
    await change(work, id, { providerSubscriptionId: made.id })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 402) throw error
    return change(work, id, { paymentMethodId: null })
  }
  await syncSubscription(work, id)
  return null
}

/** Unless it has started since. */
const change = (
  work: PaymentsWork,
  id: string,
  changes: Partial<typeof subscriptions.$inferInsert>,
): Promise<SubscriptionRow> =>
  inAuditedTransaction(work, async (tx) => {
    const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, id)).for('update')
    if (!row) throw new Error('The subscription is gone')
    return row.status === 'incomplete' ? saveSubscription(tx, work, row, changes) : row
  })
