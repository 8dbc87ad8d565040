import type { ReportOptions, TaxReport } from '#payments/types'
import { Empty } from '#views/ui/feedback.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { ExportLink } from '../export-link.tsx'
import { Choice, FilterForm } from '../filters.tsx'
import { money } from '../money.ts'
import { ReportTabs } from './tabs.tsx'
import { monthText, reportsPath } from './words.ts'

const path = `${reportsPath}/taxes`

interface TaxesProps {
  report: TaxReport | null
  options: ReportOptions
  merchantId: string | undefined
  month: string | undefined
  /** That can be chosen, the newest first. */
  months: readonly string[]
}

export const TaxesPage = ({ report, options, merchantId, month, months }: TaxesProps) => (
  <>
    <PageHeader title="Taxes" crumbs={[{ href: reportsPath, label: 'Reports' }]}>
      <div class="actions">
        {report ? <ExportLink from="/api/reports/taxes/export" query={{ ...filterOf(report) }} /> : null}
      </div>
    </PageHeader>
    <ReportTabs current="taxes" merchantId={merchantId} />
    <div class="page stack">
      <FilterForm label="Filter taxes" path={path}>
        <Choice
          label="Month"
          name="month"
          chosen={month}
          options={months.map((value) => ({ value, label: monthText(value) }))}
        />
        <Choice
          label="Merchant"
          name="merchantId"
          chosen={merchantId}
          options={options.merchants.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </FilterForm>
      {report ? <TaxTable report={report} /> : <NoTaxes />}
    </div>
  </>
)

const filterOf = ({ merchantId, month }: TaxReport): { limit?: number; merchantId: string; month: string } => ({
  merchantId,
  month,
})

export const TaxTable = ({ report: { items } }: { report: TaxReport }) => (
  <div id="tax-report">{items.length === 0 ? <NoTaxes /> : <TaxCard taxes={items} />}</div>
)

const NoTaxes = () => (
  <Empty
    icon="chart-column"
    title="No revenue in this month"
    text="Revenue and its taxes appear here by rate, without what was refunded and what disputes took."
  />
)

export const TaxCard = ({ taxes }: { taxes: TaxReport['items'] }) => (
  <section class="card" aria-labelledby="taxes">
    <header>
      <h2 id="taxes">Taxes by rate</h2>
    </header>
    <div class="scroll-x" tabindex="0" role="region" aria-label="Taxes">
      <table class="table">
        <caption class="visually-hidden">Taxes by rate</caption>
        <thead>
          <tr>
            <th scope="col">Rate</th>
            <th scope="col" data-num>
              Gross
            </th>
            <th scope="col" data-num>
              Net
            </th>
            <th scope="col" data-num>
              Tax
            </th>
          </tr>
        </thead>
        <tbody>
          {taxes.map(({ rate, currency, gross, net, tax }) => (
            <tr>
              <th scope="row" safe>
                {rate === null ? `Without an order, ${currency}` : `${rate}%, ${currency}`}
              </th>
              <td data-num safe>
                {money(gross, currency)}
              </td>
              <td data-num safe>
                {money(net, currency)}
              </td>
              <td data-num safe>
                {money(tax, currency)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)
