import { afterAll, beforeAll, expect, test } from 'bun:test'
import Stripe from 'stripe'
import { charge, newSecretKey, openPayments, refusalOf, type Payments } from './practice-payments-client.ts'
import { receiveWebhooks, type Receiver } from './webhook-receiver.ts'

// The official client is the documentation that the practice payments are held to.

let payments: Payments
let receiver: Receiver

beforeAll(async () => {
  payments = await openPayments()
  receiver = receiveWebhooks()
})

afterAll(async () => {
  await payments.stop()
  await receiver.stop()
})

const submit = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })

test('product is sold by checkout: the hosted page is paid, and a signed webhook arrives', async () => {
  const stripe = payments.stripeOf()
  const endpoint = await stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['checkout.session.completed', 'payment_intent.succeeded'],
  })
  const product = await stripe.products.create({ name: 'Latte', metadata: { shop: '7' } })
  const price = await stripe.prices.create({ product: product.id, currency: 'eur', unit_amount: 350 })
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: price.id, quantity: 2 }],
    success_url: 'https://shop.example/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://shop.example/cart',
    payment_intent_data: { metadata: { order: '42' } },
  })
  expect(session).toMatchObject({ status: 'open', amount_total: 700, payment_status: 'unpaid', payment_intent: null })

  const page = await fetch(session.url ?? '')
  expect(await page.text()).toContain('Pay €7.00')
  const abandoned = await submit(session.url ?? '', { outcome: 'abandon' })
  expect(abandoned.headers.get('location')).toBe('https://shop.example/cart')
  const declined = await submit(session.url ?? '', { outcome: 'decline' })
  expect([declined.status, await declined.text()]).toEqual([402, expect.stringContaining('Your card was declined.')])
  const paid = await submit(session.url ?? '', { outcome: 'pay', email: 'c@example.com', number: '4242424242424242' })
  expect(paid.headers.get('location')).toBe(`https://shop.example/done?session=${session.id}`)

  const events = await receiver.take(2, endpoint.secret ?? '')
  expect(events.map(({ type }) => type).toSorted()).toEqual(['checkout.session.completed', 'payment_intent.succeeded'])
  const done = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['payment_intent.latest_charge.balance_transaction', 'line_items'],
  })
  expect(done).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    customer_details: { email: 'c@example.com' },
    line_items: { data: [{ quantity: 2, amount_total: 700, description: 'Latte' }] },
    payment_intent: {
      status: 'succeeded',
      amount_received: 700,
      metadata: { order: '42' },
      latest_charge: { paid: true, balance_transaction: { amount: 700, fee: 50, net: 650 } },
    },
  })
  const again = await submit(session.url ?? '', { outcome: 'pay' })
  expect(again.status).toBe(303)
  expect((await stripe.paymentIntents.list()).data.length).toBe(1)
})

test('3-D Secure is completed on a hosted page, after which the customer returns', async () => {
  const stripe = payments.stripeOf()
  const intent = await charge(stripe, 1000, 'pm_card_authenticationRequired', {
    return_url: 'https://shop.example/back',
  })
  expect(intent.status).toBe('requires_action')
  const url = intent.next_action?.redirect_to_url?.url ?? ''
  expect(await (await fetch(url)).text()).toContain('Your bank asks you to confirm €10.00')
  const back = await submit(url, { outcome: 'complete' })
  expect(back.headers.get('location')).toStartWith(`https://shop.example/back?payment_intent=${intent.id}`)
  expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded', amount_received: 1000 })

  const failing = await charge(stripe, 1000, 'pm_card_authenticationRequired', { return_url: 'https://shop.example/b' })
  await submit(failing.next_action?.redirect_to_url?.url ?? '', { outcome: 'fail' })
  expect(await stripe.paymentIntents.retrieve(failing.id)).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  })
  const offSession = charge(stripe, 1000, 'pm_card_authenticationRequired', { off_session: true })
  expect(await refusalOf(offSession)).toMatchObject({ statusCode: 402, code: 'authentication_required' })
})

test('declined card leaves a failed charge, and the payment intent can be confirmed with another card', async () => {
  const stripe = payments.stripeOf()
  const error = await refusalOf(charge(stripe, 1000, 'pm_card_chargeDeclinedInsufficientFunds'))
  expect(error).toBeInstanceOf(Stripe.errors.StripeCardError)
  expect(error).toMatchObject({ statusCode: 402, code: 'card_declined', decline_code: 'insufficient_funds' })
  const id = error.payment_intent?.id ?? ''
  expect(await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] })).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { decline_code: 'insufficient_funds' },
    latest_charge: { status: 'failed', paid: false, failure_code: 'card_declined' },
  })
  const paid = await stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_mastercard' })
  expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null })
  expect((await stripe.charges.list({ payment_intent: id })).data.map(({ status }) => status)).toEqual([
    'succeeded',
    'failed',
  ])
  expect(await refusalOf(stripe.paymentIntents.confirm(id))).toMatchObject({ code: 'payment_intent_unexpected_state' })
})

