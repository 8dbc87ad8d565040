import type { LedgerHead, LedgerVerification } from '#payments/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { Time, timeText, viewerZone } from '#views/ui/time.tsx'
import { differenceNames, shortHash } from './words.ts'

const route = '/api/ledger/verify'
const replaces = { 'hx-target': '#ledger-chain', 'hx-swap': 'outerHTML' } as const

/** Verifies after the page was shown, since that reads every entry. */
export const PendingChain = () => (
  <section id="ledger-chain" class="card" aria-labelledby="chain" hx-get={route} hx-trigger="load" {...replaces}>
    <header>
      <h2 id="chain">Chain</h2>
    </header>
    <p class="body muted">Verifying every transaction…</p>
    <Actions label="Verify" />
  </section>
)

export const Chain = ({ verification }: { verification: LedgerVerification }) => {
  const { balanced, chained, transactions, entries, verifiedAt, durationMs, heads } = verification
  const isIntact = balanced && chained
  return (
    <section id="ledger-chain" class="card" aria-labelledby="chain">
      <header>
        <h2 id="chain">{isIntact ? 'Chain verified' : 'Differences found'}</h2>
        <Badge
          label={timeText(verifiedAt, viewerZone(), 'time')}
          tone={isIntact ? 'success' : 'danger'}
          icon={isIntact ? 'shield-check' : 'circle-alert'}
        />
      </header>
      <div class="body stack" role="status">
        {isIntact ? (
          <p>
            Every transaction balances in its currency, and each one seals the one before it. Nothing was changed or
            removed.
          </p>
        ) : (
          <Differences verification={verification} />
        )}
        <dl class="facts">
          <dt>Transactions</dt>
          <dd safe>{transactions.toLocaleString('en')}</dd>
          <dt>Entries</dt>
          <dd safe>{entries.toLocaleString('en')}</dd>
          {heads.map((head) => (
            <Head head={head} isOnly={heads.length === 1} />
          ))}
          <dt>Duration</dt>
          <dd safe>{`${(durationMs / 1000).toFixed(1)} s`}</dd>
        </dl>
      </div>
      <Actions label="Verify again" />
    </section>
  )
}

const Actions = ({ label }: { label: string }) => (
  <footer>
    <Button id="verify-chain" label={label} icon="rotate-cw" size="sm" hx-get={route} {...replaces} />
    <ButtonLink label="Download proof" icon="download" variant="ghost" size="sm" href="/api/ledger/proof" />
  </footer>
)

const Head = ({ head: { merchantName, first, last }, isOnly }: { head: LedgerHead; isOnly: boolean }) => (
  <>
    {isOnly && first ? (
      <>
        <dt>First</dt>
        <dd>
          <Time at={first.at} form="shortDay" /> <code safe>{shortHash(first.hash)}</code>
        </dd>
      </>
    ) : null}
    {last ? (
      <>
        <dt class="wrap-anywhere" safe>
          {isOnly ? 'Last' : (merchantName ?? 'Merchant')}
        </dt>
        <dd>
          {isOnly ? null : <span safe>{`${last.sequence.toLocaleString('en')}, `}</span>}
          <Time at={last.at} form="shortDay" /> <code safe>{shortHash(last.hash)}</code>
        </dd>
      </>
    ) : null}
  </>
)

const maxShown = 10

const Differences = ({ verification: { differences, heads } }: { verification: LedgerVerification }) => (
  <Notice tone="danger" title="The ledger differs from what was posted" role="alert">
    <ul class="bullets">
      {differences.slice(0, maxShown).map(({ kind, merchantId, sequence, currency }) => (
        <li class="wrap-anywhere" safe>
          {[
            differenceNames[kind],
            heads.length > 1 ? heads.find((head) => head.merchantId === merchantId)?.merchantName : null,
            sequence === null ? null : `transaction ${sequence.toLocaleString('en')}`,
            currency,
          ]
            .filter(Boolean)
            .join(', ')}
        </li>
      ))}
    </ul>
    {differences.length > maxShown ? <p>Download the proof to see more.</p> : null}
  </Notice>
)
