import { z } from 'zod'
import { Currency, formatMoney } from '#lib/money.ts'
import { operation } from '#lib/operation.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { AnalyticsView } from '#views/payments/analytics/analytics.tsx'
import { AnalyticsLine, AnalyticsQuery, PaymentAnalytics } from '../contract/analytics.ts'
import { readAnalytics } from './read.ts'

const permission = 'analytics:read'

export const getPaymentAnalytics = operation({
  route: 'GET /api/pay/analytics',
  summary: 'Get payment analytics',
  permission,
  input: AnalyticsQuery,
  output: PaymentAnalytics,
  run: (call) => readAnalytics(call, call.input),
  view: (analytics) => <AnalyticsView analytics={analytics} />,
})

export const exportPaymentAnalytics = operation({
  route: 'GET /api/pay/analytics/export',
  summary: 'Export payment analytics by day as CSV',
  permission,
  input: AnalyticsQuery,
  output: z.null(),
  streams: 'text/csv',
  run: async (call) => {
    const { days, currency: code, from, to } = await readAnalytics(call, call.input)
    const currency = Currency.parse(code)
    const decimal = (minor: bigint) => formatMoney({ minor, currency })
    const items = days.map(({ previous, ...day }) => ({
      ...day,
      currency,
      takings: decimal(day.takings),
      refunds: decimal(day.refunds),
      fees: decimal(day.fees),
      net: decimal(day.net),
      previousTakings: decimal(previous),
    }))
    return csvFile(`analytics-${from}-${to}`, AnalyticsLine, async () => ({ items, nextCursor: null }))
  },
})
