import type { AccountEvent, AccountEventKind, AccountHistory } from '#social/types'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { Pager } from '#views/ui/lists.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'

export const eventsPerPage = 10

interface AccountHistoryProps {
  accountId: string
  history: AccountHistory
  /** Of the brand. */
  zone: string
}

const place = 'account-history'

/** What happened to the access of an account, newest first. */
export const AccountHistoryView = ({ accountId, history: { items, nextCursor }, zone }: AccountHistoryProps) => (
  <section class="section" id={place} aria-labelledby={`${place}-title`}>
    <header>
      <h2 id={`${place}-title`}>History</h2>
      <TimesIn zone={zone} />
    </header>
    {items.length > 0 ? (
      <ol class="timeline">
        {items.map((event) => (
          <EventItem event={event} zone={zone} />
        ))}
        {nextCursor ? <More accountId={accountId} cursor={nextCursor} shown={items.length} /> : null}
      </ol>
    ) : (
      <p class="muted">Nothing recorded yet.</p>
    )}
  </section>
)

/** Loading more replaces it by the next events, and their own. */
const More = ({ accountId, cursor, shown }: { accountId: string; cursor: string; shown: number }) => {
  const query = new URLSearchParams({ cursor })
  return (
    <li class="more">
      <Pager
        label="More history"
        summary={`${shown} more loaded`}
        next={`/workspace/accounts/${accountId}?${query}`}
        hx-get={`/api/accounts/${accountId}/history?limit=${eventsPerPage}&${query}`}
        hx-target="closest li"
        hx-select={`#${place} ol > li`}
        hx-swap="outerHTML"
      />
    </li>
  )
}

interface Words {
  title: string
  icon: IconName
  state?: 'published' | 'failed' | 'waiting'
}

const words: Record<AccountEventKind, Words> = {
  connected: { title: 'Connected', icon: 'plug', state: 'published' },
  reconnected: { title: 'Reconnected', icon: 'plug', state: 'published' },
  permissions_changed: { title: 'Permissions changed', icon: 'key-round' },
  refreshed: { title: 'Sign-in refreshed', icon: 'rotate-cw' },
  refresh_failed: { title: 'Refresh failed', icon: 'triangle-alert', state: 'waiting' },
  signed_out: { title: 'Signed out by the network', icon: 'x', state: 'failed' },
  disconnected: { title: 'Disconnected on the network', icon: 'circle-slash', state: 'failed' },
  deactivated: { title: 'Deactivated', icon: 'circle-slash', state: 'failed' },
  paused: { title: 'Paused', icon: 'pause', state: 'waiting' },
  resumed: { title: 'Resumed', icon: 'send', state: 'published' },
}

const EventItem = ({ event, zone }: { event: AccountEvent; zone: string }) => {
  const { at, firstAt, kind, message, person, times } = event
  const { title, icon, state } = words[kind]
  const by = person ? ` by ${person.name ?? 'a person outside the organization'}` : ''
  return (
    <li data-state={state}>
      <span class="mark">
        <Icon name={icon} />
      </span>
      <div>
        <div class="head">
          <b class="wrap-anywhere" safe>
            {`${title}${by}${times > 1 ? `, ${times} times` : ''}`}
          </b>
          <Time at={at} zone={zone} form="moment" />
        </div>
        {message === null ? null : (
          <small class="wrap-anywhere" safe>
            {message}
          </small>
        )}
        <Permissions label="Added" scopes={event.added} />
        <Permissions label="Removed" scopes={event.removed} />
        {times > 1 ? (
          <small>
            Since <Time at={firstAt} zone={zone} form="moment" />
          </small>
        ) : null}
      </div>
    </li>
  )
}

const Permissions = ({ label, scopes }: { label: string; scopes: string[] }) =>
  scopes.length === 0 ? (
    <></>
  ) : (
    <small>
      <span safe>{label}</span>{' '}
      {scopes.map((scope) => (
        <code class="wrap-anywhere" safe>{`${scope} `}</code>
      ))}
    </small>
  )
