import type { Statement } from '#payments/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { shortHash } from '../ledger/words.ts'
import { money } from '../money.ts'
import { TaxCard } from './taxes.tsx'
import { monthText, reportsPath } from './words.ts'

export const StatementPage = ({ statement }: { statement: Statement }) => {
  const { merchantId, month } = statement
  return (
    <>
      <PageHeader
        title={monthText(month)}
        crumbs={[
          { href: reportsPath, label: 'Reports' },
          { href: listHref(`${reportsPath}/periods`, { merchantId }), label: 'Periods' },
        ]}
      >
        <div class="actions">
          <ButtonLink
            label="PDF"
            aria-label="Download the statement as PDF"
            icon="download"
            href={listHref('/api/reports/statement/pdf', { merchantId, month })}
          />
          <ButtonLink
            label="Accounting export (CSV)"
            icon="landmark"
            href={listHref('/api/reports/accounting', { merchantId, month })}
          />
        </div>
      </PageHeader>
      <div class="page stack">
        <StatementView statement={statement} />
      </div>
    </>
  )
}

export const StatementView = ({ statement }: { statement: Statement }) => (
  <div id="statement" class="stack">
    <p class="row" data-wrap>
      <b safe>{statement.legalName ?? statement.merchantName}</b>
      <span class="muted" safe>{`${statement.from} – ${statement.to}, days in ${statement.timeZone}`}</span>
      {statement.state === 'closed' ? <Badge label="Closed" icon="check" /> : <Badge label="Open" />}
      {statement.hash ? (
        <span class="hash" title={statement.hash}>
          <Icon name="link" />
          <span safe>{shortHash(statement.hash)}</span>
        </span>
      ) : null}
    </p>
    {statement.late > 0 ? (
      <p class="muted" safe>{`${statement.late} bookings belong to months that were closed before.`}</p>
    ) : null}
    {statement.currencies.length === 0 ? (
      <Empty icon="calendar" title="No bookings" text="Nothing was booked to this month or before." />
    ) : (
      statement.currencies.map((each) => <OfCurrency each={each} />)
    )}
    {statement.taxes.length === 0 ? null : <TaxCard taxes={statement.taxes} />}
  </div>
)

const OfCurrency = ({ each }: { each: Statement['currencies'][number] }) => {
  const of = (units: number) => money(units, each.currency)
  return (
    <section class="card" aria-labelledby={`statement-${each.currency}`}>
      <header>
        <h2 id={`statement-${each.currency}`} safe>
          {each.currency}
        </h2>
      </header>
      <dl class="body facts" data-end>
        <dt safe>{`Takings (${each.payments.toLocaleString('en')} payments)`}</dt>
        <dd safe>{of(each.takings)}</dd>
        <dt>Refunds</dt>
        <dd safe>{of(-each.refunds)}</dd>
        <dt>Disputes</dt>
        <dd safe>{of(-each.disputes)}</dd>
        <dt>Fees</dt>
        <dd safe>{of(-each.fees)}</dd>
        <dt>Corrections and conversion</dt>
        <dd safe>{of(each.other)}</dd>
        <dt>
          <b>Net</b>
        </dt>
        <dd>
          <b safe>{of(each.net)}</b>
        </dd>
        <dt>Paid out</dt>
        <dd safe>{of(each.payouts)}</dd>
      </dl>
      <div class="scroll-x" tabindex="0" role="region" aria-label={`Balances in ${each.currency}`}>
        <table class="table">
          <caption class="visually-hidden" safe>{`Balances in ${each.currency}`}</caption>
          <thead>
            <tr>
              <th scope="col">Account</th>
              <th scope="col" data-num>
                Before
              </th>
              <th scope="col" data-num>
                Change
              </th>
              <th scope="col" data-num>
                After
              </th>
            </tr>
          </thead>
          <tbody>
            {each.accounts.map(({ account, opening, change, closing }) => (
              <tr>
                <th scope="row" safe>
                  {account}
                </th>
                <td data-num safe>
                  {of(opening)}
                </td>
                <td data-num safe>
                  {of(change)}
                </td>
                <td data-num safe>
                  {of(closing)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
