import { afterAll, beforeAll, expect, test } from 'bun:test'
import type Stripe from 'stripe'
import { newId } from '#lib/ids.ts'
import { ownAccountOf } from '../../src/payments/movements/account.ts'
import { bookMovements } from '../../src/payments/movements/jobs.ts'
import { findBooked, readMovements } from '../../src/payments/movements/read.ts'
import { createHandlingJob } from '#lib/incoming-webhooks/handle.ts'
import { stripeEvents } from '../../src/payments/webhooks/receive.ts'
import type { Caller } from '../support/world/callers.ts'
import { listen } from './provider.ts'
import { coffee, shopOf, type Shop } from './shop.ts'
import { openSettlements, until, type Settlements } from './settlements-world.ts'

/** Ada’s organization has an account of its own at the provider. */
let settlements: Settlements
let listener: ReturnType<typeof listen>
let ada: Caller
let shop: Shop
let stripe: Stripe
let topup: Stripe.Topup
/** Of the practice account that it shared before. */
let elsewhere = 0
/** What booking did while it shared it. */
let shared: Record<string, number> = {}

const organizationId = () => settlements.world.ada.things.organizations

beforeAll(async () => {
  settlements = await openSettlements()
  const { world, payments } = settlements
  listener = listen(world)
  ada = listener.caller(world.ada)
  shop = shopOf(ada, world.stranger)
  await settlements.fund(7_000)
  shared = await changes(book)
  const apiKey = `sk_test_${newId().replaceAll('-', '')}`
  await ada.fetchJson('PUT /api/credentials/stripe', { label: 'main', baseUrl: payments.url, secret: { apiKey } })
  stripe = payments.stripeOf(apiKey)
  elsewhere = (await shop.balances())['clearing EUR'] ?? 0
  topup = await stripe.topups.create({ amount: 100_000, currency: 'eur' })
  await ada.fetchJson('POST /api/pay/webhook-endpoints', {})
})
afterAll(async () => {
  await settlements.close()
  await listener.stop()
})

const work = () => {
  const { provided, database } = settlements.world
  return { ...provided, database, now: () => new Date(), input: { organizationId: organizationId() } }
}
const book = () => bookMovements.run(work())

/** What the ledger says of the account at the provider, and what the provider says. */
async function bothBalances() {
  const clearing = (await shop.balances())['clearing EUR'] ?? 0
  const { available } = await stripe.balance.retrieve()
  return [clearing - elsewhere, available.find(({ currency }) => currency === 'eur')?.amount ?? 0]
}

/** What is done to the ledger’s accounts. */
async function changes(act: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await shop.balances()
  await act()
  const after = await shop.balances()
  return Object.fromEntries(
    Object.entries(after)
      .map(([name, sum]) => [name, sum - (before[name] ?? 0)] as const)
      .filter(([, sum]) => sum !== 0),
  )
}

const expectProven = async () =>
  expect(await ada.fetchJson('GET /api/ledger/verify')).toMatchObject({
    balanced: true,
    chained: true,
    differences: [],
  })

/** Until every movement is booked. */
const bookUntilQuiet = () =>
  until(
    async () => {
      await book()
      return settlements.world.database.sql`
        SELECT 1 FROM payments.open_movements WHERE organization_id = ${organizationId()}`
    },
    (open) => open.length === 0,
  )

const actions = async () => {
  const rows = await settlements.world.database.sql<{ title: string }[]>`
    SELECT title FROM platform.raised_actions
    WHERE cause = ${`ledger-unassigned:${organizationId()}`} AND resolved_at IS NULL`
  return rows.map(({ title }) => title)
}

const pay = async () => {
  const { id } = await shop.createOrder(coffee)
  const payment = await shop.createPayment(id)
  const { payments } = settlements
  const { pathname, search } = new URL(payment.checkoutUrl ?? '')
  const fields = { outcome: 'pay', email: 'c@example.com', number: '4242424242424242' }
  await payments.send(`${pathname}${search}`, { fields, redirect: 'manual' })
  return payment
}
const sell = async () => shop.check(await pay())

