import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor, Limit } from '#lib/paginate.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { Day, TimeZone } from '#lib/time.ts'
import { DetailPage } from '#views/payments/reports/details.tsx'
import { ReportStep, TakingsFilter, type ReportOptions } from '../contract/reports.ts'
import { getDisputeReport, getFeeReport, getPayoutReport, getRefundReport } from './details.operations.tsx'
import { getReportOptions } from './reports.operations.tsx'

const maxRows = 100

const shared = {
  permission: 'reports:read' as const,
  screen: 'usage payments',
  icon: 'chart-column' as const,
  query: z.object({
    merchantId: ignoreInvalid(Id),
    currency: ignoreInvalid(TakingsFilter.shape.currency),
    from: ignoreInvalid(Day),
    to: ignoreInvalid(Day),
    timeZone: ignoreInvalid(TimeZone),
    by: ignoreInvalid(ReportStep),
    limit: Limit.catch(maxRows),
    cursor: Cursor,
  }),
}

type Query = z.output<typeof shared.query>

/** Of one merchant and currency: the chosen ones, else the first. */
function queryOf(input: Query, { merchants }: z.output<typeof ReportOptions>) {
  const { timeZone: _, limit, cursor, ...chosen } = input
  const merchant = merchants.find(({ id }) => id === chosen.merchantId) ?? merchants[0]
  const query = {
    ...chosen,
    merchantId: chosen.merchantId ?? merchant?.id,
    currency: chosen.currency ?? TakingsFilter.shape.currency.safeParse(merchant?.currencies[0]).data,
    limit,
    cursor,
  }
  return { chosen, query }
}

export const feesPage = page({
  ...shared,
  path: '/pay/reports/fees',
  title: 'Fees',
  keywords: 'report provider fees costs',
  load: async ({ ask, input, actor }) => {
    const options = await ask(getReportOptions, {})
    const { chosen, query } = queryOf(input, options)
    return { report: await ask(getFeeReport, query), query, chosen, options, organizationId: actor.organization?.id }
  },
  view: (props) => <DetailPage kind="fees" {...props} />,
})

export const refundsReportPage = page({
  ...shared,
  path: '/pay/reports/refunds',
  title: 'Refunds report',
  keywords: 'report refunds sums',
  load: async ({ ask, input, actor }) => {
    const options = await ask(getReportOptions, {})
    const { chosen, query } = queryOf(input, options)
    return { report: await ask(getRefundReport, query), query, chosen, options, organizationId: actor.organization?.id }
  },
  view: (props) => <DetailPage kind="refunds" {...props} />,
})

export const disputesPage = page({
  ...shared,
  path: '/pay/reports/disputes',
  title: 'Disputes report',
  keywords: 'report disputes chargebacks',
  load: async ({ ask, input, actor }) => {
    const options = await ask(getReportOptions, {})
    const { chosen, query } = queryOf(input, options)
    return {
      report: await ask(getDisputeReport, query),
      query,
      chosen,
      options,
      organizationId: actor.organization?.id,
    }
  },
  view: (props) => <DetailPage kind="disputes" {...props} />,
})

export const payoutsPage = page({
  ...shared,
  path: '/pay/reports/payouts',
  title: 'Payouts report',
  keywords: 'report payouts bank settlements',
  load: async ({ ask, input, actor }) => {
    const options = await ask(getReportOptions, {})
    const { chosen, query } = queryOf(input, options)
    return { report: await ask(getPayoutReport, query), query, chosen, options, organizationId: actor.organization?.id }
  },
  view: (props) => <DetailPage kind="payouts" {...props} />,
})
