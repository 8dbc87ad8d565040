import type { Connection, Integration } from '#social/types'
import { Avatar } from '#views/ui/avatar.tsx'
import { Badge } from '#views/ui/badge.tsx'
import { Button } from '#views/ui/button.tsx'
import { MenuItem, MenuLink, RowMenu } from '#views/ui/menu.tsx'
import { NetworkMark } from '#views/ui/network.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { Time } from '#views/ui/time.tsx'
import type { AccountsProps } from './accounts.tsx'
import { ConnectDialog, connectDialog } from './connect-dialog.tsx'
import { accountName, timelineHref } from './line.ts'

type CardProps = Omit<AccountsProps, 'integrations' | 'unconnected'> & { integration: Integration }

const readiness = {
  'production-ready': { label: 'Production ready', tone: 'success' },
  'sandbox-only': { label: 'Sandbox only', tone: 'info' },
  'setup-required': { label: 'Setup required', tone: 'warning' },
  planned: { label: 'Planned', tone: undefined },
} as const

/** One network: how ready it is, which accounts are connected, what it takes. */
export const IntegrationCard = ({ integration, brand, mayWrite }: CardProps) => (
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
            <Account connection={connection} brand={brand} mayWrite={mayWrite} />
          ))}
        </ul>
      ) : null}
      <p class="small muted" safe>
        {about(integration)}
      </p>
    </div>
    {integration.connect !== 'none' && mayWrite ? <Connecting integration={integration} brand={brand} /> : null}
  </article>
)

const Connecting = ({ integration, brand }: Omit<CardProps, 'mayWrite'>) => {
  const isFirst = integration.connections.length === 0
  return (
    <>
      <footer>
        <Button
          label={isFirst ? 'Connect' : 'Connect another'}
          icon={isFirst ? 'plug' : 'plus'}
          variant={isFirst ? 'primary' : undefined}
          commandfor={connectDialog(integration.provider)}
          command="show-modal"
        />
      </footer>
      <ConnectDialog integration={integration} brand={brand} />
    </>
  )
}

const Account = ({ connection, brand, mayWrite }: Omit<CardProps, 'integration'> & { connection: Connection }) => (
  <li>
    <Avatar name={brand.name} seed={brand.id} size="sm" />
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {accountName(connection.provider, connection.account.name)}
      </span>
      <small class="muted">
        Connected on <Time at={connection.createdAt} zone={brand.timeZone} form="day" />
      </small>
    </span>
    <Health connection={connection} />
    <Acts connection={connection} mayWrite={mayWrite} />
  </li>
)

const Health = ({ connection: { active, health } }: { connection: Connection }) => {
  if (!active) return <Badge label="Deactivated" />
  return health === 'ok' ? <></> : <Badge label={health === 'expired' ? 'Expired' : 'Signed out'} tone="danger" />
}

const Acts = ({ connection, mayWrite }: { connection: Connection; mayWrite: boolean }) => {
  const { id, provider, account, active, health } = connection
  const act = (name: string) => ({ 'hx-post': `/api/accounts/${id}/${name}`, 'hx-swap': 'none' as const })
  if (provider !== 'sandbox' && !mayWrite) return <></>
  return (
    <RowMenu id={`account-${id}`} label={`More about ${account.name}`}>
      {provider === 'sandbox' ? (
        <MenuLink label="Open timeline" icon="arrow-up-right" href={timelineHref(account.name)} />
      ) : null}
      {mayWrite && (!active || health !== 'ok') ? (
        <MenuItem label="Reconnect" icon="plug" {...(signsInAnew(connection) ? opens(provider) : act('reconnect'))} />
      ) : null}
      {mayWrite && active ? <MenuItem label="Deactivate" icon="pause" {...act('deactivate')} /> : null}
    </RowMenu>
  )
}

/** What the network signed out needs its form again. */
const signsInAnew = ({ provider, health }: Connection): boolean => health !== 'ok' && provider !== 'sandbox'
const opens = (provider: Connection['provider']) => ({ commandfor: connectDialog(provider), command: 'show-modal' })

const about = ({ limits, note }: Integration): string =>
  [note, `${limits.characters.toLocaleString('en')} characters${mediaOf(limits.media)}.`].filter(Boolean).join(' ')

const mediaOf = (media: number): string => {
  if (media === 0) return ''
  return media === 1 ? ', 1 attachment' : `, ${media} attachments`
}
