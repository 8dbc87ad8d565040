import type { Notification } from '#dashboard/types'
import type { NotificationKind } from '#lib/notification-kind.ts'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { AssignMenu } from './assignees.tsx'
import { DoButton } from './do-button.tsx'

/** Of what has no kind. */
const serviceIcons: Record<string, IconName> = {
  'platform-identity': 'key-round',
  'platform-gateway': 'gauge',
  'platform-socialize': 'megaphone',
  'platform-pay': 'wallet',
}

export interface ActionCardProps {
  notification: Notification
  kinds: readonly NotificationKind[]
  /** Whether the person can snooze, assign and resolve it. */
  canChange: boolean
}

export const ActionCard = ({ notification, kinds, canChange }: ActionCardProps) => {
  const { id, title, reason, href, actions, state, surface, service, kind } = notification
  // Without a button of its own, marking it as done is all there is to do.
  const resolving = surface === 'notice' ? 'Dismiss' : actions.length === 0 ? 'Mark as done' : null
  const isResolvable = canChange && resolving !== null
  const hasButtons = state !== 'resolved' && (actions.length > 0 || isResolvable)
  return (
    <article class="card action" id={`action-${id}`} aria-labelledby={`title-${id}`} tabindex="-1" data-action>
      <span class="app-mark" data-tone="plain">
        <Icon name={kinds.find(({ name }) => name === kind)?.icon ?? serviceIcons[service?.slug ?? ''] ?? 'inbox'} />
      </span>
      <div class="body">
        <h2 id={`title-${id}`}>
          <a href={href} safe>
            {title}
          </a>
        </h2>
        <p safe>{reason}</p>
        <small>
          <Facts notification={notification} />
        </small>
      </div>
      {state === 'resolved' || !canChange ? null : (
        <MoreMenu notification={notification} hasDone={resolving === null} />
      )}
      {hasButtons ? (
        <div class="actions">
          {isResolvable ? (
            <DoButton
              button={{ label: resolving, method: 'POST', href: `/api/notifications/${id}/resolve` }}
              id={`resolve-${id}`}
              isFirst={false}
              isPosted={false}
            />
          ) : null}
          {actions.map((button, at) => (
            <DoButton
              button={button}
              id={`do-${id}-${at}`}
              isFirst={at === 0 && surface === 'action'}
              isPosted={kind === null}
            />
          ))}
        </div>
      ) : null}
    </article>
  )
}

const Facts = ({ notification }: Pick<ActionCardProps, 'notification'>) => {
  const { by, since, dueAt, assignee, snoozedUntil, resolvedAt, resolvedBy } = notification
  const raised = `Raised by ${by}, `
  const assigned = assignee ? ` · for ${assignee.name}` : ''
  const done = resolvedBy ? ` · done by ${resolvedBy.name}, ` : ' · done '
  return (
    <>
      <span safe>{raised}</span>
      <Time at={since} form="moment" />
      {dueAt && !resolvedAt ? (
        <>
          {' · until '}
          <Time at={dueAt} />
        </>
      ) : null}
      <span safe>{assigned}</span>
      {snoozedUntil ? (
        <>
          {' · snoozed until '}
          <Time at={snoozedUntil} form="moment" />
        </>
      ) : null}
      {resolvedAt ? (
        <>
          <span safe>{done}</span>
          <Time at={resolvedAt} form="moment" />
        </>
      ) : null}
    </>
  )
}

interface MoreMenuProps extends Pick<ActionCardProps, 'notification'> {
  /** The card has no button for it. */
  hasDone: boolean
}

const MoreMenu = ({ notification: { id, title, state, assignee }, hasDone }: MoreMenuProps) => {
  const route = `/api/notifications/${id}`
  const sent = {
    'hx-swap': 'none',
    'hx-headers': JSON.stringify({ Prefer: 'return=minimal' }),
    popovertarget: `menu-${id}`,
    popovertargetaction: 'hide',
  } as const
  return (
    <RowMenu id={`menu-${id}`} label={`More for ${title}`}>
      {state === 'snoozed' ? (
        <MenuItem label="End snooze" icon="alarm-clock" hx-post={`${route}/unsnooze`} {...sent} />
      ) : (
        snoozes.map(({ label, hours }) => (
          <MenuItem
            label={label}
            icon="alarm-clock"
            hx-post={`${route}/snooze`}
            hx-vals={JSON.stringify({ hours })}
            {...sent}
          />
        ))
      )}
      {assignee ? (
        <MenuItem
          label="Remove the assignment"
          icon="x"
          hx-post={`${route}/assign`}
          hx-vals={JSON.stringify({ personId: '' })}
          {...sent}
        />
      ) : (
        <MenuItem label="Assign to me" icon="user-check" hx-post={`${route}/assign-to-me`} {...sent} />
      )}
      <AssignMenu id={id} />
      {hasDone ? <MenuItem label="Mark as done" icon="check" hx-post={`${route}/resolve`} {...sent} /> : null}
    </RowMenu>
  )
}

const snoozes = [
  { label: 'Snooze for an hour', hours: 1 },
  { label: 'Snooze until tomorrow', hours: 24 },
  { label: 'Snooze for a week', hours: 7 * 24 },
] as const
