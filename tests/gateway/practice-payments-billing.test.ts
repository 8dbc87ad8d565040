import { afterAll, beforeAll, expect, test } from 'bun:test'
import type Stripe from 'stripe'
import { openPayments, refusalOf, until, type Payments } from './practice-payments-client.ts'

let payments: Payments

beforeAll(async () => {
  payments = await openPayments()
})
afterAll(() => payments.stop())

const submit = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

/** A customer with a card, and a monthly price for each seat. */
async function openShop(card = 'pm_card_visa') {
  const stripe = payments.stripeOf()
  const customer = await stripe.customers.create({
    email: 'a@example.com',
    payment_method: card,
    invoice_settings: { default_payment_method: card },
  })
  const product = await stripe.products.create({ name: 'Seat' })
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'eur',
    unit_amount: 1000,
    recurring: { interval: 'month' },
  })
  const subscribe = (more: Partial<Stripe.SubscriptionCreateParams> = {}) =>
    stripe.subscriptions.create({ customer: customer.id, items: [{ price: price.id, quantity: 3 }], ...more })
  return { stripe, customer, price, subscribe }
}

/** In the middle of the subscription’s period. */
function middleOf({ items }: Stripe.Subscription): number {
  const [item] = items.data
  return Math.round(((item?.current_period_start ?? 0) + (item?.current_period_end ?? 0)) / 2)
}

test('subscription is paid at once, and its invoice lists the period and the payment', async () => {
  const { stripe, subscribe } = await openShop()
  const subscription = await subscribe({ expand: ['latest_invoice.payments.data.payment.payment_intent'] })
  expect(subscription).toMatchObject({
    status: 'active',
    latest_invoice: {
      status: 'paid',
      billing_reason: 'subscription_create',
      amount_paid: 3000,
      lines: { data: [{ amount: 3000, quantity: 3, description: '3 × Seat' }] },
      payments: { data: [{ status: 'paid', payment: { payment_intent: { status: 'succeeded', amount: 3000 } } }] },
    },
  })
  const [invoice] = (await stripe.invoices.list({ subscription: subscription.id })).data
  const paidBy = await stripe.invoicePayments.list({ invoice: invoice?.id })
  expect(paidBy.data).toMatchObject([{ amount_paid: 3000, invoice: invoice?.id }])
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type)
  expect(types).toEqual(
    expect.arrayContaining(['customer.subscription.created', 'invoice.paid', 'customer.subscription.updated']),
  )
})

test('preview of more seats equals what the change costs, and changes nothing', async () => {
  const { stripe, subscribe } = await openShop()
  const subscription = await subscribe()
  const [item] = subscription.items.data
  const items = [{ id: item?.id, quantity: 5 }]
  const change = { items, proration_behavior: 'always_invoice', proration_date: middleOf(subscription) } as const
  const preview = () => stripe.invoices.createPreview({ subscription: subscription.id, subscription_details: change })
  const shown = await preview()
  expect(shown.lines.data.map(({ amount }) => amount)).toEqual([-1500, 2500])
  expect(shown.lines.data[0]?.parent?.subscription_item_details?.proration).toBe(true)
  expect((await preview()).total).toBe(shown.total)
  const changed = await stripe.subscriptions.update(subscription.id, { ...change, expand: ['latest_invoice'] })
  expect(changed.items.data[0]?.quantity).toBe(5)
  expect(changed.latest_invoice).toMatchObject({
    status: 'paid',
    total: shown.total,
    billing_reason: 'subscription_update',
  })
})

test('prorations wait for the next invoice; fewer seats are a credit there', async () => {
  const { stripe, subscribe } = await openShop()
  const subscription = await subscribe()
  const [item] = subscription.items.data
  await stripe.subscriptionItems.update(item?.id ?? '', { quantity: 1, proration_date: middleOf(subscription) })
  const next = await stripe.invoices.createPreview({ subscription: subscription.id })
  expect(next.lines.data.map(({ amount }) => amount)).toEqual([-1500, 500, 1000])
  expect(next.amount_due).toBe(0)
  const unchanged = await stripe.invoices.createPreview({ subscription: subscription.id, preview_mode: 'recurring' })
  expect(unchanged.total).toBe(1000)
})

test('preview of a new subscription needs no customer', async () => {
  const { stripe, price } = await openShop()
  const preview = await stripe.invoices.createPreview({
    subscription_details: { items: [{ price: price.id, quantity: 4 }] },
  })
  expect([preview.total, preview.id]).toEqual([4000, expect.stringMatching(/^upcoming_in_/)])
  expect(await refusalOf(stripe.invoices.createPreview({}))).toMatchObject({ statusCode: 400 })
})

test('declined first payment leaves an incomplete subscription, which is active once its invoice is paid', async () => {
  const { stripe, subscribe } = await openShop('pm_card_chargeCustomerFail')
  expect(await refusalOf(subscribe({ payment_behavior: 'error_if_incomplete' }))).toMatchObject({
    statusCode: 402,
    code: 'card_declined',
  })
  expect((await stripe.subscriptions.list({ status: 'all' })).data).toEqual([])
  const subscription = await subscribe()
  expect(subscription.status).toBe('incomplete')
  const { hosted_invoice_url: page } = await stripe.invoices.retrieve(String(subscription.latest_invoice))
  expect((await submit(page ?? '', { outcome: 'decline' })).status).toBe(402)
  expect(await (await submit(page ?? '', { outcome: 'pay' })).text()).toContain('€30.00 · paid')
  expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active')

  const waiting = await subscribe({
    payment_behavior: 'default_incomplete',
    expand: ['latest_invoice.confirmation_secret'],
  })
  const invoice = waiting.latest_invoice
  const secret = typeof invoice === 'object' ? invoice?.confirmation_secret?.client_secret : null
  expect(secret).toStartWith('pi_')
  await stripe.paymentIntents.confirm(secret?.split('_secret')[0] ?? '', { payment_method: 'pm_card_visa' })
  expect((await stripe.subscriptions.retrieve(waiting.id)).status).toBe('active')
})

