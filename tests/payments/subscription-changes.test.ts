import { afterAll, afterEach, beforeAll, expect, mock, spyOn, test } from 'bun:test'
import { Problem } from '#lib/errors.ts'
import { scaleTime } from '../support/time-scale.ts'
import { openWorld, type World } from '../support/world.ts'
import { until } from './provider.ts'
import { newOrganization, openSubscriptions, subscriptionCards, type Subscriptions } from './subscribing.ts'

let world: World
let shop: Subscriptions

beforeAll(async () => {
  world = await openWorld({ env: { PAYMENTS_TIMEOUT_MS: String(scaleTime(1_000)) } })
  shop = await openSubscriptions(world)
})
afterEach(() => shop.behave({}))
afterAll(async () => {
  await shop.listener.stop()
  await world.close()
})

/** The provider does what is requested, and its response doesn’t come. */
const losing =
  <Input, Result>(send: (input: Input) => Promise<Result>) =>
  async (input: Input) => {
    await shop.behave({ answers: 'timeout_after_success', times: 1 })
    return send(input)
  }

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

/** As if it were in the middle of its period. */
async function halfway(id: string) {
  const start = Math.floor(Date.now() / 1000) - 10 * 86_400
  await world.database.sql`UPDATE practice_payments.objects SET data = jsonb_set(jsonb_set(data,
      '{items,data,0,current_period_start}', to_jsonb(${start}::int)),
      '{items,data,0,current_period_end}', to_jsonb(${start + 30 * 86_400}::int))
    WHERE id = (SELECT provider_subscription_id FROM payments.subscriptions WHERE id = ${id})`
  await shop.check(id)
}

test('PAY-33 seats that are added cost to the cent what the preview said, once', async () => {
  const { id } = await shop.subscribe()
  await halfway(id)
  const preview = await shop.preview(id, { seats: 12 })
  expect(preview).toMatchObject({ monthlyTotal: 26_400, total: preview.amountDue })
  expect(Math.abs(preview.amountDue - 2_933)).toBeLessThanOrEqual(2)
  expect(sum(preview.lines.map(({ amount }) => amount))).toBe(preview.amountDue)
  await Bun.sleep(1_100)
  const change = { seats: 12, prorationDate: preview.prorationDate, amountDue: preview.amountDue }
  expect(await shop.change(id, change)).toMatchObject({ seats: 12, status: 'active', unitAmount: 2_200 })
  expect(await shop.change(id, change)).toMatchObject({ seats: 12 })
  expect(await shop.charges(id)).toEqual([22_000, preview.amountDue])
  expect((await shop.invoices(id)).map(({ total }) => total)).toEqual([preview.amountDue, 22_000])
})

test('PAY-33 change whose preview is too old or of another amount is refused and charges nothing', async () => {
  const { id } = await shop.subscribe()
  await halfway(id)
  const { prorationDate, amountDue } = await shop.preview(id, { seats: 11 })
  const old = new Date(Date.parse(prorationDate) - 11 * 60_000).toISOString()
  expect(await shop.change(id, { seats: 11, prorationDate: old, amountDue }, 409)).toMatchObject({
    code: 'preview_expired',
  })
  const wrong = { seats: 11, prorationDate, amountDue: amountDue - 1 }
  expect(await shop.change(id, wrong, 409)).toMatchObject({ code: 'preview_changed', amountDue })
  expect(await shop.change(id, { seats: 40, prorationDate, amountDue }, 409)).toMatchObject({ code: 'preview_changed' })
  expect(await shop.read(id)).toMatchObject({ seats: 10 })
  expect(await shop.charges(id)).toEqual([22_000])
})

