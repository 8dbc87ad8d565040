import { z } from 'zod'
import { organizationOf } from '#lib/authorize.ts'
import { operation } from '#lib/operation.ts'
import { SpendStats } from '#views/gateway/spend-stats.tsx'
import { UsageReportCards } from '#views/gateway/usage-report.tsx'
import { Spending } from '../contract/spending.ts'
import { ReportDimension, UsageReport } from '../contract/usage-report.ts'
import { filterInput, rangeInput } from '../contract/usage-filters.ts'
import { organizationFor, rangeOf } from '../usage/range.ts'
import { nameKeys } from '../names.ts'
import { readReport, readsRecords } from './report.ts'
import { readSpending } from './spending.ts'

export const getSpending = operation({
  route: 'GET /api/gateway/spending',
  summary: 'Get this month’s spending',
  permission: 'usage:read',
  input: z.object({}),
  output: Spending,
  run: async ({ db, ledger, actor, now }) => {
    await ledger.settled()
    return readSpending(db, organizationOf(actor, 'usage:read'), now())
  },
  view: (spending) => <SpendStats spending={spending} />,
})

const maxDays = { records: 31, totals: 92 }

export const getUsageReport = operation({
  route: 'GET /api/gateway/usage',
  summary: 'Get a usage report',
  permission: 'usage:read',
  input: z.object({ ...rangeInput, ...filterInput, groupBy: ReportDimension.default('family') }),
  output: UsageReport,
  run: async (call) => {
    const { groupBy, from, to, organizationId, ...filters } = call.input
    await call.ledger.settled()
    const at = call.now()
    const range = rangeOf({ from, to }, at, readsRecords(groupBy) ? maxDays.records : maxDays.totals)
    const scope = { ...range, groupBy, filters, organizationId: organizationFor(call.actor, organizationId) }
    const report = await readReport(call.db, scope, at)
    const names = await nameKeys(
      call,
      groupBy,
      report.groups.flatMap(({ key }) => key ?? []),
    )
    return {
      ...report,
      groups: report.groups.map((group) => ({ ...group, name: (group.key && names.get(group.key)) ?? null })),
    }
  },
  view: (report, { input }) => <UsageReportCards report={report} query={input} />,
})
