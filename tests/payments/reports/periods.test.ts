import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { LedgerTransaction, LedgerTransactionList } from '../../../src/payments/contract/ledger.ts'
import type { Period, PeriodList, Takings } from '../../../src/payments/contract/reports.ts'
import { eventually } from '../../boot/program.ts'
import { openWorld, type Caller, type World } from '../../support/world.ts'
import { capture, post, postAll, quiet, verifyAll, type Merchant } from '../ledger-fixtures.ts'
import { postTransaction } from '../../../src/payments/ledger/post.ts'
import { addMerchantIn } from './fixtures.ts'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const addMerchant = () => addMerchantIn(world, world.ada.things.organizations, 'Europe/Berlin')
const close = ({ merchantId }: Merchant, month: string, by: Caller = world.ada) =>
  by.fetch('POST /api/reports/periods', { merchantId, month })
const periods = async ({ merchantId }: Merchant) =>
  (await world.ada.fetchJson<PeriodList>(`GET /api/reports/periods?merchantId=${merchantId}`)).items
const ledger = async ({ merchantId }: Merchant) =>
  (await world.ada.fetchJson<LedgerTransactionList>(`GET /api/ledger?merchantId=${merchantId}`)).items

const outcome = async (response: Promise<Response>): Promise<(string | number)[]> => {
  const { status, ...rest } = await response.then(async (answer) => ({
    status: answer.status,
    ...(await answer.json()),
  }))
  return [status, rest.code]
}

test('PAY-35 closed month stays as it was: later bookings of it get the day on which they are recorded, and name it', async () => {
  const merchant = await addMerchant()
  await postAll(world.database, [
    capture(merchant, 1_000n, 10n, { at: new Date('2026-09-30T21:59:59.999Z') }),
    capture(merchant, 2_000n, 20n, { at: new Date('2026-09-30T22:00:00.000Z') }), // October in Berlin
  ])
  const closed = await world.ada.fetchJson<Period>(
    'POST /api/reports/periods',
    { merchantId: merchant.merchantId, month: '2026-09' },
    201,
  )
  const [, first] = await ledger(merchant)
  expect(closed).toMatchObject({
    month: '2026-09',
    state: 'closed',
    transactions: 1,
    late: 0,
    sequence: 2,
    closedBy: world.ada.id,
  })
  expect((await periods(merchant)).find(({ month }) => month === '2026-09')).toMatchObject({ closedByName: 'Ada' })
  await postAll(world.database, [
    capture(merchant, 500n, 5n, { at: new Date('2026-09-15T12:00:00Z') }),
    capture(merchant, 600n, 6n, { at: new Date('2026-10-15T12:00:00Z') }),
  ])
  const [october, late] = await ledger(merchant)
  const today = Temporal.Now.plainDateISO('Europe/Berlin').toString()
  expect(late).toMatchObject({ at: '2026-09-15T12:00:00.000Z', bookedOn: today, closedMonth: '2026-09' })
  expect(october).toMatchObject({ bookedOn: '2026-10-15', closedMonth: null })
  expect(first).toMatchObject({ bookedOn: '2026-09-30', closedMonth: null })
  const september = await world.ada.fetchJson<Takings>(
    `GET /api/reports/takings?merchantId=${merchant.merchantId}&from=2026-09-01&to=2026-09-30`,
  )
  expect(september.totals.map(({ takings }) => takings)).toEqual([1_000])
  const shown = await periods(merchant)
  expect(shown.find(({ month }) => month === '2026-09')).toMatchObject({ state: 'closed', transactions: 1, late: 1 })
  expect(await verifyAll(world.database, merchant)).toMatchObject({ balanced: true, chained: true })
})

test('PAY-35 correction of a transaction in a closed month is booked today and names that month', async () => {
  const merchant = await addMerchant()
  await post(world.database, capture(merchant, 1_000n, 10n, { at: new Date('2026-08-10T12:00:00Z') }))
  expect((await close(merchant, '2026-08')).status).toBe(201)
  const [wrong] = await ledger(merchant)
  const entries = [
    { account: 'fees', amount: 15 },
    { account: 'clearing', amount: -15 },
  ]
  const draft = { correctsId: wrong?.id, currency: 'EUR', note: 'The fee was 0.25', entries }
  const correction = await world.ada.fetchJson<LedgerTransaction>('POST /api/ledger/corrections', draft, 201)
  expect(correction).toMatchObject({
    bookedOn: Temporal.Now.plainDateISO('Europe/Berlin').toString(),
    closedMonth: '2026-08',
    correctsSequence: 1,
  })
})

