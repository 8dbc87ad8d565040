import type { LedgerBalance, LedgerBalanceList } from '#payments/types'
import { Fold } from '#views/ui/fold.tsx'
import { liveAt } from '#views/ui/live.ts'
import { money } from '../money.ts'
import { ledgerTopic } from './table.tsx'
import { accountNames, accountOrder } from './words.ts'

interface BalancesProps {
  balances: LedgerBalanceList
  organizationId: string | undefined
}

/** Totals of each currency, and of its merchants when there are several. */
export const Balances = ({ balances: { items, nextCursor }, organizationId }: BalancesProps) => (
  <div
    id="ledger-balances"
    class="stack"
    {...liveAt('/api/ledger/balances?per=merchant&limit=100', ledgerTopic(organizationId))}
  >
    {[...Map.groupBy(items, ({ currency }) => currency)].map(([currency, rows]) => (
      <CurrencyCard currency={currency} rows={rows} isComplete={nextCursor === null} />
    ))}
    {nextCursor === null ? null : (
      <p class="small muted">These are the first 100 balances. The API lists all of them.</p>
    )}
  </div>
)

interface CurrencyProps {
  currency: string
  rows: LedgerBalance[]
}

const CurrencyCard = ({ currency, rows, isComplete }: CurrencyProps & { isComplete: boolean }) => {
  const merchants = [...Map.groupBy(rows, ({ merchantId }) => merchantId).values()]
  return (
    <section class="card" aria-labelledby={`balances-${currency}`}>
      <header>
        <h2 id={`balances-${currency}`} safe>{`Balances, ${currency}`}</h2>
      </header>
      <div class="body stack">
        <Accounts currency={currency} rows={rows} isComplete={isComplete} />
        {merchants.length > 1
          ? merchants.map((each) => (
              <Fold summary={<MerchantName rows={each} />}>
                <Accounts currency={currency} rows={each} isComplete={isComplete} />
              </Fold>
            ))
          : null}
      </div>
    </section>
  )
}

const MerchantName = ({ rows }: Pick<CurrencyProps, 'rows'>) => (
  <span class="wrap-anywhere" safe>
    {rows[0]?.merchantName ?? 'Merchant'}
  </span>
)

const sumOf = (rows: readonly LedgerBalance[]): number => rows.reduce((sum, { balance }) => sum + balance, 0)

const Accounts = ({ currency, rows, isComplete }: CurrencyProps & { isComplete: boolean }) => (
  <dl class="facts balances">
    {accountOrder
      .filter((account) => rows.some((each) => each.account === account))
      .map((account) => (
        <>
          <dt safe>{accountNames[account]}</dt>
          <dd safe>{money(sumOf(rows.filter((each) => each.account === account)), currency)}</dd>
        </>
      ))}
    {isComplete ? (
      <>
        <dt>
          <b>Sum</b>
        </dt>
        <dd>
          <b safe>{money(sumOf(rows), currency)}</b>
        </dd>
      </>
    ) : null}
  </dl>
)
