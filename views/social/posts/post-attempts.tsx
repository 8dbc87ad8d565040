import type { Attempt, ListedPost } from '#social/types'
import { capitalize } from '#lib/text.ts'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { timeText, zoneName } from '#views/ui/time.tsx'
import { networkNames, type Place } from './post-text.ts'

interface PostAttemptsProps {
  post: ListedPost
  attempts: Attempt[]
  place: Place
}

interface Step {
  state?: 'published' | 'failed' | 'waiting' | 'sending'
  icon: IconName
  title: string
  at: string
  note?: string
}

export const PostAttempts = ({ post, attempts, place }: PostAttemptsProps) => (
  <section class="section">
    <header>
      <h2>{attempts.length > 0 ? 'Attempts' : 'History'}</h2>
      <small class="muted" safe>{`Times in ${place.zone} (${zoneName(place.now, place.zone)})`}</small>
    </header>
    <ol class="timeline">
      {stepsOf(post, attempts).map((step) => (
        <StepItem step={step} place={place} />
      ))}
    </ol>
  </section>
)

const StepItem = ({ step, place }: { step: Repeated; place: Place }) => (
  <li data-state={step.state}>
    <span class="mark">
      <Icon name={step.icon} />
    </span>
    <div>
      <div class="head">
        <b safe>{step.times > 1 ? `${step.title}, ${step.times} times` : step.title}</b>
        <time datetime={step.at} safe>
          {exactTime(step.at, place.zone)}
        </time>
      </div>
      {step.note ? (
        <small class="wrap-anywhere" safe>
          {step.note}
        </small>
      ) : null}
    </div>
  </li>
)

const stepsOf = (post: ListedPost, attempts: Attempt[]): Repeated[] =>
  foldRepeated([
    creationOf(post),
    ...attempts.toSorted((a, b) => a.number - b.number).flatMap((attempt) => attemptSteps(post, attempt)),
  ]).reverse()

type Repeated = Step & { times: number }

/** A network that is down refuses a dozen times. */
function foldRepeated(steps: Step[]): Repeated[] {
  const folded: Repeated[] = []
  for (const step of steps) {
    const last = folded.at(-1)
    if (last?.title === step.title && last.note === step.note) folded.splice(-1, 1, { ...step, times: last.times + 1 })
    else folded.push({ ...step, times: 1 })
  }
  return folded
}

const creationOf = ({ createdAt, authorName }: ListedPost): Step => ({
  icon: 'pen-line',
  title: authorName ? `Created by ${authorName}` : 'Created',
  at: createdAt,
})

const attemptSteps = (post: ListedPost, attempt: Attempt): Step[] => [
  { state: 'sending', icon: 'send', title: `Sending (attempt ${attempt.number})`, at: attempt.startedAt },
  ...attempt.events.map((event): Step => ({ ...eventWords(event.what, post), at: event.at, note: event.detail })),
  ...(attempt.settledAt && !namesOutcome(attempt) ? [{ ...outcomes[attempt.state], at: attempt.settledAt }] : []),
]

const namesOutcome = ({ state, events }: Attempt): boolean => events.at(-1)?.what === lastEvents[state]

const lastEvents: Partial<Record<Attempt['state'], string>> = { published: 'published', failed: 'refused' }

const outcomes: Record<Attempt['state'], Omit<Step, 'at'>> = {
  sending: { state: 'sending', icon: 'send', title: 'Sending' },
  published: { state: 'published', icon: 'check', title: 'Published' },
  failed: { state: 'failed', icon: 'x', title: 'Failed' },
  unknown: { state: 'failed', icon: 'circle-help', title: 'Not confirmed' },
  not_arrived: { state: 'waiting', icon: 'undo-2', title: 'Post wasn’t delivered' },
}

/** One without words of its own is shown as recorded. */
function eventWords(what: string, { provider }: ListedPost): Omit<Step, 'at'> {
  const network = networkNames[provider]
  const known: Record<string, Omit<Step, 'at'>> = {
    published: { state: 'published', icon: 'check', title: `Accepted by ${network}` },
    refused: { state: 'failed', icon: 'x', title: `Rejected by ${network}` },
    unclear: { state: 'waiting', icon: 'hourglass', title: `No response from ${network}` },
    taken_over: { state: 'waiting', icon: 'rotate-cw', title: 'Resumed on another server' },
    link_image_missing: { icon: 'image', title: 'Link preview without its image' },
    read_back: { state: 'sending', icon: 'search', title: `Checked ${network} for the post` },
  }
  const words = what.replaceAll('_', ' ')
  return known[what] ?? { icon: 'circle-dot', title: capitalize(words) }
}

/** `Sat 21 Nov 09:00:03`: the order of steps needs seconds. */
const exactTime = (at: string, zone: string): string => `${timeText(at, zone, 'day')} ${timeText(at, zone, 'second')}`
