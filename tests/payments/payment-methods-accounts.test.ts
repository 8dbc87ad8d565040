import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { syncProviderCustomer } from '../../src/payments/customers/methods/sync.ts'
import { forgetCustomers } from '../../src/payments/erasure/forget-customers.ts'
import { openWorld, type World } from '../support/world.ts'
import type { Caller } from '../support/world/callers.ts'
import { deliver, eventOf, handleWaiting, listen, type ShownEndpoint } from './provider.ts'
import { refundsOf } from './refunding.ts'
import { savable, savingOf, type Saving } from './saving.ts'
import { coffee } from './shop.ts'

// Saved cards of several accounts at the provider, and events about them.

let world: World
let listener: ReturnType<typeof listen>
let ada: Caller
let saving: Saving

const newKey = () => `sk_test_${newId().replaceAll('-', '')}`
const putKey = (apiKey: string) =>
  ada.fetchJson('PUT /api/credentials/stripe', {
    label: 'main',
    baseUrl: `${listener.origin}/dev/payments`,
    secret: { apiKey },
  })
const dropKey = () => ada.fetch('DELETE /api/credentials/stripe')

interface Held {
  id: string
  customer: string | null
  metadata: Record<string, string>
}
const heldAt = async (apiKey: string, type: string) =>
  (
    await world.stranger.fetchJson<{ items: { data: Held }[] }>(
      `GET /dev/payments/api/objects?limit=100&type=${type}&apiKey=${apiKey}`,
    )
  ).items.map(({ data }) => data)

beforeAll(async () => {
  world = await openWorld()
  listener = listen(world)
  ada = listener.caller(world.ada)
  saving = savingOf(world, ada)
})
afterEach(async () => {
  await refundsOf(world).behave({})
  await dropKey()
})
afterAll(async () => {
  await listener.stop()
  await world.close()
})

test('PAY-30 card of another account is shown as unusable and never charged, and works again with its key', async () => {
  const customerId = await saving.create()
  const own = newKey()
  await putKey(own)
  const card = await saving.save(customerId)
  await dropKey()
  const atPlatform = await saving.save(customerId, savable.mastercard)
  const shown = async () =>
    Object.fromEntries((await saving.list(customerId)).map((each) => [each.brand, [each.isUsable, each.isDefault]]))
  expect(await shown()).toEqual({ visa: [false, true], mastercard: [true, true] })
  const { id } = await saving.shop.createOrder({ ...coffee, customerId })
  const refused = await saving.charge(id, card.id)
  expect([refused.status, (await refused.json()).code]).toEqual([409, 'payment_method_account'])
  const removed = await saving.remove(customerId, card.id)
  expect([removed.status, (await removed.json()).code]).toEqual([409, 'provider_account_changed'])
  expect((await saving.shop.order(id)).payments).toEqual([])
  await putKey(own)
  expect(await shown()).toEqual({ visa: [true, true], mastercard: [false, true] })
  await saving.charged(id, card.id)
  expect((await heldAt(own, 'charge')).map(({ metadata }) => metadata['orderId'])).toEqual([id])
  expect((await heldAt('sk_test_practice', 'charge')).filter(({ metadata }) => metadata['orderId'] === id)).toEqual([])
  expect((await saving.remove(customerId, atPlatform.id)).status).toBe(204)
  expect((await saving.remove(customerId, card.id)).status).toBe(204)
})

async function ownEndpoint() {
  await putKey(newKey())
  const { items } = await ada.fetchJson<{ items: ShownEndpoint[] }>('POST /api/pay/webhook-endpoints', {})
  const endpoint = items.find((each) => each.own && each.scope === 'account')?.id ?? ''
  const secret = `whsec_${'m'.repeat(32)}`
  await ada.fetchJson(`PUT /api/pay/webhook-endpoints/${endpoint}/secret`, { secret })
  return (event: object) => deliver(world.handle, event, { secret, endpoint })
}

const providerIdsOf = async (customerId: string) => {
  const [row] = await world.database.sql<{ customer: string; method: string | null }[]>`
    SELECT provider_customer_id AS customer, provider_payment_method_id AS method
    FROM payments.provider_customers LEFT JOIN payments.payment_methods USING (customer_id, account_key)
    WHERE customer_id = ${customerId}`
  return { customer: row?.customer ?? '', method: row?.method ?? '' }
}

