import type { Connection } from '#social/types'
import { Avatar, Badge } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons, MenuItem, MenuLink, RowMenu } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import { nextHref, Pager } from '#views/ui/lists.tsx'
import { Time } from '#views/ui/time.tsx'
import { formatCounted } from '../brands/brand-counts.ts'
import { accountName, timelineHref, newTab } from '../posts/post-text.ts'
import { postsHref } from '../posts/posts-filters.tsx'
import { opensConnect } from './connect-dialog.tsx'

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
export const AccountItem = ({ connection }: { connection: Connection }) => (
  <li id={`account-${connection.id}`}>
    <Avatar name={connection.brandName} seed={connection.brandId} size="sm" />
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {accountName(connection.provider, connection.account.name)}
      </span>
      <small class="muted">
        Connected on <Time at={connection.createdAt} zone={connection.brandTimeZone} form="day" />
      </small>
    </span>
    <Health connection={connection} />
    <Actions connection={connection} />
  </li>
)

const Health = ({ connection: { active, health } }: { connection: Connection }) => {
  if (!active) return <Badge label="Deactivated" />
  return health === 'ok' ? <></> : <Badge label={health === 'expired' ? 'Expired' : 'Signed out'} tone="danger" />
}

const Actions = ({ connection }: { connection: Connection }) => {
  const { id, provider, account, active, health, can } = connection
  const menu = `account-${id}-menu`
  const chosen = { ...changing, popovertarget: menu, popovertargetaction: 'hide' } as const
  const connectAgain = can.connect && !can.reconnect && (!active || health !== 'ok')
  const isSandbox = provider === 'sandbox'
  const canListPosts = connection.scheduledPosts !== null
  if (!isSandbox && !canListPosts && !can.deactivate && !can.reconnect && !connectAgain) return <></>
  return (
    <>
      <RowMenu id={menu} label={`More about ${account.name}`}>
        {isSandbox ? (
          <MenuLink label="Open timeline" icon="arrow-up-right" href={timelineHref(account.name)} {...newTab} />
        ) : null}
        {canListPosts ? (
          <MenuLink
            label="View posts"
            icon="list"
            href={postsHref({ brandId: connection.brandId, accountId: connection.id })}
          />
        ) : null}
        {can.reconnect ? (
          <MenuItem label="Reconnect" icon="plug" hx-post={`/api/accounts/${id}/reconnect`} {...chosen} />
        ) : null}
        {connectAgain ? <MenuItem label="Reconnect" icon="plug" {...opensConnect(provider)} /> : null}
        {can.deactivate ? (
          <MenuItem label="Deactivate" icon="pause" commandfor={deactivateDialog(connection)} command="show-modal" />
        ) : null}
      </RowMenu>
      {can.deactivate ? <DeactivateDialog connection={connection} /> : null}
    </>
  )
}

const deactivateDialog = ({ id }: Connection): string => `deactivate-${id}`

const DeactivateDialog = ({ connection }: { connection: Connection }) => {
  const name = accountName(connection.provider, connection.account.name)
  return (
    <Dialog id={deactivateDialog(connection)} title={`Deactivate ${name}?`}>
      <Form hx-post={`/api/accounts/${connection.id}/deactivate`} {...changing}>
        <div class="body">
          <p class="wrap-anywhere" safe>
            {consequenceOf(connection)}
          </p>
        </div>
        <DialogButtons dialog={deactivateDialog(connection)} submit="Deactivate" danger focusCancel />
      </Form>
    </Dialog>
  )
}

/** What happens to the posts of a deactivated account. */
function consequenceOf({ scheduledPosts }: Connection): string {
  const reconnect = 'You can reconnect it at any time.'
  if (scheduledPosts === null) return 'Posts scheduled for it will fail unless you reconnect it in time.'
  if (scheduledPosts === 0) return `No posts are scheduled for it. ${reconnect}`
  const posts = formatCounted(scheduledPosts, 'scheduled post')
  return `${posts} will fail, or go out through another account of the same network. ${reconnect}`
}

/** The accounts and their number replace those of the page. */
const changing = { 'hx-target': '#accounts', 'hx-swap': 'outerMorph' } as const
