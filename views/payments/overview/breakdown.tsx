import { capitalize } from '#lib/text.ts'
import type { PaymentsDashboard } from '#payments/types'
import { Empty } from '#views/ui/feedback.tsx'
import { money } from '../money.ts'
import { brandName, refundReasons } from '../orders/words.ts'

interface OfDashboard {
  dashboard: PaymentsDashboard
}

const maxMethods = 4

interface Share {
  name: string
  percent: number
}

/** The most used methods, and the others together. */
function sharesOf({ methods }: PaymentsDashboard): Share[] {
  const total = methods.reduce((sum, { amount }) => sum + amount, 0)
  const percentOf = (amount: number) => (total > 0 ? Math.round((100 * amount) / total) : 0)
  const named = methods.filter(({ brand }) => brand !== null).slice(0, maxMethods)
  const others = methods.filter((method) => !named.includes(method))
  return [
    ...named.map(({ brand, amount }) => ({ name: brandName(brand ?? ''), percent: percentOf(amount) })),
    ...(others.length > 0
      ? [{ name: 'Other', percent: percentOf(others.reduce((sum, { amount }) => sum + amount, 0)) }]
      : []),
  ]
}

export const Methods = ({ dashboard }: OfDashboard) => {
  const { payments } = dashboard
  const shares = sharesOf(dashboard)
  const ended = payments.succeeded + payments.declined + payments.abandoned
  return (
    <section class="card" aria-labelledby="methods">
      <header>
        <h2 id="methods">Payment methods</h2>
        <small class="push" safe>
          {dashboard.currency}
        </small>
      </header>
      {ended + payments.open === 0 ? (
        <Empty icon="wallet" title="No payments on these days" text="Choose more days to see earlier ones." small />
      ) : (
        <div class="body stack">
          {shares.length > 0 ? <Shares shares={shares} /> : null}
          <dl class="facts">
            {ended > 0 ? (
              <>
                <dt>Success rate</dt>
                <dd safe>{`${percentText(payments.succeeded, ended)} of ${counted(ended, 'payment')}`}</dd>
              </>
            ) : null}
            <dt>Declined</dt>
            <dd class="wrap-anywhere" safe>
              {declinedText(dashboard)}
            </dd>
            <dt>Incomplete</dt>
            <dd
              safe
            >{`${payments.abandoned.toLocaleString('en')} abandoned, ${payments.open.toLocaleString('en')} still open`}</dd>
          </dl>
        </div>
      )}
    </section>
  )
}

const Shares = ({ shares }: { shares: Share[] }) => (
  <>
    <div class="strip" role="img" aria-label={shares.map(({ name, percent }) => `${name} ${percent}%`).join(', ')}>
      {shares.map(({ percent }, at) => (
        <i class="share" data-series={at + 1} style={`--w: ${percent}%`} />
      ))}
    </div>
    <ul class="legend">
      {shares.map(({ name, percent }, at) => (
        <li data-series={at + 1}>
          <span safe>{name}</span> <b safe>{`${percent}%`}</b>
        </li>
      ))}
    </ul>
  </>
)

const percentText = (part: number, whole: number): string => `${Math.round((1_000 * part) / whole) / 10}%`

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`

/** `9, mostly for insufficient funds`. */
function declinedText({ payments: { declined }, declines }: PaymentsDashboard): string {
  if (declined === 0) return 'None'
  const codes = declines.map(({ code, payments }) => `${capitalize(code.replaceAll('_', ' '))} (${payments})`)
  return `${declined.toLocaleString('en')}: ${codes.join(', ')}`
}

export const RefundReasons = ({ dashboard: { refundReasons: reasons, currency } }: OfDashboard) => {
  const total = reasons.reduce((sum, { amount }) => sum + amount, 0)
  return (
    <section class="card" aria-labelledby="refund-reasons">
      <header>
        <h2 id="refund-reasons">Refunds by reason</h2>
        <small class="push" safe>
          {money(total, currency)}
        </small>
      </header>
      {reasons.length === 0 ? (
        <Empty
          icon="undo-2"
          title="No refunds on these days"
          text="Money that goes back to customers appears here."
          small
        />
      ) : (
        <div class="body">
          <ul class="reasons">
            {reasons.map(({ reason, amount }) => (
              <li>
                <span class="row">
                  <span class="grow" safe>
                    {refundReasons[reason]}
                  </span>
                  <span class="muted" safe>
                    {money(amount, currency)}
                  </span>
                </span>
                <span
                  class="meter"
                  role="img"
                  style={`--value: ${(100 * amount) / total}%`}
                  aria-label={percentText(amount, total)}
                />
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  )
}