test('PAY-30 events have the saved cards read again, however often and in which order they come', async () => {
  const send = await ownEndpoint()
  const customerId = await saving.create()
  // Its own events would have the cards read, too.
  await refundsOf(world).behave({ webhooks: 'lose' })
  const { url, id: session } = await saving.setUp(customerId)
  await saving.fillIn(url, savable.visa)
  expect(await saving.list(customerId)).toEqual([])
  const { customer } = await providerIdsOf(customerId)
  const news = (id: string, type: string, object: object) => send(eventOf(`evt_${customerId}_${id}`, type, object))
  const completed = { id: session, object: 'checkout.session', mode: 'setup', customer }
  const saved = { id: 'seti_1', object: 'setup_intent', customer }
  await news('2', 'setup_intent.succeeded', saved)
  await handleWaiting(world)
  expect(await saving.list(customerId)).toMatchObject([{ lastFour: '4242', isDefault: true }])
  await world.database.sql`DELETE FROM payments.payment_methods WHERE customer_id = ${customerId}`
  await news('1', 'checkout.session.completed', completed)
  await news('1', 'checkout.session.completed', completed)
  await handleWaiting(world)
  expect(await saving.list(customerId)).toMatchObject([{ lastFour: '4242', isDefault: true }])
  const { method } = await providerIdsOf(customerId)
  await world.database.sql`
    UPDATE practice_payments.objects SET data = jsonb_set(data, '{customer}', 'null') WHERE id = ${method}`
  await news('4', 'payment_method.detached', { id: method, object: 'payment_method', customer: null })
  await news('3', 'payment_method.attached', { id: method, object: 'payment_method', customer })
  await handleWaiting(world)
  expect(await saving.list(customerId)).toEqual([])
})

test('PAY-30 event about a customer of another organization or account changes nothing', async () => {
  const customerId = await saving.create()
  const { url } = await saving.setUp(customerId)
  await saving.fillIn(url, savable.visa)
  const { customer } = await providerIdsOf(customerId)
  const send = await ownEndpoint()
  await send(eventOf('evt_foreign', 'setup_intent.succeeded', { id: 'seti_2', object: 'setup_intent', customer }))
  await handleWaiting(world)
  const [row] = await world.database.sql<{ state: string }[]>`
    SELECT state FROM platform.received_webhooks WHERE event_id LIKE '%evt_foreign'`
  expect(row?.state).toBe('ignored')
})

test('PAY-30 people are told what personal data remains at an account without a key, until it is deleted there', async () => {
  const own = newKey()
  await putKey(own)
  const customerId = await saving.create()
  await saving.save(customerId)
  await ada.fetch(`DELETE /api/customers/${customerId}`)
  const [row] = await world.database.sql<{ accountKey: string }[]>`
    SELECT account_key AS "accountKey" FROM payments.provider_customers WHERE customer_id = ${customerId}`
  const work = { ...world.provided, db: world.database.db, now: () => new Date() }
  const sync = () => syncProviderCustomer(work, { customerId, accountKey: row?.accountKey ?? '' })
  const open = async () => {
    const rows = await world.database.sql`
      SELECT 1 FROM platform.raised_actions WHERE cause LIKE ${`%${customerId}%`} AND resolved_at IS NULL`
    return rows.length
  }
  await dropKey()
  await expect(sync()).rejects.toThrow()
  expect(await open()).toBe(1)
  await putKey(own)
  await sync()
  expect([await open(), await heldAt(own, 'customer')]).toEqual([0, []])
})

test('PAY-30 erasure of an organization deletes its customers and their cards at the provider', async () => {
  const foreign = savingOf(world, listener.caller(world.mallory))
  const [customerId, other] = [await foreign.create(), await saving.create()]
  await foreign.save(customerId)
  await saving.save(other)
  const { customer } = await providerIdsOf(customerId)
  const work = { ...world.provided, database: world.database, now: () => new Date() }
  const done = await forgetCustomers(work, world.mallory.things.organizations)
  expect(done).toMatchObject({ errors: [], isComplete: true })
  const held = await heldAt('sk_test_practice', 'customer')
  expect(held.some(({ id }) => id === customer)).toBe(false)
  expect(held.some(({ metadata }) => metadata['customerId'] === other)).toBe(true)
  const methods = await heldAt('sk_test_practice', 'payment_method')
  expect(methods.some((method) => method.customer === customer)).toBe(false)
})
