import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { newOrganization, openSubscriptions, subscriptionCards, type Subscriptions } from './subscribing.ts'

let world: World
let shop: Subscriptions

beforeAll(async () => {
  world = await openWorld()
  shop = await openSubscriptions(world)
})
afterEach(() => shop.behave({}))
afterAll(async () => {
  await shop.listener.stop()
  await world.close()
})

test('PAY-33 packages have the prices of today per seat and month', async () => {
  const { items } = await world.stranger.fetchJson<{ items: { package: string; unitAmount: number }[] }>(
    'GET /api/packages',
  )
  expect(items.map(({ package: name, unitAmount }) => [name, unitAmount])).toEqual([
    ['three', 900],
    ['five', 1400],
    ['ten', 2200],
    ['everything', 2900],
  ])
})

test('PAY-33 subscription is active by webhooks once its page is paid', async () => {
  const ownerId = await newOrganization(world)
  const { subscription, checkoutUrl } = await shop.start({ ownerId })
  expect(subscription).toMatchObject({ status: 'incomplete', access: 'none', seats: 10, unitAmount: 2200 })
  expect((await shop.start({ ownerId }, 200)).checkoutUrl).toBe(checkoutUrl)
  expect((await shop.pay(checkoutUrl, subscriptionCards.declined)).status).toBe(402)
  expect((await shop.pay(checkoutUrl)).status).toBe(303)
  const paid = await shop.settled(subscription.id, ({ status }) => status === 'active')
  expect(paid).toMatchObject({ access: 'full', package: 'ten', seats: 10, dunning: null, ownerId })
  expect(await shop.charges(subscription.id)).toEqual([22_000])
  expect(await shop.invoices(subscription.id)).toMatchObject([{ status: 'paid', total: 22_000, amountPaid: 22_000 }])
})

test('PAY-33 trial needs a card and charges nothing until it ends, and its end is emailed once', async () => {
  const trial = await shop.subscribe({ trialDays: 14, email: 'trial@acme.example' })
  expect(trial).toMatchObject({ status: 'trialing', access: 'full' })
  expect(Date.parse(trial.trialEndsAt ?? '')).toBeGreaterThan(Date.now() + 13 * 86_400_000)
  expect(await shop.charges(trial.id)).toEqual([])
  const { sql } = world.database
  await shop.check(trial.id)
  expect(await subjectsTo('trial@acme.example')).toEqual([])
  const soon = Math.floor(Date.now() / 1000) + 2 * 86_400
  await sql`UPDATE practice_payments.objects SET data = data || jsonb_build_object('trial_end', ${soon}::int)
    WHERE id = (SELECT provider_subscription_id FROM payments.subscriptions WHERE id = ${trial.id})`
  await shop.check(trial.id)
  await shop.check(trial.id)
  expect(await subjectsTo('trial@acme.example')).toEqual([expect.stringContaining('The trial of Acme ends on')])
  await shop.endPeriod(trial.id)
  expect(await shop.settled(trial.id, ({ status }) => status === 'active')).toMatchObject({ access: 'full' })
  expect(await shop.charges(trial.id)).toEqual([22_000])
})

test('PAY-33 another checkout replaces one that isn’t paid, and a paid one is not sold twice', async () => {
  const ownerId = await newOrganization(world)
  const first = await shop.start({ ownerId })
  const second = await shop.start({ ownerId, seats: 3 })
  expect(second.subscription.id).not.toBe(first.subscription.id)
  expect(await shop.read(first.subscription.id)).toMatchObject({ status: 'canceled', access: 'none' })
  expect((await shop.pay(first.checkoutUrl)).status).toBe(303)
  await shop.pay(second.checkoutUrl)
  await shop.settled(second.subscription.id, ({ status }) => status === 'active')
  expect(await shop.charges(second.subscription.id)).toEqual([6_600])
  const refused = await shop.website.fetch('POST /api/subscriptions/checkout', shop.draft({ ownerId }))
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: 'already_subscribed', subscriptionId: second.subscription.id },
  ])
})

test('PAY-33 subscribers keep their price, new ones and other packages have the one of their day', async () => {
  const { sql } = world.database
  const old = await shop.subscribe({ package: 'five', seats: 2 })
  const setPrice = (price: object, status = 201) => world.root.fetchJson('POST /api/packages/prices', price, status)
  await setPrice({ package: 'five', unitAmount: 1_500 })
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  await setPrice({ package: 'three', unitAmount: 950, activeFrom: tomorrow })
  expect(await setPrice({ package: 'three', unitAmount: 990, activeFrom: tomorrow }, 409)).toMatchObject({
    code: 'price_exists',
  })
  await setPrice({ package: 'three', unitAmount: 100, activeFrom: '2026-01-02T00:00:00Z' }, 422)
  const fresh = await shop.subscribe({ package: 'five', seats: 2 })
  expect([old.unitAmount, fresh.unitAmount]).toEqual([1400, 1500])
  expect(await shop.preview(old.id, { seats: 3 })).toMatchObject({ unitAmount: 1400, monthlyTotal: 4_200 })
  expect(await shop.preview(old.id, { package: 'three' })).toMatchObject({ unitAmount: 900 })
  expect(await shop.charges(fresh.id)).toEqual([3_000])
  await expect(sql`UPDATE payments.package_prices SET unit_amount = 1`.execute()).rejects.toThrow('never change')
  await expect(sql`DELETE FROM payments.package_prices`.execute()).rejects.toThrow('never change')
})

