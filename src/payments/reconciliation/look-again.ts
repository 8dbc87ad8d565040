import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { nullFor404 } from '#lib/errors.ts'
import type { Movement } from '../movements/read.ts'
import { orderPayments } from '../schema.ts'
import { syncs } from '../webhooks/subjects.ts'
import type { PaymentsWork } from '../work.ts'
import { comparedAccountOf, type ComparedAccount } from './account.ts'
import { compareBooked, describeGone, describeMissing, type Cause } from './compare-movement.ts'
import { readCause } from './compare-movements.ts'
import { compareOneDispute, compareOneItem, compareOneRefund } from './compare-states.ts'
import type { DifferenceRow } from './differences.ts'
import type { Comparison, Finding } from './findings.ts'
import { readSides } from './ledger-side.ts'

/** What the provider says of one difference now. */
export interface Look {
  movement: Movement | null
  cause: Cause | null
  finding: Finding | null
}

const referenceOf = ({ cause }: DifferenceRow): string => cause.slice(cause.indexOf(':') + 1)

/** @throws {Problem} of the gateway */
export async function lookAgain(work: PaymentsWork, row: DifferenceRow): Promise<Look> {
  const comparison = await comparisonOf(work, row)
  const none = { movement: null, cause: null }
  const reference = referenceOf(row)
  switch (row.cause.split(':')[0]) {
    case 'movement': {
      const { payer } = comparison.account
      const movement = await work.gateway.payments.getBalanceTransaction({ ...payer, id: reference }).catch(nullFor404)
      const cause = movement && (causeOf(row) ?? (await readCause(comparison, movement)))
      return { movement, cause, finding: await compareMovement(work.db, row, { movement, cause }) }
    }
    case 'refund':
      return { ...none, finding: await compareOneRefund(comparison, reference) }
    case 'dispute':
      return { ...none, finding: await compareOneDispute(comparison, reference) }
    case 'payout':
      return { ...none, finding: row.itemId === null ? null : await compareOneItem(comparison, row.itemId) }
    default:
      throw new Error(`${row.cause} can’t be read alone`)
  }
}

async function comparisonOf(work: PaymentsWork, row: DifferenceRow): Promise<Comparison> {
  return { work, db: work.db, account: await accountOfDifference(work, row), from: work.now(), until: work.now() }
}

/** Its own, whichever is used now: without its key requests are 409 `provider_account_changed`. @throws {Problem} of the gateway */
export async function accountOfDifference(
  work: PaymentsWork,
  { organizationId, account }: DifferenceRow,
): Promise<ComparedAccount> {
  const used = await comparedAccountOf(work, organizationId)
  return used.account === account ? used : { ...used, account, payer: { ...used.payer, accountKey: account } }
}

const causeOf = ({ paymentId, orderId, itemId, kind }: DifferenceRow): Cause | null =>
  kind === 'missing_in_ledger' && (paymentId !== null || itemId !== null) ? { paymentId, orderId, itemId } : null

/** With what the ledger has at this moment. */
export async function compareMovement(
  db: Database,
  row: DifferenceRow,
  { movement, cause }: Pick<Look, 'movement' | 'cause'>,
): Promise<Finding | null> {
  const reference = referenceOf(row)
  const booked = (await readSides(db, row.organizationId, [reference])).get(reference)
  if (!movement) return booked ? describeGone(reference, booked) : null
  return booked ? compareBooked(movement, booked) : describeMissing(movement, cause)
}

/** Reads the payment or settlement item of a difference at the provider, and applies its state. @throws {Problem} */
export async function syncDifference(work: PaymentsWork, row: DifferenceRow): Promise<void> {
  if (row.itemId !== null) {
    await syncs.item?.(work, row.itemId, undefined)
    return
  }
  const ids = row.paymentId === null ? await listPayments(work.db, row) : [row.paymentId]
  for (const id of ids) await syncs.payment?.(work, id, undefined)
  if (ids.length > 0 || !row.cause.startsWith('movement:')) return
  const { cause } = await lookAgain(work, row)
  if (cause?.paymentId) await syncs.payment?.(work, cause.paymentId, undefined)
  if (cause?.itemId) await syncs.item?.(work, cause.itemId, undefined)
}

async function listPayments(db: Database, { orderId, organizationId }: DifferenceRow): Promise<string[]> {
  if (orderId === null) return []
  const rows = await db
    .select({ id: orderPayments.id })
    .from(orderPayments)
    .where(
      and(
        eq(orderPayments.orderId, orderId),
        eq(orderPayments.organizationId, organizationId),
        eq(orderPayments.status, 'succeeded'),
      ),
    )
  return rows.map(({ id }) => id)
}
