import type {
  DisputeReport,
  FeeReport,
  PayoutReport,
  RefundReport,
  ReportFilter,
  ReportOptions,
  TakingsFilter,
} from '#payments/types'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { PageHeader } from '#views/ui/page-header.tsx'
import { ExportLink } from '../export-link.tsx'
import { ledgerTopic } from '../ledger/table.tsx'
import { money } from '../money.ts'
import { ReportFilters } from './filters.tsx'
import { StepTable, type Column } from './step-table.tsx'
import { ReportTabs } from './tabs.tsx'
import { reportsPath } from './words.ts'

interface Reports {
  fees: FeeReport
  refunds: RefundReport
  disputes: DisputeReport
  payouts: PayoutReport
}

type Kind = keyof Reports

/** A report with its kind, so that both agree. */
type OfKind = { [Each in Kind]: { kind: Each; report: Reports[Each] } }[Kind]

type DetailProps = OfKind & { query: TakingsFilter; organizationId: string | undefined }

const titles: Record<Kind, string> = { fees: 'Fees', refunds: 'Refunds', disputes: 'Disputes', payouts: 'Payouts' }

export const DetailPage = (props: DetailProps & { options: ReportOptions; chosen: ReportFilter }) => {
  const { kind, report, query, options, chosen } = props
  return (
    <>
      <PageHeader
        title={titles[kind]}
        crumbs={[{ href: reportsPath, label: 'Reports' }]}
        status={<small class="muted wide-only" safe>{`Days in ${report.timeZone}`}</small>}
      >
        <div class="actions">
          <ExportLink from={`/api/reports/${kind}/export`} query={query} />
        </div>
      </PageHeader>
      <ReportTabs current={kind} merchantId={query.merchantId} />
      <div class="page stack" style="--measure: none">
        <ReportFilters options={options} query={chosen} path={`${reportsPath}/${kind}`} />
        <DetailReport {...props} />
      </div>
    </>
  )
}

export const DetailReport = (props: DetailProps) => {
  const { kind, report, query, organizationId } = props
  return (
    <div
      id="report-details"
      class="stack"
      {...liveAt(listHref(`/api/reports/${kind}`, query), ledgerTopic(organizationId))}
    >
      {report.totals.length === 0 ? (
        <Empty
          icon="chart-column"
          title={`No ${kind} in these days`}
          text="They appear here as soon as they are in the ledger."
        />
      ) : (
        <Table {...props} />
      )}
    </div>
  )
}

interface InCurrency {
  currency: string
}

const amountOf =
  <Row extends InCurrency>(pick: (row: Row) => number) =>
  (row: Row): string =>
    pick(row) === 0 ? '' : money(pick(row), row.currency)

const countOf =
  <Row,>(pick: (row: Row) => number) =>
  (row: Row): string =>
    pick(row).toLocaleString('en')

type Totals<Each extends Kind> = Reports[Each]['totals'][number]

/** `2.3%` of what was taken. */
const shareOf = ({ fees, takings }: Totals<'fees'>): string =>
  takings <= 0 ? '' : `${((fees / takings) * 100).toLocaleString('en', { maximumFractionDigits: 2 })}%`

const columns: { [Each in Kind]: readonly Column<Totals<Each>>[] } = {
  fees: [
    { label: 'Payments', text: countOf(({ payments }) => payments) },
    { label: 'Takings', text: amountOf(({ takings }) => takings) },
    { label: 'For payments', text: amountOf(({ feesOfPayments }) => feesOfPayments) },
    { label: 'For refunds', text: amountOf(({ feesOfRefunds }) => feesOfRefunds) },
    { label: 'For disputes', text: amountOf(({ feesOfDisputes }) => feesOfDisputes) },
    { label: 'Other', text: amountOf(({ feesOfOthers }) => feesOfOthers) },
    { label: 'Fees', text: amountOf(({ fees }) => fees) },
    { label: 'Of takings', text: shareOf },
  ],
  refunds: [
    { label: 'Number', text: countOf(({ refundCount }) => refundCount) },
    { label: 'Sent', text: amountOf(({ refundsSent }) => refundsSent) },
    { label: 'Failed or canceled', text: amountOf(({ refundsReturned }) => -refundsReturned) },
    { label: 'Refunds', text: amountOf(({ refunds }) => refunds) },
  ],
  disputes: [
    { label: 'Number', text: countOf(({ disputeCount }) => disputeCount) },
    { label: 'Opened', text: amountOf(({ disputesOpened }) => disputesOpened) },
    { label: 'Won', text: amountOf(({ disputesWon }) => -disputesWon) },
    { label: 'Lost', text: amountOf(({ disputesLost }) => disputesLost) },
    { label: 'Fees', text: amountOf(({ feesOfDisputes }) => feesOfDisputes) },
    { label: 'Withdrawn', text: amountOf(({ disputes }) => disputes) },
  ],
  payouts: [
    { label: 'Number', text: countOf(({ payoutCount }) => payoutCount) },
    { label: 'To the bank', text: amountOf(({ bankPayouts }) => bankPayouts) },
    { label: 'Returned', text: amountOf(({ bankReturned }) => -bankReturned) },
    { label: 'Settlements', text: amountOf(({ settlements }) => settlements) },
    { label: 'Payouts', text: amountOf(({ payouts }) => payouts) },
  ],
}

const Table = (props: OfKind & { query: TakingsFilter }) => {
  const { kind, query } = props
  const shared = {
    caption: titles[kind],
    query,
    page: `${reportsPath}/${kind}`,
    from: `/api/reports/${kind}`,
    target: '#report-details',
  }
  switch (props.kind) {
    case 'fees':
      return <StepTable {...shared} report={props.report} columns={columns.fees} />
    case 'refunds':
      return <StepTable {...shared} report={props.report} columns={columns.refunds} />
    case 'disputes':
      return <StepTable {...shared} report={props.report} columns={columns.disputes} />
    default:
      return <StepTable {...shared} report={props.report} columns={columns.payouts} />
  }
}