test('webhook that is refused is sent again, and its event stays in the list', async () => {
  const stripe = payments.stripeOf()
  const { secret = '' } = await stripe.webhookEndpoints.create({
    url: receiver.url,
    enabled_events: ['customer.created'],
  })
  receiver.refuse(1)
  const customer = await stripe.customers.create({ email: 'a@example.com' })
  const [event] = await receiver.take(1, secret)
  expect(event).toMatchObject({ type: 'customer.created', data: { object: { id: customer.id } } })
  const { data } = await stripe.events.list({ type: 'customer.*' })
  expect(data.map(({ id }) => id)).toEqual([event?.id ?? ''])
})

test.each([
  ['duplicate', 2],
  ['reorder', 1],
  ['lose', 0],
] as const)('webhooks with the behavior %s arrive %i times', async (webhooks, times) => {
  const key = newSecretKey()
  const stripe = payments.stripeOf(key)
  const { secret = '' } = await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['*'] })
  await payments.behave({ webhooks, times: 1, apiKey: key })
  const first = await stripe.products.create({ name: 'One' })
  const second = await stripe.products.create({ name: 'Two' })
  const events = await receiver.take(times + 1, secret)
  const idsOf = events.map(({ data }) => String(Reflect.get(data.object, 'id')))
  expect(idsOf.toSorted()).toEqual([...Array<string>(times).fill(first.id), second.id].toSorted())
  expect((await stripe.events.list()).data.length).toBe(2)
})

test('payment link opens a checkout for each visit, until its limit of payments is reached', async () => {
  const stripe = payments.stripeOf()
  const product = await stripe.products.create({
    name: 'Cake',
    default_price_data: { currency: 'usd', unit_amount: 1200 },
  })
  const link = await stripe.paymentLinks.create({
    line_items: [{ price: String(product.default_price), quantity: 1 }],
    restrictions: { completed_sessions: { limit: 1 } },
    metadata: { order: '7' },
  })
  const visit = () => fetch(link.url, { redirect: 'manual' })
  const checkout = (await visit()).headers.get('location') ?? ''
  const done = await submit(checkout, { outcome: 'pay' })
  expect(await (await fetch(done.headers.get('location') ?? '')).text()).toContain('Thanks for your payment')
  const { data } = await stripe.checkout.sessions.list({ payment_link: link.id })
  expect(data).toMatchObject([
    { status: 'complete', payment_status: 'paid', amount_total: 1200, metadata: { order: '7' } },
  ])
  expect(await (await visit()).text()).toContain('This payment link is no longer active.')
  expect((await stripe.paymentLinks.retrieve(link.id)).active).toBe(false)
})

test('card is saved by a setup intent, and charged later without the customer', async () => {
  const stripe = payments.stripeOf()
  const customer = await stripe.customers.create({ email: 'a@example.com' })
  const intent = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: 'pm_card_authenticationRequiredOnSetup',
    confirm: true,
    return_url: 'https://shop.example/saved',
  })
  const back = await submit(intent.next_action?.redirect_to_url?.url ?? '', { outcome: 'complete' })
  expect(back.headers.get('location')).toContain(`setup_intent=${intent.id}`)
  const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data
  expect(method).toMatchObject({ customer: customer.id, card: { last4: '3155' } })
  const paid = await charge(stripe, 900, method?.id, { customer: customer.id, off_session: true })
  expect(paid.status).toBe('succeeded')
  expect((await stripe.paymentMethods.detach(method?.id ?? '')).customer).toBeNull()
  const refused = stripe.customers.create({ payment_method: 'pm_card_chargeDeclined' })
  expect(await refusalOf(refused)).toMatchObject({ statusCode: 402, code: 'card_declined' })

  const session = await stripe.checkout.sessions.create({
    mode: 'setup',
    customer: customer.id,
    success_url: 'https://shop.example/saved',
  })
  await submit(session.url ?? '', { outcome: 'pay' })
  expect(
    await stripe.checkout.sessions.retrieve(session.id, { expand: ['setup_intent.payment_method'] }),
  ).toMatchObject({
    status: 'complete',
    setup_intent: { status: 'succeeded', payment_method: { customer: customer.id } },
  })
})

test('checkout of an expired session is refused', async () => {
  const stripe = payments.stripeOf()
  const session = await stripe.checkout.sessions.create({
    line_items: [{ price_data: { currency: 'eur', unit_amount: 500, product_data: { name: 'Tea' } }, quantity: 1 }],
    success_url: 'https://shop.example/done',
  })
  expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired')
  expect(await (await fetch(session.url ?? '')).text()).toContain('Checkout expired')
  await submit(session.url ?? '', { outcome: 'pay' })
  expect((await stripe.paymentIntents.list()).data).toEqual([])
})
