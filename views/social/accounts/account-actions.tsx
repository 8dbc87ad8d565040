import type { Connection, ConnectionDetails } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons, MenuItem, MenuLink } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import { formatCounted } from '../brands/brand-counts.ts'
import { accountName, timelineHref, newTab } from '../posts/post-text.ts'
import { postsHref } from '../posts/posts-filters.tsx'
import { opensConnect } from './connect-dialog.tsx'

export const accountHref = ({ id, brandId }: Pick<Connection, 'id' | 'brandId'>): string =>
  `/workspace/accounts/${id}?brandId=${brandId}`

export const accountMenu = ({ id }: Connection): string => `account-${id}-menu`
export const accountDialogs = ({ id }: Connection): string => `account-${id}-dialogs`

/** Where an account is shown decides what a change of it replaces: all accounts with their number, or its own page. */
type ShownAs = 'row' | 'page'

const changing = (shownAs: ShownAs) =>
  ({ 'hx-target': shownAs === 'row' ? '#accounts' : '#account', 'hx-swap': 'outerMorph' }) as const

/** Which of the accounts of a network only its sandbox shows. */
export const SandboxBadge = ({ connection: { provider, sandbox } }: { connection: Connection }) =>
  sandbox && provider !== 'sandbox' ? <Badge label="Sandbox" tone="info" /> : <></>

export const AccountHealth = ({ connection: { active, health, isPaused } }: { connection: Connection }) => {
  if (!active) return <Badge label="Deactivated" />
  if (health === 'ok' && isPaused) return <Badge label="Paused" tone="warning" />
  return health === 'ok' ? <></> : <Badge label={health === 'expired' ? 'Expired' : 'Signed out'} tone="danger" />
}

/** Whether only connecting it again, on its network, restores it. */
export const needsConnecting = ({ active, health, can }: Connection): boolean =>
  can.connect && !can.reconnect && (!active || health !== 'ok')

/** Whether connecting it again can let Atrium write first comments. */
export const canAddComments = ({ firstComments, can }: ConnectionDetails): boolean =>
  firstComments === 'permission_missing' && can.connect

export const hasActions = (connection: Connection): boolean =>
  connection.provider === 'sandbox' ||
  connection.scheduledPosts !== null ||
  connection.can.deactivate ||
  connection.can.pause ||
  connection.can.reconnect ||
  needsConnecting(connection)

interface AccountActionProps {
  connection: Connection
  shownAs: ShownAs
}

/** The menu of a row, and its dialog next to it. */
export const AccountMenu = ({ connection }: { connection: Connection }) => (
  <>
    <AccountLinks connection={connection} />
    <Reconnect connection={connection} shownAs="row" />
    <PauseItem connection={connection} />
    <Deactivate connection={connection} />
    {connection.can.deactivate ? (
      <hx-partial hx-target={`#${accountDialogs(connection)}`} hx-swap="innerHTML">
        <DeactivateDialog connection={connection} shownAs="row" />
      </hx-partial>
    ) : null}
  </>
)

export const AccountLinks = ({
  connection: { id, brandId, provider, account, scheduledPosts },
}: {
  connection: Connection
}) => (
  <>
    {provider === 'sandbox' ? (
      <MenuLink label="Open timeline" icon="arrow-up-right" href={timelineHref(account.name)} {...newTab} />
    ) : null}
    {scheduledPosts === null ? null : (
      <MenuLink label="View posts" icon="list" href={postsHref({ brandId, accountId: id })} />
    )}
  </>
)

const PauseItem = ({ connection }: { connection: Connection }) =>
  connection.can.pause ? <MenuItem {...pausing(connection, 'row')} /> : <></>

/** The button that resumes has the id of the one that paused, so that the focus stays on it. */
export const PauseButton = ({ connection }: { connection: Connection }) =>
  connection.can.pause ? <Button id="pause-account" {...pausing(connection, 'page')} /> : <></>

const pausing = ({ id, brandId, isPaused }: Connection, shownAs: ShownAs) =>
  ({
    label: isPaused ? 'Resume' : 'Pause',
    icon: isPaused ? 'send' : 'pause',
    'hx-post': `/api/publishing/${isPaused ? 'resume' : 'pause'}`,
    'hx-vals': JSON.stringify({ brandId, connectionId: id }),
    ...changing(shownAs),
  }) as const

const Reconnect = ({ connection, shownAs }: AccountActionProps) => {
  const { id, provider, can } = connection
  if (can.reconnect) return <MenuItem label="Reconnect" icon="plug" {...reconnecting(id, shownAs)} />
  return needsConnecting(connection) ? <MenuItem label="Reconnect" icon="plug" {...opensConnect(provider)} /> : <></>
}

export const reconnecting = (id: string, shownAs: ShownAs) => ({
  'hx-post': `/api/accounts/${id}/reconnect`,
  ...changing(shownAs),
})

export const Deactivate = ({ connection }: { connection: Connection }) =>
  connection.can.deactivate ? (
    <MenuItem label="Deactivate" icon="circle-slash" commandfor={deactivateDialog(connection)} command="show-modal" />
  ) : (
    <></>
  )

const deactivateDialog = ({ id }: Connection): string => `deactivate-${id}`

export const DeactivateDialog = ({ connection, shownAs }: AccountActionProps) => {
  const name = accountName(connection.provider, connection.account.name)
  return (
    <Dialog id={deactivateDialog(connection)} title={`Deactivate ${name}?`}>
      <Form hx-post={`/api/accounts/${connection.id}/deactivate`} {...changing(shownAs)}>
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
