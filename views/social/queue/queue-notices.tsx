import { counted } from '#lib/text.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { postsHref } from '../posts/posts-filters.tsx'
import { isFiltered, queueHref } from './queue-days.ts'
import type { QueuePageProps } from './props.ts'

/** What keeps posts of the queue from being published at their time. */
export const QueueNotices = (props: QueuePageProps) => {
  const { place, queue } = props
  const { items, isPaused, pausedAccounts, overdue, omitted } = queue
  const atRisk = items
    .flatMap(({ posts }) => posts)
    .filter(({ readiness }) => readiness !== null && readiness !== 'ready').length
  const accountsHref = `/workspace/accounts?brandId=${place.brandId}`
  return (
    <>
      {isPaused ? (
        <Notice
          tone="warning"
          title="Publishing is paused"
          text="Posts wait at their time, and are published when publishing is resumed."
        >
          <div class="actions">
            <ButtonLink label="Accounts" icon="plug" size="sm" href={accountsHref} />
          </div>
        </Notice>
      ) : pausedAccounts.length > 0 ? (
        <Notice
          tone="warning"
          title={`${counted(pausedAccounts.length, 'account')} paused`}
          text="Posts to it wait at their time, and are published when it is resumed."
        >
          <div class="actions">
            <ButtonLink label="Accounts" icon="plug" size="sm" href={accountsHref} />
          </div>
        </Notice>
      ) : null}
      {atRisk > 0 ? (
        <Notice
          tone="warning"
          title={`${counted(atRisk, 'post')} at risk`}
          text="They keep their times. Open them to see what to solve before."
        />
      ) : null}
      {overdue > 0 ? (
        <Notice
          tone="warning"
          title={`${counted(overdue, 'post')}${overdue === 1_000 ? ' or more' : ''} of earlier days still wait`}
        >
          <div class="actions">
            <ButtonLink
              label="Scheduled posts"
              size="sm"
              href={postsHref({ brandId: place.brandId, status: 'scheduled' })}
            />
          </div>
        </Notice>
      ) : null}
      {omitted > 0 ? (
        <Notice
          tone="warning"
          text={`${counted(omitted, 'post')}${omitted === 10_000 ? ' or more' : ''} of these days aren’t shown. Filter the queue.`}
        />
      ) : null}
      <Nothing {...props} />
    </>
  )
}

const Nothing = ({ place, brand, queue: { items, can } }: QueuePageProps) => {
  if (items.some(({ posts }) => posts.length > 0)) return <></>
  if (isFiltered(place))
    return (
      <Empty small icon="search" title="No matching posts" text="No scheduled post of these days matches the filters.">
        <ButtonLink label="Clear filters" href={queueHref({ brandId: place.brandId, date: place.date })} />
      </Empty>
    )
  if (items.length > 0) return <></>
  const hasSlots = brand !== null && brand.queueSlots.length > 0
  return (
    <Empty
      small
      icon="calendar-clock"
      title={hasSlots ? 'Nothing on these days' : 'No queue slots yet'}
      text={
        hasSlots
          ? 'No slot and no scheduled post is on these days.'
          : 'Queue slots are weekly times. A post can take the next free one instead of a time of its own.'
      }
    >
      {!hasSlots && brand?.can.update ? (
        <ButtonLink
          label="Add queue slots"
          icon="plus"
          variant="primary"
          href={`/workspace/brands/${place.brandId}#queue-slots`}
        />
      ) : can.create ? (
        <ButtonLink label="Create post" icon="pen-line" href={`/workspace/posts/new?brandId=${place.brandId}`} />
      ) : null}
    </Empty>
  )
}
