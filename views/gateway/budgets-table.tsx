import type { Budget } from '#gateway/types'
import { Badge } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { dollars, percent } from './money.ts'
import { familyNames, modeNames, periodNames } from './words.ts'
import { DataTable, number } from '#views/ui/data-table.tsx'

interface BudgetsProps {
  budgets: Budget[]
}

/** Spent and held of each budget. */
export const BudgetsCard = ({ budgets }: BudgetsProps) => (
  <section class="card" id="budgets" aria-labelledby="budgets-title">
    <header>
      <h2 id="budgets-title">Budgets</h2>
      <a class="link small" href="/gateway/limits">
        All limits
      </a>
    </header>
    {budgets.length > 0 ? (
      <DataTable
        caption="Budgets of the current period"
        columns={['Scope', 'Spent and held', number('Amount'), 'Mode', 'Resets']}
      >
        <tbody>
          {budgets.map((budget) => (
            <BudgetRow budget={budget} />
          ))}
        </tbody>
      </DataTable>
    ) : (
      <p class="body muted">No limits yet. Spending is recorded, and nothing is refused.</p>
    )}
  </section>
)

const BudgetRow = ({ budget }: { budget: Budget }) => (
  <tr>
    <td data-at="title">
      <b class="wrap-anywhere" safe>
        {scopeName(budget)}
      </b>{' '}
      <small class="muted" safe>
        {`${budget.family ? familyNames[budget.family] : 'everything'}, ${periodNames[budget.period]}`}
      </small>
    </td>
    <td data-at="sub">
      <BudgetMeter budget={budget} />
    </td>
    <td data-num data-at="end">
      <span safe>{dollars(budget.spentNanoUsd)}</span>{' '}
      <span class="muted" safe>{`/ ${dollars(budget.limitNanoUsd)}`}</span>
    </td>
    <td>
      <Badge label={modeNames[budget.mode]} tone={budget.mode === 'hard' ? 'accent' : undefined} />
    </td>
    <td class="nowrap" data-at="time">
      {budget.resetsAt ? <Time at={budget.resetsAt} /> : 'Never'}
    </td>
  </tr>
)

/** From this share on, the end of a budget is near. */
const nearPercent = 80

const BudgetMeter = ({ budget }: BudgetProps) => {
  const spent = Math.min(percent(budget.spentNanoUsd, budget.limitNanoUsd), 100)
  const held = Math.min(percent(budget.reservedNanoUsd, budget.limitNanoUsd), 100 - spent)
  return (
    <span
      class="meter"
      data-state={spent >= 100 ? 'over' : spent >= nearPercent ? 'near' : undefined}
      style={`--value: ${spent}%; --held: ${held}%`}
      role="img"
      aria-label={held > 0 ? `${spent}% spent, ${held}% held` : `${spent}% spent`}
    />
  )
}

interface BudgetProps {
  budget: Pick<Budget, 'spentNanoUsd' | 'reservedNanoUsd' | 'limitNanoUsd'>
}

const scopeName = ({ scope_type: type, scope_value: value, scopeName: name }: Budget): string =>
  type === 'application' ? (name ?? value) : type === 'organization' ? 'Whole organization' : 'Platform'
