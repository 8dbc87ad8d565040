import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

/** Accounts of the export: those of the ledger, with `revenue` and `tax` for what is owed to the merchant. */
export const ExportAccount = z.enum([
  'clearing',
  'fees',
  'revenue',
  'tax',
  'refunds_in_transit',
  'disputes_held',
  'float',
  'settlements_payable',
  'conversion',
  'bank',
  'top_ups',
  'reserves',
  'adjustments',
  'opening',
  'suspense',
  'corrections',
])
export type ExportAccount = z.output<typeof ExportAccount>

const Code = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9./-]{0,19}$/, 'Must be 1 to 20 letters, digits, dots, slashes or hyphens.')
const Name = plainText(100).trim().min(1, 'Enter a name.')

export const AccountCode = z.object({ account: ExportAccount, code: Code, name: Name })
export type AccountCode = z.output<typeof AccountCode>

const Percent = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,2})(?:\.\d{1,4})?$/, 'Must be a tax rate in percent, such as 19 or 8.875.')

/** What of a tax rate differs from the usual accounts. */
export const RateCodes = z.object({
  rate: Percent.describe('In percent, such as `19`.'),
  revenue: Code.optional(),
  tax: Code.optional(),
  taxCode: plainText(20).trim().min(1).optional().describe('Such as the tax key of your accounting software.'),
})
export type RateCodes = z.output<typeof RateCodes>

const maxRates = 50

const isUnique = (values: readonly unknown[]): boolean => new Set(values).size === values.length

export const AccountChart = z.object({
  accounts: z.array(z.object({ account: ExportAccount, code: z.string(), name: z.string() })),
  rates: z.array(
    z.object({
      rate: z.string(),
      revenue: z.string().optional(),
      tax: z.string().optional(),
      taxCode: z.string().optional(),
    }),
  ),
  version: z.int(),
  updatedBy: Id.nullable(),
  updatedAt: Timestamp.nullable(),
})
export type AccountChart = z.output<typeof AccountChart>

export const AccountChartEdit = z.object({
  accounts: z
    .array(AccountCode)
    .max(ExportAccount.options.length)
    .refine((codes) => isUnique(codes.map(({ account }) => account)), 'Must have each account once.')
    .optional()
    .describe('Those that are not listed keep their default codes. Unchanged when not set.'),
  rates: z
    .array(RateCodes)
    .max(maxRates)
    .refine((codes) => isUnique(codes.map(({ rate }) => rate)), 'Must have each rate once.')
    .optional()
    .describe('Replaces all of them. Unchanged when not set.'),
})
export type AccountChartEdit = z.output<typeof AccountChartEdit>

/** A line of the CSV export, which docs/payments-reports.md describes. */
export const AccountingLine = z.object({
  date: z.string(),
  document: z.string(),
  account: z.string(),
  accountName: z.string(),
  debit: z.string(),
  credit: z.string(),
  currency: z.string(),
  taxRate: z.string(),
  taxCode: z.string(),
  text: z.string(),
  reference: z.string(),
  order: z.string(),
  customer: z.string(),
  venue: z.string(),
  ledgerAccount: z.string(),
  closedMonth: z.string(),
})
