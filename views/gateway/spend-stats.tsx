import type { Spending } from '#gateway/types'
import { timeText } from '#views/ui/time.tsx'
import { amount, dollars, percent } from './money.ts'

interface StatProps {
  name: string
  value: string
  children?: JSX.Element
}

export const Stat = ({ name, value, children }: StatProps) => (
  <div class="stat">
    <dt safe>{name}</dt>
    <dd safe>{value}</dd>
    {children ? <dd>{children}</dd> : null}
  </div>
)

/** The figures of the month. */
export const SpendStats = ({ spending }: { spending: Spending }) => {
  const { budget, posts, previous } = spending
  const end = timeText(`${spending.to}T00:00:00Z`, 'UTC', 'day')
  return (
    <section class="card" id="spending" aria-label="This month">
      <div class="body">
        <dl class="stats">
          <Stat name="Spent" value={dollars(spending.spentNanoUsd)}>
            {budget ? (
              <span safe>{`of ${dollars(budget.limitNanoUsd)}`}</span>
            ) : (
              <span safe>{`${dollars(previous.spentNanoUsd)} last month`}</span>
            )}
          </Stat>
          <Stat name="Held for running requests" value={dollars(spending.reservedNanoUsd)}>
            <span safe>
              {spending.runningRequests === 1 ? '1 request' : `${amount(spending.runningRequests)} requests`}
            </span>
          </Stat>
          <Stat name={`Forecast to ${end}`} value={dollars(spending.forecastNanoUsd)}>
            <Outlook spending={spending} />
          </Stat>
          {posts.count > 0 ? (
            <Stat name="Cost per post" value={dollars(Math.round(posts.costNanoUsd / posts.count))}>
              <span safe>{posts.count === 1 ? '1 post' : `${amount(posts.count)} posts`}</span>
            </Stat>
          ) : null}
          <Stat name="Requests" value={amount(spending.requests)}>
            <span safe>{`${amount(previous.requests)} last month`}</span>
          </Stat>
        </dl>
      </div>
    </section>
  )
}

const Outlook = ({ spending: { budget, forecastNanoUsd } }: { spending: Spending }) => {
  if (!budget) return <span>No monthly budget</span>
  if (forecastNanoUsd <= budget.limitNanoUsd) return <span>Within the budget</span>
  return (
    <span class="trend" data-bad safe>
      {`${percent(forecastNanoUsd - budget.limitNanoUsd, budget.limitNanoUsd)}% over the budget`}
    </span>
  )
}
