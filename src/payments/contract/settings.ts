import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Currency } from '#lib/money.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { Decimal } from './payments.ts'

export const maxCeiling = Number.MAX_SAFE_INTEGER

const Ceilings = z
  .record(Currency, z.int('Must be a whole number of the smallest unit, such as cents.').min(0).max(maxCeiling))
  .describe('By currency, in its smallest unit. No ceiling for a currency that isn’t listed.')

const CeilingOf = z.enum(['refunds', 'batches'])

const RaisedCeiling = z.object({
  of: CeilingOf,
  currency: z.string(),
  before: z.int().describe('The lower ceiling, which still applies to what the person requests who raised it.'),
  by: Id,
  byName: z.string().nullable(),
})

export const PaymentSettings = z.object({
  refundCeilings: Ceilings.describe('Refunds above these need a second person; 0: every refund.'),
  batchCeilings: Ceilings.describe(
    'Settlement batches that one requester sends within 24 hours need a second person above these; 0: every batch.',
  ),
  raised: z.array(RaisedCeiling).describe('Ceilings that were raised or removed, until another person confirms it.'),
  version: z.int(),
  updatedBy: Id.nullable(),
  updatedAt: Timestamp.nullable(),
  approvers: z
    .array(z.string())
    .describe('The names of people who can change the settings, and confirm raised ceilings of others.'),
  can: z.object({
    update: z.boolean(),
    confirm: z.boolean(),
    confirmAlone: z.boolean().describe('Confirmation needs a second factor, since no one else can confirm.'),
  }),
})
export type PaymentSettings = z.output<typeof PaymentSettings>

export const PaymentSettingsEdit = z.object({
  refundCeilings: Ceilings.optional().describe('Replaces all of them. Unchanged when not set.'),
  batchCeilings: Ceilings.optional().describe('Replaces all of them. Unchanged when not set.'),
  ceiling: z
    .object({
      of: CeilingOf,
      currency: Currency,
      decimalAmount: Decimal.describe('A decimal number, such as 500.00. Not set: the ceiling is removed.'),
    })
    .optional()
    .describe('Sets or removes one; the others are unchanged.'),
  confirmRaised: z
    .union([z.boolean(), z.stringbool()])
    .optional()
    .describe('Confirms the ceilings that other people raised; your own when no one else can, with `code`.'),
  code: optionalField(plainText(100)).describe('Of your authenticator app, or a recovery code.'),
})
export type PaymentSettingsEdit = z.output<typeof PaymentSettingsEdit>