test('PAY-35 database refuses bookings to a closed month, opening it again, and changes of the record of its closing', async () => {
  const merchant = await addMerchant()
  await post(world.database, capture(merchant, 1_000n, 10n, { at: new Date('2026-07-10T12:00:00Z') }))
  expect((await close(merchant, '2026-07')).status).toBe(201)
  const { sql } = world.database
  const refusalOf = (statement: Promise<unknown>) =>
    statement.then(
      () => 'accepted',
      (error: Error) => error.message,
    )
  expect(
    await refusalOf(
      Promise.resolve(sql`
        INSERT INTO payments.ledger_transactions (
          id, organization_id, merchant_id, sequence, kind, currency, at, booked_on, entry_count, previous_hash, hash)
        SELECT uuidv7(), organization_id, merchant_id, 99, kind, currency, at, '2026-07-31', 2, previous_hash, hash
        FROM payments.ledger_transactions WHERE merchant_id = ${merchant.merchantId}`),
    ),
  ).toBe('nothing is booked to a closed month')
  for (const openFrom of ['2026-07-01', null])
    expect(
      await refusalOf(
        Promise.resolve(
          sql`UPDATE payments.ledger_heads SET open_from = ${openFrom} WHERE merchant_id = ${merchant.merchantId}`,
        ),
      ),
    ).toBe('closed months are not opened again')
  expect(
    await refusalOf(
      Promise.resolve(sql`DELETE FROM payments.closed_periods WHERE merchant_id = ${merchant.merchantId}`),
    ),
  ).toContain('append-only')
})

test('PAY-35 booking that waits for the closing of its month is booked to an open one', async () => {
  const merchant = await addMerchant()
  const june = (amount: bigint) => capture(merchant, amount, 1n, { at: new Date('2026-06-10T12:00:00Z') })
  await post(world.database, june(100n))
  const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const early = world.database.transaction(async (tx) => {
    await postTransaction(quiet, tx, june(200n))
    held.resolve()
    await released.promise
  })
  await held.promise
  const closing = close(merchant, '2026-06')
  expect(await eventually(() => waiting(1))).toBe(true)
  const later = post(world.database, june(400n))
  expect(await eventually(() => waiting(2))).toBe(true)
  released.resolve()
  await Promise.all([early, closing, later])
  expect((await closing).status).toBe(201)
  const [last, ...before] = await ledger(merchant)
  expect(last?.closedMonth).toBe('2026-06')
  expect(before.map(({ bookedOn }) => bookedOn)).toEqual(['2026-06-10', '2026-06-10'])
})

async function waiting(count: number): Promise<boolean> {
  const rows = await world.database.sql`
    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return rows.length >= count
}

test('PAY-35 months are closed once, in their order, and only when they are over', async () => {
  const merchant = await addMerchant()
  for (const month of ['2026-03', '2026-05'])
    await post(world.database, capture(merchant, 100n, 1n, { at: new Date(`${month}-10T12:00:00Z`) }))
  expect(await outcome(close(merchant, '2026-05'))).toEqual([409, 'period_order'])
  expect(await outcome(close(merchant, '2026-04'))).toEqual([409, 'period_order'])
  expect((await close(merchant, '2026-03')).status).toBe(201)
  expect(await outcome(close(merchant, '2026-03'))).toEqual([409, 'period_closed'])
  expect((await close(merchant, '2026-05')).status).toBe(201)
  expect(await outcome(close(merchant, '2026-04'))).toEqual([409, 'period_closed'])
  const thisMonth = Temporal.Now.plainDateISO('Europe/Berlin').toString().slice(0, 7)
  expect(await outcome(close(merchant, thisMonth))).toEqual([409, 'period_not_over'])
  const shown = await periods(merchant)
  expect(shown.map(({ month, state, isOver }) => [month, state, isOver])).toEqual([
    [thisMonth, 'open', false],
    ['2026-05', 'closed', true],
    ['2026-03', 'closed', true],
  ])
})

test('PAY-35 only people with the permission to change settings close a month, which is audited', async () => {
  const merchant = await addMerchant()
  expect((await close(merchant, '2026-01', world.vera)).status).toBe(403)
  expect((await close(merchant, '2026-01', world.mallory)).status).toBe(404)
  expect((await close(merchant, '2026-01')).status).toBe(201)
  const [row] = await world.database.sql`
    SELECT object_kind, principal_id, after FROM platform.audit_log
    WHERE operation = 'closeAccountingPeriod' AND object_id = ${`${merchant.merchantId}/2026-01`}`
  expect(row).toMatchObject({
    object_kind: 'accounting_period',
    principal_id: world.ada.id,
    after: { month: '2026-01' },
  })
})

test('PAY-35 oldest of more than 100 open months is closed', async () => {
  const merchant = await addMerchant()
  const first = Temporal.PlainYearMonth.from('2016-01')
  const days = Array.from({ length: 105 }, (_, at) => `${first.add({ months: at }).toString()}-10T12:00:00Z`)
  await postAll(
    world.database,
    days.map((day) => capture(merchant, 100n, 1n, { at: new Date(day) })),
  )
  expect((await close(merchant, '2016-02')).status).toBe(409)
  const closed = await world.ada.fetchJson<Period>(
    'POST /api/reports/periods',
    { merchantId: merchant.merchantId, month: '2016-01' },
    201,
  )
  expect(closed).toMatchObject({
    month: '2016-01',
    state: 'closed',
    isOver: true,
    transactions: 1,
  })
})
