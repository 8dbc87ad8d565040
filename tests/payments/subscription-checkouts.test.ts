import { afterAll, afterEach, beforeAll, expect, mock, spyOn, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { handleWaiting, until } from './provider.ts'
import { newOrganization, openSubscriptions, subscriptionCards, type Subscriptions } from './subscribing.ts'

let world: World
let shop: Subscriptions

beforeAll(async () => {
  world = await openWorld()
  shop = await openSubscriptions(world)
})
afterEach(() => mock.restore())
afterAll(async () => {
  await shop.listener.stop()
  await world.close()
})

/** Whose subscription has ended and whose payment method is saved. */
async function former(more: object = {}) {
  const { id, ownerId } = await shop.subscribe({ seats: 1, ...more })
  await shop.website.fetchJson(`POST /api/subscriptions/${id}/cancel`, {})
  await shop.endPeriod(id)
  await shop.settled(id, ({ status }) => status === 'canceled')
  await shop.savePaymentMethod(id)
  return { id, ownerId }
}

const checkout = async (more: object) => {
  const response = await shop.website.fetch('POST /api/subscriptions/checkout', shop.draft(more))
  const body: { code?: string; subscription?: { id: string; status: string } } = await response.json()
  return { status: response.status, ...body }
}

/** Its seats and states, of the owner of a former subscription. */
const atProvider = (id: string) =>
  world.database.sql<{ status: string; seats: string }[]>`
    SELECT o.data ->> 'status' AS status, o.data -> 'items' -> 'data' -> 0 ->> 'quantity' AS seats
    FROM practice_payments.objects o JOIN payments.subscriptions s ON s.provider_customer_id = o.data ->> 'customer'
    WHERE o.type = 'subscription' AND s.id = ${id}`.then((rows) =>
    rows.map(({ status, seats }) => `${seats} ${status}`).toSorted(),
  )

/** The provider gets the next creation of a subscription once it is released. */
function hold() {
  const { payments } = world.provided.gateway
  const create = payments.createSubscription
  const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  spyOn(payments, 'createSubscription').mockImplementationOnce(async (input) => {
    reached.resolve()
    await released.promise
    return create(input)
  })
  return { reached: reached.promise, release: released.resolve }
}

/** Of the charge for seven seats, as a person makes one in the provider’s dashboard. */
async function refundAtProvider(id: string, amount: string) {
  const [late] = await world.database.sql<{ charge: string }[]>`
    SELECT o.id AS charge FROM practice_payments.objects o
    JOIN payments.subscriptions s ON s.provider_customer_id = o.data ->> 'customer'
    WHERE o.type = 'charge' AND o.data ->> 'amount' = '15400' AND s.id = ${id}`
  const body = new URLSearchParams({ charge: late?.charge ?? '', amount })
  const { status } = await world.stranger.fetch('POST /dev/payments/v1/refunds', body.toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    authorization: 'Bearer sk_test_practice',
  })
  expect(status).toBe(200)
}

/** Handles what arrives until so many events of refunded charges are settled. */
const refundsHandled = (count: number) =>
  until(
    async () => {
      await handleWaiting(world)
      return world.database.sql<{ state: string }[]>`
        SELECT state FROM platform.received_webhooks WHERE type = 'charge.refunded' AND state <> 'waiting'`
    },
    (events) => events.length === count,
  )

test('PAY-33 checkout whose payment method is being charged isn’t replaced by another one', async () => {
  const { id, ownerId } = await former()
  const { reached, release } = hold()
  const first = checkout({ ownerId, seats: 7 })
  await reached
  expect(await checkout({ ownerId, seats: 8 })).toMatchObject({ status: 409, code: 'subscription_busy' })
  release()
  const { status, subscription } = await first
  expect([status, subscription?.status]).toEqual([201, 'active'])
  expect(await shop.charges(id)).toEqual([2_200, 15_400])
  expect(await atProvider(id)).toEqual(['1 canceled', '7 active'])
  expect(await checkout({ ownerId, seats: 8 })).toMatchObject({ status: 409, code: 'already_subscribed' })
})

