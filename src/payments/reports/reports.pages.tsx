import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { Cursor, Limit } from '#lib/paginate.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { Day, TimeZone } from '#lib/time.ts'
import { AccountsPage } from '#views/payments/reports/accounts.tsx'
import { StatementPage } from '#views/payments/reports/statement.tsx'
import { ReportsPage } from '#views/payments/reports/page.tsx'
import { TaxesPage } from '#views/payments/reports/taxes.tsx'
import { PeriodsPage } from '#views/payments/reports/periods.tsx'
import { Month, ReportStep, TakingsFilter } from '../contract/reports.ts'
import { getAccountChart, getStatement, getTaxReport } from './accounting.operations.tsx'
import { getReportOptions, getTakings, listAccountingPeriods } from './reports.operations.tsx'

const maxRows = 100

export const reportsPage = page({
  path: '/pay/reports',
  permission: 'reports:read',
  query: z.object({
    merchantId: ignoreInvalid(Id),
    venueId: ignoreInvalid(Id),
    currency: ignoreInvalid(TakingsFilter.shape.currency),
    from: ignoreInvalid(Day),
    to: ignoreInvalid(Day),
    /** Sent by the form’s dates; days are those of the merchant. */
    timeZone: ignoreInvalid(TimeZone),
    by: ignoreInvalid(ReportStep),
    limit: Limit.catch(maxRows),
    cursor: Cursor,
  }),
  screen: 'usage payments',
  icon: 'chart-column',
  title: 'Reports',
  keywords: 'takings revenue fees refunds payouts daily accounting export csv tax',
  load: async ({ ask, input, actor }) => {
    const { timeZone: _, limit, cursor, venueId, ...chosen } = input
    const options = await ask(getReportOptions, chosen)
    const merchant = options.merchants.find(({ id }) => id === chosen.merchantId) ?? options.merchants[0]
    const query = {
      ...chosen,
      venueId,
      merchantId: chosen.merchantId ?? merchant?.id,
      currency: chosen.currency ?? TakingsFilter.shape.currency.safeParse(merchant?.currencies[0]).data,
      limit,
      cursor,
    }
    const takings = await ask(getTakings, query)
    return { options, chosen, query, takings, organizationId: actor.organization?.id }
  },
  view: (props) => <ReportsPage {...props} />,
})

export const periodsPage = page({
  path: '/pay/reports/periods',
  permission: 'reports:read',
  query: z.object({ merchantId: ignoreInvalid(Id), limit: Limit, cursor: Cursor }),
  screen: 'usage payments',
  icon: 'calendar',
  title: 'Accounting periods',
  keywords: 'close month closing books accounting',
  load: async ({ ask, input, actor }) => ({
    list: await ask(listAccountingPeriods, input),
    query: input,
    organizationId: actor.organization?.id,
  }),
  view: (props) => <PeriodsPage {...props} />,
})

const shownMonths = 24

const monthsUntil = (month: string): string[] => {
  const last = Temporal.PlainYearMonth.from(month)
  return Array.from({ length: shownMonths }, (_, at) => last.subtract({ months: at }).toString())
}

export const taxesPage = page({
  path: '/pay/reports/taxes',
  permission: 'reports:read',
  query: z.object({ merchantId: ignoreInvalid(Id), month: ignoreInvalid(Month) }),
  screen: 'usage payments',
  icon: 'chart-column',
  title: 'Taxes',
  keywords: 'report tax vat rate revenue',
  load: async ({ ask, input }) => {
    const options = await ask(getReportOptions, {})
    const merchant = options.merchants.find(({ id }) => id === input.merchantId) ?? options.merchants[0]
    const merchantId = input.merchantId ?? merchant?.id
    const month = input.month ?? merchant?.month
    const report = merchantId && month ? await ask(getTaxReport, { merchantId, month }) : null
    return { report, options, merchantId, month, months: merchant ? monthsUntil(merchant.month) : [] }
  },
  view: (props) => <TaxesPage {...props} />,
})

export const statementPage = page({
  path: '/pay/reports/periods/:merchantId/:month',
  permission: 'reports:read',
  query: z.object({ merchantId: Id, month: Month }),
  screen: 'usage payments ledger',
  icon: 'calendar',
  title: 'Statement',
  load: async ({ ask, input }) => ({ statement: await ask(getStatement, input) }),
  view: (props) => <StatementPage {...props} />,
})

export const accountsPage = page({
  path: '/pay/reports/accounts',
  permission: 'settings:read',
  query: z.object({}),
  screen: 'usage payments',
  icon: 'landmark',
  title: 'Accounts of the accounting export',
  keywords: 'chart of accounts codes datev bookkeeping',
  load: async ({ ask }) => ({ chart: await ask(getAccountChart, {}) }),
  view: (props) => <AccountsPage {...props} />,
})
