import { Icon, type IconName } from '#views/ui/icon.tsx'
import { NetworkMark } from '#views/ui/marks.tsx'
import { timeText, viewerZone, zoneName } from '#views/ui/time.tsx'
import { accountName, networkNames, postHref } from '../posts/post-text.ts'
import type { CalendarEvent, EventState } from './calendar-events.ts'

interface Look {
  /** Decides the color. */
  state: 'scheduled' | 'published' | 'failed' | 'waiting' | 'draft'
  word: string
  icon?: IconName
}

const looks: Record<EventState, Look> = {
  failed: { state: 'failed', word: 'Failed', icon: 'circle-alert' },
  waiting: { state: 'waiting', word: 'Waiting', icon: 'hourglass' },
  problem: { state: 'failed', word: 'Won’t be published', icon: 'triangle-alert' },
  warning: { state: 'waiting', word: 'At risk', icon: 'triangle-alert' },
  comment: { state: 'published', word: 'Published, but its first comment failed', icon: 'circle-alert' },
  sending: { state: 'scheduled', word: 'Sending', icon: 'send' },
  scheduled: { state: 'scheduled', word: 'Scheduled' },
  published: { state: 'published', word: 'Published' },
  draft: { state: 'draft', word: 'Draft', icon: 'circle-dashed' },
}

/** How far a planned draft is. */
const draftWords: Record<CalendarEvent['post']['reviewState'], string> = {
  none: 'Draft, not scheduled',
  requested: 'In review, not scheduled',
  changes_requested: 'Changes requested, not scheduled',
  approved: 'Approved, not scheduled',
}

interface EventProps {
  event: CalendarEvent
  zone: string
  view: string
  /** Of the week: where it is. */
  style?: string
  /** Of the queue: posts that are dropped on it are moved to its slot. */
  to?: string
  /** Instead of the link to the form that moves it. */
  controls?: JSX.Element
}

export const Event = ({ event: { post, parts, state }, zone, view, style, to, controls }: EventProps) => {
  const { icon, state: color } = looks[state]
  const word = state === 'draft' ? draftWords[post.reviewState] : looks[state].word
  const movable = post.can.move && post.failureCode !== 'outcome_unknown'
  return (
    <div
      class="event"
      id={`event-${post.id}`}
      data-state={color}
      style={style}
      data-to={to}
      {...(movable && { draggable: 'true', 'data-version': post.version, 'data-at': post.localTime })}
    >
      <a
        href={postHref(post)}
        draggable="false"
        title={titleOf(post, zone, state === 'draft' ? word : '')}
        aria-keyshortcuts={movable ? 'Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown' : undefined}
      >
        <NetworkMark network={post.provider} label={networkNames[post.provider]} />
        {icon ? <Icon name={icon} /> : null}
        <time datetime={post.scheduledAt} safe>
          {timeText(post.scheduledAt, zone, 'time')}
        </time>
        <span safe>{post.excerpt || 'Post without text'}</span>
        {parts > 1 ? (
          <small>
            <span aria-hidden="true" safe>{`×${parts}`}</span>
            <span class="visually-hidden" safe>{`Thread of ${parts}`}</span>
          </small>
        ) : null}
        <span class="visually-hidden" safe>
          {word}
        </span>
      </a>
      {movable && controls ? <>{controls}</> : null}
      {movable && !controls ? (
        <a class="move" href={moveHref(post, view)} aria-label={`Move ${post.excerpt.slice(0, 60)}`} draggable="false">
          <Icon name="calendar-clock" />
        </a>
      ) : null}
    </div>
  )
}

const moveHref = ({ id, brandId }: { id: string; brandId: string }, view: string): string =>
  `/workspace/calendar/${id}/move?brandId=${brandId}&view=${view}`

/** The account, the time, also in the reader's zone where it is another one, and of a draft its state. */
function titleOf({ scheduledAt, provider, account }: CalendarEvent['post'], zone: string, word: string): string {
  const at = `${timeText(scheduledAt, zone, 'time')} ${zoneName(scheduledAt, zone)}`
  const own = viewerZone()
  const here = own === zone ? '' : `, ${timeText(scheduledAt, own, 'moment')} your time`
  return `${accountName(provider, account?.name ?? null)}, ${at}${here}${word && `, ${word}`}`
}
