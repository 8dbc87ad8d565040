import type { AccountHealth, ConnectedAccount, ConnectedAccountList } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { DataTable } from '#views/ui/data-table.tsx'
import { providerName } from '../provider-name.ts'
import { NetworkName } from './network-name.tsx'
import { accountStates } from './words.ts'

export interface AccountQuery {
  q?: string | undefined
  provider?: string | undefined
  brandId?: string | undefined
  health?: AccountHealth | undefined
  cursor?: string | undefined
}

const path = '/gateway/connections'

export const AccountFilters = ({ query: { q, provider, health } }: { query: AccountQuery }) => (
  <form class="filters" role="search" aria-label="Filter accounts" action={path}>
    {provider ? <input type="hidden" name="provider" value={provider} /> : null}
    <label class="input">
      <Icon name="search" />
      <input type="search" name="q" placeholder="Account or brand" aria-label="Account or brand" value={q} />
    </label>
    <select class="input" name="health" aria-label="Health">
      <option value="">Any health</option>
      {Object.entries(accountStates).map(([value, { word }]) => (
        <option value={value} selected={value === health} safe>
          {word}
        </option>
      ))}
    </select>
    <Button label="Filter" type="submit" />
  </form>
)

interface ConnectedAccountsProps {
  list: ConnectedAccountList
  query: AccountQuery
}

export const ConnectedAccounts = ({ list: { items, nextCursor }, query }: ConnectedAccountsProps) => (
  <div id="connected-account-list">
    {items.length > 0 ? (
      <>
        <div class="bleed">
          <DataTable
            name="inventory"
            caption="Connected accounts"
            columns={['Account', 'Brand', 'Health', 'Last used']}
          >
            <tbody>
              {items.map((account) => (
                <AccountRow account={account} />
              ))}
            </tbody>
          </DataTable>
        </div>
        {nextCursor === null ? null : (
          <Pager
            label="More accounts"
            summary={`${items.length} shown`}
            next={listHref(path, { ...query, cursor: nextCursor })}
            action="Next"
          />
        )}
      </>
    ) : query.q || query.health || query.provider ? (
      <Empty icon="search" title="No results" text="No account matches these filters." small />
    ) : (
      <Empty
        icon="plug"
        title="No connected accounts yet"
        text="Accounts that brands connect to networks appear here, with their health."
        small
      />
    )}
  </div>
)

const AccountRow = ({ account }: { account: ConnectedAccount }) => {
  const { provider, name, host, brandName, health, lastUsedAt } = account
  return (
    <tr>
      <td data-at="title">
        <NetworkName provider={provider} name={name} />
        <small class="wrap-anywhere" safe>
          {[providerName(provider), URL.parse(host)?.host].filter(Boolean).join(', ')}
        </small>
      </td>
      <td data-at="end" class="wrap-anywhere" safe>
        {brandName}
      </td>
      <td data-at="sub">
        <StatusMark {...accountStates[health]} />
        {accountStates[health].advice ? (
          <small class="why" safe>
            {accountStates[health].advice}
          </small>
        ) : null}
      </td>
      <td data-at="time" class="muted nowrap">
        {lastUsedAt ? <Time at={lastUsedAt} form="moment" /> : 'Never'}
      </td>
    </tr>
  )
}