test('trial begins without a payment; a subscription is canceled at once or at the end of its period', async () => {
  const { stripe, subscribe, customer } = await openShop()
  const trial = await subscribe({ trial_period_days: 14, expand: ['latest_invoice'] })
  expect(trial).toMatchObject({ status: 'trialing', latest_invoice: { status: 'paid', total: 0 } })
  expect(trial.items.data[0]?.current_period_end).toBe(trial.trial_end ?? 0)
  const ending = await stripe.subscriptions.update(trial.id, { cancel_at_period_end: true })
  expect(ending.cancel_at).toBe(trial.trial_end)
  const portal = await stripe.billingPortal.sessions.create({
    customer: customer.id,
    return_url: 'https://shop.example/account',
  })
  expect(await (await fetch(portal.url)).text()).toContain('€30.00 per month')
  const stateOf = async () => {
    const { cancel_at_period_end: flag, cancel_at: at } = await stripe.subscriptions.retrieve(trial.id)
    return { flag, at }
  }
  await submit(portal.url, { outcome: 'renew', subscription: trial.id })
  expect(await stateOf()).toEqual({ flag: false, at: null })
  await submit(portal.url, { outcome: 'cancel', subscription: trial.id })
  expect(await stateOf()).toEqual({ flag: false, at: trial.trial_end })
  await stripe.subscriptions.update(trial.id, { cancel_at_period_end: false })
  expect(await stateOf()).toEqual({ flag: false, at: trial.trial_end })
  const both = stripe.subscriptions.update(trial.id, { cancel_at_period_end: false, cancel_at: '' })
  expect(await refusalOf(both)).toMatchObject({ statusCode: 400 })
  await stripe.subscriptions.update(trial.id, { cancel_at: '' })
  expect(await stateOf()).toEqual({ flag: false, at: null })
  expect(await stripe.subscriptions.cancel(trial.id)).toMatchObject({
    status: 'canceled',
    ended_at: expect.any(Number),
  })
  expect((await stripe.subscriptions.list()).data).toEqual([])
  expect(await refusalOf(stripe.subscriptions.update(trial.id, { description: 'a' }))).toMatchObject({
    statusCode: 400,
  })
})

test('checkout in subscription mode creates the customer, and keeps the card for later', async () => {
  const { stripe, price } = await openShop()
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id, quantity: 2 }],
    success_url: 'https://shop.example/done',
    subscription_data: { metadata: { organization: '7' } },
  })
  const declined = await submit(session.url ?? '', { outcome: 'decline', email: 'b@example.com' })
  expect(declined.status).toBe(402)
  await submit(session.url ?? '', { outcome: 'pay', email: 'b@example.com' })
  const done = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.default_payment_method', 'customer'],
  })
  expect(done).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    customer: { email: 'b@example.com' },
    subscription: { status: 'active', metadata: { organization: '7' }, default_payment_method: { type: 'card' } },
  })
  expect((await stripe.subscriptions.list({ price: price.id })).data.length).toBe(1)
})

test('subscription renews with its prorations, is past due when the payment fails, and ends when it was canceled', async () => {
  const { stripe, subscribe, customer } = await openShop()
  const { id, items } = await subscribe()
  await stripe.subscriptionItems.update(items.data[0]?.id ?? '', { quantity: 4 })
  const renew = async (isDone: (subscription: Stripe.Subscription) => boolean) => {
    await payments.endPeriod(id)
    // Any change wakes up what is due.
    await stripe.customers.update(customer.id, { description: 'Renew' })
    return until(() => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }), isDone)
  }
  const invoiced = (count: number) => async () =>
    (await stripe.invoices.list({ subscription: id })).data.length === count
  const renewed = await renew(({ items: now }) => (now.data[0]?.current_period_end ?? 0) > Date.now() / 1000)
  expect(await invoiced(2)()).toBe(true)
  expect(renewed).toMatchObject({
    status: 'active',
    latest_invoice: { billing_reason: 'subscription_cycle', status: 'paid', total: 5000 },
  })

  const failing = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: customer.id })
  await stripe.subscriptions.update(id, { default_payment_method: failing.id })
  const late = await renew(({ status }) => status === 'past_due')
  expect(late.latest_invoice).toMatchObject({ status: 'open', attempt_count: 1, total: 4000 })
  const invoice = typeof late.latest_invoice === 'object' ? (late.latest_invoice?.id ?? '') : ''
  await stripe.invoices.pay(invoice, { payment_method: 'pm_card_visa' })
  await stripe.subscriptions.update(id, { cancel_at_period_end: true })
  expect((await renew(({ status }) => status === 'canceled')).ended_at).not.toBeNull()
  expect(await invoiced(3)()).toBe(true)
})
