import type { NotificationQuery } from '#dashboard/types'
import { addressOf } from '#views/ui/live.ts'
import { ActionList, type ActionListProps } from './action-list.tsx'

export type ActionsProps = ActionListProps

const states = [
  ['Open', 'open'],
  ['Snoozed', 'snoozed'],
  ['Done', 'resolved'],
] as const

const services = [
  ['All apps', undefined],
  ['Social', 'platform-socialize'],
  ['Payments', 'platform-pay'],
  ['Gateway', 'platform-gateway'],
  ['Identity', 'platform-identity'],
  ['Dashboard', 'platform-dashboard-api'],
] as const

const assignees = [
  ['Anyone', undefined],
  ['Me', 'me'],
  ['Unassigned', 'none'],
] as const

export const ActionsPage = (props: ActionsProps) => (
  <action-keys>
    <header class="page-header">
      <h1>Actions</h1>
      <div class="actions">
        <nav class="segments" aria-label="Show">
          {states.map(([label, state]) => (
            <a href={linkTo(props.query, { state })} aria-current={props.query.state === state ? 'page' : undefined}>
              {label}
            </a>
          ))}
        </nav>
      </div>
    </header>
    <div class="page stack" style="--gap: 1.5rem">
      <div class="filters">
        <nav class="segments" aria-label="Filter by app">
          {services.map(([label, service]) => (
            <a
              href={linkTo(props.query, { service })}
              aria-current={props.query.service === service ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
        <nav class="segments" aria-label="Filter by assignee">
          {assignees.map(([label, assignee]) => (
            <a
              href={linkTo(props.query, { assignee })}
              aria-current={props.query.assignee === assignee ? 'page' : undefined}
            >
              {label}
            </a>
          ))}
        </nav>
      </div>
      <ActionList {...props} />
    </div>
  </action-keys>
)

const linkTo = ({ state, service, assignee }: NotificationQuery, change: Partial<NotificationQuery>): string => {
  const filter = { state, service, assignee, ...change }
  return addressOf('/actions', { ...filter, state: filter.state === 'open' ? undefined : filter.state })
}
