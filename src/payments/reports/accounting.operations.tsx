import { z } from 'zod'
import { organizationOf, requirePerson } from '#lib/authorize.ts'
import { Currency, formatMoney } from '#lib/money.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { AccountsForm } from '#views/payments/reports/accounts.tsx'
import { TaxTable } from '#views/payments/reports/taxes.tsx'
import { StatementView } from '#views/payments/reports/statement.tsx'
import { AccountChart, AccountChartEdit } from '../contract/accounting.ts'
import { MonthFilter, Statement, TaxLine, TaxReport } from '../contract/reports.ts'
import { pdfFile } from '../invoices/pdf/file.ts'
import { drawingProblems } from '../invoices/pdf/draw.ts'
import { exportAccountingLines } from './accounting.ts'
import { readChart, saveChart } from './accounts.ts'
import { getReportedMerchant } from './merchants.ts'
import { readStatement, readTaxes } from './statement.ts'

const permission = 'reports:read'

export const exportAccounting = operation({
  route: 'GET /api/reports/accounting',
  summary: 'Export a month for accounting as CSV',
  permission,
  input: MonthFilter,
  output: z.null(),
  streams: 'text/csv',
  run: async ({ db, actor, input: { merchantId, month } }) => {
    const organizationId = organizationOf(actor, permission)
    const { id } = await getReportedMerchant(db, organizationId, merchantId)
    const lines = exportAccountingLines(db, { organizationId, merchantId: id, month })
    return stream(lines, 'text/csv; charset=utf-8; header=present', {
      headers: { 'Content-Disposition': `attachment; filename="accounting-${month}.csv"` },
    })
  },
})

export const getTaxReport = operation({
  route: 'GET /api/reports/taxes',
  summary: 'Get taxes of a month',
  permission,
  input: MonthFilter,
  output: TaxReport,
  run: async ({ db, actor, input }) => readTaxes(db, { organizationId: organizationOf(actor, permission), ...input }),
  view: (report) => <TaxTable report={report} />,
})

export const exportTaxReport = operation({
  route: 'GET /api/reports/taxes/export',
  summary: 'Export taxes of a month as CSV',
  permission,
  input: MonthFilter,
  output: z.null(),
  streams: 'text/csv',
  run: async ({ db, actor, input }) => {
    const organizationId = organizationOf(actor, permission)
    const { name } = await getReportedMerchant(db, organizationId, input.merchantId)
    const { items, month } = await readTaxes(db, { organizationId, ...input })
    return csvFile(`taxes-${month}`, TaxLine, async () => ({
      nextCursor: null,
      items: items.map(({ rate, currency, ...sums }) => {
        const decimal = (minor: bigint) => formatMoney({ minor, currency: Currency.parse(currency) })
        const [gross, net, tax] = [decimal(sums.gross), decimal(sums.net), decimal(sums.tax)]
        return { month, merchant: name, currency, rate, gross, net, tax }
      }),
    }))
  },
})

export const getStatementPdf = operation({
  route: 'GET /api/reports/statement/pdf',
  summary: 'Get a statement of a month as PDF/A-3',
  permission,
  input: MonthFilter,
  output: z.null(),
  streams: 'application/pdf',
  ranges: true,
  problems: drawingProblems,
  run: async ({ db, actor, input, config }) => {
    const organizationId = organizationOf(actor, permission)
    const [statement, { accounts }] = await Promise.all([
      readStatement(db, { organizationId, ...input }),
      readChart(db, organizationId),
    ])
    const accountNames = Object.fromEntries(accounts.map(({ account, name }) => [account, name]))
    const drawing = { statement, accountNames, cjkFont: config.PDF_CJK_FONT }
    return pdfFile(drawing, { organizationId, name: `statement-${statement.month}.pdf` })
  },
})

export const getStatement = operation({
  route: 'GET /api/reports/statement',
  summary: 'Get a statement of a month',
  permission,
  input: MonthFilter,
  output: Statement,
  run: async ({ db, actor, input }) =>
    readStatement(db, { organizationId: organizationOf(actor, permission), ...input }),
  view: (statement) => <StatementView statement={statement} />,
})

export const getAccountChart = operation({
  route: 'GET /api/reports/accounts',
  summary: 'Get accounts of the accounting export',
  permission: 'settings:read',
  input: z.object({}),
  output: AccountChart,
  run: async ({ db, actor }) => {
    const chart = await readChart(db, organizationOf(actor, 'settings:read'))
    return reply(200, chart, { headers: { ETag: `"${chart.version}"` } })
  },
  view: (chart) => <AccountsForm chart={chart} />,
})

export const updateAccountChart = operation({
  route: 'PUT /api/reports/accounts',
  summary: 'Update accounts of the accounting export',
  permission: 'settings:write',
  ifMatch: true,
  input: AccountChartEdit,
  output: AccountChart,
  example: {
    accounts: [{ account: 'clearing', code: '1460', name: 'Stripe' }],
    rates: [{ rate: '19', revenue: '4400', tax: '3806' }],
  },
  problems: { session_required: 403, version_conflict: 409 },
  run: async (call) => {
    requirePerson(call.actor)
    const chart = await saveChart(call, call.input, expectedVersions(call.request.headers))
    return reply(200, chart, { headers: { ETag: `"${chart.version}"` }, toast: 'Saved' })
  },
  view: (chart) => <AccountsForm chart={chart} />,
})
