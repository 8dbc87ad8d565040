import { and, eq } from 'drizzle-orm'
import { writeOutcomeOf } from '#gateway'
import { Problem } from '#lib/errors.ts'
import { isKeyKnown } from '../../provider-keys.ts'
import { subscriptionChanges } from '../../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../../work.ts'
import { ensureProviderPrice, readPrice } from '../prices.ts'
import { checkAt } from '../provider/check-at.ts'
import { findSubscription, payerOf, providerIdOf } from '../rows.ts'

export type ChangeRow = typeof subscriptionChanges.$inferSelect

/** Finds out what became of a change without outcome. */
export async function settleChanges(work: PaymentsWork, subscriptionId: string): Promise<void> {
  const { db, config, now } = work
  const [change] = await db
    .select()
    .from(subscriptionChanges)
    .where(and(eq(subscriptionChanges.subscriptionId, subscriptionId), eq(subscriptionChanges.state, 'sending')))
  if (!change) return
  // A server can still be waiting for the provider.
  if (now().getTime() - change.createdAt.getTime() < 2 * config.PAYMENTS_TIMEOUT_MS) return
  await resumeChange(work, change).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    work.log.warn('The outcome of a subscription’s change is unknown', { change: change.id, code: error.code })
  })
}

/** @throws {Problem} what the provider refused, and 502 `outcome_unknown` */
export async function resumeChange(work: PaymentsWork, change: ChangeRow): Promise<void> {
  if (await isDone(work, change)) return settle(work, change, 'done')
  if (isKeyKnown(change.createdAt, work.now())) return sendChange(work, change)
  await settle(work, change, 'refused')
}

async function isDone(work: PaymentsWork, { subscriptionId, priceId, seats }: ChangeRow): Promise<boolean> {
  const row = await findSubscription(work.db, subscriptionId)
  const [found, wanted] = await Promise.all([
    work.gateway.payments.getSubscription({ ...payerOf(row), id: providerIdOf(row) }),
    readPrice(work.db, priceId).then((price) => ensureProviderPrice(work, row, price)),
  ])
  const [item] = found.items
  return item?.priceId === wanted && item.quantity === seats
}

/** With the change’s ID as key, so a repetition charges nothing more. @throws {Problem} like `resumeChange` */
export async function sendChange(work: PaymentsWork, change: ChangeRow): Promise<void> {
  const { payments } = work.gateway
  const row = await findSubscription(work.db, change.subscriptionId)
  const payer = payerOf(row)
  const id = providerIdOf(row)
  try {
    const price = await ensureProviderPrice(work, row, await readPrice(work.db, change.priceId))
    const [item] = (await payments.getSubscription({ ...payer, id })).items
    if (!item) throw new Error(`The subscription ${row.id} has no item at the provider`)
    await payments.updateSubscription({
      ...payer,
      id,
      idempotencyKey: change.id,
      items: [{ id: item.id, price, quantity: change.seats }],
      ...(change.isFree
        ? { prorationBehavior: 'none' as const }
        : { prorationBehavior: 'always_invoice' as const, prorationDate: change.prorationDate.toISOString() }),
      paymentBehavior: 'error_if_incomplete',
    })
  } catch (error) {
    if (writeOutcomeOf(error) === 'refused') {
      await settle(work, change, 'refused')
      throw error
    }
    await checkAt(work.db, row.id, nextCheckOf(work, 0))
    if (error instanceof Problem && error.code === 'idempotency_in_progress') throw changeBusy(error)
    throw outcomeUnknown(error)
  }
  await settle(work, change, 'done')
}

async function settle({ db, now }: PaymentsWork, { id }: ChangeRow, state: 'done' | 'refused'): Promise<void> {
  await db
    .update(subscriptionChanges)
    .set({ state, settledAt: now() })
    .where(and(eq(subscriptionChanges.id, id), eq(subscriptionChanges.state, 'sending')))
}

export const changeBusy = (cause?: unknown): Problem =>
  new Problem(409, 'subscription_busy', 'Another change of this subscription is in progress. Try again in a moment.', {
    cause,
  })

export const outcomeUnknown = (cause: unknown): Problem =>
  new Problem(
    502,
    'outcome_unknown',
    'The payment provider didn’t respond. Repeat the same request: nothing is charged twice. We check again as well.',
    { cause },
  )
