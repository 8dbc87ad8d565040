import type { LedgerBalanceList } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { TimesIn } from '#views/ui/time.tsx'
import { ExportLink } from '../export-link.tsx'
import { Choice, Dates, FilterForm } from '../filters.tsx'
import { Balances } from './balances.tsx'
import { PendingChain } from './chain.tsx'
import { correctionDialog, CorrectionDialog } from './correction-dialog.tsx'
import { isNarrowed, ledgerPath, ledgerRoute, LedgerTable, type LedgerTableProps } from './table.tsx'
import { accountNames, kindNames } from './words.ts'

interface LedgerProps extends LedgerTableProps {
  balances: LedgerBalanceList
}

export const LedgerPage = ({ list, query, balances, organizationId }: LedgerProps) => {
  const canCorrect = list.can.correct && balances.items.length > 0
  return (
    <>
      <PageHeader title="Transactions" status={<TimesIn />}>
        <div class="actions">
          <ExportLink from={`${ledgerRoute}/export`} query={query} />
          {canCorrect ? (
            <Button label="New correction" icon="pen-line" commandfor={correctionDialog} command="show-modal" />
          ) : null}
        </div>
      </PageHeader>
      <div class="page split" style="--measure: none; --aside: 21rem">
        <div class="stack">
          {balances.items.length > 0 || isNarrowed(query) ? <Filters query={query} balances={balances} /> : null}
          <LedgerTable list={list} query={query} organizationId={organizationId} />
        </div>
        <aside class="stack" aria-label="Chain and balances">
          <PendingChain />
          <Balances balances={balances} organizationId={organizationId} />
        </aside>
      </div>
      {canCorrect ? <CorrectionDialog balances={balances} /> : null}
    </>
  )
}

const optionsOf = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }))

const Filters = ({ query, balances: { items } }: Pick<LedgerProps, 'query' | 'balances'>) => {
  const currencies = [...new Set(items.map(({ currency }) => currency))]
  const merchants = new Map(items.map(({ merchantId, merchantName }) => [merchantId, merchantName ?? 'Merchant']))
  return (
    <FilterForm
      label="Filter transactions"
      path={ledgerPath}
      search={{ placeholder: 'Order, number, or provider’s ID', value: query.q }}
      kept={{ orderId: query.orderId }}
      clear={isNarrowed(query) ? ledgerPath : undefined}
    >
      <Choice label="Account" name="account" chosen={query.account} options={optionsOf(accountNames)} />
      <Choice label="Kind" name="kind" chosen={query.kind} options={optionsOf(kindNames)} />
      <Choice
        label="Currency"
        name="currency"
        chosen={query.currency}
        options={currencies.length > 1 ? currencies.map((value) => ({ value, label: value })) : []}
      />
      <Choice
        label="Merchant"
        name="merchantId"
        chosen={query.merchantId}
        options={merchants.size > 1 ? optionsOf(Object.fromEntries(merchants)) : []}
      />
      <Dates from={query.from} to={query.to} timeZone={query.timeZone} />
    </FilterForm>
  )
}
