import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Currency, Units } from '#lib/money.ts'
import { optionalField } from '#lib/text.ts'
import { Day } from '#lib/time.ts'
import { PaymentsDashboard } from './dashboard.ts'
import { PaymentMode } from './payments.ts'

const Amount = Units.describe('In the smallest unit of the currency.')
const Rate = z.number().nullable().describe('A share from 0 to 1; null when there is nothing to divide by.')

const Outcomes = PaymentsDashboard.shape.payments

const AnalyticsTotals = z.object({
  takings: Amount.describe('What was captured.'),
  payments: z.int().describe('How many payments were captured.'),
  averageOrder: Amount.nullable(),
  refunds: Amount.describe('Without refunds that failed.'),
  refundRate: Rate.describe('Refunds by takings. More than 1 when more was refunded than taken.'),
  disputes: z.int().describe('How many were opened.'),
  disputeRate: Rate.describe('Disputes by captured payments.'),
  fees: Amount,
  net: Amount.describe('Takings without refunds, disputes and fees.'),
  attempts: z.int().describe('Payments that were created and are over.'),
  conversion: Rate.describe('Of these, those that succeeded.'),
})

const Sales = z.object({ orders: z.int(), takings: Amount })

const Buyers = Sales.extend({ customers: z.int() })

export const PaymentAnalytics = z.object({
  from: z.iso.date(),
  to: z.iso.date().describe('Inclusive.'),
  timeZone: z.string().describe('Of the days of a merchant. Those of several merchants each have their own.'),
  currency: z.string(),
  currencies: z.array(z.string()).describe('In which money moved, the most used first.'),
  merchants: z.array(z.object({ id: Id, name: z.string() })).describe('By which analytics can be filtered.'),
  venues: z.array(z.object({ id: Id, name: z.string(), merchantId: Id })),
  totals: AnalyticsTotals,
  previous: AnalyticsTotals.describe('Of as many days before.'),
  days: z.array(
    z.object({
      day: z.iso.date(),
      takings: Amount,
      payments: z.int(),
      refunds: Amount,
      fees: Amount,
      net: Amount,
      previous: Amount.describe('Takings of the same day of the period before.'),
    }),
  ),
  outcomes: Outcomes,
  modes: z.array(Outcomes.extend({ mode: PaymentMode })).describe('Outcomes by the way of paying.'),
  methods: PaymentsDashboard.shape.methods,
  declines: PaymentsDashboard.shape.declines,
  hours: z.array(Sales.extend({ hour: z.int() })).describe('When orders were paid, in `timeZone`.'),
  weekdays: z.array(Sales.extend({ weekday: z.int() })).describe('From 1, Monday, to 7.'),
  buyers: z
    .object({ new: Buyers, returning: Buyers, guests: Sales })
    .describe('New customers paid no order before the first day. Guests are orders without a customer.'),
  topVenues: z
    .array(z.object({ id: Id, name: z.string().nullable(), takings: Amount, payments: z.int() }))
    .describe('The 5 with the most takings.'),
  topCustomers: z
    .array(z.object({ id: Id, name: z.string().nullable(), takings: Amount, orders: z.int() }))
    .nullable()
    .describe('The 5 with the most takings; null without `customers:read`.'),
})
export type PaymentAnalytics = z.output<typeof PaymentAnalytics>

export const AnalyticsQuery = z.object({
  from: optionalField(Day).describe('29 days before `to` when not set.'),
  to: optionalField(Day).describe('Inclusive. Today when not set; at most 366 days after `from`.'),
  merchantId: optionalField(Id).describe('All merchants when not set.'),
  venueId: optionalField(Id),
  currency: optionalField(Currency).describe(
    'Amounts of different currencies are never added up. The most used one when not set.',
  ),
})
export type AnalyticsQuery = z.output<typeof AnalyticsQuery>

/** A line of the CSV export, with decimal numbers. */
export const AnalyticsLine = z.object({
  day: z.string(),
  currency: z.string(),
  payments: z.int(),
  takings: z.string(),
  refunds: z.string(),
  fees: z.string(),
  net: z.string(),
  previousTakings: z.string(),
})
