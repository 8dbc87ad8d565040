import { and, asc, eq, gt, gte, inArray, isNotNull } from 'drizzle-orm'
import { forEachSettled } from '#lib/each.ts'
import { nullFor404 } from '#lib/errors.ts'
import { disputeStatusOf } from '../checkout/apply-disputes.ts'
import { refundStatusOf } from '../checkout/apply-refunds.ts'
import { pageAt } from '../checkout/list-all.ts'
import type { ProviderDispute, ProviderRefund } from '../checkout/snapshot.ts'
import { fromProviderUnits } from '../provider-units.ts'
import { disputes, orderPayments, refunds, settlementItems } from '../schema.ts'
import { isFresh, isRecent, type Compared, type Comparison, type Finding } from './findings.ts'

interface Page extends Compared {
  cursor: string | null
}

/** What of a page each object comes to: null when both sides agree. */
type Outcome = Finding | 'in transit' | null

const sum = (outcomes: readonly Outcome[], cursor: string | null): Page => ({
  cursor,
  compared: outcomes.length,
  inTransit: outcomes.filter((each) => each === 'in transit').length,
  findings: outcomes.flatMap((each) => (each === null || each === 'in transit' ? [] : [each])),
})

const listRange = ({ account, from, until }: Comparison, cursor: string | null) => ({
  ...account.payer,
  ...pageAt(cursor),
  createdFrom: from.toISOString(),
  createdBefore: until.toISOString(),
})

/** The payments of the organization, by their intent’s ID at the provider. */
async function findPayments({ work, account }: Comparison, intents: readonly (string | null)[]) {
  const rows = await work.db
    .select({ intent: orderPayments.paymentIntentId, id: orderPayments.id, orderId: orderPayments.orderId })
    .from(orderPayments)
    .where(
      and(
        eq(orderPayments.organizationId, account.organizationId),
        eq(orderPayments.accountKey, account.account),
        inArray(
          orderPayments.paymentIntentId,
          intents.flatMap((intent) => intent ?? []),
        ),
      ),
    )
  return new Map(rows.map(({ intent, ...payment }) => [intent, payment]))
}

/** @throws {Problem} of the gateway */
export async function compareRefundPage(comparison: Comparison, cursor: string | null): Promise<Page> {
  const { work, account } = comparison
  const page = await work.gateway.payments.listRefunds(listRange(comparison, cursor))
  const [paid, stored] = await Promise.all([
    findPayments(
      comparison,
      page.items.map(({ paymentIntentId }) => paymentIntentId),
    ),
    work.db
      .select()
      .from(refunds)
      .where(
        and(
          eq(refunds.organizationId, account.organizationId),
          inArray(
            refunds.providerRefundId,
            page.items.map(({ id }) => id),
          ),
        ),
      ),
  ])
  const known = new Map(stored.map((row) => [row.providerRefundId, row]))
  const outcomes = page.items.flatMap((found): Outcome[] => {
    const payment = paid.get(found.paymentIntentId)
    return payment ? [compareRefund(comparison, found, { payment, row: known.get(found.id) })] : []
  })
  return sum(outcomes, page.nextCursor)
}

interface Owned<Row> {
  payment: { id: string; orderId: string }
  row: Row | undefined
}

function compareRefund(
  comparison: Comparison,
  found: ProviderRefund,
  { payment, row }: Owned<typeof refunds.$inferSelect>,
): Outcome {
  const status = refundStatusOf(found.status)
  const amount = fromProviderUnits(found.amount, found.currency)
  const shared = {
    currency: found.currency,
    providerAmount: amount,
    providerState: status,
    providerReference: found.id,
    sourceReference: found.id,
    orderId: payment.orderId,
    paymentId: payment.id,
    occurredAt: found.createdAt,
  }
  if (!row) {
    if (isFresh(comparison, found.createdAt)) return 'in transit'
    // Its movement of the balance is missing as well, which is one difference.
    const cause = found.balanceTransactionId === null ? `refund:${found.id}` : `movement:${found.balanceTransactionId}`
    return { cause, kind: 'missing_in_ledger', ...shared, providerAmount: -amount }
  }
  if (row.status === status && row.amount === amount) return null
  const isOpen = row.nextCheckAt !== null || row.status === 'pending' || row.status === 'unknown'
  if (isFresh(comparison, found.createdAt) || (isOpen && isRecent(comparison, found.createdAt))) return 'in transit'
  return {
    cause: `refund:${found.id}`,
    kind: row.amount === amount ? 'state_differs' : 'amount_differs',
    ...shared,
    ledgerAmount: row.amount,
    ledgerState: row.status,
    refundId: row.id,
  }
}

/** @throws {Problem} of the gateway */
export async function compareDisputePage(comparison: Comparison, cursor: string | null): Promise<Page> {
  const { work, account } = comparison
  const page = await work.gateway.payments.listDisputes(listRange(comparison, cursor))
  const [paid, stored] = await Promise.all([
    findPayments(
      comparison,
      page.items.map(({ paymentIntentId }) => paymentIntentId),
    ),
    work.db
      .select()
      .from(disputes)
      .where(
        and(
          eq(disputes.organizationId, account.organizationId),
          inArray(
            disputes.providerDisputeId,
            page.items.map(({ id }) => id),
          ),
        ),
      ),
  ])
  const known = new Map(stored.map((row) => [row.providerDisputeId, row]))
  const outcomes = page.items.flatMap((found): Outcome[] => {
    const payment = paid.get(found.paymentIntentId)
    return payment ? [compareDispute(comparison, found, { payment, row: known.get(found.id) })] : []
  })
  return sum(outcomes, page.nextCursor)
}

