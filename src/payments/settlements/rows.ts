import type { Provided } from '#lib/call.ts'
import type { settlementItems, settlements } from '../schema.ts'

export type BatchRow = typeof settlements.$inferSelect
export type ItemRow = typeof settlementItems.$inferSelect

type Client = Provided['gateway']['payments']

export type ProviderTransfer = Awaited<ReturnType<Client['getTransfer']>>
export type ProviderPayout = Awaited<ReturnType<Client['getPayout']>>
export type ProviderReversal = Awaited<ReturnType<Client['reverseTransfer']>>
