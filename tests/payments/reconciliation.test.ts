import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openActions, press } from '../dashboard/raised/acting.ts'
import { openReconciling, type OwnReconciling, type Reconciling } from './reconciling.ts'
import { coffee, type Shop, type ShownOrder } from './shop.ts'

let own: OwnReconciling
let shop: Shop
let reconciling: Reconciling

beforeAll(async () => {
  own = await openReconciling()
  ;({ shop, reconciling } = own)
})
afterAll(() => own.close())

const changeMovement = (id: string, change: object) => own.payments.changeObject(id, change)
const referenceOf = (orderId: string, kind: string) => own.referenceOf(orderId, kind)

const refundAtProvider = ({ payments }: ShownOrder, amount: number) =>
  own.stripe.refunds.create({ payment_intent: payments[0]?.providerReference ?? '', amount })

test('PAY-32 movements that both sides have match, and so do their balances', async () => {
  const sold = await shop.sell()
  await own.rita.fetchJson('POST /api/refunds', { orderId: sold.id, amount: 200 }, 201)
  const run = await reconciling.run()
  expect(run).toMatchObject({ state: 'succeeded', scope: 'own', differences: 0, inTransit: 0, error: null })
  expect(run.compared).toBeGreaterThanOrEqual(3)
  expect(run.matched).toBe(run.compared)
  for (const { ledger, provider, unexplained } of run.balances ?? []) {
    expect(ledger).toBe(provider)
    expect(unexplained).toBe(0)
  }
  expect(run.balances?.map(({ currency }) => currency)).toContain('EUR')
  expect(await reconciling.open()).toEqual([])
})

test('PAY-32 fee that differs is one difference however often it is found, and recorded once with the entries that were shown', async () => {
  const order = await shop.sell()
  const movement = await referenceOf(order.id, 'capture')
  await changeMovement(movement, { fee: 90, net: 610 })
  expect(await reconciling.run()).toMatchObject({ differences: 1 })
  const [first] = await reconciling.open()
  expect(first).toMatchObject({
    kind: 'amount_differs',
    title: 'The provider’s fee is €0.40 higher',
    orderId: order.id,
    ledgerFee: 50,
    providerFee: 90,
    proposal: [
      {
        currency: 'EUR',
        entries: [
          { account: 'clearing', amount: -40 },
          { account: 'fees', amount: 40 },
        ],
      },
    ],
    can: { record: true, check: true, explain: true },
  })
  const again = await reconciling.run()
  expect(again).toMatchObject({ differences: 1 })
  expect(again.balances?.find(({ currency }) => currency === 'EUR')).toMatchObject({ unexplained: 0 })
  const open = await reconciling.open()
  expect(open.map(({ id }) => id)).toEqual([first?.id ?? ''])
  expect(await reconciling.actions()).toEqual(['The provider’s fee is €0.40 higher'])

  const before = await shop.balances()
  const [action] = await openActions(own.world, `reconciliation:${first?.id}`)
  expect(await (await press(own.rita, action, 'Record')).json()).toMatchObject({
    status: 'recorded',
    resolvedByName: 'Rita',
  })
  const after = await shop.balances()
  expect((after['fees EUR'] ?? 0) - (before['fees EUR'] ?? 0)).toBe(40)
  expect((after['clearing EUR'] ?? 0) - (before['clearing EUR'] ?? 0)).toBe(-40)
  expect(await reconciling.refusal(`POST /api/pay/reconciliation/differences/${first?.id}/record`)).toMatchObject({
    status: 409,
    problem: { code: 'difference_state' },
  })
  expect(await reconciling.run()).toMatchObject({ differences: 0 })
  expect(await reconciling.actions()).toEqual([])
  expect(await own.rita.fetchJson('GET /api/ledger/verify')).toMatchObject({ balanced: true, chained: true })
})

