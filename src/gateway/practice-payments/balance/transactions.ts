import type Stripe from 'stripe'
import { z } from 'zod'
import { currency } from '../catalog/currency.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { insert, read } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'

/** 2.9 % and 30 of the minor unit, never more than the amount. */
export const feeOf = (amount: number): number => Math.min(amount, Math.round(amount * 0.029) + 30)

interface Movement {
  type: Stock['balance_transaction']['type']
  amount: number
  fee?: number
  currency: string
  source: string
  category?: string
}

/** A change of the balance. Its funds are available at once. */
export async function recordMovement(
  call: PaymentsCall,
  { type, amount, fee = 0, currency: code, source, category = type }: Movement,
): Promise<Stock['balance_transaction']> {
  const created = seconds(call.now)
  return insert(call, 'balance_transaction', {
    id: randomId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: created,
    balance_type: 'payments',
    created,
    currency: code,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: code,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'available',
    type,
  })
}

const List = paramsOf<Stripe.BalanceTransactionListParams>()(
  z.strictObject({
    ...datedPageParams,
    currency: currency.optional(),
    source: text().optional(),
    type: text().optional(),
  }),
)

export const balanceTransactionRoutes = [
  route('GET', '/v1/balance_transactions', List, (call, { currency: code, source, type, ...page }) =>
    listObjects(call, 'balance_transaction', '/v1/balance_transactions', page, { currency: code, source, type }),
  ),
  route('GET', '/v1/balance_transactions/:id', nothing, (call, _, id = '') => read(call, 'balance_transaction', id)),
]
