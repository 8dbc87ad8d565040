import type { MailLog, MailLogEntry, MailStatus } from '#gateway/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'
import { amount } from '../money.ts'
import { recipientStates, tabs } from './words.ts'

export interface MailQuery {
  status?: MailStatus
  q?: string
  cursor?: string
}

export interface MailLogProps {
  log: MailLog
  query: MailQuery
}

const path = '/gateway/mail'
const hrefOf = (query: MailQuery, at = path): string => listHref(at, query)

export const MailHeader = ({ query }: { query: MailQuery }) => (
  <PageHeader title="Email log" status={<TimesIn />}>
    <div class="actions">
      <span class="wide-only">
        <ButtonLink
          label="Export CSV"
          icon="download"
          variant="ghost"
          href={listHref('/api/mail', { ...query, cursor: '', limit: '100', format: 'csv' })}
        />
      </span>
      <ButtonLink label="Suppressed addresses" icon="circle-slash" href="/gateway/mail/suppressed" />
    </div>
  </PageHeader>
)

export const MailTabs = ({ log: { counts }, query }: MailLogProps) => (
  <nav class="tabs" aria-label="State">
    {tabs.map(({ status, count, label }) => (
      <a
        href={hrefOf({ ...query, status, cursor: undefined })}
        aria-current={query.status === status ? 'page' : undefined}
      >
        <span safe>{label}</span>
        <Badge label={countText(counts[count])} count />
      </a>
    ))}
  </nav>
)

/** Counts end after 1,000: one more means that there are more. */
const maxExact = 1_000

const countText = (count: number): string => (count > maxExact ? `${amount(maxExact)}+` : amount(count))

export const MailSearch = ({ query: { status, q } }: { query: MailQuery }) => (
  <form class="filters" role="search" aria-label="Search the log" action={path}>
    {status ? <input type="hidden" name="status" value={status} /> : null}
    <label class="input">
      <Icon name="search" />
      <input type="search" name="q" placeholder="Address or subject" aria-label="Address or subject" value={q} />
    </label>
  </form>
)

interface MailListProps extends MailLogProps {
  openedId?: string
}

export const MailList = ({ log, query, openedId }: MailListProps) => (
  <div id="mail-log">
    {log.items.length > 0 ? (
      <>
        <ul class="list" data-links data-settings aria-label="Emails, newest first">
          {log.items.map((entry) => (
            <Entry entry={entry} query={query} isOpened={entry.id === openedId} />
          ))}
        </ul>
        {log.nextCursor === null ? null : (
          <Pager
            label="More emails"
            summary={`${log.items.length} shown`}
            next={hrefOf({ ...query, cursor: log.nextCursor })}
            action="Older"
          />
        )}
      </>
    ) : query.q || query.status ? (
      <Empty icon="search" title="No results" text="No email matches these filters." small />
    ) : (
      <Empty
        icon="mail"
        title="No emails yet"
        text="Each email that apps send appears here, once for each recipient."
        small
      />
    )}
  </div>
)

interface EntryProps {
  entry: MailLogEntry
  query: MailQuery
  isOpened: boolean
}

const Entry = ({ entry: { id, subject, recipient, state, createdAt }, query, isOpened }: EntryProps) => (
  <li>
    <span class="grow">
      <a
        class="row-link wrap-anywhere"
        href={hrefOf(query, `${path}/${id}`)}
        aria-current={isOpened ? 'true' : undefined}
        safe
      >
        {subject || '(no subject)'}
      </a>
      <small class="wrap-anywhere" safe>
        {recipient}
      </small>
    </span>
    <span class="end">
      <StatusMark {...recipientStates[state]} />
      <small class="muted nowrap">
        <Time at={createdAt} form="moment" />
      </small>
    </span>
  </li>
)

export const MailLogPage = ({ log, query }: MailLogProps) => (
  <>
    <MailHeader query={query} />
    <MailTabs log={log} query={query} />
    <div class="page stack" style="--measure: none">
      <MailSearch query={query} />
      <div class="card">
        <MailList log={log} query={query} />
      </div>
    </div>
  </>
)
