import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { stream } from '#lib/reply.ts'
import { DetailReport } from '#views/payments/reports/details.tsx'
import {
  DisputeLine,
  DisputeReport,
  FeeLine,
  FeeReport,
  PayoutLine,
  PayoutReport,
  RefundLine,
  RefundReport,
  TakingsFilter,
} from '../contract/reports.ts'
import { exportReportLines } from './export-takings.ts'
import { scopeOf } from './scope.ts'
import { listTakings } from './takings.ts'

type ReportCall = Call<TakingsFilter, Actor>

const permission = 'reports:read'

/** With the columns of all reports: each returns its own. */
async function readReport(call: Pick<ReportCall, 'db' | 'actor' | 'now' | 'input'>) {
  const { by = 'day', ...input } = call.input
  const { timeZone, today: _, ...scope } = await scopeOf(call)
  return { ...(await listTakings(call.db, { ...input, by, ...scope })), timeZone }
}

async function exportReport(
  call: Pick<ReportCall, 'db' | 'actor' | 'now'> & { input: Omit<TakingsFilter, 'limit' | 'cursor'> },
  name: string,
  line: z.ZodType,
) {
  const { by = 'day', ...input } = call.input
  const scope = { ...input, by, ...(await scopeOf(call)) }
  return stream(exportReportLines(call.db, line, scope), 'text/csv; charset=utf-8; header=present', {
    headers: { 'Content-Disposition': `attachment; filename="${name}-${scope.from}-${scope.to}.csv"` },
  })
}

const exporting = {
  permission,
  input: TakingsFilter.omit({ limit: true, cursor: true }),
  output: z.null(),
  streams: 'text/csv',
} as const

type View = Pick<ReportCall, 'input' | 'actor'>

export const getFeeReport = operation({
  route: 'GET /api/reports/fees',
  summary: 'Get fees by their cause',
  permission,
  input: TakingsFilter,
  output: FeeReport,
  run: (call) => readReport(call),
  view: (report, { input, actor }: View) => (
    <DetailReport kind="fees" report={report} query={input} organizationId={actor.organization?.id} />
  ),
})

export const exportFeeReport = operation({
  ...exporting,
  route: 'GET /api/reports/fees/export',
  summary: 'Export fees as CSV',
  run: (call) => exportReport(call, 'fees', FeeLine),
})

export const getRefundReport = operation({
  route: 'GET /api/reports/refunds',
  summary: 'Get sums of refunds',
  permission,
  input: TakingsFilter,
  output: RefundReport,
  run: (call) => readReport(call),
  view: (report, { input, actor }: View) => (
    <DetailReport kind="refunds" report={report} query={input} organizationId={actor.organization?.id} />
  ),
})

export const exportRefundReport = operation({
  ...exporting,
  route: 'GET /api/reports/refunds/export',
  summary: 'Export sums of refunds as CSV',
  run: (call) => exportReport(call, 'refunds', RefundLine),
})

export const getDisputeReport = operation({
  route: 'GET /api/reports/disputes',
  summary: 'Get sums of disputes',
  permission,
  input: TakingsFilter,
  output: DisputeReport,
  run: (call) => readReport(call),
  view: (report, { input, actor }: View) => (
    <DetailReport kind="disputes" report={report} query={input} organizationId={actor.organization?.id} />
  ),
})

export const exportDisputeReport = operation({
  ...exporting,
  route: 'GET /api/reports/disputes/export',
  summary: 'Export sums of disputes as CSV',
  run: (call) => exportReport(call, 'disputes', DisputeLine),
})

export const getPayoutReport = operation({
  route: 'GET /api/reports/payouts',
  summary: 'Get sums of payouts',
  permission,
  input: TakingsFilter,
  output: PayoutReport,
  run: (call) => readReport(call),
  view: (report, { input, actor }: View) => (
    <DetailReport kind="payouts" report={report} query={input} organizationId={actor.organization?.id} />
  ),
})

export const exportPayoutReport = operation({
  ...exporting,
  route: 'GET /api/reports/payouts/export',
  summary: 'Export sums of payouts as CSV',
  run: (call) => exportReport(call, 'payouts', PayoutLine),
})
