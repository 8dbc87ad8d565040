import type { Connection } from '#social/types'
import { Avatar } from '#views/ui/marks.tsx'
import { RowMenu } from '#views/ui/overlays.tsx'
import { nextHref, Pager } from '#views/ui/lists.tsx'
import { Time } from '#views/ui/time.tsx'
import { accountName } from '../posts/post-text.ts'
import {
  accountDialogs,
  accountHref,
  AccountHealth,
  accountMenu,
  hasActions,
  SandboxBadge,
} from './account-actions.tsx'

/** Connected accounts of one network. */
export const AccountList = ({ connections }: { connections: Connection[] }) => (
  <ul class="list" style="--row: 2.25rem">
    {connections.map((connection) => (
      <AccountItem connection={connection} />
    ))}
  </ul>
)

interface AccountsFragmentProps {
  items: Connection[]
  nextCursor: string | null
  /** The URL of the list. */
  url: URL
}

/** One page of the API's list. */
export const AccountsFragment = ({ items, nextCursor, url }: AccountsFragmentProps) => (
  <>
    {items.length > 0 ? <AccountList connections={items} /> : null}
    {nextCursor ? (
      <Pager label="More accounts" summary={`Showing ${items.length}`} next={nextHref(url, nextCursor)} />
    ) : null}
  </>
)

/** A connected account with its actions. */
const AccountItem = ({ connection }: { connection: Connection }) => (
  <li id={`account-${connection.id}`}>
    <Avatar name={connection.brandName} seed={connection.brandId} size="sm" />
    <span class="grow">
      <a class="wrap-anywhere" href={accountHref(connection)} safe>
        {accountName(connection.provider, connection.account.name)}
      </a>
      <small class="muted">
        Connected on <Time at={connection.createdAt} zone={connection.brandTimeZone} form="day" />
      </small>
      {connection.warning === null ? null : (
        <small data-tone="warning" safe>
          {connection.warning}
        </small>
      )}
    </span>
    <SandboxBadge connection={connection} />
    <AccountHealth connection={connection} />
    {hasActions(connection) ? <Actions connection={connection} /> : null}
  </li>
)

const Actions = ({ connection }: { connection: Connection }) => (
  <>
    <RowMenu
      id={accountMenu(connection)}
      label={`More about ${connection.account.name}`}
      from={`/api/accounts/${connection.id}`}
    />
    {connection.can.deactivate ? <div id={accountDialogs(connection)} /> : null}
  </>
)
