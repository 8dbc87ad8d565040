import { fromProviderUnits } from '../provider-units.ts'
import { isKeyKnown } from '../provider-keys.ts'
import { itemReversed, itemSent, itemTransferred, type ItemPosting } from './entries.ts'
import type { ItemRow, ProviderPayout } from './rows.ts'
import type { ItemSnapshot } from './snapshot.ts'

export type Step = 'transfer' | 'payout' | 'reversal'

/** What of an item is still to be sent; null when there is nothing, or the provider has it all. */
export function stepOf({ status, transferId, payoutId, reversalId }: ItemRow): Step | null {
  if (status === 'failed' || status === 'returned')
    return transferId !== null && reversalId === null ? 'reversal' : null
  if (status === 'settled') return null
  if (transferId === null) return 'transfer'
  return payoutId === null ? 'payout' : null
}

/** Its outcome is unknown, and the provider would do it a second time if it were sent again. */
export function isResolvable(item: ItemRow, now: Date): boolean {
  const { status, transferId, transferSentAt, payoutSentAt, leaseOwner, dueAt } = item
  const sentAt = transferId === null ? transferSentAt : payoutSentAt
  const isLeased = leaseOwner !== null && dueAt !== null && dueAt > now
  return status === 'unknown' && sentAt !== null && !isKeyKnown(sentAt, now) && !isLeased
}

/** The failure code of an item that can’t be read or sent, since its account has no key. Its status says what was known. */
export const accountLost = 'provider_account_changed'

export interface ItemChange {
  patch: Partial<ItemRow>
  postings?: readonly ItemPosting[]
}

/** What a snapshot changes; null when the item is in this state already. */
export function changeBy(item: ItemRow, snapshot: ItemSnapshot, at: Date): ItemChange | null {
  const { transfer, payout, reversals } = snapshot
  if (!transfer) return null
  const status = statusFrom(item, snapshot)
  const failure = failureFrom(item, status, payout)
  const reversalId = transfer.reversed ? (reversals[0]?.id ?? item.reversalId) : item.reversalId
  const patch = {
    status,
    transferId: transfer.id,
    payoutId: payout?.id ?? item.payoutId,
    reversalId,
    reversedAmount: fromProviderUnits(transfer.amountReversed, item.currency),
    ...(reversalId !== null && { reversalSentAt: item.reversalSentAt ?? at }),
    settledAt: item.settledAt ?? (payout?.status === 'paid' ? at : null),
    ...failure,
  }
  const isNews = Object.entries(patch).some(([name, value]) => Reflect.get(item, name) !== value)
  if (!isNews) return null
  const isAdopted = item.transferId === null
  const postings = [
    // It was counted as refused before.
    ...(isAdopted && item.status === 'failed' ? [itemSent(item, at)] : []),
    ...(isAdopted ? [itemTransferred(item, transfer)] : []),
    ...reversals.flatMap((reversal) => itemReversed(item, reversal)),
  ]
  return { patch, postings }
}

function statusFrom(item: ItemRow, { transfer, payout }: ItemSnapshot): ItemRow['status'] {
  const { status } = item
  if (status === 'failed' || status === 'returned') return status
  switch (payout?.status) {
    case 'paid':
      return transfer?.reversed ? 'returned' : 'settled'
    case 'failed':
    case 'canceled':
      return item.settledAt === null ? 'failed' : 'returned'
    default:
      if (transfer?.reversed) return item.settledAt === null ? 'failed' : 'returned'
      // A person said that the recipient has the money.
      if (status === 'settled') return status
      // Its payout was created, and hasn’t arrived in all the time: only the provider’s news can change that.
      if (status === 'unknown' && item.payoutSentAt !== null && item.payoutId === (payout?.id ?? null)) return status
      return 'sent'
  }
}

function failureFrom(
  { failureCode, failureMessage }: ItemRow,
  status: ItemRow['status'],
  payout: ProviderPayout | null,
): Pick<ItemRow, 'failureCode' | 'failureMessage'> {
  if (status !== 'failed' && status !== 'returned') return { failureCode: null, failureMessage: null }
  if (failureCode !== null && failureCode !== accountLost) return { failureCode, failureMessage }
  return payout?.failureCode
    ? { failureCode: payout.failureCode, failureMessage: payout.failureMessage }
    : payout?.status === 'canceled'
      ? { failureCode: 'payout_canceled', failureMessage: 'The payout was canceled.' }
      : { failureCode: 'transfer_reversed', failureMessage: 'The transfer was reversed.' }
}
