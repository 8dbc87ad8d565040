import { afterAll, beforeAll, expect, test } from 'bun:test'
import type Stripe from 'stripe'
import { charge, newSecretKey, openPayments, refusalOf, until, type Payments } from './practice-payments-client.ts'

let payments: Payments

beforeAll(async () => {
  payments = await openPayments()
})
afterAll(() => payments.stop())

const availableOf = async (stripe: Stripe, options: Stripe.RequestOptions = {}) =>
  (await stripe.balance.retrieve({}, options)).available.find(({ currency }) => currency === 'eur')?.amount ?? 0

const typesOf = async (stripe: Stripe) => (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type)

test('manual capture: a part is captured, and the rest is released', async () => {
  const stripe = payments.stripeOf()
  const held = await charge(stripe, 1000, 'pm_card_visa', { capture_method: 'manual' })
  expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 1000, amount_received: 0 })
  expect(await availableOf(stripe)).toBe(0)
  expect(await refusalOf(stripe.paymentIntents.capture(held.id, { amount_to_capture: 1001 }))).toMatchObject({
    code: 'amount_too_large',
  })
  const captured = await stripe.paymentIntents.capture(
    held.id,
    { amount_to_capture: 600 },
    { stripeAccount: undefined },
  )
  expect(captured).toMatchObject({ status: 'succeeded', amount_capturable: 0, amount_received: 600 })
  expect(await availableOf(stripe)).toBe(600 - 47)
  expect(await refusalOf(stripe.paymentIntents.capture(held.id))).toMatchObject({
    code: 'payment_intent_unexpected_state',
  })
  expect(await refusalOf(stripe.refunds.create({ payment_intent: held.id, amount: 601 }))).toMatchObject({
    param: 'amount',
  })
  expect((await stripe.refunds.create({ payment_intent: held.id })).amount).toBe(600)

  const canceled = await charge(stripe, 800, 'pm_card_visa', { capture_method: 'manual' })
  expect(await stripe.paymentIntents.cancel(canceled.id)).toMatchObject({ status: 'canceled', amount_capturable: 0 })
  expect(await typesOf(stripe)).toEqual(
    expect.arrayContaining(['payment_intent.amount_capturable_updated', 'charge.captured', 'payment_intent.canceled']),
  )
})

test('refunds at once never exceed the charge', async () => {
  const stripe = payments.stripeOf()
  const paid = await charge(stripe, 1000)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, () => stripe.refunds.create({ payment_intent: paid.id, amount: 300 })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(3)
  const { latest_charge } = await stripe.paymentIntents.retrieve(paid.id, { expand: ['latest_charge'] })
  expect(latest_charge).toMatchObject({ amount_refunded: 900, refunded: false })
  await stripe.refunds.create({ payment_intent: paid.id })
  expect(await refusalOf(stripe.refunds.create({ payment_intent: paid.id }))).toMatchObject({
    code: 'charge_already_refunded',
  })
  expect(await availableOf(stripe)).toBe(-59)
})

test('pending refund succeeds later, and a failing one gives the amount back', async () => {
  const stripe = payments.stripeOf()
  const refundOf = async (card: string) =>
    stripe.refunds.create({ payment_intent: (await charge(stripe, 1000, card)).id })
  const [pending, failing] = await Promise.all([refundOf('pm_card_pendingRefund'), refundOf('pm_card_refundFail')])
  expect([pending.status, failing.status]).toEqual(['pending', 'succeeded'])
  const statusOf = (id: string) => async () => (await stripe.refunds.retrieve(id)).status
  await until(statusOf(pending.id), (status) => status === 'succeeded')
  await until(statusOf(failing.id), (status) => status === 'failed')
  expect(await availableOf(stripe)).toBe(1000 - 2 * 59)
  expect((await stripe.charges.list()).data.map((each) => each.amount_refunded).toSorted((a, b) => a - b)).toEqual([
    0, 1000,
  ])
  expect(await typesOf(stripe)).toEqual(expect.arrayContaining(['refund.updated', 'refund.failed']))
})

