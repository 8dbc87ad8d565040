import { capitalize, counted } from '#lib/text.ts'
import type { PaymentAnalytics } from '#payments/types'
import { Empty } from '#views/ui/feedback.tsx'
import { money } from '../money.ts'
import { brandName, paymentModes } from '../orders/words.ts'
import { rateText } from '../stat.tsx'

interface OfAnalytics {
  analytics: PaymentAnalytics
}

const conversionOf = ({ succeeded, declined, abandoned }: PaymentAnalytics['outcomes']): number | null => {
  const ended = succeeded + declined + abandoned
  return ended > 0 ? succeeded / ended : null
}

/** How payments ended, by the way of paying. */
export const Conversion = ({ analytics: { modes, methods, declines, currency } }: OfAnalytics) => (
  <section class="card" aria-labelledby="conversion">
    <header>
      <h2 id="conversion">Conversion</h2>
    </header>
    {modes.length === 0 ? (
      <Empty icon="wallet" title="No payments on these days" text="Choose more days to see earlier ones." small />
    ) : (
      <>
        <div class="scroll-x" tabindex="0" role="region" aria-label="Outcomes of payments">
          <table class="table">
            <caption class="visually-hidden">Outcomes of payments by the way of paying</caption>
            <thead>
              <tr>
                <th scope="col">Paid by</th>
                <th scope="col" data-num>
                  Succeeded
                </th>
                <th scope="col" data-num>
                  Declined
                </th>
                <th scope="col" data-num>
                  Abandoned
                </th>
                <th scope="col" data-num>
                  Open
                </th>
                <th scope="col" data-num>
                  Rate
                </th>
              </tr>
            </thead>
            <tbody>
              {modes.map((mode) => (
                <tr>
                  <th scope="row" safe>
                    {paymentModes[mode.mode]}
                  </th>
                  <td data-num>{mode.succeeded}</td>
                  <td data-num>{mode.declined}</td>
                  <td data-num>{mode.abandoned}</td>
                  <td data-num>{mode.open}</td>
                  <td data-num safe>
                    {rateText(conversionOf(mode))}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <dl class="body facts">
          {methods.map(({ brand, amount, payments }) => (
            <>
              <dt safe>{brand === null ? 'Other methods' : brandName(brand)}</dt>
              <dd safe>{`${money(amount, currency)} in ${counted(payments, 'payment')}`}</dd>
            </>
          ))}
          {declines.length > 0 ? (
            <>
              <dt>Declined for</dt>
              <dd class="wrap-anywhere" safe>
                {declines
                  .map(({ code, payments }) => `${capitalize(code.replaceAll('_', ' '))} (${payments})`)
                  .join(', ')}
              </dd>
            </>
          ) : null}
        </dl>
      </>
    )}
  </section>
)
