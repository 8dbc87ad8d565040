import type { CheckoutOffer, CheckoutState } from '#dashboard/types'
import { counted } from '#lib/text.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Time } from '#views/ui/time.tsx'
import { packages } from './words.ts'

interface Props {
  checkout: CheckoutState
}

interface OfferProps extends Props {
  /** For a signed-in person, while it waits for an organization. */
  offer?: CheckoutOffer | null
}

export const CheckoutProgressPage = ({ checkout, offer }: OfferProps) => (
  <section class="counter">
    <CheckoutProgress checkout={checkout} offer={offer} />
    <aside>
      <section class="stack" style="--gap: .75rem">
        <h2>What’s next</h2>
        <div class="text" data-size="sm">
          <ol>
            <li>Add a passkey or a second factor, so that only you can sign in.</li>
            <li>Create a brand and connect an account. Bluesky and Mastodon take a minute.</li>
            <li>Invite your colleagues.</li>
          </ol>
        </div>
      </section>
      <dl class="facts">
        <dt>Order</dt>
        <dd>
          <code safe>{checkout.id}</code>
        </dd>
        <dt>Package</dt>
        <dd safe>{`${packages[checkout.package].name}, ${counted(checkout.seats, 'seat')}`}</dd>
        <dt>Invoice</dt>
        <dd>By email, and under Settings → Billing</dd>
        <dt>Something wrong?</dt>
        <dd>
          <a class="link" href="/contact">
            Contact us
          </a>{' '}
          with the order number
        </dd>
      </dl>
    </aside>
  </section>
)

/** Continues by itself until it is settled. */
export const CheckoutProgress = ({ checkout, offer }: OfferProps) => (
  <div id="checkout" class="stack" style="--gap: 1.5rem" {...refreshing(checkout)}>
    <header>
      <h1 safe>{titles[checkout.state]}</h1>
      <p class="lead" safe>
        {leadOf(checkout)}
      </p>
    </header>
    {isMoving(checkout) ? (
      <noscript>
        <p class="muted">Scripts are off in this browser. Reload the page to see the progress.</p>
      </noscript>
    ) : null}
    <Steps checkout={checkout} />
    <NextStep checkout={checkout} offer={offer} />
  </div>
)

const isMoving = ({ state }: Pick<CheckoutState, 'state'>): boolean => state === 'open' || state === 'paid'

const refreshing = ({ id, state }: CheckoutState) =>
  isMoving({ state })
    ? ({
        'hx-get': `/api/checkout/${id}`,
        'hx-trigger': 'every 2s',
        'hx-target': 'this',
        'hx-swap': 'outerMorph',
        'aria-live': 'polite',
      } as const)
    : { 'aria-live': 'polite' as const }

type States<Text> = Readonly<Record<CheckoutState['state'], Text>>

const titles: States<string> = {
  open: 'Waiting for your payment',
  paid: 'Setting up your organization',
  waiting: 'Choose the organization',
  ready: 'Your organization is ready',
  abandoned: 'Not paid',
  duplicate: 'Paid twice, refunded once',
  refused: 'Canceled and refunded',
}

const leads: States<string> = {
  open: 'This page updates by itself once the payment provider confirms the payment, usually in seconds.',
  paid: 'Your payment went through. This page updates by itself. You can also close it; the setup finishes without you.',
  waiting:
    'Your payment went through. This email address already has an account, so we emailed its owner, who can sign in and choose the organization.',
  ready: 'Everything is set up.',
  abandoned: 'The payment page was closed or expired, or the card was declined. Nothing was charged.',
  duplicate: 'The organization has a package already, so this order was canceled and its payment is refunded.',
  refused:
    'This email address can’t own an organization now, so the order was canceled and the payment is refunded. We emailed the reason to the address.',
}

const refunded = 'so the order was canceled and the payment is refunded.'

const refusals: Readonly<Record<string, string>> = {
  order_unclaimed: `No organization was chosen within 14 days, ${refunded}`,
  order_ended: 'The order was canceled before it was set up, and the payment is refunded.',
}

const leadOf = ({ state, problem }: CheckoutState): string => refusals[problem ?? ''] ?? leads[state]

const Steps = ({ checkout: { state, paidAt, readyAt, apps, seats } }: Props) => (
  <section class="card" aria-label="Progress">
    <div class="body">
      <ol class="timeline">
        <Step name="Payment confirmed" at={paidAt} state={paidAt ? 'succeeded' : undefined} />
        <Step
          name="Organization created"
          at={readyAt}
          state={readyAt ? 'succeeded' : undefined}
          text={readyAt ? `With ${counted(seats, 'seat')}` : undefined}
        />
        <Step
          name="Apps installed"
          at={readyAt}
          state={state === 'ready' ? 'succeeded' : undefined}
          text={apps === null ? undefined : `${counted(apps, 'paid app')} and the free ones`}
        />
      </ol>
    </div>
  </section>
)

interface StepProps {
  name: string
  at: string | null
  state?: 'succeeded' | undefined
  text?: string | undefined
}

const Step = ({ name, at, state, text }: StepProps) => (
  <li data-state={state ?? ''}>
    <span class="mark">
      <Icon name={state ? 'check' : 'circle-dashed'} />
    </span>
    <div>
      <div class="head">
        <b safe>{name}</b>
        {at ? <Time at={at} form="second" /> : null}
      </div>
      {text ? <small safe>{text}</small> : null}
    </div>
  </li>
)

const NextStep = ({ checkout: { id, state, checkoutUrl, can, email }, offer }: OfferProps) => {
  if (can.signIn)
    return (
      <Form hx-post={`/api/checkout/${id}/sign-in`}>
        <div class="actions">
          <Button label="Open Atrium" icon="arrow-right" type="submit" variant="primary" size="lg" />
          <small>You paid in this browser, so you don’t need the email.</small>
        </div>
      </Form>
    )
  if (offer?.organization)
    return (
      <Form hx-post={`/api/checkout/${id}/accept`} hx-target="#checkout" hx-swap="outerMorph">
        <div class="actions">
          <Button label={`Use it for ${offer.organization}`} type="submit" variant="primary" size="lg" />
          <small>For another organization, switch to it first.</small>
        </div>
      </Form>
    )
  if (state === 'open' && checkoutUrl)
    return <ButtonLink label="Back to the payment page" size="lg" href={checkoutUrl} />
  if (state === 'ready')
    return (
      <Notice
        role="status"
        title="Open the link in the email"
        text={`We sent a sign-in link to ${email ?? 'the address of the order'}. You can request another one on the sign-in page.`}
      >
        <div class="actions">
          <ButtonLink label="Sign in" href="/login" />
        </div>
      </Notice>
    )
  if (offer?.problem)
    return (
      <Notice tone="warning" title="This account can’t use it yet" text={offer.problem}>
        <div class="actions">
          <ButtonLink label="Open Atrium" href="/dashboard" />
        </div>
      </Notice>
    )
  if (state === 'waiting') return <ButtonLink label="Sign in" size="lg" href={`/login?next=/checkout/${id}`} />
  if (state === 'duplicate') return <ButtonLink label="Open Atrium" size="lg" href="/dashboard" />
  if (state === 'abandoned' || state === 'refused') return <ButtonLink label="Start again" size="lg" href="/checkout" />
  return <span />
}