test('disputed charge is taken back, can’t be refunded, and returns when the evidence wins', async () => {
  const stripe = payments.stripeOf()
  const paid = await charge(stripe, 2000, 'pm_card_createDispute')
  const [dispute] = await until(
    async () => (await stripe.disputes.list({ payment_intent: paid.id })).data,
    ({ length }) => length > 0,
  )
  expect(dispute).toMatchObject({ amount: 2000, reason: 'fraudulent', status: 'needs_response' })
  expect(await availableOf(stripe)).toBe(-88 - 1500)
  expect(await refusalOf(stripe.refunds.create({ payment_intent: paid.id }))).toMatchObject({ code: 'charge_disputed' })
  const won = await stripe.disputes.update(dispute?.id ?? '', { evidence: { uncategorized_text: 'winning_evidence' } })
  expect(won.status).toBe('won')
  expect(await availableOf(stripe)).toBe(2000 - 88 - 1500)
  expect(await typesOf(stripe)).toEqual(
    expect.arrayContaining(['charge.dispute.created', 'charge.dispute.funds_reinstated', 'charge.dispute.closed']),
  )
})

test('transfers never exceed the balance, arrive at the connected account, and can be reversed', async () => {
  const stripe = payments.stripeOf()
  await stripe.topups.create({ amount: 1000, currency: 'eur' })
  const send = (amount: number, destination = 'acct_merchant') =>
    stripe.transfers.create({ amount, currency: 'eur', destination })
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => send(300)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(3)
  expect(await refusalOf(send(300))).toMatchObject({ code: 'balance_insufficient' })
  expect(await refusalOf(send(1, 'acct_missing'))).toMatchObject({ code: 'resource_missing', param: 'destination' })
  expect(await availableOf(stripe, { stripeAccount: 'acct_merchant' })).toBe(900)
  const [transfer] = (await stripe.transfers.list({ limit: 1 })).data
  await stripe.transfers.createReversal(transfer?.id ?? '', { amount: 100 })
  expect(await refusalOf(stripe.transfers.createReversal(transfer?.id ?? '', { amount: 201 }))).toMatchObject({
    code: 'transfer_reversal_amount_too_large',
  })
  expect(await stripe.transfers.retrieve(transfer?.id ?? '')).toMatchObject({ amount_reversed: 100, reversed: false })
  expect([await availableOf(stripe), await availableOf(stripe, { stripeAccount: 'acct_merchant' })]).toEqual([200, 800])
})

test('payout is paid; it returns late, or stays pending until the behavior changes', async () => {
  const key = newSecretKey()
  const stripe = payments.stripeOf(key)
  await stripe.topups.create({ amount: 3000, currency: 'eur' })
  const pay = async (behavior: string) => {
    await payments.behave({ payouts: behavior, apiKey: key })
    return (await stripe.payouts.create({ amount: 1000, currency: 'eur' })).id
  }
  const statusOf = (id: string) => async () => (await stripe.payouts.retrieve(id)).status
  const returned = await pay('return_late')
  const ordinary = await pay('ok')
  const unknown = await pay('unknown')
  expect(await refusalOf(stripe.payouts.create({ amount: 1, currency: 'eur' }))).toMatchObject({
    code: 'balance_insufficient',
  })
  await until(statusOf(returned), (status) => status === 'failed')
  await until(statusOf(ordinary), (status) => status === 'paid')
  expect(await statusOf(unknown)()).toBe('pending')
  expect(await stripe.payouts.retrieve(returned)).toMatchObject({ failure_code: 'account_closed' })
  expect(await availableOf(stripe)).toBe(1000)
  await payments.behave({ payouts: 'ok', apiKey: key })
  await until(statusOf(unknown), (status) => status === 'paid')
  expect(await refusalOf(stripe.payouts.cancel(unknown))).toMatchObject({ statusCode: 400 })
  expect((await stripe.payouts.cancel(await pay('unknown'))).status).toBe('canceled')
  const types = (await typesOf(stripe)).filter((type) => type.startsWith('payout.'))
  expect(types).toEqual(expect.arrayContaining(['payout.created', 'payout.paid', 'payout.failed', 'payout.canceled']))
  const movements = await stripe.balanceTransactions.list({ limit: 100 })
  expect(movements.data.reduce((sum, { net }) => sum + net, 0)).toBe(await availableOf(stripe))
})

