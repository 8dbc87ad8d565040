import type { PaymentsDashboard } from '#payments/types'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { money } from '../money.ts'

export const Payouts = ({ dashboard: { payouts } }: { dashboard: PaymentsDashboard }) => (
  <section class="card" aria-labelledby="payouts">
    <header>
      <h2 id="payouts">Payouts</h2>
      {payouts.length > 0 ? (
        <a class="link small" href={listHref('/pay/transactions', { kind: 'bank_payout' })}>
          All
        </a>
      ) : null}
    </header>
    {payouts.length === 0 ? (
      <Empty icon="landmark" title="No payouts yet" text="What the provider pays to your bank appears here." small />
    ) : (
      <table class="table" data-list>
        <caption class="visually-hidden">Payouts to your bank, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Merchant</th>
            <th scope="col">State</th>
            <th scope="col" data-num>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {payouts.map((payout) => (
            <tr>
              <td data-at="time" class="nowrap">
                <Time at={payout.at} form="shortDay" />
              </td>
              <td data-at="title" class="wrap-anywhere" safe>
                {payout.merchantName ?? 'Merchant'}
              </td>
              <td data-at="sub">
                {payout.isReturned ? (
                  <StatusMark state="failed" icon="undo-2" word="Returned" />
                ) : (
                  <StatusMark state="published" icon="circle-check" word="Paid out" />
                )}
              </td>
              <td data-num data-at="end">
                <b safe>{money(payout.amount, payout.currency)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
)