test('PAY-33 DSH-20 subscription that begins after its checkout was replaced is canceled, and super admins see it until it is refunded', async () => {
  const { id, ownerId } = await former()
  const { reached, release } = hold()
  const first = checkout({ ownerId, seats: 7 })
  await reached
  const { sql } = world.database
  await sql`UPDATE payments.subscriptions SET sent_at = sent_at - interval '1 hour' WHERE organization_id = ${ownerId}`
  const second = await checkout({ ownerId, seats: 8 })
  expect([second.status, second.subscription?.status]).toEqual([201, 'active'])
  release()
  expect(await first).toMatchObject({ status: 409, code: 'subscription_busy' })
  expect(await atProvider(id)).toEqual(['1 canceled', '7 canceled', '8 active'])
  const { items } = await shop.website.fetchJson<{ items: { seats: number; status: string; access: string }[] }>(
    `GET /api/subscriptions?ownerId=${ownerId}`,
  )
  expect(items.map(({ seats, status, access }) => [seats, status, access])).toEqual([
    [8, 'active', 'full'],
    [7, 'canceled', 'none'],
    [1, 'canceled', 'ended'],
  ])
  const openActions = async () => {
    const actions = await sql<{ slug: string }[]>`
      SELECT o.slug FROM platform.raised_actions a JOIN identity.organizations o ON o.id = a.organization_id
      WHERE a.cause LIKE 'payments.late-subscription.%' AND a.resolved_at IS NULL`
    return actions.map(({ slug }) => slug)
  }
  expect(await openActions()).toEqual(['admin'])
  await refundAtProvider(id, '400')
  await refundsHandled(1)
  expect(await openActions()).toEqual(['admin'])
  await refundAtProvider(id, '15000')
  await refundsHandled(2)
  expect(await openActions()).toEqual([])
})

test('PAY-33 checkout that another one replaced while its page was made is in progress, and its page can’t be paid', async () => {
  const ownerId = await newOrganization(world)
  const { payments } = world.provided.gateway
  const { sql } = world.database
  const create = payments.createCheckoutSession
  let replacing: Awaited<ReturnType<typeof checkout>> | undefined
  spyOn(payments, 'createCheckoutSession').mockImplementationOnce(async (input) => {
    await sql`UPDATE payments.subscriptions SET sent_at = sent_at - interval '1 hour' WHERE organization_id = ${ownerId}`
    replacing = await checkout({ ownerId, seats: 8 })
    return create(input)
  })
  expect(await checkout({ ownerId, seats: 7 })).toMatchObject({ status: 409, code: 'subscription_busy' })
  expect(replacing).toMatchObject({ status: 201, subscription: { status: 'incomplete' } })
  const sessions = await sql<{ seats: number; status: string }[]>`
    SELECT s.seats, o.data ->> 'status' AS status FROM practice_payments.objects o
    JOIN payments.subscriptions s ON s.id::text = o.data ->> 'client_reference_id'
    WHERE o.type = 'checkout.session' AND s.organization_id = ${ownerId} ORDER BY s.seats`
  expect(sessions.map(({ seats, status }) => [seats, status])).toEqual([
    [7, 'expired'],
    [8, 'open'],
  ])
})

test('PAY-33 organization has one trial, and pays what it owes before it subscribes again', async () => {
  const { sql } = world.database
  const trial = { seats: 500, trialDays: 90 }
  const { id, ownerId } = await shop.subscribe(trial, subscriptionCards.refusedLater)
  await shop.endPeriod(id)
  await shop.settled(id, ({ status }) => status === 'past_due')
  await shop.website.fetchJson(`POST /api/subscriptions/${id}/cancel`, {})
  await shop.endPeriod(id)
  await shop.settled(id, ({ status }) => status === 'canceled')
  const invoices = await shop.invoices(id)
  const owed = invoices.filter(({ status }) => status === 'open')
  expect(owed).not.toEqual([])
  const refused = { status: 409, code: 'invoice_unpaid', subscriptionId: id, url: owed[0]?.url }
  expect(await checkout({ ownerId, seats: 500 })).toMatchObject(refused)
  for (const { url } of owed) await shop.visit(url, { outcome: 'pay', number: subscriptionCards.good })
  expect(await checkout({ ownerId, ...trial })).toMatchObject({ status: 409, code: 'trial_used', subscriptionId: id })
  expect(await checkout({ ownerId, seats: 500 })).toMatchObject({ status: 201 })
  const rows = await sql`SELECT trial_days FROM payments.subscriptions WHERE organization_id = ${ownerId} ORDER BY id`
  expect(rows.map((row) => row['trial_days'])).toEqual([90, null])
})

test('PAY-33 organization can’t subscribe with fewer seats than it uses', async () => {
  const ownerId = world.mallory.things.buyers
  await world.database.sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${ownerId}, ${world.nora.id}, 'owner', now()), (${ownerId}, ${world.vera.id}, 'viewer', now())`
  expect(await checkout({ ownerId, seats: 1 })).toMatchObject({ status: 409, code: 'seats_in_use', used: 2 })
  expect(await checkout({ ownerId, seats: 2 })).toMatchObject({ status: 201 })
})
