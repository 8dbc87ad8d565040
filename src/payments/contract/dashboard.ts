import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Currency, Units } from '#lib/money.ts'
import { optionalField } from '#lib/text.ts'
import { Day, Timestamp } from '#lib/time.ts'
import { OrderStatus } from './orders.ts'
import { RefundReason } from './refunds.ts'

const Amount = Units.describe('In the smallest unit of the currency.')

const Totals = z.object({
  takings: Amount.describe('What was captured.'),
  refunds: Amount,
  disputes: Amount.describe('What was withdrawn because of disputes, without what was won back.'),
  fees: Amount,
  net: Amount,
  paidOrders: z.int(),
})

export const PaymentAttention = z.object({
  kind: z.enum(['dispute', 'refund_approval', 'refund_unknown', 'payment_unknown']),
  id: Id,
  orderId: Id,
  orderNumber: z.string(),
  amount: Amount,
  currency: z.string(),
  at: Timestamp.nullable().describe('When it is due, or checked next.'),
})
export type PaymentAttention = z.output<typeof PaymentAttention>

export const PaymentsDashboard = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  currency: z.string(),
  currencies: z.array(z.string()).describe('In which money moved, the most used first.'),
  totals: Totals,
  previous: Totals.describe('Of as many days before.'),
  days: z.array(z.object({ day: z.iso.date(), takings: Amount, refunds: Amount })),
  venues: z
    .array(
      z.object({
        id: Id.nullable(),
        name: z.string().nullable().describe('null: what no venue took.'),
        takings: z.array(Amount).describe('Of each day.'),
      }),
    )
    .describe('Those with the most takings first.'),
  methods: z
    .array(
      z.object({
        brand: z.string().nullable().describe('Of the card, such as `visa`; null for other methods.'),
        amount: Amount,
        payments: z.int(),
      }),
    )
    .describe('What captured payments of the days were paid with, the most first.'),
  payments: z
    .object({
      succeeded: z.int(),
      declined: z.int(),
      open: z.int().describe('The customer can still pay, or the outcome isn’t known yet.'),
      abandoned: z.int().describe('Canceled or expired without a try.'),
    })
    .describe('Of the days, by outcome.'),
  declines: z
    .array(z.object({ code: z.string(), payments: z.int() }))
    .describe('The 5 most frequent codes of declined payments.'),
  refundReasons: z
    .array(z.object({ reason: RefundReason, amount: Amount, refunds: z.int() }))
    .describe('Of refunds that were sent on the days, the most first.'),
  payouts: z
    .array(
      z.object({
        id: Id.describe('Of the ledger’s transaction.'),
        at: Timestamp,
        merchantName: z.string().nullable(),
        currency: z.string(),
        amount: Amount,
        isReturned: z.boolean().describe('The bank sent it back.'),
      }),
    )
    .describe('The latest 5 to the bank, of all currencies.'),
  merchants: z.array(z.object({ id: Id, name: z.string() })).describe('By which the dashboard can be filtered.'),
  attention: z.array(PaymentAttention).describe('The 20 most urgent.'),
  balances: z.array(
    z.object({
      merchantId: Id,
      merchantName: z.string(),
      currency: z.string(),
      available: Amount.describe('What the merchant is owed, before fees.'),
      held: Amount.describe('By open disputes.'),
    }),
  ),
  recent: z.array(
    z.object({
      id: Id,
      number: z.string(),
      status: OrderStatus,
      total: Amount,
      currency: z.string(),
      customer: z.string().nullable(),
      createdAt: Timestamp,
    }),
  ),
  can: z.object({ create: z.boolean() }),
})
export type PaymentsDashboard = z.output<typeof PaymentsDashboard>

export const DashboardQuery = z.object({
  from: optionalField(Day).describe('In UTC. Seven days up to today when not set; at most 92.'),
  to: optionalField(Day),
  merchantId: optionalField(Id).describe('All when not set. What needs attention is always of all.'),
  currency: optionalField(Currency).describe('Amounts of different currencies are never added up.'),
})
export type DashboardQuery = z.output<typeof DashboardQuery>
