import type { ConnectedAccountList, NetworkAppList } from '#gateway/types'
import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn } from '#views/ui/time.tsx'
import { AddApp } from '../credentials/add-dialogs.tsx'
import { AccountFilters, ConnectedAccounts, type AccountQuery } from './accounts.tsx'
import { changesApps, NetworkApps } from './apps.tsx'

export interface ConnectionsProps {
  apps: NetworkAppList
  accounts: ConnectedAccountList
  query: AccountQuery
}

export const ConnectionsPage = ({ apps, accounts, query }: ConnectionsProps) => (
  <>
    <PageHeader title="Connections" status={<TimesIn />} />
    <div class="page stack" style="--measure: none; --gap: var(--space-8)">
      <NetworkApps list={apps} />
      <section class="section" aria-labelledby="connected-accounts">
        <header>
          <h2 id="connected-accounts">Connected accounts</h2>
          <small class="below">Tokens are sealed in Social and never shown here</small>
        </header>
        <AccountFilters query={query} />
        <ConnectedAccounts list={accounts} query={query} />
      </section>
    </div>
    {apps.can.update ? <AddApp canUpdatePlatform={apps.can.updatePlatform} changes={changesApps} /> : null}
  </>
)
