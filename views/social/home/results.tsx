import type { RecentResults } from '#social/types'
import { BarChart, Legend } from '#views/ui/chart.tsx'
import { NetworkMark } from '#views/ui/marks.tsx'
import { timeText } from '#views/ui/time.tsx'
import { networkNames } from '../posts/post-text.ts'
import type { HomeProps } from './props.ts'

type Outcomes = RecentResults['before']

/** Absent without posts in the last two weeks. */
export const Results = ({ dashboard: { results } }: Pick<HomeProps, 'dashboard'>) => {
  const { days, networks, before } = results
  if (networks.length === 0) return <></>
  return (
    <section class="section" aria-labelledby="home-results">
      <header>
        <h2 id="home-results">Last 7 days</h2>
        <Legend names={['Published', 'Failed']} />
      </header>
      <dl class="stats">
        <Stat name="Published" value={results.published} before={before.published} />
        <Stat name="Failed" value={results.failed} before={before.failed} />
      </dl>
      <BarChart
        label="Published and failed posts per day"
        heading="Day"
        columns={days.map(({ day }) => timeText(`${day}T00:00:00Z`, 'UTC', 'day'))}
        marks={days.map(({ day }) => Temporal.PlainDate.from(day).toLocaleString('en', { weekday: 'short' }))}
        series={[
          { name: 'Published', values: days.map(({ published }) => published) },
          { name: 'Failed', values: days.map(({ failed }) => failed) },
        ]}
        format={String}
        formatTick={String}
      />
      <ul class="list">
        {networks.map(({ provider, before: earlier, ...outcomes }) => (
          <li>
            <NetworkMark network={provider} />
            <span class="grow" safe>
              {networkNames[provider]}
            </span>
            <small class="muted" safe>
              {`${describe(outcomes)} · ${describe(earlier)} before`}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Stat = ({ name, value, before }: { name: string; value: number; before: number }) => (
  <div class="stat">
    <dt safe>{name}</dt>
    <dd safe>{value.toLocaleString('en')}</dd>
    <dd safe>{`${before.toLocaleString('en')} in the 7 days before`}</dd>
  </div>
)

const describe = ({ published, failed }: Outcomes): string =>
  `${published.toLocaleString('en')} published${failed > 0 ? `, ${failed.toLocaleString('en')} failed` : ''}`
