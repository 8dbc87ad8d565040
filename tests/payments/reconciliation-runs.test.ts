import { afterAll, beforeAll, expect, test } from 'bun:test'
import { bookMovements } from '../../src/payments/movements/jobs.ts'
import { openWorld } from '../support/world.ts'
import { openReconciling, reconcilingOf, type OwnReconciling, type Reconciling, type ShownRun } from './reconciling.ts'
import { shopOf, type Shop } from './shop.ts'

let own: OwnReconciling
let shop: Shop
let reconciling: Reconciling

beforeAll(async () => {
  own = await openReconciling()
  ;({ shop, reconciling } = own)
})
afterAll(() => own.close())

const differ = async () => {
  const order = await shop.sell()
  const movement = await own.referenceOf(order.id, 'capture')
  await own.payments.changeObject(movement, { fee: 60, net: 640 })
  return { order, movement }
}

/** Books what is new of the balance, as the hourly job does. */
const book = () =>
  bookMovements.run({
    ...own.world.provided,
    database: own.world.database,
    now: () => new Date(),
    input: { organizationId: own.organizationId },
  })

test('PAY-32 run that the provider fails ends as failed, concludes nothing, goes on when it is retried, and is an action at the end', async () => {
  await differ()
  await reconciling.run()
  const before = await reconciling.open()
  expect(before).toHaveLength(1)
  const { id } = await reconciling.start()
  await expect(reconciling.runJob(id, 3_600_000, 0)).rejects.toThrow('503')
  const failed = await reconciling.read(id)
  expect(failed).toMatchObject({ state: 'failed', differences: 0 })
  expect(failed.error).toEqual({ code: 'provider_failed', message: 'The provider responded with 503.' })
  expect(await reconciling.open()).toEqual(before)
  await reconciling.exhaust(id)
  expect((await reconciling.open()).map(({ kind }) => kind)).toEqual(['run_failed', 'amount_differs'])
  expect(await reconciling.actions()).toContain('The comparison with the provider failed')
  await reconciling.runJob(id, 3_600_000)
  expect(await reconciling.read(id)).toMatchObject({ state: 'succeeded', differences: 1, error: null })
  expect((await reconciling.open()).map(({ kind }) => kind)).toEqual(['amount_differs'])
  const [open] = await reconciling.open()
  await reconciling.act(open?.id ?? '', 'record')
})

test('PAY-32 one run at a time: a second one is the first', async () => {
  const first = await reconciling.start()
  expect((await reconciling.start()).id).toBe(first.id)
  await reconciling.runJob(first.id, 0)
  expect(await reconciling.read(first.id)).toMatchObject({ state: 'succeeded' })
})

test('PAY-32 account with hundreds of movements is read page by page, and a run goes on where it stopped', async () => {
  const topup = await own.stripe.topups.create({ amount: 5_000, currency: 'eur' })
  for (let at = 0; at < 230; at += 1) await own.payments.moveBalance(topup.id, { type: 'adjustment', amount: 1 })
  const run = await reconciling.run()
  expect(run).toMatchObject({ state: 'succeeded', scope: 'own' })
  expect(run.inTransit).toBe(231)
  expect(run.balances).toMatchObject([{ currency: 'EUR', unexplained: 0 }])
  const { id } = await reconciling.start()
  await own.world.database.sql`
    UPDATE payments.reconciliation_runs SET window_until = now() + interval '1 minute' WHERE id = ${id}`
  await expect(reconciling.runJob(id, 3_600_000, 2)).rejects.toThrow('503')
  expect(await reconciling.read(id)).toMatchObject({ state: 'failed', compared: 200 })
  await reconciling.runJob(id, 3_600_000)
  expect(await reconciling.read(id)).toMatchObject({ state: 'succeeded', compared: run.compared, inTransit: 231 })
})

test('PAY-32 balance that no movement explains is a difference, which is recorded as not assigned', async () => {
  const topup = await own.stripe.topups.create({ amount: 100, currency: 'eur' })
  const old = Date.parse('2020-01-01')
  await book()
  await own.payments.moveBalance(topup.id, { type: 'adjustment', amount: 777, at: old })
  const run = await reconciling.run()
  expect(run.balances).toMatchObject([{ currency: 'EUR', unexplained: 777 }])
  const [difference] = await reconciling.open()
  expect(difference).toMatchObject({
    kind: 'balance_differs',
    proposal: [
      {
        entries: [
          { account: 'clearing', amount: 777 },
          { account: 'suspense', amount: -777 },
        ],
      },
    ],
    can: { check: false, record: true },
  })
  await reconciling.act(difference?.id ?? '', 'record')
  expect((await shop.balances())['suspense EUR']).toBe(-777)
  expect(await reconciling.run()).toMatchObject({ differences: 0 })
})

