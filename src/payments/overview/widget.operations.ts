import { z } from 'zod'
import { formatMoney, Currency } from '#lib/money.ts'
import { operation } from '#lib/operation.ts'
import { pageAction, Widget } from '#lib/widget.ts'
import { readDashboard } from './dashboard.ts'
import { addDays, dayOf } from './range.ts'

const days = 14
const maxItems = 5

export const getPaymentsWidget = operation({
  route: 'GET /api/widget',
  appTokens: true,
  summary: 'Get the payments widget',
  permission: 'dashboard:read',
  input: z.object({}),
  output: Widget,
  run: async (call) => {
    const at = call.now()
    const today = dayOf(at)
    const dashboard = await readDashboard(call, { from: addDays(today, 1 - days), to: today })
    const currency = Currency.parse(dashboard.currency)
    const metric = (label: string, minor: bigint, href: string) => ({
      label,
      value: formatMoney({ minor, currency }),
      unit: currency,
      trend: null,
      href,
    })
    const { totals, attention } = dashboard
    return {
      app: { slug: 'platform-pay', name: 'Payments' },
      title: 'Takings',
      generatedAt: at,
      metrics: [
        metric('Takings in 14 days', totals.takings, '/pay'),
        metric('Refunds', totals.refunds, '/pay/orders?status=refunded'),
        metric('Net', totals.net, '/pay'),
        { label: 'Paid orders', value: String(totals.paidOrders), unit: null, trend: null, href: '/pay/orders' },
      ],
      items: attention.slice(0, maxItems).map(({ id, kind, orderId, orderNumber, amount, ...item }) => ({
        id,
        title: titles[kind],
        subtitle: `${formatMoney({ minor: amount, currency: Currency.parse(item.currency) })} ${item.currency}, order ${orderNumber}`,
        at: item.at,
        status: kind,
        href: `/pay/orders/${orderId}`,
      })),
      series: [
        {
          label: 'Takings per day',
          points: dashboard.days.map(({ day, takings }) => ({
            at: day,
            value: formatMoney({ minor: takings, currency }),
          })),
        },
      ],
      actions: [pageAction('New order', '/pay/orders#new-order')],
    }
  },
})

const titles = {
  dispute: 'Respond to a dispute',
  refund_approval: 'Approve a refund',
  refund_unknown: 'Outcome of a refund unknown',
  payment_unknown: 'Outcome of a payment unknown',
}
