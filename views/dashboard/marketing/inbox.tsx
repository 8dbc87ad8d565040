import type { InboxItem } from '#dashboard/types'
import type { PageOf } from '#lib/paginate.ts'
import { truncate } from '#lib/text.ts'
import { AdminSearch, adminPageSize } from '#views/ui/admin-search.tsx'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { type IconName } from '#views/ui/icon.tsx'
import { MoreRows } from '#views/ui/lists.tsx'
import { StatusMark, wordsOf, type StatusLook } from '#views/ui/marks.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'
import { Erasure } from './erasure.tsx'
import { topicWords } from './words.ts'

interface Filter {
  q?: string
  kind?: InboxItem['kind']
  state?: InboxItem['state']
}

interface InboxProps {
  filter: Filter
  list: PageOf<InboxItem>
}

interface InboxPageProps extends InboxProps {
  /** When the admin session ends. */
  confirmedUntil: string | null
}

const path = '/admin/inbox'
const listId = 'inbox-list'

const kinds: Record<InboxItem['kind'], string> = {
  contact: 'Contact',
  feedback: 'Feedback',
  waitlist: 'Waitlist',
  demo: 'Demo',
}

const states: Record<InboxItem['state'], StatusLook> = {
  open: { state: 'waiting', icon: 'circle-dot', word: 'Open' },
  done: { state: 'published', icon: 'circle-check', word: 'Done' },
  spam: { state: 'failed', icon: 'circle-slash', word: 'Spam' },
}

const queryOf = ({ q, kind, state }: Filter) =>
  new URLSearchParams({ ...(q && { q }), ...(kind && { kind }), ...(state && { state }) })

export const Inbox = ({ filter, list, confirmedUntil }: InboxPageProps) => (
  <>
    <header class="page-header">
      <h1>Inbox</h1>
      <small class="muted">
        What visitors sent. <TimesIn />
      </small>
      <div class="actions">
        <ButtonLink label="Export CSV" icon="download" size="sm" href={`/api${path}/export?${queryOf(filter)}`} />
      </div>
    </header>
    <div class="page stack" style="--gap: var(--space-5)">
      <Filters filter={filter} />
      <InboxTable list={list} filter={filter} />
      <Erasure confirmedUntil={confirmedUntil} />
    </div>
  </>
)

const Filters = ({ filter: { q, kind, state } }: { filter: Filter }) => (
  <AdminSearch
    path={path}
    label="Search the inbox"
    field={{ name: 'q', label: 'Name, email, message or reference', value: q, maxlength: 100 }}
    choices={[
      { name: 'kind', label: 'Kind', all: 'All kinds', options: kinds, value: kind },
      { name: 'state', label: 'State', all: 'All states', options: wordsOf(states), value: state },
    ]}
    list={listId}
  />
)

export const InboxTable = ({ filter, list }: InboxProps) => (
  <div
    class="bleed"
    id={listId}
    data-live="inbox:all"
    hx-trigger="live"
    hx-get={`/api${path}?${new URLSearchParams([...queryOf(filter), ['limit', String(adminPageSize)]])}`}
    hx-swap="outerMorph"
  >
    {list.items.length > 0 ? (
      <Table filter={filter} list={list} />
    ) : (
      <NoResults isFiltered={queryOf(filter).size > 0} />
    )}
  </div>
)

function kindText({ kind, confirmedAt, demo }: InboxItem): string {
  if (kind === 'waitlist' && confirmedAt === null) return `${kinds[kind]}, unconfirmed`
  return demo?.state === 'canceled' ? `${kinds[kind]}, canceled` : kinds[kind]
}

const NoResults = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Empty icon="search" title="No results" text="No messages match these filters.">
      <ButtonLink label="Clear filters" href={path} />
    </Empty>
  ) : (
    <Empty
      icon="inbox"
      title="Nothing has arrived yet"
      text="Messages, feedback, waitlist entries and demo bookings of the public pages appear here."
    >
      <ButtonLink label="Open the contact page" href="/contact" />
    </Empty>
  )

