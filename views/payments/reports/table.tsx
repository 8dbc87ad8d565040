import type { Takings, TakingsFilter, TakingsTotals } from '#payments/types'
import { money } from '../money.ts'
import { StepTable, type Column } from './step-table.tsx'
import { reportsPath, takingsRoute } from './words.ts'

export interface TakingsProps {
  takings: Takings
  query: TakingsFilter
}

const amountOf =
  (pick: (row: TakingsTotals) => number): Column<TakingsTotals>['text'] =>
  (row) =>
    pick(row) === 0 ? '' : money(pick(row), row.currency)

const columns: readonly Column<TakingsTotals>[] = [
  { label: 'Payments', text: ({ payments }) => payments.toLocaleString('en') },
  { label: 'Takings', text: amountOf(({ takings }) => takings) },
  { label: 'Refunds', text: amountOf(({ refunds }) => -refunds) },
  { label: 'Disputes', text: amountOf(({ disputes }) => -disputes) },
  { label: 'Fees', text: amountOf(({ fees }) => -fees) },
  { label: 'Other', text: amountOf(({ other }) => other) },
  { label: 'Net', text: amountOf(({ net }) => net) },
  { label: 'Paid out', text: amountOf(({ payouts }) => payouts) },
]

export const TakingsTable = ({ takings, query }: TakingsProps) => (
  <StepTable
    caption="Takings, refunds, disputes, fees and payouts"
    report={takings}
    columns={columns}
    query={query}
    page={reportsPath}
    from={takingsRoute}
    target="#takings"
  />
)
