import type { LedgerFilter, LedgerTransaction, LedgerTransactionList } from '#payments/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Badge } from '#views/ui/marks.tsx'
import { Time, viewerZone } from '#views/ui/time.tsx'
import { More } from '../filters.tsx'
import { money } from '../money.ts'
import { accountNames, kindNames, shortHash } from './words.ts'

export interface LedgerTableProps {
  list: LedgerTransactionList
  query: LedgerFilter
  organizationId: string | undefined
}

export const ledgerPath = '/pay/transactions'
export const ledgerRoute = '/api/ledger'
export const ledgerTopic = (organizationId: string | undefined): string => `ledger:${organizationId ?? ''}`

export function isNarrowed(query: LedgerFilter): boolean {
  const { limit: _, cursor: __, timeZone: ___, ...filter } = query
  return Object.values(filter).some(Boolean)
}

export const LedgerTable = ({ list, query, organizationId }: LedgerTableProps) => (
  <div id="ledger" {...liveAt(listHref(ledgerRoute, query), ledgerTopic(organizationId))}>
    {list.items.length > 0 ? <Rows list={list} query={query} /> : <NoTransactions query={query} />}
  </div>
)

const Rows = ({ list: { items, nextCursor }, query }: Omit<LedgerTableProps, 'organizationId'>) => (
  <>
    <div class="card">
      <table class="table ledger">
        <caption class="visually-hidden" safe>
          {`Ledger transactions, newest first, times in ${viewerZone()}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Transaction and accounts</th>
            <th scope="col" data-num>
              Debit
            </th>
            <th scope="col" data-num>
              Credit
            </th>
          </tr>
        </thead>
        {items.map((transaction) => (
          <Transaction transaction={transaction} />
        ))}
      </table>
    </div>
    <More
      noun="transactions"
      shown={items.length}
      nextCursor={nextCursor}
      query={query}
      page={ledgerPath}
      from={ledgerRoute}
      target="#ledger"
    />
  </>
)

const Transaction = ({ transaction }: { transaction: LedgerTransaction }) => (
  <tbody id={`transaction-${transaction.id}`}>
    <tr>
      <th scope="rowgroup" colspan={3}>
        <span class="row" data-wrap style="--gap: 0 var(--space-3)">
          <span class="grow">
            <Title transaction={transaction} />
            {transaction.kind === 'correction' ? (
              <>
                {' '}
                <Badge label="New entries" tone="info" />
              </>
            ) : null}
            <small class="wrap-anywhere">
              <span safe>{detailsOf(transaction)}</span>
              <Time at={transaction.at} form="moment" />
            </small>
            {transaction.note ? (
              <small class="wrap-anywhere" safe>
                {transaction.note}
              </small>
            ) : null}
          </span>
          <span class="hash" title={`Hash of this transaction and the one before it: ${transaction.hash}`}>
            <Icon name="link" />
            <span safe>{shortHash(transaction.hash)}</span>
          </span>
        </span>
      </th>
    </tr>
    {transaction.entries.map(({ account, amount, currency }) => (
      <tr>
        <td safe>{account === 'merchant' ? `Merchant ${transaction.merchantName ?? ''}` : accountNames[account]}</td>
        <td data-num>{amount < 0 ? null : <span safe>{money(amount, currency)}</span>}</td>
        <td data-num>{amount < 0 ? <span safe>{money(-amount, currency)}</span> : null}</td>
      </tr>
    ))}
  </tbody>
)

const Title = ({ transaction: { kind, orderId } }: { transaction: LedgerTransaction }) =>
  orderId ? (
    <a class="link" href={`/pay/orders/${orderId}`} safe>
      {kindNames[kind]}
    </a>
  ) : (
    <span safe>{kindNames[kind]}</span>
  )

/** `18,206 · Order 2026-00431 · corrects 17,988 · `. */
const detailsOf = ({ sequence, orderNumber, correctsSequence }: LedgerTransaction): string =>
  [
    sequence.toLocaleString('en'),
    orderNumber && `Order ${orderNumber}`,
    correctsSequence === null ? null : `corrects ${correctsSequence.toLocaleString('en')}`,
    '',
  ]
    .filter((part) => typeof part === 'string')
    .join(' · ')

const NoTransactions = ({ query }: Pick<LedgerTableProps, 'query'>) =>
  isNarrowed(query) || query.cursor ? (
    <Empty icon="search" title="No matching transactions" text="Try fewer filters.">
      <ButtonLink label="Clear filters" href={ledgerPath} />
    </Empty>
  ) : (
    <Empty
      icon="arrow-left-right"
      title="No transactions yet"
      text="Each movement of money is posted here with balanced debit and credit entries, and is never changed: payments, fees, refunds, disputes, and payouts."
    />
  )