test('whatever happens at once, the balance is the sum of what charges, refunds, transfers and payouts say', async () => {
  const stripe = payments.stripeOf()
  const cards = ['pm_card_visa', 'pm_card_chargeDeclined', 'pm_card_refundFail', 'pm_card_pendingRefund'] as const
  const pay = async (at: number) => {
    const card = cards[at % cards.length]
    const isManual = at % 3 === 0
    const amount = 500 + at * 37
    const intent = await charge(stripe, amount, card, isManual ? { capture_method: 'manual' } : {})
    if (isManual) await stripe.paymentIntents.capture(intent.id, { amount_to_capture: Math.ceil(amount / 2) })
    const third = Math.ceil(amount / 3)
    const refund = () => stripe.refunds.create({ payment_intent: intent.id, amount: third })
    await Promise.allSettled([refund(), refund(), refund(), refund()])
    await stripe.transfers.create({ amount: 100, currency: 'eur', destination: 'acct_merchant' })
    await stripe.payouts.create({ amount: 100, currency: 'eur' })
  }
  await stripe.topups.create({ amount: 1000, currency: 'eur' })
  await Promise.allSettled(Array.from({ length: 12 }, (_, at) => pay(at)))

  const all = async <Item>(list: AsyncIterable<Item>) => Array.fromAsync(list)
  const refunds = await until(
    () => all(stripe.refunds.list({ limit: 100, expand: ['data.charge'] })),
    (items) =>
      items.every(({ status, charge: paid }) => {
        const last4 = typeof paid === 'object' ? paid?.payment_method_details?.card?.last4 : ''
        return status !== 'pending' && (last4 !== '5126' || status === 'failed')
      }),
  )
  const kept = refunds.filter(({ status }) => status === 'succeeded')
  const charges = (await all(stripe.charges.list({ limit: 100 }))).filter(({ paid }) => paid)
  for (const each of charges) {
    const released = each.captured ? each.amount - each.amount_captured : 0
    const own = kept.filter(({ charge: paid }) => typeof paid === 'object' && paid?.id === each.id)
    expect([each.id, sumOf(own)]).toEqual([each.id, each.amount_refunded - released])
    expect(each.amount_refunded).toBeLessThanOrEqual(each.amount)
  }
  const movements = await all(stripe.balanceTransactions.list({ limit: 100 }))
  const captured = charges.reduce((sum, each) => sum + each.amount_captured, 0)
  expect(sumOf(movements.filter(({ type }) => type === 'charge'))).toBe(captured)
  const sent =
    sumOf(await all(stripe.transfers.list({ limit: 100 }))) + sumOf(await all(stripe.payouts.list({ limit: 100 })))
  const fees = movements.reduce((sum, { fee }) => sum + fee, 0)
  expect(await availableOf(stripe)).toBe(1000 + captured - fees - sumOf(kept) - sent)
})

const sumOf = (items: readonly { amount: number }[]): number => items.reduce((sum, { amount }) => sum + amount, 0)

test('captures, refunds, transfers and payouts take only multiples of a currency’s smallest amount', async () => {
  const stripe = payments.stripeOf()
  const currency = 'kwd'
  const held = await charge(stripe, 1000, 'pm_card_visa', { currency, capture_method: 'manual' })
  const code = 'invalid_charge_amount'
  expect(await refusalOf(stripe.paymentIntents.capture(held.id, { amount_to_capture: 995 }))).toMatchObject({ code })
  await stripe.paymentIntents.capture(held.id, { amount_to_capture: 990 })
  expect(await refusalOf(stripe.refunds.create({ payment_intent: held.id, amount: 5 }))).toMatchObject({ code })
  expect((await stripe.refunds.create({ payment_intent: held.id, amount: 10 })).amount).toBe(10)
  await stripe.topups.create({ amount: 10_000, currency: 'huf' })
  expect(await refusalOf(stripe.payouts.create({ amount: 1050, currency: 'huf' }))).toMatchObject({ code })
  expect((await stripe.payouts.create({ amount: 1000, currency: 'huf' })).amount).toBe(1000)
  const transfer = { amount: 15, currency, destination: 'acct_1Pb2Lm' }
  expect(await refusalOf(stripe.transfers.create(transfer))).toMatchObject({ code })
})
