import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Currency, Units } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField } from '#lib/text.ts'
import { Day, Timestamp } from '#lib/time.ts'

const Amount = Units.describe('In the smallest unit of the currency.')

/** The columns of a report (`src/payments/reports/columns.ts`). */
const columns = {
  payments: z.int().describe('How many payments were captured.'),
  takings: Amount.describe('What was captured.'),
  refunds: Amount.describe('What was refunded, without refunds that failed.'),
  disputes: Amount.describe('What was withdrawn because of disputes, without what was won back.'),
  fees: Amount.describe('What the provider kept.'),
  other: Amount.describe('Corrections and conversions between currencies that changed the net.'),
  net: Amount.describe('Takings and other, without refunds, disputes and fees.'),
  payouts: Amount.describe('What left the balance at the provider.'),
}

export const Month = z
  .string()
  .regex(/^(?:19|2\d)\d{2}-(?:0[1-9]|1[0-2])$/, 'Must be a month, such as 2026-10.')
  .describe('Of the merchant’s time zone, such as `2026-10`.')

export const ReportStep = z.enum(['day', 'week', 'month', 'venue', 'method'])
export type ReportStep = z.output<typeof ReportStep>

/** Whose sums a row has. */
const place = {
  from: z.iso.date(),
  to: z.iso.date().describe('Inclusive.'),
  merchantId: Id,
  merchantName: z.string().nullable(),
  venueId: Id.nullable().describe('Null for payments without a venue, and for sums of all venues.'),
  venueName: z.string().nullable(),
  method: z.string().nullable().describe('The brand of the card, by method; null for others.'),
  currency: z.string(),
}

export const TakingsRow = z.object({ ...place, ...columns })
export type TakingsRow = z.output<typeof TakingsRow>

export const TakingsTotals = z.object({ currency: z.string(), ...columns })
export type TakingsTotals = z.output<typeof TakingsTotals>

export const Takings = listOf(TakingsRow).extend({
  from: z.iso.date(),
  to: z.iso.date(),
  by: ReportStep,
  timeZone: z.string().describe('Of the days of a merchant. Those of several merchants each have their own.'),
  isOver: z.boolean().describe('All its days are over.'),
  totals: z.array(TakingsTotals).describe('Of the whole range, by currency.'),
})
export type Takings = z.output<typeof Takings>

/** What a report of details has beside its range. */
const reportOf = <Columns extends z.ZodRawShape>(own: Columns) =>
  listOf(z.object({ ...place, ...own })).extend({
    from: z.iso.date(),
    to: z.iso.date(),
    by: ReportStep,
    timeZone: z.string(),
    totals: z.array(z.object({ currency: z.string(), ...own })).describe('Of the whole range, by currency.'),
  })

const { payments: paymentCount, takings: taken, refunds: refunded, disputes: disputed, fees: charged } = columns

export const FeeReport = reportOf({
  payments: paymentCount,
  takings: taken,
  feesOfPayments: Amount,
  feesOfRefunds: Amount,
  feesOfDisputes: Amount,
  feesOfOthers: Amount.describe('Fees of the provider that no payment caused.'),
  fees: charged,
})
export type FeeReport = z.output<typeof FeeReport>

export const RefundReport = reportOf({
  refundCount: z.int().describe('How many refunds were sent.'),
  refundsSent: Amount,
  refundsReturned: Amount.describe('Refunds that failed or were canceled after they were sent.'),
  refunds: refunded,
})
export type RefundReport = z.output<typeof RefundReport>

export const DisputeReport = reportOf({
  disputeCount: z.int().describe('How many disputes were opened.'),
  disputesOpened: Amount.describe('Withdrawn when they were opened.'),
  disputesWon: Amount.describe('Won back.'),
  disputesLost: Amount.describe('Lost for good, of what was withdrawn.'),
  feesOfDisputes: Amount,
  disputes: disputed,
})
export type DisputeReport = z.output<typeof DisputeReport>

export const PayoutReport = reportOf({
  payoutCount: z.int().describe('How many payouts to the bank there were.'),
  bankPayouts: Amount,
  bankReturned: Amount.describe('Payouts to the bank that failed or were canceled.'),
  settlements: Amount.describe('Paid out to recipients of settlements, without what came back.'),
  payouts: columns.payouts,
})
export type PayoutReport = z.output<typeof PayoutReport>

const range = {
  from: optionalField(Day).describe('The first day of the month of `to` when not set.'),
  to: optionalField(Day).describe('Inclusive. Today when not set; at most 1,100 days after `from`.'),
}

export const TakingsFilter = z.object({
  merchantId: optionalField(Id).describe('All merchants when not set.'),
  venueId: optionalField(Id),
  currency: optionalField(Currency).describe('Amounts of different currencies are never added up.'),
  ...range,
  by: optionalField(ReportStep).describe('`day` when not set. Weeks begin on Mondays.'),
  ...paging,
})
export type TakingsFilter = z.output<typeof TakingsFilter>

/** Whose sums a line of a CSV export has. */
const linePlace = {
  from: z.string(),
  to: z.string(),
  merchant: z.string().nullable(),
  venue: z.string().nullable(),
  method: z.string().nullable(),
  currency: z.string(),
}

