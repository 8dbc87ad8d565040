import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Currency, Units } from '#lib/money.ts'
import { optionalField } from '#lib/text.ts'
import { Day, Timestamp } from '#lib/time.ts'
import { OrderStatus } from './orders.ts'

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
  currency: optionalField(Currency).describe('Amounts of different currencies are never added up.'),
})
export type DashboardQuery = z.output<typeof DashboardQuery>
