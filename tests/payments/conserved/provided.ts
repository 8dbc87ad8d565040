import type Stripe from 'stripe'
import type { Shop } from './shops.ts'

/** All that the provider has of a shop, asked through its API only. */
export interface Provided {
  /** Of each currency, in its smallest unit. */
  balance: ReadonlyMap<string, number>
  movements: readonly Stripe.BalanceTransaction[]
  charges: readonly Stripe.Charge[]
  refunds: readonly Stripe.Refund[]
  disputes: readonly Stripe.Dispute[]
  transfers: readonly Stripe.Transfer[]
  /** Of the connected accounts that were paid. */
  payouts: readonly Stripe.Payout[]
}

const limit = 10_000

export async function readProvided({ stripe }: Shop): Promise<Provided> {
  const everything = { limit: 100 }
  const [balance, movements, charges, refunds, disputes, transfers] = await Promise.all([
    stripe.balance.retrieve(),
    stripe.balanceTransactions.list(everything).autoPagingToArray({ limit }),
    stripe.charges.list(everything).autoPagingToArray({ limit }),
    stripe.refunds.list(everything).autoPagingToArray({ limit }),
    stripe.disputes.list(everything).autoPagingToArray({ limit }),
    stripe.transfers.list(everything).autoPagingToArray({ limit }),
  ])
  const recipients = [...new Set(transfers.map(({ destination }) => idOf(destination)))]
  const payouts = await Promise.all(
    recipients.map((stripeAccount) => stripe.payouts.list(everything, { stripeAccount }).autoPagingToArray({ limit })),
  )
  const funds = new Map<string, number>()
  for (const { currency, amount } of [...balance.available, ...balance.pending])
    funds.set(currency.toUpperCase(), (funds.get(currency.toUpperCase()) ?? 0) + amount)
  return { balance: funds, movements, charges, refunds, disputes, transfers, payouts: payouts.flat() }
}

export const idOf = (reference: string | { id: string } | null | undefined): string =>
  typeof reference === 'string' ? reference : (reference?.id ?? '')

/** Nothing more happens by itself: no refund or payout is on its way. */
export const isQuiet = ({ refunds, payouts }: Provided): boolean =>
  refunds.every(({ status }) => status !== 'pending') &&
  payouts.every(({ status }) => status === 'paid' || status === 'failed')
