import type { Billing, BillingPreview } from '#dashboard/types'
import { counted } from '#lib/text.ts'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'
import { Time } from '#views/ui/time.tsx'
import { packages } from '../checkout/words.ts'
import { BillingInvoices } from './invoices.tsx'
import { Payer } from './payer.tsx'
import { price } from './price.ts'
import { BillingQuote } from './quote.tsx'
import { Standing } from './standing.tsx'

interface Props {
  billing: Billing
}

/** What a browser without scripts sent to see its price. */
export interface BillingChosen {
  package: string | undefined
  seats: number | undefined
  quote: { preview: BillingPreview } | { problem: string } | null
}

type Subscription = NonNullable<Billing['subscription']>

/** Everything about the plan of an organization; changes replace all of it. */
export const BillingOverview = ({ billing, chosen }: Props & { chosen?: BillingChosen }) => {
  const { subscription, seats } = billing
  const isOpen = subscription !== null && subscription.access !== 'ended' && subscription.package !== 'free'
  return (
    <div class="page settings" id="billing" {...refreshing(billing)}>
      {billing.isConfirming ? (
        <Notice
          role="status"
          title="Confirming your payment"
          text="This page updates by itself once the payment provider confirms it, usually in seconds."
        />
      ) : null}
      {subscription ? <Standing subscription={subscription} seats={seats} /> : null}
      <Plan billing={billing} />
      {subscription && !billing.isConfirming ? <Payer organizationId={billing.organizationId} /> : null}
      {isOpen ? <Change billing={billing} subscription={subscription} wanted={chosen} /> : null}
      {isOpen || billing.isConfirming ? null : <Order billing={billing} />}
      <BillingInvoices invoices={billing.invoices} planned={billing.plannedInvoice} />
      {isOpen ? <Ending billing={billing} subscription={subscription} /> : null}
    </div>
  )
}

const refreshing = ({ organizationId, isConfirming }: Billing) =>
  isConfirming
    ? ({
        'hx-get': `/api/organizations/${organizationId}/billing?ordered=true`,
        'hx-trigger': 'every 2s',
        'hx-target': 'this',
        'hx-swap': 'outerMorph',
      } as const)
    : {}

const Plan = ({ billing: { subscription, apps, seats } }: Props) => (
  <SettingsSection id="plan" title="Plan" text="A seat is one person or one agent.">
    <dl class="facts">
      <dt>Package</dt>
      <dd>{subscription ? packages[subscription.package].name : 'None'}</dd>
      {subscription ? (
        <>
          <dt>Price</dt>
          <dd safe>
            {subscription.package === 'free'
              ? `${price(subscription.unitAmount, subscription.currency)} a year`
              : `${price(subscription.unitAmount, subscription.currency)} per seat and month, ${counted(subscription.seats, 'seat')}`}
          </dd>
        </>
      ) : null}
      <dt>Apps</dt>
      <dd safe>{apps.allowed === null ? `${apps.used} installed` : `${apps.used} of ${apps.allowed} installed`}</dd>
      <dt>Seats</dt>
      <dd safe>{seats.paid === null ? `${seats.used} in use` : `${seats.used} of ${seats.paid} in use`}</dd>
    </dl>
  </SettingsSection>
)

interface ChoicesProps extends Props {
  chosen: string
  /** Keeps the price that it was sold at. */
  own?: Subscription
}

const Choices = ({ billing: { prices }, chosen, own }: ChoicesProps) => (
  <fieldset class="field">
    <legend>
      Package <small>per seat and month</small>
    </legend>
    <div class="stack" style="--gap: .5rem">
      {prices.map(({ package: name, currency, unitAmount }) => {
        const kept = own?.package === name && own.unitAmount !== unitAmount ? own : null
        return (
          <label class="plan" data-compact>
            <input type="radio" name="package" value={name} checked={name === chosen} />
            <span>
              <b safe>{packages[name].name}</b>
              <small safe>{packages[name].text}</small>
              {kept ? <small safe>{`Your price. New customers pay ${price(unitAmount, currency)}`}</small> : null}
            </span>
            <span class="price" safe>
              {kept ? price(kept.unitAmount, kept.currency) : price(unitAmount, currency)}
            </span>
          </label>
        )
      })}
    </div>
  </fieldset>
)

