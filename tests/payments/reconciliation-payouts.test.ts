import { afterAll, beforeAll, expect, test } from 'bun:test'
import { settlementsModule } from '../../src/payments/settlements/index.ts'
import { resumeSettlements } from '../../src/payments/settlements/resume.ts'
import { openReconciling, type OwnReconciling, type Reconciling } from './reconciling.ts'
import { batchOf, itemsOf, receiveCallbacks, until, untilStatus, type Receiver } from './settlements-world.ts'

let own: OwnReconciling
let reconciling: Reconciling
let receiver: Receiver
let clock: ReturnType<typeof setInterval>

beforeAll(async () => {
  own = await openReconciling({ PAYMENTS_SWEEP_S: '0.3,0.5,0.5' })
  ;({ reconciling } = own)
  receiver = receiveCallbacks()
  const { provided, database } = own.world
  await provided.queue.work(settlementsModule.jobs ?? [], provided, () => new Date())
  clock = setInterval(() => void provided.queue.enqueue(database.db, resumeSettlements, {}).catch(() => {}), 300)
})
afterAll(async () => {
  clearInterval(clock)
  await receiver.stop()
  await own.close()
})

test('PAY-32 payout that came back after it was settled, whose event was lost, is a difference until it is checked', async () => {
  await own.stripe.topups.create({ amount: 10_000, currency: 'eur' })
  const draft = batchOf(receiver.url, [1_500, 2_500])
  await own.rita.fetchJson('POST /api/settlements', draft, 202)
  await untilStatus(own.rita, draft.batchId, 'completed')
  const settled = await reconciling.run()
  expect(settled).toMatchObject({ state: 'succeeded', scope: 'own', differences: 0 })
  expect(settled.balances).toMatchObject([{ currency: 'EUR', unexplained: 0 }])
  const [item] = await itemsOf(own.rita, draft.batchId)
  const payoutId = item?.payoutId ?? ''
  // Its checks are over: only an event or the reconciliation can find the return.
  await until(
    () =>
      own.world.database.sql`SELECT 1 FROM payments.settlement_items WHERE payout_id = ${payoutId} AND due_at IS NULL`,
    (rows) => rows.length === 1,
  )
  await own.payments.returnPayout(payoutId)
  await own.stripe.balance.retrieve()
  await until(
    () => reconciling.run(),
    ({ differences }) => differences > 0,
  )
  const [difference] = await reconciling.open()
  expect(difference).toMatchObject({
    kind: 'state_differs',
    title: 'A payout of €15.00 was returned, but is settled here',
    ledgerAmount: 1_500,
    ledgerState: 'settled',
    providerState: 'failed',
    providerReference: payoutId,
    can: { record: false, check: true },
  })
  expect(await reconciling.act(difference?.id ?? '', 'check')).toMatchObject({ status: 'resolved' })
  await until(
    () => itemsOf(own.rita, draft.batchId),
    (items) => items.some(({ status }) => status === 'returned'),
  )
  expect(await reconciling.open()).toEqual([])
})

test('PAY-32 payout to the bank is in transit until the hourly job books it, and a difference a day later', async () => {
  const payout = await own.stripe.payouts.create({ amount: 500, currency: 'eur' })
  const movement = String(payout.balance_transaction)
  const hourMs = 3_600_000
  const early = await reconciling.run(hourMs)
  const openReferences = async () => (await reconciling.open()).map(({ providerReference }) => providerReference)
  expect(await openReferences()).not.toContain(movement)
  expect(early.inTransit).toBeGreaterThan(0)
  await reconciling.run(30 * hourMs)
  const open = await reconciling.open()
  const missing = open.find(({ providerReference }) => providerReference === movement)
  expect(missing).toMatchObject({
    kind: 'missing_in_ledger',
    title: 'A payout of €5.00 isn’t in the ledger',
    proposal: [
      {
        entries: [
          { account: 'clearing', amount: -500 },
          { account: 'bank', amount: 500 },
        ],
      },
    ],
  })
  const before = await own.shop.balances()
  await reconciling.act(missing?.id ?? '', 'record')
  expect((await own.shop.balances())['bank EUR'] ?? 0).toBe((before['bank EUR'] ?? 0) + 500)
  await reconciling.run(30 * hourMs)
  expect(await openReferences()).not.toContain(movement)
})
