import type { Stripe } from 'stripe'
import type { z } from 'zod'
import type {
  PaymentBalance,
  PaymentBalanceTransaction,
  PaymentEvent,
  PaymentPayout,
  PaymentTransfer,
  PaymentTransferReversal,
} from '../../contract/payments.ts'
import { codeOf, idOf, timeOf } from './parts.ts'

export const describeTransfer = (transfer: Stripe.Transfer): z.input<typeof PaymentTransfer> => ({
  id: transfer.id,
  amount: transfer.amount,
  amountReversed: transfer.amount_reversed,
  reversed: transfer.reversed,
  currency: codeOf(transfer.currency),
  destinationId: idOf(transfer.destination),
  sourceTransactionId: idOf(transfer.source_transaction),
  balanceTransactionId: idOf(transfer.balance_transaction),
  transferGroup: transfer.transfer_group,
  description: transfer.description,
  metadata: transfer.metadata,
  createdAt: timeOf(transfer.created),
})

export const describeReversal = (reversal: Stripe.TransferReversal): z.input<typeof PaymentTransferReversal> => ({
  id: reversal.id,
  amount: reversal.amount,
  currency: codeOf(reversal.currency),
  transferId: idOf(reversal.transfer),
  balanceTransactionId: idOf(reversal.balance_transaction),
  metadata: reversal.metadata ?? {},
  createdAt: timeOf(reversal.created),
})

export const describePayout = (payout: Stripe.Payout): z.input<typeof PaymentPayout> => ({
  id: payout.id,
  status: payout.status,
  amount: payout.amount,
  currency: codeOf(payout.currency),
  method: payout.method,
  type: payout.type,
  automatic: payout.automatic,
  arrivesAt: timeOf(payout.arrival_date),
  failureCode: payout.failure_code,
  failureMessage: payout.failure_message,
  destinationId: idOf(payout.destination),
  balanceTransactionId: idOf(payout.balance_transaction),
  failureBalanceTransactionId: idOf(payout.failure_balance_transaction),
  originalPayoutId: idOf(payout.original_payout),
  reversedById: idOf(payout.reversed_by),
  statementDescriptor: payout.statement_descriptor,
  description: payout.description,
  metadata: payout.metadata ?? {},
  createdAt: timeOf(payout.created),
})

export const describeTransaction = (
  transaction: Stripe.BalanceTransaction,
): z.input<typeof PaymentBalanceTransaction> => ({
  id: transaction.id,
  type: transaction.type,
  reportingCategory: transaction.reporting_category,
  status: transaction.status,
  amount: transaction.amount,
  fee: transaction.fee,
  net: transaction.net,
  currency: codeOf(transaction.currency),
  exchangeRate: transaction.exchange_rate,
  fees: transaction.fee_details.map(({ type, amount, currency, description }) => ({
    type,
    amount,
    currency: codeOf(currency),
    description,
  })),
  sourceId: idOf(transaction.source),
  description: transaction.description,
  availableAt: timeOf(transaction.available_on),
  createdAt: timeOf(transaction.created),
})

const fundsOf = ({ amount, currency }: { amount: number; currency: string }) => ({ amount, currency: codeOf(currency) })

export const describeBalance = ({ available, pending, livemode }: Stripe.Balance): z.input<typeof PaymentBalance> => ({
  available: available.map(fundsOf),
  pending: pending.map(fundsOf),
  liveMode: livemode,
})

export function describeEvent(event: Stripe.Event): z.input<typeof PaymentEvent> {
  const { object } = event.data
  return {
    id: event.id,
    type: event.type,
    apiVersion: event.api_version,
    accountId: event.account ?? null,
    object: { id: 'id' in object && typeof object.id === 'string' ? object.id : null, type: object.object },
    pendingWebhooks: event.pending_webhooks,
    payload: JSON.stringify(event),
    liveMode: event.livemode,
    createdAt: timeOf(event.created),
  }
}