const Table = ({ filter, list: { items, nextCursor } }: InboxProps) => (
  <table class="table" data-list data-lines="2">
    <caption class="visually-hidden">Inbox, newest first</caption>
    <thead>
      <tr>
        <th scope="col">From</th>
        <th scope="col">Kind</th>
        <th scope="col">State</th>
        <th scope="col">Arrived</th>
      </tr>
    </thead>
    <tbody>
      {items.map((item) => (
        <tr>
          <td data-at="title">
            <a class="row-link wrap-anywhere" href={`${path}/${item.id}`} safe>
              {item.name ?? item.email ?? 'No name'}
            </a>
            <small class="wrap-anywhere" safe>
              {truncate(item.message ?? topicWords(item.topics), 120)}
            </small>
            {item.demo ? (
              <small>
                On <Time at={item.demo.startsAt} form="moment" />
              </small>
            ) : null}
          </td>
          <td class="wide-only" safe>
            {kindText(item)}
          </td>
          <td data-at="sub">
            <StatusMark {...states[item.state]} />
            <small class="narrow-only" safe>
              {kindText(item)}
            </small>
          </td>
          <td class="muted" data-at="time">
            <Time at={item.createdAt} form="moment" />
          </td>
        </tr>
      ))}
    </tbody>
    {nextCursor ? (
      <MoreRows
        label="More messages"
        summary={`${items.length} shown`}
        next={`${path}?${new URLSearchParams([...queryOf(filter), ['cursor', nextCursor]])}`}
        from={`/api${path}?${new URLSearchParams([...queryOf(filter), ['cursor', nextCursor], ['limit', String(adminPageSize)]])}`}
        columns={4}
      />
    ) : null}
  </table>
)

export const InboxItemPage = ({ item }: { item: InboxItem }) => (
  <>
    <header class="page-header">
      <h1 safe>{item.name ?? item.email ?? kinds[item.kind]}</h1>
      <code safe>{item.reference}</code>
    </header>
    <div class="page stack" style="--gap: var(--space-5)">
      <InboxDetail item={item} />
      <div class="actions">
        <ButtonLink label="Back to the inbox" icon="arrow-left" variant="ghost" href={path} />
      </div>
    </div>
  </>
)

export const InboxDetail = ({ item }: { item: InboxItem }) => (
  <section class="card" id="inquiry" aria-label="Message">
    <div class="body stack" style="--gap: var(--space-4)">
      <dl class="facts">
        <dt>State</dt>
        <dd>
          <StatusMark {...states[item.state]} />
        </dd>
        <dt>Kind</dt>
        <dd safe>{kinds[item.kind]}</dd>
        {item.topics.length > 0 ? (
          <>
            <dt>About</dt>
            <dd safe>{topicWords(item.topics)}</dd>
          </>
        ) : null}
        {item.kind === 'waitlist' ? (
          <>
            <dt>Address confirmed</dt>
            <dd>{item.confirmedAt ? <Time at={item.confirmedAt} /> : 'Not yet'}</dd>
          </>
        ) : null}
        <dt>Arrived</dt>
        <dd>
          <Time at={item.createdAt} />
        </dd>
        {item.email ? <EmailFact item={item} email={item.email} /> : null}
        {item.demo ? <DemoFact demo={item.demo} /> : null}
        <dt>Deleted on</dt>
        <dd>
          <Time at={item.expiresAt} form="longDay" />
        </dd>
      </dl>
      {item.message ? (
        <p class="wrap-anywhere" safe>
          {item.message}
        </p>
      ) : null}
    </div>
    <footer>
      {actions
        .filter(({ state }) => state !== item.state)
        .map(({ state, label, icon }) => (
          <Form hx-put={`/api${path}/${item.id}`} hx-target="#inquiry" hx-swap="outerMorph">
            <input type="hidden" name="state" value={state} />
            <Button label={label} icon={icon} type="submit" size="sm" />
          </Form>
        ))}
    </footer>
  </section>
)

const actions: { state: InboxItem['state']; label: string; icon: IconName }[] = [
  { state: 'done', label: 'Mark as done', icon: 'check' },
  { state: 'open', label: 'Open again', icon: 'undo-2' },
  { state: 'spam', label: 'Mark as spam', icon: 'circle-slash' },
]

const EmailFact = ({ item, email }: { item: InboxItem; email: string }) => (
  <>
    <dt>Email</dt>
    <dd class="wrap-anywhere">
      <a class="link" href={replyLink(item, email)} safe>
        {email}
      </a>
    </dd>
  </>
)

const replyLink = ({ reference }: InboxItem, email: string): string =>
  `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(`Your message to Atrium (${reference})`)}`

const DemoFact = ({ demo: { startsAt, timeZone, state } }: { demo: NonNullable<InboxItem['demo']> }) => (
  <>
    <dt>Demo</dt>
    <dd>
      <Time at={startsAt} /> <span safe>{state === 'canceled' ? '(canceled)' : `(visitor in ${timeZone})`}</span>
    </dd>
  </>
)
