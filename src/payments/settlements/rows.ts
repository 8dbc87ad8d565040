import type { Provided } from '#lib/call.ts'
import type { settlementItems, settlements } from '../schema.ts'

export type BatchRow = typeof settlements.$inferSelect
export type ItemRow = typeof settlementItems.$inferSelect
/** What news of an item tell. */
export type ChangedItem = Pick<ItemRow, 'reference' | 'status' | 'failureCode' | 'reversedAmount'>

type Client = Provided['gateway']['payments']

export type ProviderTransfer = Awaited<ReturnType<Client['getTransfer']>>
export type ProviderPayout = Awaited<ReturnType<Client['getPayout']>>
export type ProviderReversal = Awaited<ReturnType<Client['reverseTransfer']>>
