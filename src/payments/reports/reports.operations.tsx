import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import { TakingsReport } from '#views/payments/reports/takings.tsx'
import { Periods } from '#views/payments/reports/periods.tsx'
import { ReportFilters } from '#views/payments/reports/filters.tsx'
import { CheckBadge } from '#views/payments/reports/check-badge.tsx'
import {
  Period,
  PeriodClosing,
  PeriodFilter,
  PeriodList,
  ReportCheck,
  ReportCheckFilter,
  ReportFilter,
  ReportOptions,
  Takings,
  TakingsFilter,
  TakingsLine,
} from '../contract/reports.ts'
import { checkReports } from './check.ts'
import { closePeriod } from './close-period.ts'
import { exportReportLines } from './export-takings.ts'
import { listReportedMerchants } from './merchants.ts'
import { listPeriods } from './periods.ts'
import { scopeOf } from './scope.ts'
import { listTakings } from './takings.ts'

const permission = 'reports:read'

export const getTakings = operation({
  route: 'GET /api/reports/takings',
  summary: 'Get takings, refunds, fees and payouts',
  permission,
  input: TakingsFilter,
  output: Takings,
  run: async (call) => {
    const { by = 'day', ...input } = call.input
    const { timeZone, today, ...scope } = await scopeOf(call)
    const takings = await listTakings(call.db, { ...input, by, ...scope })
    return { ...takings, timeZone, isOver: scope.to < today }
  },
  view: (takings, { input, actor }) => (
    <TakingsReport takings={takings} query={input} organizationId={actor.organization?.id} />
  ),
})

export const exportTakings = operation({
  route: 'GET /api/reports/takings/export',
  summary: 'Export takings as CSV',
  permission,
  input: TakingsFilter.omit({ limit: true, cursor: true }),
  output: z.null(),
  streams: 'text/csv',
  run: async (call) => {
    const { by = 'day', ...input } = call.input
    const scope = { ...input, by, ...(await scopeOf(call)) }
    return stream(exportReportLines(call.db, TakingsLine, scope), 'text/csv; charset=utf-8; header=present', {
      headers: { 'Content-Disposition': `attachment; filename="takings-${scope.from}-${scope.to}.csv"` },
    })
  },
})

export const checkTakings = operation({
  route: 'GET /api/reports/check',
  summary: 'Verify reports against the ledger',
  permission,
  input: ReportCheckFilter,
  output: ReportCheck,
  run: async (call) => checkReports(call.db, { ...(await scopeOf(call)), merchantId: call.input.merchantId }),
  view: (check) => <CheckBadge check={check} />,
})

export const getReportOptions = operation({
  route: 'GET /api/reports/options',
  summary: 'List merchants and currencies of reports',
  permission,
  input: ReportFilter.describe('What is chosen in the view.'),
  output: ReportOptions,
  run: async ({ db, actor, now }) => ({
    merchants: await listReportedMerchants(db, organizationOf(actor, permission), now()),
  }),
  view: (options, { input }) => <ReportFilters options={options} query={input} />,
})

export const listAccountingPeriods = operation({
  route: 'GET /api/reports/periods',
  summary: 'List accounting periods',
  permission,
  input: PeriodFilter,
  output: PeriodList,
  run: async (call) => listPeriods(call, call.input),
  view: (list, { input, actor }) => <Periods list={list} query={input} organizationId={actor.organization?.id} />,
})

export const closeAccountingPeriod = operation({
  route: 'POST /api/reports/periods',
  summary: 'Close an accounting period',
  permission: 'settings:write',
  creates: true,
  input: PeriodClosing,
  output: Period,
  problems: { period_not_over: 409, period_closed: 409, period_order: 409 },
  run: async (call) => reply(201, await closePeriod(call, call.input), { toast: 'Closed' }),
  view: async (period, { ask, actor }) => {
    const query = PeriodFilter.parse({ merchantId: period.merchantId })
    const list = await ask(listAccountingPeriods, query)
    return <Periods list={list} query={query} organizationId={actor.organization?.id} />
  },
})
