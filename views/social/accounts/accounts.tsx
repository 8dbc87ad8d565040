import type { Integration, IntegrationList } from '#social/types'
import { Notice } from '#views/ui/feedback.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { IntegrationCard } from './integration-card.tsx'
import { networkNames } from '../posts/post-text.ts'

export interface AccountsProps {
  list: IntegrationList
  /** Set after a return from a network's consent page without a connected account. */
  unconnected: { why: 'denied' | 'expired' | 'failed'; network: Integration['provider'] } | null
}

export const Accounts = ({ list, unconnected }: AccountsProps) => (
  <>
    <header class="page-header">
      <h1>
        Accounts
        <AccountCount {...list} />
      </h1>
    </header>
    <div class="page stack" style="--measure: none">
      {unconnected ? <Unconnected {...unconnected} /> : null}
      <AccountCards {...list} />
      {list.brand ? <ConnectDialogs integrations={list.items} brand={list.brand} /> : null}
    </div>
  </>
)

interface ConnectDialogsProps {
  integrations: Integration[]
  brand: NonNullable<IntegrationList['brand']>
}

const ConnectDialogs = ({ integrations, brand }: ConnectDialogsProps) => (
  <>
    {integrations
      .filter(({ can }) => can.connect)
      .map((integration) => (
        <ConnectDialog integration={integration} brand={brand} />
      ))}
  </>
)

export const AccountCards = ({ items, brand }: IntegrationList) => (
  <div class="grid" id="accounts">
    {items.map((integration) => (
      <IntegrationCard integration={integration} brand={brand} />
    ))}
  </div>
)

export const ChangedAccounts = (list: IntegrationList) => (
  <>
    <AccountCards {...list} />
    <hx-partial hx-target="#account-count" hx-swap="outerHTML">
      <AccountCount {...list} />
    </hx-partial>
  </>
)

const AccountCount = ({ items }: IntegrationList) => (
  <small class="muted" id="account-count">
    {countActive(items)} connected
  </small>
)

const countActive = (integrations: Integration[]): number =>
  integrations.flatMap(({ connections }) => connections).filter(({ active }) => active).length

const Unconnected = ({ why, network }: NonNullable<AccountsProps['unconnected']>) => {
  const name = networkNames[network]
  const reasons = {
    denied: `Access to ${name} was denied.`,
    expired: 'The connection request expired or was already used.',
    failed: `${name} returned an error.`,
  }
  return (
    <Notice
      tone="warning"
      role="alert"
      title={`Couldn’t connect a ${name} account`}
      text={`${reasons[why]} Try again.`}
    />
  )
}
