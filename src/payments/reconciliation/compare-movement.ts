import type { LedgerAccount } from '../contract/ledger.ts'
import { isOfPayments, movementPosting, unassignedPosting } from '../movements/kinds.ts'
import type { Movement } from '../movements/read.ts'
import type { Posting } from '../ledger/post.ts'
import { fromProviderUnits } from '../provider-units.ts'
import type { StoredCorrection } from '../schema/reconciliation.ts'
import type { Finding } from './findings.ts'
import { sumOf, type LedgerRow } from './ledger-side.ts'

const causeOf = (reference: string): string => `movement:${reference}`

/** What a movement of the balance has to be in the ledger. */
function expectedOf({ amount, fee, currency }: Movement, isFee: boolean): { clearing: bigint; fees: bigint } {
  const whole = fromProviderUnits(amount, currency)
  const charged = fromProviderUnits(fee, currency)
  return { clearing: whole - charged, fees: isFee ? charged - whole : charged }
}

const store = (correctsId: string | null, currency: string, entries: Posting['entries']): StoredCorrection => ({
  correctsId,
  currency,
  entries: entries.flatMap(({ account, amount }) => (amount === 0n ? [] : [{ account, amount: String(amount) }])),
})

/** Null when the ledger has the movement with these amounts. `rows` is what it has. */
export function compareBooked(movement: Movement, rows: readonly LedgerRow[]): Finding | null {
  const { id, currency, sourceId, createdAt } = movement
  const main = rows.find((row) => row.currency === currency) ?? rows[0]
  const expected = expectedOf(
    movement,
    rows.some(({ kind }) => kind === 'fee'),
  )
  const clearing = sumOf(rows, { account: 'clearing', currency })
  const fees = sumOf(rows, { account: 'fees', currency })
  if (!main || (clearing === expected.clearing && fees === expected.fees)) return null
  const changes = { clearing: expected.clearing - clearing, fees: expected.fees - fees }
  return {
    cause: causeOf(id),
    kind: 'amount_differs',
    currency,
    ledgerAmount: clearing,
    providerAmount: expected.clearing,
    ledgerFee: fees,
    providerFee: expected.fees,
    providerReference: id,
    sourceReference: sourceId,
    ...placeOf(main),
    occurredAt: createdAt,
    proposal: [
      store(main.root, currency, [
        { account: 'clearing', amount: changes.clearing },
        { account: 'fees', amount: changes.fees },
        { account: counterpartOf(rows, main), amount: -changes.clearing - changes.fees },
      ]),
    ],
  }
}

const placeOf = ({ root, merchantId, orderId, refundId, itemId }: LedgerRow) => ({
  transactionId: root,
  merchantId,
  orderId,
  refundId,
  itemId,
})

/** What the transaction is booked against. */
function counterpartOf(rows: readonly LedgerRow[], { root }: LedgerRow): LedgerAccount {
  const [largest] = rows
    .filter((row) => row.root === root && row.account !== 'clearing' && row.account !== 'fees')
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
  return largest?.account ?? 'corrections'
}

const sizeOf = ({ amount }: LedgerRow): number => Math.abs(Number(amount))

/** The ledger has it, and the provider doesn’t; null when corrections have taken it back. */
export function describeGone(reference: string, rows: readonly LedgerRow[]): Finding | null {
  const [main] = rows.toSorted(
    (one, other) => Number(other.account === 'clearing') - Number(one.account === 'clearing'),
  )
  const sums = Map.groupBy(rows, ({ account, currency }) => `${account} ${currency}`)
  const isLeft = [...sums.values()].some((own) => own.reduce((sum, { amount }) => sum + amount, 0n) !== 0n)
  if (!main || !isLeft) return null
  const left = rows.filter(({ amount }) => amount !== 0n)
  return {
    cause: causeOf(reference),
    kind: 'missing_at_provider',
    currency: main.currency,
    ledgerAmount: sumOf(rows, { account: 'clearing', currency: main.currency }),
    ledgerFee: sumOf(rows, { account: 'fees', currency: main.currency }),
    providerReference: reference,
    ...placeOf(main),
    occurredAt: main.at,
    proposal: [...Map.groupBy(left, ({ root, currency }) => `${root} ${currency}`).values()].flatMap((own) =>
      own[0]
        ? [
            store(
              own[0].root,
              own[0].currency,
              own.map(({ account, amount }) => ({ account, amount: -amount })),
            ),
          ]
        : [],
    ),
  }
}

export type Cause = Pick<Finding, 'orderId' | 'paymentId' | 'itemId'> & { reference?: string }

/** The provider has it, and the ledger doesn’t. What a payment or settlement of ours caused is booked by reading that. */
export function describeMissing(movement: Movement, cause: Cause | null): Finding {
  const { id, currency, sourceId, createdAt } = movement
  const expected = expectedOf(movement, false)
  return {
    cause: causeOf(id),
    kind: 'missing_in_ledger',
    currency,
    providerAmount: expected.clearing,
    providerFee: expected.fees,
    providerReference: id,
    sourceReference: sourceId,
    orderId: cause?.orderId,
    paymentId: cause?.paymentId,
    itemId: cause?.itemId,
    occurredAt: createdAt,
    detail: movement.description,
    proposal: cause ? [] : [store(null, currency, missingPosting(movement).entries)],
  }
}

const nowhere = { organizationId: '', merchantId: '' }

/** What is recorded of a movement without a cause of ours. */
export const missingPosting = (movement: Movement, booked = nowhere): Posting =>
  isOfPayments(movement) ? unassignedPosting(movement, booked) : movementPosting(movement, booked)