/** Lines of the CSV exports, with decimal numbers. */
export const TakingsLine = z.object({
  ...linePlace,
  payments: z.int(),
  takings: z.string(),
  refunds: z.string(),
  disputes: z.string(),
  fees: z.string(),
  other: z.string(),
  net: z.string(),
  payouts: z.string(),
})

export const FeeLine = z.object({
  ...linePlace,
  payments: z.int(),
  takings: z.string(),
  feesOfPayments: z.string(),
  feesOfRefunds: z.string(),
  feesOfDisputes: z.string(),
  feesOfOthers: z.string(),
  fees: z.string(),
})

export const RefundLine = z.object({
  ...linePlace,
  refundCount: z.int(),
  refundsSent: z.string(),
  refundsReturned: z.string(),
  refunds: z.string(),
})

export const DisputeLine = z.object({
  ...linePlace,
  disputeCount: z.int(),
  disputesOpened: z.string(),
  disputesWon: z.string(),
  disputesLost: z.string(),
  feesOfDisputes: z.string(),
  disputes: z.string(),
})

export const PayoutLine = z.object({
  ...linePlace,
  payoutCount: z.int(),
  bankPayouts: z.string(),
  bankReturned: z.string(),
  settlements: z.string(),
  payouts: z.string(),
})

export const ReportCheckFilter = TakingsFilter.pick({ merchantId: true, from: true, to: true })
export type ReportCheckFilter = z.output<typeof ReportCheckFilter>

export const ReportCheck = z.object({
  matches: z.boolean().describe('The sums of each day are those of the ledger’s entries.'),
  entries: z.int().describe('How many were added up.'),
  differences: z
    .array(
      z.object({
        merchantId: Id,
        day: z.iso.date(),
        currency: z.string(),
        account: z.string(),
        kind: z.string(),
        ledger: Amount,
        report: Amount,
      }),
    )
    .describe('The first 100.'),
})
export type ReportCheck = z.output<typeof ReportCheck>

export const ReportFilter = TakingsFilter.omit({ venueId: true, limit: true, cursor: true })
export type ReportFilter = z.output<typeof ReportFilter>

export const ReportOptions = z.object({
  merchants: z.array(
    z.object({
      id: Id,
      name: z.string(),
      timeZone: z.string(),
      month: Month.describe('The current one in its time zone.'),
      isDefault: z.boolean(),
      currencies: z.array(z.string()).describe('In which money moved, the most used first.'),
    }),
  ),
})
export type ReportOptions = z.output<typeof ReportOptions>

export const Period = z.object({
  merchantId: Id,
  merchantName: z.string().nullable(),
  month: Month,
  state: z.enum(['open', 'closed']),
  isOver: z.boolean().describe('Only months that are over can be closed, the oldest first.'),
  transactions: z.int().describe('Booked to this month.'),
  late: z.int().describe('Booked to later months, because this one was closed.'),
  closedAt: Timestamp.nullable(),
  closedBy: Id.nullable(),
  closedByName: z.string().nullable(),
  sequence: Units.nullable().describe('The last transaction of the merchant’s ledger when it was closed.'),
  hash: z.string().nullable().describe('The hash of that transaction.'),
})
export type Period = z.output<typeof Period>

export const PeriodList = listOf(Period).extend({ can: z.object({ close: z.boolean() }) })
export type PeriodList = z.output<typeof PeriodList>

export const PeriodFilter = z.object({ merchantId: optionalField(Id), ...paging })
export type PeriodFilter = z.output<typeof PeriodFilter>

export const PeriodClosing = z.object({ merchantId: Id, month: Month })
export type PeriodClosing = z.output<typeof PeriodClosing>

export const TaxReport = z.object({
  merchantId: Id,
  month: Month,
  items: z
    .array(
      z.object({
        currency: z.string(),
        rate: z.string().nullable().describe('In percent, such as `19`; null for amounts without an order.'),
        gross: Amount,
        net: Amount,
        tax: Amount,
      }),
    )
    .describe('Of what was captured, without what was refunded and what disputes took.'),
})
export type TaxReport = z.output<typeof TaxReport>

/** A line of the CSV export, with decimal numbers. */
export const TaxLine = z.object({
  month: z.string(),
  merchant: z.string(),
  currency: z.string(),
  rate: z.string().nullable(),
  gross: z.string(),
  net: z.string(),
  tax: z.string(),
})

export const Statement = z.object({
  merchantId: Id,
  merchantName: z.string(),
  legalName: z.string().nullable(),
  timeZone: z.string(),
  month: Month,
  from: z.iso.date(),
  to: z.iso.date(),
  state: z.enum(['open', 'closed']),
  hash: z.string().nullable().describe('The end of the merchant’s chain when the month was closed.'),
  currencies: z.array(
    z.object({
      ...TakingsTotals.shape,
      accounts: z
        .array(z.object({ account: z.string(), opening: Amount, change: Amount, closing: Amount }))
        .describe('Of the ledger, on the first and after the last day.'),
    }),
  ),
  taxes: TaxReport.shape.items,
  late: z.int().describe('Bookings that belong to closed months before.'),
})
export type Statement = z.output<typeof Statement>

export const MonthFilter = z.object({ merchantId: Id, month: Month })
export type MonthFilter = z.output<typeof MonthFilter>