test('PAY-12 what the account had before the first order is its opening balance, and the ledger is the provider’s balance', async () => {
  await settlements.payments.moveBalance(topup.id, { type: 'charge', amount: 4_000, at: Date.parse('2020-01-01') })
  await sell()
  const changed = await changes(book)
  expect(changed).toEqual({ 'clearing EUR': 104_000, 'opening EUR': -4_000, 'top_ups EUR': -100_000 })
  const [ours, theirs] = await bothBalances()
  expect(ours).toBe(theirs)
  expect(await changes(book)).toEqual({})
  await expectProven()
})

test('PAY-12 payouts to the bank, top-ups, fees, reserves and adjustments of the provider are booked once each', async () => {
  const { moveBalance } = settlements.payments
  const changed = await changes(async () => {
    await stripe.payouts.create({ amount: 3_000, currency: 'eur' })
    await stripe.topups.create({ amount: 500, currency: 'eur' })
    await moveBalance(topup.id, { type: 'stripe_fee', amount: -120 })
    await moveBalance(topup.id, { type: 'reserve_transaction', amount: -700 })
    await moveBalance(topup.id, { type: 'adjustment', amount: 90 })
    await Promise.all([book(), book(), book()])
  })
  expect(changed).toEqual({
    'adjustments EUR': -90,
    'bank EUR': 3_000,
    'clearing EUR': -3_230,
    'fees EUR': 120,
    'reserves EUR': 700,
    'top_ups EUR': -500,
  })
  const [ours, theirs] = await bothBalances()
  expect(ours).toBe(theirs)
  expect(await changes(book)).toEqual({})
  await expectProven()
})

test('PAY-12 payout to the bank that fails after it was paid is booked back', async () => {
  await settlements.payments.behave({ payouts: 'return_late' })
  const changed = await changes(async () => {
    const { id } = await stripe.payouts.create({ amount: 2_000, currency: 'eur' })
    await book()
    expect((await shop.balances())['bank EUR']).toBe(5_000)
    await until(
      () => stripe.payouts.retrieve(id),
      ({ status }) => status === 'failed',
    )
    await book()
  })
  await settlements.payments.behave({})
  expect(changed).toEqual({})
  const { items } = await ada.fetchJson<{ items: { kind: string }[] }>('GET /api/ledger?account=bank&limit=100')
  expect(items.map(({ kind }) => kind)).toEqual(['bank_payout_returned', 'bank_payout', 'bank_payout'])
})

test('PAY-12 movement of an unknown type, and a charge that isn’t ours, are in suspense with an action until people assign them', async () => {
  const changed = await changes(async () => {
    await settlements.payments.moveBalance(topup.id, { type: 'advance', amount: 1_000 })
    await stripe.paymentIntents.create({
      amount: 2_000,
      currency: 'eur',
      payment_method: 'pm_card_visa',
      confirm: true,
      return_url: 'https://shop.example',
    })
    await book()
    expect((await shop.balances())['suspense EUR']).toBe(-1_000)
    await bookUntilQuiet()
  })
  expect(changed).toEqual({ 'clearing EUR': 2_912, 'fees EUR': 88, 'suspense EUR': -3_000 })
  expect(await actions()).toEqual(['€30.00 at the payment provider isn’t assigned'])
  const { items } = await ada.fetchJson<{ items: { id: string }[] }>('GET /api/ledger?account=suspense')
  await ada.fetchJson(
    'POST /api/ledger/corrections',
    {
      correctsId: items[0]?.id,
      currency: 'EUR',
      note: 'An advance and a sale at the counter.',
      entries: [
        { account: 'suspense', amount: 3_000 },
        { account: 'merchant', amount: -3_000 },
      ],
    },
    201,
  )
  await book()
  expect(await actions()).toEqual([])
  const [ours, theirs] = await bothBalances()
  expect(ours).toBe(theirs)
})