const Seats = ({ seats }: { seats: number }) => (
  <TextField label="Seats" name="seats" type="number" min="1" max="10000" value={String(seats)} required />
)

interface ChangeProps extends Props {
  subscription: Subscription
  wanted?: BillingChosen
}

const Change = ({ billing, subscription, wanted }: ChangeProps) => (
  <SettingsSection
    id="change"
    title="Change package or seats"
    text="You see the price before anything is charged. If you keep your package, its price stays the same."
  >
    <Form
      class="stack"
      action="/settings/billing#change"
      hx-get={`/api/organizations/${billing.organizationId}/billing/preview`}
      hx-target="#billing-quote"
      hx-swap="outerMorph"
    >
      <Choices billing={billing} chosen={wanted?.package ?? subscription.package} own={subscription} />
      <Seats seats={wanted?.seats ?? subscription.seats} />
      <div class="actions">
        <Button label="See the price" type="submit" />
      </div>
    </Form>
    <Quote quote={wanted?.quote ?? null} />
  </SettingsSection>
)

const Quote = ({ quote }: Pick<BillingChosen, 'quote'>) => {
  if (quote && 'preview' in quote) return <BillingQuote preview={quote.preview} />
  return <div id="billing-quote">{quote ? <Notice tone="danger" role="alert" text={quote.problem} /> : null}</div>
}

const Order = ({ billing }: Props) => (
  <SettingsSection id="order" title="Choose a package" text="You pay on the payment provider’s page.">
    <Form class="stack" hx-post={`/api/organizations/${billing.organizationId}/billing/checkout`}>
      <Choices billing={billing} chosen="three" />
      <Seats seats={Math.max(1, billing.seats.used)} />
      <div class="actions">
        <Button label="Continue to payment" type="submit" variant="primary" />
      </div>
    </Form>
  </SettingsSection>
)

const endDialog = 'cancel-subscription'

const Ending = ({ billing, subscription }: ChangeProps) => {
  const { cancelAtPeriodEnd } = subscription
  const sending = {
    'hx-post': `/api/organizations/${billing.organizationId}/billing/cancel`,
    'hx-target': '#billing',
    'hx-swap': 'outerMorph',
  } as const
  return (
    <SettingsSection
      id="end"
      title={cancelAtPeriodEnd ? 'Resume' : 'Cancel'}
      text="A canceled subscription lasts until the end of the paid period. Nothing is deleted for 90 days after that."
    >
      {cancelAtPeriodEnd ? (
        <Form {...sending}>
          <input type="hidden" name="resume" value="true" />
          <Button label="Resume subscription" type="submit" />
        </Form>
      ) : (
        <>
          <Button
            label="Cancel subscription"
            variant="quiet-danger"
            id="end-subscription"
            commandfor={endDialog}
            command="show-modal"
          />
          <Dialog id={endDialog} title="Cancel the subscription?">
            <Form {...sending}>
              <div class="body">
                <EndText subscription={subscription} />
              </div>
              <input type="hidden" name="resume" value="false" />
              <footer>
                <Button label="Keep subscription" variant="ghost" commandfor={endDialog} command="close" autofocus />
                <Button label="Cancel subscription" variant="danger" type="submit" />
              </footer>
            </Form>
          </Dialog>
        </>
      )}
    </SettingsSection>
  )
}

const EndText = ({ subscription: { currentPeriodEndsAt } }: Pick<ChangeProps, 'subscription'>) => (
  <p>
    {currentPeriodEndsAt ? (
      <>
        Everything works until <Time at={currentPeriodEndsAt} form="longDay" />, and you can resume until then.
      </>
    ) : (
      'Everything works until the end of the paid period, and you can resume until then.'
    )}{' '}
    After that, paid apps are suspended, and their data is kept for 90 days.
  </p>
)
