import { eq } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor, ServicePermission } from '#lib/actor.ts'
import { limitActor, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Currency, formatMoney } from '#lib/money.ts'
import { operation } from '#lib/operation.ts'
import { counted } from '#lib/text.ts'
import { countMetric, pageAction, trendOf, Widget, widgetText, type WidgetInput } from '#lib/widget.ts'
import { orders } from '../schema.ts'
import { listUsedCurrencies } from '../used-currencies.ts'
import { listAttention } from './attention.ts'
import { isToday, lastDays, listZones, readDays, readTakingsAWeekAgo } from './today.ts'
import { amountText } from '../provider-amounts.ts'

const slug = 'platform-pay'
const days = 14
const maxItems = 5
const usualCurrency = 'EUR'

export const getPaymentsWidget = operation({
  route: 'GET /api/widget',
  appTokens: true,
  summary: 'Get the payments widget',
  permission: 'dashboard:read',
  input: z.object({}),
  output: Widget,
  problems: { not_found: 404 },
  run: async (call) => {
    const { db, actor, now, identity } = call
    const organizationId = organizationOf(actor, 'dashboard:read')
    const serviceId = await identity.serviceId(slug)
    const can = (permission: ServicePermission) => limitActor(actor, permission, serviceId) !== null
    const canRead = can('payments:read')
    const [takings, attention] = await Promise.all([
      describeTakings(call, organizationId, canRead),
      canRead ? listAttention(db, organizationId) : [],
    ])
    return {
      app: { slug, name: 'Payments' },
      title: 'Takings',
      generatedAt: now(),
      ...takings,
      items: attention.slice(0, maxItems).map(describeAttention),
      actions: can('payments:create') ? [pageAction('New order', '/pay/orders#new-order')] : [],
    }
  },
})

/** In the currency of most orders: currencies aren’t added up. */
async function describeTakings({ db, now }: Call<unknown, Actor>, organizationId: string, canRead: boolean) {
  const at = now()
  const [zones, [used = usualCurrency]] = await Promise.all([
    listZones(db, organizationId),
    listUsedCurrencies(db, orders, eq(orders.organizationId, organizationId)),
  ])
  const currency = Currency.parse(used)
  const range = lastDays(zones, at, days)
  const scope = { organizationId, currency }
  const [rows, before] = await Promise.all([
    readDays(db, scope, range[0] ?? ''),
    readTakingsAWeekAgo(db, scope, { zones, now: at }),
  ])
  const today = rows.filter(isToday(at))
  const money = (minor: bigint) => formatMoney({ minor, currency })
  const amount = (label: string, minor: bigint, href: string) => ({
    label,
    value: money(minor),
    unit: currency,
    trend: null,
    href,
  })
  const trend = trendOf(sum(today), before)
  return {
    metrics: [
      {
        ...amount('Takings today', sum(today), '/pay'),
        trend,
        ...(trend !== null && { detail: `on last ${weekdayOf(range.at(-1) ?? '')} until now` }),
      },
      {
        ...amount('Refunds today', total(today, 'refunds'), canRead ? '/pay/refunds' : '/pay'),
        detail: counted(
          today.reduce((all, { refundCount }) => all + refundCount, 0),
          'refund',
        ),
      },
      amount(`Takings in ${days} days`, sum(rows), '/pay'),
      ...(canRead ? [countMetric('Payments today', paymentsOf(today), '/pay/orders')] : []),
    ],
    series: [
      {
        label: 'Takings per day',
        points: range.map((day) => ({ at: day, value: money(sum(rows.filter((row) => row.day === day))) })),
      },
    ],
  }
}

type Row = Awaited<ReturnType<typeof readDays>>[number]

const total = (rows: readonly Row[], of: 'takings' | 'refunds'): bigint => rows.reduce((all, row) => all + row[of], 0n)
const sum = (rows: readonly Row[]): bigint => total(rows, 'takings')
const paymentsOf = (rows: readonly Row[]): number => rows.reduce((all, { payments }) => all + payments, 0)

const weekday = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
const weekdayOf = (day: string): string => weekday.format(new Date(`${day}T00:00Z`))

type Attention = Awaited<ReturnType<typeof listAttention>>[number]

const describeAttention = ({ id, kind, orderId, orderNumber, amount, at, currency }: Attention) =>
  ({
    id,
    title: titles[kind],
    subtitle: widgetText(`${amountText(amount, currency)}, order ${orderNumber}`),
    at,
    status: kind,
    href: `/pay/orders/${orderId}`,
  }) satisfies WidgetInput['items'][number]

const titles = {
  dispute: 'Respond to a dispute',
  refund_approval: 'Approve a refund',
  refund_unknown: 'Outcome of a refund unknown',
  payment_unknown: 'Outcome of a payment unknown',
}
