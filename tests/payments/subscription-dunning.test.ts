import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { openSubscriptions, replayEvents, subscriptionCards, type Subscriptions } from './subscribing.ts'

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

const subjectsTo = async (email: string) => {
  const rows = await world.database.sql<{ subject: string }[]>`
    SELECT subject FROM platform.mails WHERE recipient = ${email} ORDER BY id`
  return rows.map(({ subject }) => subject)
}

const forwardsOf = async (id: string) => {
  const rows = await world.database.sql<{ type: string; sequence: number }[]>`
    SELECT type, sequence FROM payments.subscription_forwards WHERE subscription_id = ${id} ORDER BY sequence`
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, at) => at + 1))
  return rows.map(({ type }) => type)
}

/** Whose first renewal the card refuses. */
async function late(email: string) {
  const { id } = await shop.subscribe({ trialDays: 30, email }, subscriptionCards.refusedLater)
  await shop.endPeriod(id)
  return shop.settled(id, ({ status }) => status === 'past_due')
}

/** As if its payment had failed so many days ago. */
const age = (id: string, days: number) => world.database.sql`
  UPDATE payments.subscriptions SET past_due_since = now() - ${days} * interval '1 day', version = version + 1 WHERE id = ${id}`

test('PAY-33 payment that fails makes a subscription past due, is tried again and emailed once per attempt, until it is paid', async () => {
  const email = 'late@acme.example'
  const first = await late(email)
  const { id } = first
  expect(first).toMatchObject({ access: 'full', dunning: { attempts: 1 } })
  expect(first.dunning?.lastFailure).toContain('declined')
  const day = 86_400_000
  const nextAttempt = Date.parse(first.dunning?.nextAttemptAt ?? '') - Date.now()
  expect(Math.abs(nextAttempt - 2 * day)).toBeLessThan(day / 2)
  await shop.check(id)
  await shop.retryInvoice(id)
  const second = await shop.settled(id, ({ dunning }) => dunning?.attempts === 2)
  expect(Math.abs(Date.parse(second.dunning?.nextAttemptAt ?? '') - Date.now() - 4 * day)).toBeLessThan(day / 2)
  await shop.retryInvoice(id)
  await shop.settled(id, ({ dunning }) => dunning?.attempts === 3)
  await shop.retryInvoice(id)
  const last = await shop.settled(id, ({ dunning }) => dunning?.attempts === 4)
  expect(last.dunning?.nextAttemptAt).toBeNull()
  expect(await subjectsTo(email)).toEqual(Array.from({ length: 4 }, () => 'Payment of €220.00 for Acme failed'))
  const [invoice] = await shop.invoices(id)
  expect(invoice).toMatchObject({ status: 'open', amountDue: 22_000, amountPaid: 0 })
  expect((await shop.visit(invoice?.url ?? '', { outcome: 'pay', number: subscriptionCards.good })).status).toBe(200)
  expect(await shop.settled(id, ({ status }) => status === 'active')).toMatchObject({ access: 'full', dunning: null })
  const [paid] = await shop.invoices(id)
  expect(paid).toMatchObject({ status: 'paid', amountPaid: 22_000 })
  expect((await subjectsTo(email)).slice(4)).toEqual([`Invoice ${paid?.number} for Acme: €220.00 paid`])
  const types = await forwardsOf(id)
  expect([types[0], types.includes('subscription.past_due'), types.at(-1)]).toEqual([
    'subscription.started',
    true,
    'subscription.recovered',
  ])
})

test('PAY-33 unpaid subscription is announced to stop installations and invitations, stops them after 14 days, and nothing is deleted for 90', async () => {
  const email = 'silent@acme.example'
  const { id } = await late(email)
  await age(id, 10.9)
  await shop.check(id)
  expect(await subjectsTo(email)).toHaveLength(1)
  await age(id, 11.1)
  await shop.check(id)
  await shop.check(id)
  expect((await subjectsTo(email)).slice(1)).toEqual([
    expect.stringMatching(/^Acme can’t install apps or add members from /),
  ])
  expect((await shop.read(id)).access).toBe('full')
  await age(id, 14.1)
  await shop.check(id)
  await shop.check(id)
  const readOnly = await shop.read(id)
  expect(readOnly).toMatchObject({ status: 'past_due', access: 'read_only' })
  expect(Date.parse(readOnly.keptUntil ?? '') - Date.parse(readOnly.dunning?.readOnlyAt ?? '')).toBe(90 * 86_400_000)
  expect((await subjectsTo(email)).at(-1)).toBe('Acme can’t install apps or add members')
  expect(await subjectsTo(email)).toHaveLength(3)
  expect((await forwardsOf(id)).at(-1)).toBe('subscription.read_only')
  const [invoice] = await shop.invoices(id)
  await shop.visit(invoice?.url ?? '', { outcome: 'pay', number: subscriptionCards.good })
  expect(await shop.settled(id, ({ status }) => status === 'active')).toMatchObject({ access: 'full', keptUntil: null })
})

test('PAY-33 events of a subscription in any order, late or repeated lead to the same state, mails and changes', async () => {
  const email = 'order@acme.example'
  const { id } = await late(email)
  const [invoice] = await shop.invoices(id)
  await shop.visit(invoice?.url ?? '', { outcome: 'pay', number: subscriptionCards.good })
  await shop.settled(id, ({ status }) => status === 'active')
  const state = async () => ({
    shown: await shop.read(id),
    invoices: await shop.invoices(id),
    mails: await subjectsTo(email),
    forwards: await forwardsOf(id),
  })
  const before = await state()
  const { sql } = world.database
  const events = await sql<{ id: string }[]>`
    SELECT e.id FROM platform.received_webhooks e JOIN payments.subscriptions s ON s.id = ${id}
    WHERE convert_from(e.body, 'UTF8') LIKE '%' || s.provider_subscription_id || '%' ORDER BY e.id`
  expect(events.length).toBeGreaterThan(4)
  await replayEvents(world, events.map((event) => event.id).toReversed())
  expect(await state()).toEqual(before)
})

test('PAY-33 events that were lost are found in the provider’s list', async () => {
  await shop.behave({ webhooks: 'lose' })
  const { subscription, checkoutUrl } = await shop.start({ ownerId: world.ada.things.buyers })
  await shop.pay(checkoutUrl)
  await shop.behave({})
  const root = shop.listener.caller(world.root)
  await root.fetchJson('POST /api/pay/webhooks/find-lost', {})
  await shop.settled(subscription.id, ({ status }) => status === 'active')
})
