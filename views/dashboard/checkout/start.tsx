import type { CheckoutPackage } from '#dashboard/types'
import { Currency, displayMoney } from '#lib/money.ts'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
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

export const CheckoutStart = ({ prices, left, values }: CheckoutStartProps) => (
  <section class="counter">
    <header>
      <h1>Create your organization</h1>
      <p class="lead">
        Choose a package, then pay on our payment provider’s page. Your organization is ready seconds later.
      </p>
    </header>
    <Form class="stack" hx-post="/api/checkout">
      {left ? (
        <Notice
          tone="warning"
          role="status"
          title="Payment not completed"
          text="You left the payment page before paying. Nothing was charged, and everything you entered is still here."
        />
      ) : null}
      <fieldset class="field">
        <legend>
          Package <small>per seat and month</small>
        </legend>
        <div class="plans">
          {prices.map((price) => (
            <Plan {...price} checked={price.package === values.package} />
          ))}
          <Plan {...free} checked={values.package === 'free'} />
        </div>
      </fieldset>
      <div class="fields">
        <TextField
          label="Seats"
          name="seats"
          type="number"
          min="1"
          max="10000"
          value={String(values.seats)}
          hint="People and agents"
          required
        />
        <TextField
          label="Email"
          name="email"
          type="email"
          value={values.email}
          autocomplete="email"
          maxlength={254}
          hint="You’ll own the organization. We send your sign-in link here."
          required
        />
        <TextField
          label="Organization name"
          name="organizationName"
          value={values.organizationName}
          autocomplete="organization"
          maxlength={100}
          required
        />
      </div>
      <p class="trap" aria-hidden="true">
        <label>
          Leave empty <input name="website" tabindex={-1} autocomplete="off" />
        </label>
      </p>
      <div class="actions">
        <Button label="Continue to payment" icon="arrow-right" type="submit" variant="primary" size="lg" />
        <small>You can still go back from there.</small>
      </div>
    </Form>
    <aside>
      <ul class="ticks">
        {promises.map((text) => (
          <li>
            <Icon name="check" />
            <span safe>{text}</span>
          </li>
        ))}
      </ul>
    </aside>
  </section>
)

const free: Price = { package: 'free', currency: 'USD', unitAmount: 100 }

const promises = [
  'Change package or seats any time, and see the price first',
  'Cancel any time, and export everything',
  'Your card goes to the payment provider. We never see the number',
]

const Plan = ({ package: name, currency, unitAmount, checked }: Price & { checked: boolean }) => (
  <label>
    <input type="radio" name="package" value={name} checked={checked} required />
    <span>
      <b safe>{packages[name].name}</b>
      <small safe>{packages[name].text}</small>
    </span>
    <span class="price" safe>
      {`${displayMoney({ minor: BigInt(unitAmount), currency: Currency.parse(currency) }, 'en')}${name === 'free' ? ' a year' : ''}`}
    </span>
  </label>
)
