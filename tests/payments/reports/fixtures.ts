import { newId } from '#lib/ids.ts'
import type { World } from '../../support/world.ts'
import type { Posting } from '../../../src/payments/ledger/post.ts'
import type { Merchant } from '../ledger-fixtures.ts'

/** A merchant whose days are those of a time zone. */
export async function addMerchantIn(world: World, organizationId: string, timeZone: string): Promise<Merchant> {
  const merchantId = newId()
  await world.database.sql`
    INSERT INTO payments.merchants (id, organization_id, name, invoice_prefix, timezone)
    VALUES (${merchantId}, ${organizationId}, ${merchantId}, ${merchantId.slice(-12).toUpperCase()}, ${timeZone})`
  return { organizationId, merchantId }
}

export const refundSent = (amount: bigint): Pick<Posting, 'kind' | 'entries'> => ({
  kind: 'refund_created',
  entries: [
    { account: 'merchant', amount },
    { account: 'refunds_in_transit', amount: -amount },
  ],
})

export const refundSettled = (amount: bigint): Pick<Posting, 'kind' | 'entries'> => ({
  kind: 'refund_settled',
  entries: [
    { account: 'refunds_in_transit', amount },
    { account: 'clearing', amount: -amount },
  ],
})

export const disputeOpened = (amount: bigint, fee: bigint): Pick<Posting, 'kind' | 'entries'> => ({
  kind: 'dispute_opened',
  entries: [
    { account: 'disputes_held', amount },
    { account: 'fees', amount: fee },
    { account: 'clearing', amount: -amount - fee },
  ],
})

export const disputeLost = (amount: bigint): Pick<Posting, 'kind' | 'entries'> => ({
  kind: 'dispute_lost',
  entries: [
    { account: 'merchant', amount },
    { account: 'disputes_held', amount: -amount },
  ],
})

export const transferred = (amount: bigint): Pick<Posting, 'kind' | 'entries'> => ({
  kind: 'transfer',
  entries: [
    { account: 'float', amount },
    { account: 'clearing', amount: -amount },
  ],
})
