import type { BrandSummary, Integration, IntegrationList } from '#social/types'
import { ConnectDialog } from './connect-dialog.tsx'
import { IntegrationCard } from './integration-card.tsx'
import { Pauses } from './pauses.tsx'
import { FirstSteps, type FirstStepsProps } from '../first-steps.tsx'
import { Unconnected, type UnconnectedProps } from './unconnected.tsx'

export interface AccountsProps {
  brand: BrandSummary
  list: IntegrationList
  /** Set after a return from a network's consent page without a connected account. */
  unconnected: UnconnectedProps | null
  /** While the organization has no post. */
  steps: FirstStepsProps | null
}

/** Every network with the brand's accounts on it. */
export const Accounts = ({ brand, list, unconnected, steps }: AccountsProps) => (
  <>
    <header class="page-header">
      <h1>
        Accounts
        <AccountCount {...list} />
      </h1>
    </header>
    <div class="page stack" style="--measure: none">
      <div id="account-notice">{unconnected ? <Unconnected {...unconnected} /> : null}</div>
      <div id="first-steps">{steps ? <FirstSteps {...steps} /> : null}</div>
      <AccountCards {...list} />
      <ConnectDialogs integrations={list.items} brand={brand} />
    </div>
  </>
)

interface ConnectDialogsProps {
  integrations: Integration[]
  brand: BrandSummary
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

export const AccountCards = ({ items, brand, pauses, can }: IntegrationList) => (
  <div class="stack" style="--gap: 2rem" id="accounts">
    {items.some(({ connections }) => connections.length > 0) ? (
      <Pauses brand={brand} pauses={pauses} can={can} />
    ) : null}
    <div class="grid">
      {items.map((integration) => (
        <IntegrationCard
          integration={integration}
          brand={brand}
          isPrimary={integration === firstToConnect({ items })}
        />
      ))}
    </div>
  </div>
)

/** While there is no account: the sandbox, where it is offered. */
const firstToConnect = (list: Pick<IntegrationList, 'items'>): Integration | undefined =>
  hasAccount(list) ? undefined : list.items.find(({ can }) => can.connect)

/** The response to a change of an account. A failure to connect one is no longer current. */
export const ChangedAccounts = ({ list, steps }: Pick<AccountsProps, 'list' | 'steps'>) => (
  <>
    <AccountCards {...list} />
    <hx-partial hx-target="#account-count" hx-swap="outerHTML">
      <AccountCount {...list} />
    </hx-partial>
    <hx-partial hx-target="#account-notice" hx-swap="innerHTML" />
    <hx-partial hx-target="#first-steps" hx-swap="innerHTML">
      {steps ? <FirstSteps {...steps} /> : null}
    </hx-partial>
  </>
)

const AccountCount = ({ items }: IntegrationList) => (
  <small class="muted" id="account-count">
    {countActive(items)} connected
  </small>
)

export const hasAccount = ({ items }: Pick<IntegrationList, 'items'>): boolean => countActive(items) > 0

const countActive = (integrations: Integration[]): number =>
  integrations.flatMap(({ connections }) => connections).filter(({ active }) => active).length