test('PAY-33 subscription is canceled at the end of its period, resumed, and ended with a mail', async () => {
  const { id } = await shop.subscribe({ email: 'leaver@acme.example' })
  const cancel = (body: object = {}, status = 200) =>
    shop.website.fetchJson(`POST /api/subscriptions/${id}/cancel`, body, status)
  expect(await cancel()).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
  expect(await cancel({ resume: true })).toMatchObject({ cancelAtPeriodEnd: false, cancelAt: null })
  await cancel()
  await shop.endPeriod(id)
  const ended = await shop.settled(id, ({ status }) => status === 'canceled')
  expect(ended.access).toBe('ended')
  expect(Date.parse(ended.keptUntil ?? '') - Date.parse(ended.endedAt ?? '')).toBe(90 * 86_400_000)
  await shop.check(id)
  expect(await subjectsTo('leaver@acme.example')).toEqual([
    expect.stringMatching(/^Invoice .* for Acme: €220\.00 paid$/),
    'The Atrium plan of Acme has ended',
  ])
  expect(await cancel({}, 409)).toMatchObject({ code: 'subscription_state' })
})

test('PAY-33 customer who subscribes again is charged with the saved payment method, without a page', async () => {
  const { id, ownerId } = await shop.subscribe()
  await shop.website.fetchJson(`POST /api/subscriptions/${id}/cancel`, {})
  await shop.endPeriod(id)
  await shop.settled(id, ({ status }) => status === 'canceled')
  await shop.savePaymentMethod(id)
  const again = await shop.start({ ownerId, seats: 1 })
  expect(again).toMatchObject({ checkoutUrl: null, subscription: { status: 'active', access: 'full', seats: 1 } })
  expect(await shop.charges(again.subscription.id)).toEqual([22_000, 2_200])
})

test('PAY-33 customer whose saved payment method is declined pays on a page', async () => {
  const { id, ownerId } = await shop.subscribe({ trialDays: 3 }, subscriptionCards.refusedLater)
  await shop.savePaymentMethod(id)
  await shop.website.fetchJson(`POST /api/subscriptions/${id}/cancel`, {})
  await shop.endPeriod(id)
  await shop.settled(id, ({ status }) => status === 'canceled')
  const again = await shop.start({ ownerId })
  expect(again.checkoutUrl).not.toBeNull()
  expect(again.subscription.status).toBe('incomplete')
  await shop.pay(again.checkoutUrl)
  await shop.settled(again.subscription.id, ({ status }) => status === 'active')
  expect(await shop.charges(id)).toEqual([22_000])
})

test('PAY-33 billing portal leads to a page of the provider where the subscription can be canceled', async () => {
  const { id } = await shop.subscribe()
  const returnUrl = 'https://atrium.example/billing'
  const { url } = await shop.website.fetchJson<{ url: string }>(`POST /api/subscriptions/${id}/portal`, { returnUrl })
  const [row] = await world.database.sql<{ provider: string }[]>`
    SELECT provider_subscription_id AS provider FROM payments.subscriptions WHERE id = ${id}`
  await shop.visit(url, { outcome: 'cancel', subscription: row?.provider ?? '' })
  const [at] = await world.database.sql<{ flag: boolean; end: string }[]>`
    SELECT (data ->> 'cancel_at_period_end')::boolean AS flag, data ->> 'cancel_at' AS end
    FROM practice_payments.objects WHERE id = ${row?.provider ?? ''}`
  expect(at).toEqual({ flag: false, end: expect.any(String) })
  const { cancelAt } = await shop.settled(id, ({ cancelAtPeriodEnd }) => cancelAtPeriodEnd)
  expect(Date.parse(cancelAt ?? '')).toBe(Number(at?.end) * 1000)
  const resumed = await shop.website.fetchJson<object>(`POST /api/subscriptions/${id}/cancel`, { resume: true })
  expect(resumed).toMatchObject({ status: 'active', cancelAtPeriodEnd: false, cancelAt: null })
})

test('PAY-33 cancellation in the portal whose event hasn’t arrived is taken back', async () => {
  const { id } = await shop.subscribe()
  const cancel = (body: object) => shop.website.fetchJson<object>(`POST /api/subscriptions/${id}/cancel`, body)
  await cancel({})
  await world.database.sql`UPDATE practice_payments.objects SET data = data || '{"cancel_at_period_end": false}'
    WHERE id = (SELECT provider_subscription_id FROM payments.subscriptions WHERE id = ${id})`
  expect(await cancel({ resume: true })).toMatchObject({ cancelAtPeriodEnd: false, cancelAt: null })
})

const subjectsTo = async (email: string) => {
  const rows = await world.database.sql<{ subject: string }[]>`
    SELECT subject FROM platform.mails WHERE recipient = ${email} ORDER BY id`
  return rows.map(({ subject }) => subject)
}
