import type { NotificationKind } from '#lib/notification-kind.ts'
import type { Notification, NotificationList, NotificationQuery } from '#dashboard/types'
import { Empty } from '#views/ui/feedback.tsx'
import { addressOf, liveAt } from '#views/ui/live.ts'
import { Pager } from '#views/ui/lists.tsx'
import { ActionCard } from './action-card.tsx'

export interface ActionListProps {
  list: NotificationList
  query: NotificationQuery
  now: Date
  organizationId: string
  kinds: readonly NotificationKind[]
}

/** The cards of one state, by when they should be done. */
export const ActionList = ({ list, query, now, organizationId, kinds }: ActionListProps) => {
  const sections = sectionsOf(list.items, query.state, now)
  const { cursor: _, ...shown } = query
  return (
    <div
      class="stack"
      style="--gap: 2rem"
      id="action-list"
      {...liveAt(addressOf('/api/notifications', query), `actions:${organizationId}`)}
    >
      {sections.length === 0 ? <NothingHere {...query} /> : null}
      {sections.map(({ title, items }) => (
        <section class="section" aria-label={title}>
          <header>
            <h2 safe>{title}</h2>
          </header>
          {items.map((notification) => (
            <ActionCard notification={notification} kinds={kinds} canChange={list.can.update} />
          ))}
        </section>
      ))}
      {list.nextCursor ? (
        <Pager
          label="More actions"
          summary={`${list.items.length} shown`}
          next={addressOf('/actions', { ...shown, limit: undefined })}
          action="Show more"
          hx-get={addressOf('/api/notifications', { ...shown, limit: 100 })}
          hx-target="#action-list"
          hx-swap="outerMorph"
        />
      ) : null}
    </div>
  )
}

interface Section {
  title: string
  items: Notification[]
}

const dayMs = 24 * 60 * 60_000

function sectionsOf(items: Notification[], state: NotificationQuery['state'], now: Date): Section[] {
  if (items.length === 0) return []
  if (state !== 'open') return [{ title: state === 'resolved' ? 'Done' : 'Snoozed', items }]
  const notices = items.filter(({ surface }) => surface === 'notice')
  const actions = items.filter(({ surface }) => surface === 'action')
  const byTitle = Map.groupBy(actions, (item) => titleOf(item, now))
  const titled = ['Overdue', 'Today', 'This week', 'Later', 'No deadline'].flatMap((title) => {
    const found = byTitle.get(title)
    return found ? [{ title, items: found }] : []
  })
  return notices.length > 0 ? [...titled, { title: 'Updates', items: notices }] : titled
}

function titleOf({ dueAt }: Notification, now: Date): string {
  if (dueAt === null) return 'No deadline'
  const left = new Date(dueAt).getTime() - now.getTime()
  if (left < 0) return 'Overdue'
  if (left < dayMs) return 'Today'
  return left < 7 * dayMs ? 'This week' : 'Later'
}

const NothingHere = ({ state, service, assignee }: NotificationQuery) =>
  service || assignee ? (
    <Empty icon="inbox" title="No matching actions" text="Choose another filter to see the others." />
  ) : state === 'open' ? (
    <Empty
      icon="circle-check"
      title="Nothing to do"
      text="Failed posts, approvals, disputes and budgets near their end appear here as soon as they need you."
    />
  ) : state === 'snoozed' ? (
    <Empty icon="alarm-clock" title="Nothing snoozed" text="Actions that you snooze wait here until their time." />
  ) : (
    <Empty icon="circle-check" title="Nothing done yet" text="Actions of the last 90 days that are done appear here." />
  )