test('PAY-32 explained difference stays explained until its amounts change', async () => {
  const { movement } = await differ()
  await reconciling.run()
  const [difference] = await reconciling.open()
  const route = `POST /api/pay/reconciliation/differences/${difference?.id}/explain`
  expect(await reconciling.refusal(route, { note: ' ' })).toMatchObject({ status: 422 })
  expect(await reconciling.act(difference?.id ?? '', 'explain', { note: 'The provider credits it' })).toMatchObject({
    status: 'explained',
    note: 'The provider credits it',
    resolvedByName: 'Rita',
  })
  expect(await reconciling.actions()).toEqual([])
  await reconciling.run()
  expect(await reconciling.open()).toEqual([])
  await own.payments.changeObject(movement, { fee: 70, net: 630 })
  await reconciling.run()
  expect(await reconciling.open()).toMatchObject([{ id: difference?.id, status: 'open', note: null }])
  const [log] = await own.world.database.sql<{ count: number }[]>`
    SELECT count(*)::int FROM platform.audit_log WHERE object_id = ${difference?.id ?? ''}`
  expect(log?.count).toBeGreaterThanOrEqual(1)
  await own.payments.changeObject(movement, { fee: 50, net: 650 })
  await reconciling.run()
})

test('PAY-32 recorded difference of a closed month is booked to the open one', async () => {
  const { order } = await differ()
  await reconciling.run()
  const [difference] = await reconciling.open()
  const { merchant } = await shop.order(order.id)
  const month = new Date().toISOString().slice(0, 7)
  const next = Temporal.PlainYearMonth.from(month).add({ months: 1 }).toString()
  await own.world.database.sql`
    UPDATE payments.ledger_heads SET open_from = ${`${next}-01`} WHERE merchant_id = ${merchant.id}`
  await reconciling.act(difference?.id ?? '', 'record')
  const { items } = await own.rita.fetchJson<{ items: { bookedOn: string; closedMonth: string | null }[] }>(
    'GET /api/ledger?kind=correction&limit=1',
  )
  expect(items).toMatchObject([{ bookedOn: `${next}-01`, closedMonth: month }])
})

test('PAY-32 differences of others are 404, and viewers of transactions change nothing', async () => {
  await differ()
  await reconciling.run()
  const [difference] = await reconciling.open()
  const { mallory, vera, ada } = own.world
  const path = `/api/pay/reconciliation/differences/${difference?.id}`
  expect((await mallory.fetch(`GET ${path}`)).status).toBe(404)
  for (const action of ['explain', 'record', 'check'])
    expect((await mallory.fetch(`POST ${path}/${action}`, action === 'explain' ? { note: 'x' } : {})).status).toBe(404)
  expect((await vera.fetch('POST /api/pay/reconciliation/runs', {})).status).toBe(403)
  const { items } = await ada.fetchJson<{ items: { id: string }[] }>('GET /api/pay/reconciliation/differences')
  expect(items.map(({ id }) => id)).not.toContain(difference?.id)
  const csv = await (await own.rita.fetch('GET /api/pay/reconciliation/differences/export?status=open')).text()
  expect(csv.split('\r\n')[0]).toContain('ledgerFee,providerFee')
  expect(csv).toContain('0.50,0.60')
})

test('PAY-32 organizations that share an account compare only what is theirs, without balances', async () => {
  const world = await openWorld()
  const shops = [shopOf(world.ada, world.stranger), shopOf(world.mallory, world.stranger)]
  for (const each of shops) await each.sell()
  const run: ShownRun = await reconcilingOf(world).run()
  expect(run).toMatchObject({ state: 'succeeded', scope: 'shared', differences: 0, balances: null })
  expect(run.matched).toBe(run.compared)
  expect(run.compared).toBeGreaterThan(0)
  await world.close()
})

test('PAY-32 daily runs begin once, after the time of each organization', async () => {
  const { world, organizationId } = own
  const day = Temporal.Now.plainDateISO('UTC').add({ days: 2 }).toString()
  const count = async () => {
    const rows = await world.database.sql`
      SELECT 1 FROM payments.reconciliation_runs WHERE organization_id = ${organizationId} AND started_by IS NULL`
    return rows.length
  }
  await reconciling.plan(new Date(`${day}T03:59:00Z`))
  expect(await count()).toBe(0)
  await reconciling.plan(new Date(`${day}T05:01:00Z`))
  await reconciling.plan(new Date(`${day}T05:06:00Z`))
  expect(await count()).toBe(1)
})
