import { z } from 'zod'
import {
  PaymentBalance,
  PaymentBalanceTransaction,
  PaymentBalanceTransactionList,
  PaymentPayout,
  PaymentPayoutList,
  PaymentTransfer,
  PaymentTransferList,
  PaymentTransferReversal,
  PaymentTransferReversalList,
} from '../../contract/payments.ts'
import { Account, Amount, createdRange, CurrencyCode, listing, Metadata, ObjectId, Text } from '../fields.ts'
import { pageOf, pageParams, withoutAccount } from '../lists.ts'
import {
  describeBalance,
  describePayout,
  describeReversal,
  describeTransaction,
  describeTransfer,
} from '../objects/funds.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

export const createTransfer = paymentOperation({
  route: 'POST /platform/payments/transfers',
  summary: 'Create a transfer to a connected account',
  object: 'transfer',
  input: z.object({
    amount: Amount,
    currency: CurrencyCode,
    destination: ObjectId.describe('A connected account.'),
    description: Text(500).optional(),
    sourceTransaction: ObjectId.optional().describe('The charge whose funds are transferred.'),
    transferGroup: Text(250).optional(),
    metadata: Metadata.optional(),
  }),
  output: PaymentTransfer,
  send: async (stripe, input, options) => describeTransfer(await stripe.transfers.create(toParams(input), options)),
})

export const getTransfer = paymentOperation({
  route: 'GET /platform/payments/transfers/:id',
  summary: 'Get a transfer',
  object: 'transfer',
  input: z.object({ id: ObjectId }),
  output: PaymentTransfer,
  send: async (stripe, { id }, options) => describeTransfer(await stripe.transfers.retrieve(id, {}, options)),
})

export const listTransfers = paymentOperation({
  route: 'GET /platform/payments/transfers',
  summary: 'List transfers',
  object: 'transfer',
  input: z.object({
    ...listing,
    ...createdRange,
    destination: ObjectId.optional(),
    transferGroup: Text(250).optional(),
  }),
  output: PaymentTransferList,
  send: async (stripe, { limit, cursor, createdFrom, createdBefore, ...filter }, options) =>
    pageOf(
      await stripe.transfers.list(
        { ...pageParams({ limit, cursor, createdFrom, createdBefore }), ...toParams(filter) },
        options,
      ),
      describeTransfer,
    ),
})

export const reverseTransfer = paymentOperation({
  route: 'POST /platform/payments/transfers/:id/reversals',
  summary: 'Reverse a transfer',
  object: 'transfer',
  input: z.object({
    id: ObjectId,
    amount: Amount.optional().describe('All that is left when not set.'),
    description: Text(500).optional(),
    metadata: Metadata.optional(),
  }),
  output: PaymentTransferReversal,
  send: async (stripe, { id, ...input }, options) =>
    describeReversal(await stripe.transfers.createReversal(id, toParams(input), options)),
})

export const listTransferReversals = paymentOperation({
  route: 'GET /platform/payments/transfers/:id/reversals',
  summary: 'List reversals of a transfer',
  object: 'transfer',
  input: z.object({ ...listing, id: ObjectId }),
  output: PaymentTransferReversalList,
  send: async (stripe, { id, ...page }, options) =>
    pageOf(await stripe.transfers.listReversals(id, pageParams(page), options), describeReversal),
})

export const createPayout = paymentOperation({
  route: 'POST /platform/payments/payouts',
  summary: 'Create a payout to a bank account',
  object: 'payout',
  input: z.object({
    account: Account,
    amount: Amount,
    currency: CurrencyCode,
    destination: ObjectId.optional().describe('A bank account or card; the default one when not set.'),
    method: z.enum(['standard', 'instant']).optional(),
    description: Text(500).optional(),
    statementDescriptor: Text(22).optional(),
    metadata: Metadata.optional(),
  }),
  output: PaymentPayout,
  send: async (stripe, input, options) =>
    describePayout(await stripe.payouts.create(toParams(withoutAccount(input)), options)),
})

export const getPayout = paymentOperation({
  route: 'GET /platform/payments/payouts/:id',
  summary: 'Get a payout',
  object: 'payout',
  input: z.object({ id: ObjectId, account: Account }),
  output: PaymentPayout,
  send: async (stripe, { id }, options) => describePayout(await stripe.payouts.retrieve(id, {}, options)),
})

export const listPayouts = paymentOperation({
  route: 'GET /platform/payments/payouts',
  summary: 'List payouts',
  object: 'payout',
  input: z.object({
    ...listing,
    ...createdRange,
    account: Account,
    status: z.enum(['pending', 'in_transit', 'paid', 'failed', 'canceled']).optional(),
  }),
  output: PaymentPayoutList,
  send: async (stripe, { limit, cursor, createdFrom, createdBefore, ...filter }, options) =>
    pageOf(
      await stripe.payouts.list(
        { ...pageParams({ limit, cursor, createdFrom, createdBefore }), ...toParams(withoutAccount(filter)) },
        options,
      ),
      describePayout,
    ),
})

export const getProviderBalance = paymentOperation({
  route: 'GET /platform/payments/balance',
  summary: 'Get the balance at the payment provider',
  object: 'balance',
  input: z.object({ account: Account }),
  output: PaymentBalance,
  send: async (stripe, _, options) => describeBalance(await stripe.balance.retrieve({}, options)),
})

export const listBalanceTransactions = paymentOperation({
  route: 'GET /platform/payments/balance-transactions',
  summary: 'List balance transactions of the payment provider',
  object: 'balance transaction',
  input: z.object({
    ...listing,
    ...createdRange,
    account: Account,
    payout: ObjectId.optional(),
    source: ObjectId.optional(),
    currency: CurrencyCode.optional(),
  }),
  output: PaymentBalanceTransactionList,
  send: async (stripe, { limit, cursor, createdFrom, createdBefore, ...filter }, options) =>
    pageOf(
      await stripe.balanceTransactions.list(
        { ...pageParams({ limit, cursor, createdFrom, createdBefore }), ...toParams(withoutAccount(filter)) },
        options,
      ),
      describeTransaction,
    ),
})

export const getBalanceTransaction = paymentOperation({
  route: 'GET /platform/payments/balance-transactions/:id',
  summary: 'Get a balance transaction of the payment provider',
  object: 'balance transaction',
  input: z.object({ id: ObjectId, account: Account }),
  output: PaymentBalanceTransaction,
  send: async (stripe, { id }, options) =>
    describeTransaction(await stripe.balanceTransactions.retrieve(id, {}, options)),
})