test('PAY-33 larger package costs the difference, a smaller one is a credit for the next invoice', async () => {
  const { id } = await shop.subscribe({ package: 'three', seats: 2 })
  await halfway(id)
  const up = await shop.preview(id, { package: 'everything' })
  expect(Math.abs(up.amountDue - 2_667)).toBeLessThanOrEqual(2)
  await shop.change(id, { package: 'everything', prorationDate: up.prorationDate, amountDue: up.amountDue })
  expect(await shop.read(id)).toMatchObject({ package: 'everything', unitAmount: 2_900, seats: 2 })
  const down = await shop.preview(id, { package: 'five', seats: 1 })
  expect(down.amountDue).toBe(0)
  expect(down.total).toBeLessThan(0)
  await shop.change(id, { package: 'five', seats: 1, prorationDate: down.prorationDate, amountDue: 0 })
  expect(await shop.read(id)).toMatchObject({ package: 'five', seats: 1, unitAmount: 1_400 })
  expect(await shop.charges(id)).toEqual([1_800, up.amountDue])
  const more = await shop.preview(id, { seats: 2 })
  expect([more.total > 0, more.amountDue]).toEqual([true, 0])
})

test('PAY-33 seats that are in use can’t be removed, and a change has to change something', async () => {
  const ownerId = world.mallory.things.buyers
  const { subscription, checkoutUrl } = await shop.start({ ownerId, seats: 3 })
  await shop.pay(checkoutUrl)
  const { id } = await shop.settled(subscription.id, ({ status }) => status === 'active')
  await world.database.sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${ownerId}, ${world.nora.id}, 'owner', now()), (${ownerId}, ${world.vera.id}, 'viewer', now())`
  const preview = (change: object, status: number) =>
    shop.website.fetchJson('POST /api/subscriptions/preview', { subscriptionId: id, ...change }, status)
  expect(await preview({ seats: 1 }, 409)).toMatchObject({ code: 'seats_in_use', used: 2 })
  expect(await preview({ seats: 2 }, 200)).toMatchObject({ amountDue: 0 })
  expect(await preview({ seats: 3, package: 'ten' }, 422)).toMatchObject({ code: 'validation_failed' })
})

test('PAY-33 change that the card refuses changes nothing, and can be tried again', async () => {
  const { id } = await shop.subscribe({ trialDays: 5 }, subscriptionCards.refusedLater)
  await world.database.sql`UPDATE practice_payments.objects SET data = jsonb_set(data, '{status}', '"active"')
    WHERE id = (SELECT provider_subscription_id FROM payments.subscriptions WHERE id = ${id})`
  await halfway(id)
  const { prorationDate, amountDue } = await shop.preview(id, { seats: 11 })
  const change = { seats: 11, prorationDate, amountDue }
  for (let tries = 0; tries < 2; tries += 1)
    expect(await shop.change(id, change, 402)).toMatchObject({ code: 'card_declined' })
  expect(await shop.read(id)).toMatchObject({ seats: 10, status: 'active' })
  expect(await shop.charges(id)).toEqual([])
})

test('PAY-33 change at the end of a trial charges what the provider asks by then, or nothing', async () => {
  const { id } = await shop.subscribe({ trialDays: 14 })
  const trial = await shop.preview(id, { seats: 20 })
  expect(trial.amountDue).toBe(0)
  await shop.endPeriod(id)
  await until(
    () => shop.charges(id),
    (charges) => charges.length === 1,
  )
  expect(await shop.read(id)).toMatchObject({ status: 'trialing' })
  const change = { seats: 20, prorationDate: trial.prorationDate, amountDue: 0 }
  expect(await shop.change(id, change, 409)).toMatchObject({ code: expect.stringMatching(/^preview_/) })
  expect((await shop.preview(id, { seats: 20 })).amountDue).toBeGreaterThan(20_000)
  expect(await shop.charges(id)).toEqual([22_000])
})

test('PAY-33 change of a trial that ends before the provider makes the change charges nothing', async () => {
  const { payments } = world.provided.gateway
  const { id } = await shop.subscribe({ trialDays: 14 })
  const { prorationDate } = await shop.preview(id, { seats: 20 })
  const update = payments.updateSubscription
  const spy = spyOn(payments, 'updateSubscription').mockImplementationOnce(async (input) => {
    await shop.endPeriod(id)
    await until(
      () => shop.charges(id),
      (charges) => charges.length === 1,
    )
    return update(input)
  })
  expect(await shop.change(id, { seats: 20, prorationDate, amountDue: 0 })).toMatchObject({ seats: 20 })
  spy.mockRestore()
  expect(await shop.charges(id)).toEqual([22_000])
})

test('PAY-33 repeated change doesn’t take back a newer one of the same second', async () => {
  const { id } = await shop.subscribe({ trialDays: 14 })
  const { prorationDate } = await shop.preview(id, { seats: 12 })
  const change = (seats: number) => shop.change(id, { seats, prorationDate, amountDue: 0 })
  expect(await change(12)).toMatchObject({ seats: 12 })
  expect(await change(30)).toMatchObject({ seats: 30 })
  expect(await change(12)).toMatchObject({ seats: 30 })
})

test('PAY-33 change that another request is sending to the provider is in progress, not unknown', async () => {
  const { payments } = world.provided.gateway
  const { id } = await shop.subscribe({ trialDays: 14 })
  const { prorationDate } = await shop.preview(id, { seats: 12 })
  const change = { seats: 12, prorationDate, amountDue: 0 }
  const spy = spyOn(payments, 'updateSubscription').mockRejectedValueOnce(
    new Problem(409, 'idempotency_in_progress', 'In progress.'),
  )
  expect(await shop.change(id, change, 409)).toMatchObject({ code: 'subscription_busy' })
  spy.mockRestore()
  expect(await shop.change(id, change)).toMatchObject({ seats: 12 })
})

test('PAY-33 change whose response was lost is charged once, whether it is repeated or found by the schedule', async () => {
  const { payments } = world.provided.gateway
  for (const isRepeated of [true, false]) {
    const { id } = await shop.subscribe()
    await halfway(id)
    const { prorationDate, amountDue } = await shop.preview(id, { seats: 12 })
    const change = { seats: 12, prorationDate, amountDue }
    const spy = spyOn(payments, 'updateSubscription').mockImplementationOnce(losing(payments.updateSubscription))
    const lost = await shop.website.fetch(`POST /api/subscriptions/${id}/change`, change)
    expect([lost.status, (await lost.json()).code]).toEqual([502, 'outcome_unknown'])
    spy.mockRestore()
    if (isRepeated) await shop.change(id, change)
    else
      await world.database.sql`UPDATE payments.subscription_changes SET created_at = created_at - interval '1 minute'`
    await shop.check(id)
    expect(await shop.read(id)).toMatchObject({ seats: 12 })
    expect(await shop.charges(id)).toEqual([22_000, amountDue])
    const [row] = await world.database.sql<{ state: string }[]>`
      SELECT state FROM payments.subscription_changes WHERE subscription_id = ${id}`
    expect(row?.state).toBe('done')
  }
})

test('PAY-33 checkout whose response was lost makes one page, and a saved payment method is charged once', async () => {
  const ownerId = await newOrganization(world)
  const { payments } = world.provided.gateway
  const lose = async () => {
    const lost = await shop.website.fetch('POST /api/subscriptions/checkout', shop.draft({ ownerId }))
    expect([lost.status, (await lost.json()).code]).toEqual([502, 'outcome_unknown'])
    mock.restore()
  }
  spyOn(payments, 'createCheckoutSession').mockImplementationOnce(losing(payments.createCheckoutSession))
  await lose()
  const { subscription, checkoutUrl } = await shop.start({ ownerId }, 200)
  const { items } = await world.stranger.fetchJson<{ items: { data: { client_reference_id: string } }[] }>(
    'GET /dev/payments/api/objects?type=checkout.session&limit=100&apiKey=sk_test_practice',
  )
  expect(items.filter(({ data }) => data.client_reference_id === subscription.id)).toHaveLength(1)
  await shop.pay(checkoutUrl)
  const paid = await shop.settled(subscription.id, ({ status }) => status === 'active')
  await shop.savePaymentMethod(paid.id)
  await shop.website.fetchJson(`POST /api/subscriptions/${paid.id}/cancel`, {})
  await shop.endPeriod(paid.id)
  await shop.settled(paid.id, ({ status }) => status === 'canceled')
  spyOn(payments, 'createSubscription').mockImplementationOnce(losing(payments.createSubscription))
  await lose()
  const again = await shop.start({ ownerId }, 200)
  expect(again).toMatchObject({ checkoutUrl: null, subscription: { status: 'active' } })
  expect(await shop.charges(again.subscription.id)).toEqual([22_000, 22_000])
})