test('PAY-12 movement that its payment books after it came into suspense is taken out again', async () => {
  const payment = await pay()
  const { sql } = settlements.world.database
  const changed = await changes(async () => {
    // As if the payment couldn’t be found.
    await sql`UPDATE payments.payments SET organization_id = ${newId()} WHERE id = ${payment.id}`
    await bookUntilQuiet()
    await sql`UPDATE payments.payments SET organization_id = ${organizationId()} WHERE id = ${payment.id}`
    expect((await shop.balances())['suspense EUR']).toBe(-700)
    expect(await actions()).toHaveLength(1)
    await shop.check(payment)
    await book()
  })
  expect(changed).toEqual({ 'clearing EUR': 650, 'fees EUR': 50, 'merchant EUR': -700 })
  expect(await actions()).toEqual([])
  await expectProven()
})

test('PAY-12 payment whose events were lost is found by the movement of the balance', async () => {
  const payment = await pay()
  await bookUntilQuiet()
  expect((await shop.order(payment.orderId)).status).toBe('paid')
  expect(await actions()).toEqual([])
})

test('PAY-12 every movement that the provider lists is in the ledger', async () => {
  const account = await ownAccountOf({ ...work(), db: settlements.world.database.db }, organizationId())
  if (!account) throw new Error('Ada has an account of her own')
  const ids: string[] = []
  const from = new Date(Date.now() - 3_600_000)
  for await (const page of readMovements(work(), account, { from })) ids.push(...page.map(({ id }) => id))
  expect(ids.length).toBeGreaterThan(10)
  expect((await findBooked(settlements.world.database.db, organizationId(), ids)).size).toBe(ids.length)
})

test('PAY-12 reading that was interrupted goes on at its cursor, and leaves out nothing that is listed late', async () => {
  const { moveBalance } = settlements.payments
  const cursors: unknown[] = []
  const changed = await changes(async () => {
    for (let at = 0; at < 230; at += 1) await moveBalance(topup.id, { type: 'stripe_fee', amount: -1 })
    const halfAnHour = 1_800_000
    await moveBalance(topup.id, { type: 'stripe_fee', amount: -1_000, at: Date.now() - halfAnHour })
    const { gateway } = work()
    const { payments } = gateway
    const listBalanceTransactions: typeof payments.listBalanceTransactions = (input) => {
      cursors.push(input.cursor)
      return cursors.length === 2 ? Promise.reject(new Error('Interrupted')) : payments.listBalanceTransactions(input)
    }
    const interrupted = { ...work(), gateway: { ...gateway, payments: { ...payments, listBalanceTransactions } } }
    expect(await bookMovements.run(interrupted).catch(String)).toBe('Error: Interrupted')
    await bookMovements.run(interrupted)
  })
  expect(changed).toEqual({ 'clearing EUR': -1_230, 'fees EUR': 1_230 })
  expect([cursors[0], cursors[2]]).toEqual([undefined, cursors[1]])
})

test('PAY-12 movements of an account that several organizations share are booked for none of them', () => {
  expect(shared).toEqual({})
})

test('PAY-12 events of payouts and top-ups of the account have its movements booked', async () => {
  const { queue } = settlements.world.provided
  await queue.work([bookMovements, createHandlingJob(stripeEvents)], settlements.world.provided, () => new Date())
  const before = (await shop.balances())['top_ups EUR'] ?? 0
  await stripe.topups.create({ amount: 900, currency: 'eur' })
  await until(shop.balances, (sums) => sums['top_ups EUR'] === before - 900)
  const events = await until(
    () => ada.fetchJson<{ items: { type: string; state: string }[] }>('GET /api/pay/webhooks?limit=100'),
    ({ items }) => items.some(({ type, state }) => type === 'topup.succeeded' && state === 'processed'),
  )
  expect(events.items.filter(({ type }) => type.startsWith('topup.')).map(({ state }) => state)).not.toContain(
    'ignored',
  )
})
