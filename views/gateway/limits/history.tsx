import type { LimitAlert, LimitRevision } from '#gateway/types'
import { Pager } from '#views/ui/lists.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { dollars } from '../money.ts'
import { modeNames } from '../words.ts'
import { budgetName } from './words.ts'

interface ListOf<Item> {
  items: Item[]
  nextCursor: string | null
}

const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

export const LimitAlerts = ({ list: { items, nextCursor } }: { list: ListOf<LimitAlert> }) => (
  <section class="card" id="limit-alerts" aria-labelledby="limit-alerts-title">
    <header>
      <h2 id="limit-alerts-title">Alerts sent</h2>
    </header>
    {items.length > 0 ? (
      <ul class="list" style="--pad: 1rem">
        {items.map((alert) => (
          <AlertItem alert={alert} />
        ))}
        <More part="limit-alerts" shown={items.length} nextCursor={nextCursor} from="/api/limits/alerts" />
      </ul>
    ) : (
      <p class="body muted">Alerts are sent when a budget reaches 50%, 80%, and 100%.</p>
    )}
  </section>
)

const AlertItem = ({ alert }: { alert: LimitAlert }) => (
  <li>
    <span class="dot" data-tone={alert.percent === 100 && alert.mode === 'hard' ? 'danger' : 'warning'}></span>
    <span class="grow">
      <span safe>{`${capitalize(budgetName(alert.limit))} reached ${alert.percent}%`}</span>
      <small safe>
        {`${dollars(alert.spentNanoUsd)} of ${dollars(alert.limitNanoUsd)}${alert.percent === 100 ? consequences[alert.mode] : ''}`}
      </small>
    </span>
    <small>
      <Time at={alert.createdAt} form="moment" />
    </small>
  </li>
)

const consequences = {
  hard: '. Calls are refused until it resets or is raised',
  soft: '. Soft, so calls continue',
  observe: '. Observed only, so calls continue',
}

export const LimitRevisions = ({ list: { items, nextCursor } }: { list: ListOf<LimitRevision> }) => (
  <section class="card" id="limit-changes" aria-labelledby="limit-changes-title">
    <header>
      <h2 id="limit-changes-title">Changes</h2>
    </header>
    {items.length > 0 ? (
      <ul class="list" style="--pad: 1rem">
        {items.map((revision) => (
          <RevisionItem revision={revision} />
        ))}
        <More part="limit-changes" shown={items.length} nextCursor={nextCursor} from="/api/limits/changes" />
      </ul>
    ) : (
      <p class="body muted">No budget was created or changed yet.</p>
    )}
  </section>
)

const RevisionItem = ({ revision }: { revision: LimitRevision }) => {
  const name = revision.byName ?? 'A deleted account'
  const text = termsText(revision)
  return (
    <li>
      <Avatar name={name} />
      <span class="grow">
        <span safe>{`${name} ${verbOf(revision)} the ${budgetName(revision.limit)}`}</span>
        {text ? <small safe>{text}</small> : null}
      </span>
      <small>
        <Time at={revision.at} form="moment" />
      </small>
    </li>
  )
}

function verbOf({ kind, before, after }: LimitRevision): string {
  if (kind !== 'updated') return kind
  const [was, is] = [before?.limitNanoUsd, after?.limitNanoUsd]
  if (was === undefined || is === undefined) return 'changed'
  return is > was ? 'raised' : 'lowered'
}

function termsText({ kind, before, after }: LimitRevision): string {
  const terms = (kind === 'deleted' ? before : after) ?? {}
  const old = kind === 'updated' ? before : null
  const parts = [
    changeText(terms.limitNanoUsd, old?.limitNanoUsd, dollars),
    changeText(terms.mode, old?.mode, (mode) => modeNames[mode]),
    changeText(terms.timeZone, old?.timeZone, (zone) => zone),
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function changeText<Value>(is: Value | undefined, was: Value | undefined, textOf: (value: Value) => string): string {
  if (is === undefined) return ''
  return was === undefined ? textOf(is) : `${textOf(was)} → ${textOf(is)}`
}

interface MoreProps {
  part: string
  shown: number
  nextCursor: string | null
  /** The list's operation. */
  from: string
}

/** Replaced by the next items and their own pager. */
const More = ({ part, shown, nextCursor, from }: MoreProps) =>
  nextCursor === null ? (
    <></>
  ) : (
    <li>
      <Pager
        label={part === 'limit-alerts' ? 'More alerts' : 'More changes'}
        summary={`${shown} shown`}
        next={`${from}?${new URLSearchParams({ cursor: nextCursor, limit: '5' })}`}
        hx-get={`${from}?${new URLSearchParams({ cursor: nextCursor, limit: '5' })}`}
        hx-target="closest li"
        hx-select={`#${part} li`}
        hx-swap="outerHTML"
      />
    </li>
  )
