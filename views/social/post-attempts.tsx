import { capitalize } from '#lib/text.ts'
import type { Attempt, Post } from '#social/types'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { timeText, zoneName } from '#views/ui/time.tsx'
import { networkNames, type Place, type PostLine } from './line.ts'

interface PostAttemptsProps {
  line: PostLine
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

/** Everything that happened on the way to the network, newest first. */
export const PostAttempts = ({ line, attempts, place }: PostAttemptsProps) => (
  <section class="section">
    <header>
      <h2>{attempts.length > 0 ? 'Attempts' : 'History'}</h2>
      <small class="muted" safe>{`Times in ${place.zone} (${zoneName(place.now, place.zone)})`}</small>
    </header>
    <ol class="timeline">
      {stepsOf(line, attempts).map((step) => (
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

const stepsOf = ({ post, author }: PostLine, attempts: Attempt[]): Repeated[] =>
  folded([
    written(post, author),
    ...attempts.toSorted((a, b) => a.number - b.number).flatMap((one) => steps(post, one)),
  ]).reverse()

/** A step, and how often it came in a row. */
type Repeated = Step & { times: number }

/** What repeats itself is told once, with its last time: a network that stays away refuses a dozen times. */
function folded(steps: Step[]): Repeated[] {
  const told: Repeated[] = []
  for (const step of steps) {
    const last = told.at(-1)
    if (last?.title === step.title && last.note === step.note) told.splice(-1, 1, { ...step, times: last.times + 1 })
    else told.push({ ...step, times: 1 })
  }
  return told
}

const written = ({ createdAt }: Post, author: string | null): Step => ({
  icon: 'pen-line',
  title: author ? `Written by ${author}` : 'Written',
  at: createdAt,
})

const steps = (post: Post, attempt: Attempt): Step[] => [
  {
    state: 'sending',
    icon: 'send',
    title: `Attempt ${attempt.number} began`,
    at: attempt.startedAt,
    note: `Payload ${attempt.payloadHash.slice(0, 8)}, ${safety[attempt.retrySafety]}`,
  },
  ...attempt.events.map((event): Step => ({ ...eventWords(event.what, post), at: event.at, note: event.detail })),
  ...(attempt.settledAt && !isTold(attempt) ? [{ ...ends[attempt.state], at: attempt.settledAt }] : []),
]

/** Whether its last event says already how it ended. */
const isTold = ({ state, events }: Attempt): boolean => events.at(-1)?.what === lastWords[state]

const lastWords: Partial<Record<Attempt['state'], string>> = { published: 'published', failed: 'refused' }

const safety: Record<Attempt['retrySafety'], string> = {
  safe: 'safe to repeat',
  idempotent: 'the network knows a repeated one',
  reconcile_only: 'looked up before it is repeated',
  never: 'never repeated',
}

const ends: Record<Attempt['state'], Omit<Step, 'at'>> = {
  sending: { state: 'sending', icon: 'send', title: 'On its way' },
  published: { state: 'published', icon: 'check', title: 'Published' },
  failed: { state: 'failed', icon: 'x', title: 'Failed' },
  unknown: { state: 'failed', icon: 'circle-help', title: 'The outcome is unknown' },
  not_arrived: { state: 'waiting', icon: 'undo-2', title: 'It certainly had not arrived' },
}

/** Words for what a network did; what has none of its own is told as it was recorded. */
function eventWords(what: string, { provider }: Post): Omit<Step, 'at'> {
  const network = networkNames[provider]
  const known: Record<string, Omit<Step, 'at'>> = {
    published: { state: 'published', icon: 'check', title: `${network} accepted it` },
    refused: { state: 'failed', icon: 'x', title: `Refused by ${network}` },
    unclear: { state: 'waiting', icon: 'hourglass', title: `No answer from ${network}` },
    taken_over: { state: 'waiting', icon: 'rotate-cw', title: 'Another server took over' },
    read_back: { state: 'sending', icon: 'search', title: `Looked on ${network} whether it arrived` },
  }
  const words = what.replaceAll('_', ' ')
  return known[what] ?? { icon: 'circle-dot', title: capitalize(words) }
}

/** `Sat 21 Nov 09:00:03`: the order of steps needs seconds. */
const exactTime = (at: string, zone: string): string => `${timeText(at, zone, 'day')} ${timeText(at, zone, 'second')}`
