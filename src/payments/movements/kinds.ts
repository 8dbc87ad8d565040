import type { Posting } from '../ledger/post.ts'
import { fromProviderUnits } from '../provider-units.ts'
import type { Movement } from './read.ts'

type Kind = Posting['kind']
type Account = Posting['entries'][number]['account']
type Booking = readonly [Kind, Account]

const fee: Booking = ['fee', 'fees']
const returned: Booking = ['bank_payout_returned', 'bank']
const reserve: Booking = ['reserve', 'reserves']
const adjustment: Booking = ['adjustment', 'adjustments']

/** By the provider’s type, else its reporting category: what the movement is, and the account it is booked against. */
const bookings: Readonly<Record<string, Booking>> = {
  payout: ['bank_payout', 'bank'],
  payout_cancel: returned,
  payout_failure: returned,
  payout_reversal: returned,
  topup: ['top_up', 'top_ups'],
  topup_reversal: ['top_up_reversed', 'top_ups'],
  stripe_fee: fee,
  stripe_fx_fee: fee,
  tax_fee: fee,
  fee,
  network_cost: fee,
  reserve_transaction: reserve,
  reserved_funds: reserve,
  reserve_hold: reserve,
  reserve_release: reserve,
  payout_minimum_balance_hold: reserve,
  payout_minimum_balance_release: reserve,
  payment_network_reserve_hold: reserve,
  payment_network_reserve_release: reserve,
  connect_reserved_funds: reserve,
  risk_reserved_funds: reserve,
  application_fee: adjustment,
  application_fee_refund: adjustment,
  climate_order_purchase: adjustment,
  climate_order_refund: adjustment,
  contribution: adjustment,
  adjustment,
  other_adjustment: adjustment,
}

const unassigned: Booking = ['unassigned', 'suspense']

/** Whose movements payments and settlements book themselves, with the order or item that they are of. */
const ofPayments = new Set(
  [
    'charge charge_failure partial_capture_reversal payment payment_reversal',
    'refund refund_failure payment_refund payment_failure_refund dispute dispute_reversal',
    'transfer transfer_cancel transfer_failure transfer_refund transfer_reversal',
  ].flatMap((names) => names.split(' ')),
)
const sourcesOfPayments = /^(?:ch|py|re|pyr|dp|du|tr|trr)_/

/** Its source can be a payment, refund, dispute or transfer of ours, which books all its movements. */
export const isOfPayments = ({ type, reportingCategory, sourceId }: Movement): boolean =>
  ofPayments.has(type) || ofPayments.has(reportingCategory) || sourcesOfPayments.test(sourceId ?? '')

interface Booked {
  organizationId: string
  merchantId: string
}

const postingOf = (movement: Movement, booked: Booked, [kind, account]: Booking): Posting => {
  const { id, currency, createdAt } = movement
  const amount = fromProviderUnits(movement.amount, currency)
  const charged = fromProviderUnits(movement.fee, currency)
  return {
    ...booked,
    kind,
    currency,
    at: createdAt,
    providerTransactionId: id,
    note: movement.description?.slice(0, 1_000),
    entries: [
      { account: 'clearing', amount: amount - charged },
      { account: 'fees', amount: account === 'fees' ? charged - amount : charged },
      ...(account === 'fees' ? [] : [{ account, amount: -amount }]),
    ],
  }
}

/** Of a movement that no payment or settlement caused. */
export const movementPosting = (movement: Movement, booked: Booked): Posting =>
  postingOf(movement, booked, bookings[movement.type] ?? bookings[movement.reportingCategory] ?? unassigned)

/** Of a movement that people have to look at. */
export const unassignedPosting = (movement: Movement, booked: Booked): Posting =>
  postingOf(movement, booked, unassigned)

export const hasAmount = ({ amount, fee: charged }: Movement): boolean => amount !== 0 || charged !== 0
