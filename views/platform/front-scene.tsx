import type { Children } from '@kitajs/html'
import { Icon, type IconName } from '#views/ui/icon.tsx'

const label =
  'An example of Atrium’s dashboard. Social: six posts due today, one failed. Gateway: $412.86 of $600 spent. Actions: reconnect an account, retry two posts.'

/** A picture of the dashboard with example data, drawn with its own parts. Nothing in it can be reached. */
export const Scene = () => (
  <div class="scene" role="img" aria-label={label}>
    <div inert>
      <Card title="Social" icon="megaphone">
        <Stats
          stats={[
            { name: 'Due today', value: '6' },
            { name: 'Published this week', value: '23' },
          ]}
        />
        <ul class="list">
          <Line text="Maple oat latte is back from Monday" detail="12:15" />
          <Line text="How we choose a coffee" detail="14:00" />
          <Line text="Latte art night is this Thursday" detail="Failed" failed />
        </ul>
      </Card>
      <Card title="Gateway" icon="gauge">
        <Stats
          stats={[
            { name: 'Spent this month', value: '$412.86' },
            { name: 'Hard limit', value: '$600' },
          ]}
        />
        <span class="gauge" style="--value: 69%" />
        <small class="muted">$18.20 held for calls in progress</small>
      </Card>
      <Card title="Actions" icon="inbox">
        <ul class="list">
          <Line text="Reconnect @acme.coffee" detail="Since Friday" />
          <Line text="Retry 2 failed posts" detail="Since 09:00" />
          <Line text="AI budget at 91%" detail="Until Thursday" />
        </ul>
      </Card>
    </div>
  </div>
)

const Card = ({ title, icon, children }: { title: string; icon: IconName; children: Children }) => (
  <div class="card">
    <header>
      <Icon name={icon} />
      <b safe>{title}</b>
    </header>
    <div class="body stack" style="--gap: .75rem">
      {children}
    </div>
  </div>
)

const Stats = ({ stats }: { stats: { name: string; value: string }[] }) => (
  <dl class="numbers">
    {stats.map(({ name, value }) => (
      <div>
        <dt safe>{name}</dt>
        <dd safe>{value}</dd>
      </div>
    ))}
  </dl>
)

const Line = ({ text, detail, failed }: { text: string; detail: string; failed?: boolean }) => (
  <li>
    <span class="grow truncate" safe>
      {text}
    </span>
    {failed ? (
      <span class="status" data-state="failed">
        <Icon name="circle-alert" />
        <span safe>{detail}</span>
      </span>
    ) : (
      <small safe>{detail}</small>
    )}
  </li>
)