test('PAY-32 difference whose amounts change after it was shown isn’t recorded', async () => {
  const order = await shop.sell()
  const movement = await referenceOf(order.id, 'capture')
  await changeMovement(movement, { fee: 90, net: 610 })
  await reconciling.run()
  const [difference] = await reconciling.open()
  await changeMovement(movement, { fee: 95, net: 605 })
  const before = await shop.balances()
  expect(await reconciling.refusal(`POST /api/pay/reconciliation/differences/${difference?.id}/record`)).toMatchObject({
    status: 409,
    problem: { code: 'difference_changed' },
  })
  await changeMovement(movement, { fee: 50, net: 650 })
  expect(await reconciling.act(difference?.id ?? '', 'record')).toMatchObject({ status: 'resolved' })
  expect(await shop.balances()).toEqual(before)
})

test('PAY-32 refund made at the provider itself, whose event was lost, is one difference, which checking it books', async () => {
  const order = await shop.sell()
  await refundAtProvider(order, 300)
  expect(await reconciling.run(0)).toMatchObject({ differences: 0, inTransit: 2 })
  const run = await reconciling.run()
  expect(run).toMatchObject({ differences: 1 })
  expect(run.balances?.find(({ currency }) => currency === 'EUR')).toMatchObject({ unexplained: 0 })
  const [difference] = await reconciling.open()
  expect(difference).toMatchObject({
    kind: 'missing_in_ledger',
    title: 'A refund of €3.00 isn’t in the ledger',
    orderId: order.id,
    providerAmount: -300,
    proposal: [],
    can: { record: false, check: true },
  })
  const [action] = await openActions(own.world, `reconciliation:${difference?.id}`)
  expect(await (await press(own.rita, action, 'Check now')).json()).toMatchObject({
    status: 'resolved',
    resolvedByName: 'Rita',
  })
  expect(await shop.order(order.id)).toMatchObject({ refunded: 300 })
  expect(await reconciling.actions()).toEqual([])
})

test('PAY-32 difference that a later run no longer finds is resolved with its action, and open again when it comes back', async () => {
  const order = await shop.sell()
  await refundAtProvider(order, 100)
  await reconciling.run()
  const [difference] = await reconciling.open()
  for (const payment of order.payments) await shop.check(payment)
  expect(await reconciling.run()).toMatchObject({ differences: 0 })
  expect(await reconciling.difference(difference?.id ?? '')).toMatchObject({ status: 'resolved', resolvedBy: null })
  expect(await reconciling.actions()).toEqual([])
  const movement = difference?.providerReference ?? ''
  await changeMovement(movement, { amount: -120, net: -120 })
  await reconciling.run()
  expect(await reconciling.open()).toMatchObject([{ id: difference?.id, kind: 'amount_differs', ledgerAmount: -100 }])
  const [action] = await openActions(own.world, `reconciliation:${difference?.id}`)
  expect((await press(own.rita, action, 'Explain', { note: 'The provider corrects it.' })).status).toBe(200)
  expect(await reconciling.actions()).toEqual([])
  await changeMovement(movement, { amount: -100, net: -100 })
  await reconciling.run()
})

test('PAY-32 movement that the provider doesn’t have is said only after reading it there, and taken back on request', async () => {
  const order = await shop.sell(coffee)
  const movement = await referenceOf(order.id, 'capture')
  await own.payments.loseObject(movement)
  await reconciling.run()
  const difference = (await reconciling.open()).find(({ kind }) => kind === 'missing_at_provider')
  expect(difference).toMatchObject({ ledgerAmount: 650, orderId: order.id, can: { record: true } })
  const before = await shop.balances()
  await reconciling.act(difference?.id ?? '', 'record')
  const after = await shop.balances()
  expect((after['clearing EUR'] ?? 0) - (before['clearing EUR'] ?? 0)).toBe(-650)
  expect((after['merchant EUR'] ?? 0) - (before['merchant EUR'] ?? 0)).toBe(700)
})
