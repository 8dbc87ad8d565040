import type { Posting } from '../ledger/post.ts'
import { fromProviderUnits } from '../provider-units.ts'
import type { ItemRow, ProviderReversal, ProviderTransfer } from './rows.ts'

/** Of an item; its merchant is added when it is posted. */
export type ItemPosting = Omit<Posting, 'merchantId'>

const about = ({ id, organizationId, currency }: ItemRow) => ({ organizationId, currency, itemId: id })

/** From now on we owe it to the recipient. */
export const itemSent = (item: ItemRow, at: Date): ItemPosting => ({
  ...about(item),
  kind: 'settlement_sent',
  at,
  entries: [
    { account: 'float', amount: item.amount },
    { account: 'settlements_payable', amount: -item.amount },
  ],
})

/** The transfer was not made, so nothing is owed. */
export const itemNotSent = (item: ItemRow, at: Date, note = 'The transfer was refused.'): ItemPosting => ({
  ...about(item),
  kind: 'settlement_sent',
  at,
  note,
  entries: [
    { account: 'settlements_payable', amount: item.amount },
    { account: 'float', amount: -item.amount },
  ],
})

/** A person says that the recipient has the money, although the provider has no transfer of the item. */
export const itemPaidElsewhere = (item: ItemRow, at: Date, note: string): ItemPosting => ({
  ...about(item),
  kind: 'transfer',
  at,
  note,
  entries: [
    { account: 'settlements_payable', amount: item.amount },
    { account: 'suspense', amount: -item.amount },
  ],
})

export const itemTransferred = (item: ItemRow, transfer: ProviderTransfer): ItemPosting => ({
  ...about(item),
  kind: 'transfer',
  at: transfer.createdAt,
  providerTransactionId: transfer.balanceTransactionId,
  entries: [
    // A person had marked it as paid before it was found.
    {
      account: item.status === 'settled' ? 'suspense' : 'settlements_payable',
      amount: fromProviderUnits(transfer.amount, transfer.currency),
    },
    { account: 'clearing', amount: -fromProviderUnits(transfer.amount, transfer.currency) },
  ],
})

/** The money is back, and nothing is owed any more. */
export function itemReversed(item: ItemRow, reversal: ProviderReversal): ItemPosting[] {
  const amount = fromProviderUnits(reversal.amount, reversal.currency)
  const shared = { ...about(item), at: reversal.createdAt, providerTransactionId: reversal.balanceTransactionId }
  return [
    {
      ...shared,
      kind: 'transfer_reversed',
      entries: [
        { account: 'clearing', amount },
        { account: 'settlements_payable', amount: -amount },
      ],
    },
    {
      ...shared,
      kind: 'payout_returned',
      entries: [
        { account: 'settlements_payable', amount },
        { account: 'float', amount: -amount },
      ],
    },
  ]
}
