import { payerOf } from '../provider-account.ts'
import type { PaymentsWork } from '../work.ts'
import type { ItemRow, ProviderPayout, ProviderReversal, ProviderTransfer } from './rows.ts'

/** What the provider has of an item. */
export interface ItemSnapshot {
  readonly transfer: ProviderTransfer | null
  readonly payout: ProviderPayout | null
  readonly reversals: readonly ProviderReversal[]
}

export const noSnapshot: ItemSnapshot = { transfer: null, payout: null, reversals: [] }

/** An item’s transfers at the provider are found by this. */
export const transferGroupOf = ({ id }: Pick<ItemRow, 'id'>): string => `settlement_item_${id}`

type Reading = Pick<PaymentsWork, 'gateway'>

/** What was begun is looked up also while its ID isn’t known. @throws {Problem} of the gateway */
export async function readItem(work: Reading, item: ItemRow): Promise<ItemSnapshot> {
  if (item.transferSentAt === null) return noSnapshot
  const transfer = await readTransfer(work, item)
  if (!transfer) return noSnapshot
  const [payout, reversals] = await Promise.all([
    item.payoutSentAt === null ? null : readPayout(work, item),
    transfer.amountReversed > 0 ? listReversals(work, item, transfer.id) : [],
  ])
  return { transfer, payout, reversals }
}

async function readTransfer({ gateway }: Reading, item: ItemRow): Promise<ProviderTransfer | null> {
  const { transferId, recipient } = item
  if (transferId !== null) return gateway.payments.getTransfer({ ...payerOf(item), id: transferId })
  const { items } = await gateway.payments.listTransfers({
    ...payerOf(item),
    transferGroup: transferGroupOf(item),
    destination: recipient,
    limit: 10,
  })
  return items.find((each) => isOf(item, each)) ?? null
}

/** The provider’s clock can be behind. */
const hourMs = 3_600_000

async function readPayout({ gateway }: Reading, item: ItemRow): Promise<ProviderPayout | null> {
  const { payoutId, recipient, payoutSentAt } = item
  if (payoutId !== null) return gateway.payments.getPayout({ ...payerOf(item), id: payoutId, account: recipient })
  const createdFrom = new Date((payoutSentAt?.getTime() ?? 0) - hourMs).toISOString()
  let cursor: string | null = null
  do {
    const page: { items: ProviderPayout[]; nextCursor: string | null } = await gateway.payments.listPayouts({
      ...payerOf(item),
      account: recipient,
      createdFrom,
      limit: 100,
      ...(cursor !== null && { cursor }),
    })
    const found = page.items.find((each) => isOf(item, each))
    if (found) return found
    cursor = page.nextCursor
  } while (cursor !== null)
  return null
}

async function listReversals({ gateway }: Reading, item: ItemRow, id: string): Promise<readonly ProviderReversal[]> {
  return (await gateway.payments.listTransferReversals({ ...payerOf(item), id, limit: 100 })).items
}

const isOf = ({ id }: ItemRow, { metadata }: { metadata: Record<string, string> }): boolean => metadata['itemId'] === id