function compareDispute(
  comparison: Comparison,
  found: ProviderDispute,
  { payment, row }: Owned<typeof disputes.$inferSelect>,
): Outcome {
  const status = disputeStatusOf(found.status)
  if (row?.status === status) return null
  if (isFresh(comparison, found.createdAt)) return 'in transit'
  const amount = fromProviderUnits(found.amount, found.currency)
  const [movement] = found.balanceTransactionIds
  const isMissing = row === undefined
  return {
    cause: isMissing && movement !== undefined ? `movement:${movement}` : `dispute:${found.id}`,
    kind: isMissing ? 'missing_in_ledger' : 'state_differs',
    currency: found.currency,
    providerAmount: isMissing ? -amount : amount,
    providerState: status,
    ...(row && { ledgerAmount: row.amount, ledgerState: row.status }),
    providerReference: found.id,
    sourceReference: found.id,
    orderId: payment.orderId,
    paymentId: payment.id,
    occurredAt: found.createdAt,
  }
}

/** A refund alone; null when both sides agree, and while it is in transit. @throws {Problem} of the gateway */
export async function compareOneRefund(comparison: Comparison, id: string): Promise<Finding | null> {
  const { work, account } = comparison
  const found = await work.gateway.payments.getRefund({ ...account.payer, id }).catch(nullFor404)
  const payment = found && (await findPayments(comparison, [found.paymentIntentId])).get(found.paymentIntentId)
  if (!found || !payment) return null
  const [row] = await work.db
    .select()
    .from(refunds)
    .where(and(eq(refunds.organizationId, account.organizationId), eq(refunds.providerRefundId, id)))
  return findingOf(compareRefund(comparison, found, { payment, row }))
}

/** A dispute alone. @throws {Problem} of the gateway */
export async function compareOneDispute(comparison: Comparison, id: string): Promise<Finding | null> {
  const { work, account } = comparison
  const found = await work.gateway.payments.getDispute({ ...account.payer, id }).catch(nullFor404)
  const payment = found && (await findPayments(comparison, [found.paymentIntentId])).get(found.paymentIntentId)
  if (!found || !payment) return null
  const [row] = await work.db
    .select()
    .from(disputes)
    .where(and(eq(disputes.organizationId, account.organizationId), eq(disputes.providerDisputeId, id)))
  return findingOf(compareDispute(comparison, found, { payment, row }))
}

const findingOf = (outcome: Outcome): Finding | null => (outcome === 'in transit' ? null : outcome)

const itemsPerPage = 100
const concurrency = 4
/** Banks return payouts within days. */
const returnMs = 10 * 24 * 60 * 60_000

/** Payouts to the recipients of settlements, which can come back after they were paid. @throws {Problem} of the gateway */
export async function comparePayoutPage(comparison: Comparison, cursor: string | null): Promise<Page> {
  const { work, account } = comparison
  const items = await work.db
    .select()
    .from(settlementItems)
    .where(
      and(
        eq(settlementItems.organizationId, account.organizationId),
        eq(settlementItems.accountKey, account.account),
        inArray(settlementItems.status, ['sent', 'settled']),
        isNotNull(settlementItems.payoutId),
        gte(settlementItems.changedAt, new Date(work.now().getTime() - returnMs)),
        cursor === null ? undefined : gt(settlementItems.id, cursor),
      ),
    )
    .orderBy(asc(settlementItems.id))
    .limit(itemsPerPage)
  const outcomes: Outcome[] = []
  await forEachSettled(
    items,
    async (item) => {
      outcomes.push(await compareItem(comparison, item))
    },
    concurrency,
  )
  return sum(outcomes, items.length < itemsPerPage ? null : (items.at(-1)?.id ?? null))
}

/** A settlement item alone. @throws {Problem} of the gateway */
export async function compareOneItem(comparison: Comparison, id: string): Promise<Finding | null> {
  const [item] = await comparison.work.db
    .select()
    .from(settlementItems)
    .where(and(eq(settlementItems.id, id), eq(settlementItems.organizationId, comparison.account.organizationId)))
  if (!item || !['sent', 'settled'].includes(item.status)) return null
  return findingOf(await compareItem(comparison, item))
}

const expected: Readonly<Record<string, string>> = { paid: 'settled', failed: 'returned', canceled: 'returned' }

/** @throws {Problem} of the gateway */
async function compareItem(comparison: Comparison, item: typeof settlementItems.$inferSelect): Promise<Outcome> {
  const { work, account } = comparison
  const found = await work.gateway.payments
    .getPayout({ ...account.payer, account: item.recipient, id: item.payoutId ?? '' })
    .catch(nullFor404)
  const state = found ? (expected[found.status] ?? 'sent') : null
  if (state === item.status) return null
  if (isFresh(comparison, item.changedAt) || item.dueAt !== null) return 'in transit'
  return {
    cause: `payout:${item.payoutId}`,
    kind: found ? 'state_differs' : 'missing_at_provider',
    currency: item.currency,
    ledgerAmount: item.amount,
    ...(found && { providerAmount: fromProviderUnits(found.amount, found.currency) }),
    ledgerState: item.status,
    ...(found && { providerState: found.status }),
    providerReference: item.payoutId ?? '',
    sourceReference: item.transferId,
    itemId: item.id,
    occurredAt: item.settledAt ?? item.changedAt,
    detail: found?.failureMessage,
  }
}
