import type { z } from 'zod'
import type { Merchant, Venue } from '../contract/merchants.ts'
import { merchants, venues } from '../schema.ts'

export type MerchantRow = typeof merchants.$inferSelect
export type VenueRow = typeof venues.$inferSelect

export const describeMerchant = (row: MerchantRow, canUpdate: boolean): z.input<typeof Merchant> => ({
  ...row,
  timeZone: row.timezone,
  can: { update: canUpdate },
})

export const describeVenue = (row: VenueRow, merchantName: string, canUpdate: boolean): z.input<typeof Venue> => ({
  ...row,
  merchant: { id: row.merchantId, name: merchantName },
  timeZone: row.timezone,
  can: { update: canUpdate },
})
