import type { Connection, Integration, IntegrationList } from '#social/types'
import { Avatar, Badge, NetworkMark } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { MenuItem, MenuLink, RowMenu } from '#views/ui/overlays.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Time } from '#views/ui/time.tsx'
import { connectDialog } from './connect-dialog.tsx'
import { accountName, timelineHref } from '../posts/post-text.ts'

interface CardProps {
  integration: Integration
  brand: IntegrationList['brand']
}

const readiness = {
  'production-ready': { label: 'Available', tone: 'success' },
  'sandbox-only': { label: 'Test network', tone: 'info' },
  'setup-required': { label: 'Setup required', tone: 'warning' },
  planned: { label: 'Coming soon', tone: undefined },
} as const

export const IntegrationCard = ({ integration, brand }: CardProps) => (
  <article class="card" aria-labelledby={`network-${integration.provider}`}>
    <header>
      <span class="net-lg">
        <NetworkMark network={integration.provider} />
      </span>
      <h2 id={`network-${integration.provider}`} safe>
        {integration.name}
      </h2>
      <span class="push">
        <Badge {...readiness[integration.readiness]} />
      </span>
    </header>
    <div class="body stack">
      {integration.attention ? <Notice tone="danger" text={integration.attention} /> : null}
      {integration.connections.length > 0 ? (
        <ul class="list" style="--row: 2.25rem">
          {integration.connections.map((connection) => (
            <Account connection={connection} integration={integration} brand={brand} />
          ))}
        </ul>
      ) : null}
      <p class="small muted" safe>
        {describe(integration)}
      </p>
    </div>
    {brand && integration.can.connect ? <Connect integration={integration} /> : null}
  </article>
)

const Connect = ({ integration: { provider, connections } }: Pick<CardProps, 'integration'>) => {
  const isFirst = connections.length === 0
  return (
    <footer>
      <Button
        label={isFirst ? 'Connect' : 'Connect another'}
        icon={isFirst ? 'plug' : 'plus'}
        variant={isFirst ? 'primary' : undefined}
        {...opens(provider)}
      />
    </footer>
  )
}

const Account = ({ connection, integration, brand }: CardProps & { connection: Connection }) => (
  <li id={`account-${connection.id}`}>
    {brand ? <Avatar name={brand.name} seed={brand.id} size="sm" /> : null}
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {accountName(connection.provider, connection.account.name)}
      </span>
      <small class="muted">
        Connected on <Time at={connection.createdAt} zone={brand?.timeZone ?? 'UTC'} form="day" />
      </small>
    </span>
    <Health connection={connection} />
    <Actions connection={connection} canConnect={brand !== null && integration.can.connect} />
  </li>
)

const Health = ({ connection: { active, health } }: { connection: Connection }) => {
  if (!active) return <Badge label="Deactivated" />
  return health === 'ok' ? <></> : <Badge label={health === 'expired' ? 'Expired' : 'Signed out'} tone="danger" />
}

const Actions = ({ connection, canConnect }: { connection: Connection; canConnect: boolean }) => {
  const { id, provider, account, active, health, can } = connection
  const menu = `account-${id}-menu`
  const change = (action: 'deactivate' | 'reconnect') => ({
    'hx-post': `/api/accounts/${id}/${action}`,
    'hx-target': '#accounts',
    'hx-swap': 'outerMorph' as const,
    popovertarget: menu,
    popovertargetaction: 'hide' as const,
  })
  const connectAgain = canConnect && !can.reconnect && (!active || health !== 'ok')
  const isSandbox = provider === 'sandbox'
  if (!isSandbox && !can.deactivate && !can.reconnect && !connectAgain) return <></>
  return (
    <RowMenu id={menu} label={`More about ${account.name}`}>
      {isSandbox ? <MenuLink label="Open timeline" icon="arrow-up-right" href={timelineHref(account.name)} /> : null}
      {can.reconnect ? <MenuItem label="Reconnect" icon="plug" {...change('reconnect')} /> : null}
      {connectAgain ? <MenuItem label="Reconnect" icon="plug" {...opens(provider)} /> : null}
      {can.deactivate ? <MenuItem label="Deactivate" icon="pause" {...change('deactivate')} /> : null}
    </RowMenu>
  )
}

const opens = (provider: Connection['provider']) => ({ commandfor: connectDialog(provider), command: 'show-modal' })

const describe = ({ limits, note }: Integration): string =>
  [note, `${limits.characters.toLocaleString('en')} characters${formatMedia(limits.media)}.`].filter(Boolean).join(' ')

const formatMedia = (media: number): string => {
  if (media === 0) return ''
  return media === 1 ? ', 1 attachment' : `, ${media} attachments`
}
