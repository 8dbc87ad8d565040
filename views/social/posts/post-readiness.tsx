import type { ListedPost, ReadinessReason } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Status, StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { stateOf, type Place } from './post-text.ts'

interface PostReadinessProps {
  post: ListedPost
  place: Place
}

type ReadinessState = NonNullable<ListedPost['readiness']>['state']

const looks: Record<ReadinessState, StatusLook> = {
  ready: { state: 'published', icon: 'circle-check', word: 'Will be published' },
  warning: { state: 'waiting', icon: 'triangle-alert', word: 'At risk' },
  problem: { state: 'failed', icon: 'circle-alert', word: 'Won’t be published' },
}

const scheduled: StatusLook = {
  state: 'scheduled',
  icon: 'circle-check',
  word: 'Scheduled',
  label: 'Will be published',
}

/** In a list: the state of a post, and of a scheduled one whether it will be published. */
export const PostStatus = ({ post }: Pick<PostReadinessProps, 'post'>) => {
  const { readiness } = post
  if (!readiness) return <Status state={stateOf(post)} />
  return <StatusMark {...(readiness.state === 'ready' ? scheduled : looks[readiness.state])} />
}

/** Whether the post will be published at its time, and what to solve before. */
export const PostReadiness = ({ post, place }: PostReadinessProps) => {
  const { readiness } = post
  if (!readiness) return <></>
  const { state, reasons, checkedAt } = readiness
  return (
    <section class="section" aria-labelledby="readiness">
      <header>
        <h2 id="readiness">Will it be published?</h2>
        {checkedAt ? (
          <small class="muted">
            Checked <Time at={checkedAt} zone={place.zone} />
          </small>
        ) : null}
        {post.can.update ? (
          <Button
            label="Check again"
            icon="rotate-cw"
            size="sm"
            hx-post={`/api/posts/${post.id}/readiness`}
            hx-target="#post"
            hx-swap="outerMorph"
          />
        ) : null}
      </header>
      <ul class="list checks">
        {reasons.length === 0 ? <Ready state={state} /> : reasons.map((reason) => <Reason {...reason} />)}
      </ul>
    </section>
  )
}

const Ready = ({ state }: { state: ReadinessState }) => (
  <li>
    <Icon name={looks[state].icon} />
    <span class="grow">
      <span safe>{looks[state].word}</span>
      <small>All checks passed. Its network can still refuse it.</small>
    </span>
  </li>
)

const Reason = ({ state, message, href }: ReadinessReason) => {
  const look = looks[state]
  return (
    <li data-state={look.state}>
      <Icon name={look.icon} />
      <span class="grow">
        <span safe>{look.word}</span>
        <small safe>{message}</small>
      </span>
      {href ? (
        <a class="button" data-size="sm" href={href} safe>
          {labelOf(href)}
        </a>
      ) : null}
    </li>
  )
}

function labelOf(href: string): string {
  if (href.endsWith('/edit')) return 'Edit'
  return href.includes('?') ? 'See accounts' : 'See the account'
}
