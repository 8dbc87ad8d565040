import type { CheckoutPackage } from '#dashboard/types'
import { Currency, displayMoney } from '#lib/money.ts'
import { counted } from '#lib/text.ts'
import { enteredIn, Refusal, SiteInput, Trap, type Refusable } from '#views/dashboard/marketing/fields.tsx'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { packages } from './words.ts'

interface Price {
  package: CheckoutPackage
  currency: string
  unitAmount: number
}

export interface CheckoutStartProps {
  prices: readonly Price[]
  /** Whether the payment page was left. */
  left: boolean
  values: { package: CheckoutPackage; seats: number; email: string; organizationName: string }
}

export const CheckoutStart = ({ prices, left, values, refused }: CheckoutStartProps & Refusable) => {
  const offers = [...prices, free]
  const entered = enteredIn(refused, 'package') || values.package
  const chosen = offers.find((offer) => offer.package === entered) ?? free
  const seats = Number(enteredIn(refused, 'seats')) || values.seats
  return (
    <section class="counter" style="--aside: 22rem">
      <header>
        <h1>Create your organization</h1>
        <p class="lead">
          Choose a package, then pay on our payment provider’s page. Your organization is ready seconds later.
        </p>
      </header>
      <form class="stack" style="--gap: 2rem" method="post" action="/api/checkout" id="checkout-form">
        <Refusal refused={refused} title="Not started" />
        {left && !refused ? (
          <Notice
            tone="warning"
            role="status"
            title="Payment not completed"
            text="You left the payment page before paying. Nothing was charged, and everything you entered is still here."
          />
        ) : null}
        <fieldset class="field" id="package">
          <legend>
            Package <small>per seat and month</small>
          </legend>
          <div class="stack" style="--gap: .5rem">
            {offers.map((offer) => (
              <Plan {...offer} checked={offer === chosen} />
            ))}
          </div>
        </fieldset>
        <Fields values={values} refused={refused} />
        <Trap />
        <p class="muted">
          By continuing you agree to the{' '}
          <a class="link" href="/terms">
            terms
          </a>
          . How we handle your data is in our{' '}
          <a class="link" href="/privacy">
            privacy policy
          </a>
          .
        </p>
        <div class="actions">
          <Button label="Continue to payment" icon="arrow-right" type="submit" variant="primary" size="lg" />
          <small>You can still go back from there.</small>
        </div>
      </form>
      <aside>
        <Order offer={chosen} seats={seats} />
        <ul class="ticks">
          {promises.map(({ icon, text }) => (
            <li>
              <Icon name={icon} />
              <span safe>{text}</span>
            </li>
          ))}
        </ul>
        <p class="small muted">
          Rather talk first?{' '}
          <a class="link" href="/demo">
            Book a demo
          </a>{' '}
          or{' '}
          <a class="link" href="/contact">
            write to us
          </a>
          .
        </p>
      </aside>
    </section>
  )
}

const free: Price = { package: 'free', currency: 'USD', unitAmount: 100 }

const Fields = ({ values, refused }: Pick<CheckoutStartProps, 'values'> & Refusable) => (
  <div class="stack">
    <div style="max-inline-size: 11rem">
      <SiteInput
        label="Seats"
        note="people and agents"
        name="seats"
        type="number"
        inputmode="numeric"
        min="1"
        max="10000"
        value={String(values.seats)}
        required
        refused={refused}
      />
    </div>
    <div class="fields" style="--min: 15rem">
      <SiteInput
        label="Email"
        name="email"
        type="email"
        value={values.email}
        autocomplete="email"
        maxlength={254}
        hint="You’ll own the organization. We send your sign-in link here."
        required
        refused={refused}
      />
      <SiteInput
        label="Organization name"
        name="organizationName"
        value={values.organizationName}
        autocomplete="organization"
        maxlength={100}
        required
        refused={refused}
      />
    </div>
  </div>
)

const Plan = ({ package: name, currency, unitAmount, checked }: Price & { checked: boolean }) => (
  <label class="plan" data-compact>
    <input
      type="radio"
      name="package"
      value={name}
      checked={checked}
      required
      data-name={packages[name].name}
      data-amount={unitAmount}
      data-currency={currency}
    />
    <span>
      <b safe>{packages[name].name}</b>
      <small safe>{packages[name].text}</small>
    </span>
    <span class="price" safe>
      {`${priceText({ unitAmount, currency }, 1)}${name === 'free' ? ' a year' : ''}`}
    </span>
  </label>
)

const priceText = ({ unitAmount, currency }: Pick<Price, 'unitAmount' | 'currency'>, seats: number): string =>
  displayMoney({ minor: BigInt(unitAmount) * BigInt(Math.trunc(seats)), currency: Currency.parse(currency) }, 'en')

/** Its script updates it as the form changes; without scripts it is hidden, since it would show an earlier choice. */
const Order = ({ offer, seats }: { offer: Price; seats: number }) => {
  const isFree = offer.package === 'free'
  return (
    <order-summary>
      <section class="card" aria-label="Your order" aria-live="polite">
        <header>
          <h2>Your order</h2>
        </header>
        <div class="body stack">
          <dl class="facts" data-end>
            <dt data-package safe>
              {`${packages[offer.package].name}, ${counted(isFree ? 1 : seats, 'seat')}`}
            </dt>
            <dd data-total safe>
              {`${priceText(offer, isFree ? 1 : seats)} ${isFree ? 'a year' : 'a month'}`}
            </dd>
          </dl>
          <p class="small muted">
            You’re charged when you pay, and again at the start of each period until you cancel. The payment page shows
            the total, with any taxes, before you confirm.
          </p>
        </div>
      </section>
    </order-summary>
  )
}

const promises: { icon: IconName; text: string }[] = [
  { icon: 'check', text: 'Change package or seats any time, and see the price first' },
  { icon: 'check', text: 'Cancel any time, and export everything' },
  { icon: 'lock', text: 'Your card goes to the payment provider. We never see the number' },
]
