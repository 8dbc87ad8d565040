import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Currency } from '#lib/money.ts'
import { Timestamp } from '#lib/time.ts'

const maxCeiling = Number.MAX_SAFE_INTEGER

const Ceilings = z
  .record(Currency, z.int('Must be a whole number of the smallest unit, such as cents.').min(0).max(maxCeiling))
  .describe('By currency, in its smallest unit. No ceiling for a currency that isn’t listed.')

export const PaymentSettings = z.object({
  refundCeilings: Ceilings.describe('Refunds above these need a second person; 0: every refund.'),
  batchCeilings: Ceilings.describe('Settlement batches above these need a second person; 0: every batch.'),
  version: z.int(),
  updatedBy: Id.nullable(),
  updatedAt: Timestamp.nullable(),
})
export type PaymentSettings = z.output<typeof PaymentSettings>

export const PaymentSettingsEdit = z.object({
  refundCeilings: Ceilings.optional().describe('Replaces all of them. Unchanged when not set.'),
  batchCeilings: Ceilings.optional().describe('Replaces all of them. Unchanged when not set.'),
})
export type PaymentSettingsEdit = z.output<typeof PaymentSettingsEdit>
