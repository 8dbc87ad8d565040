import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import type { ReportCheck, Takings } from '../../../src/payments/contract/reports.ts'
import type { Posting } from '../../../src/payments/ledger/post.ts'
import { openWorld, type World } from '../../support/world.ts'
import { capture, post, postAll, type Merchant } from '../ledger-fixtures.ts'
import { addMerchantIn, disputeLost, disputeOpened, refundSent, refundSettled, transferred } from './fixtures.ts'

let world: World
beforeAll(async () => void (world = await openWorld()))
afterAll(() => world.close())

const addBerlin = (zone = 'Europe/Berlin') => addMerchantIn(world, world.ada.things.organizations, zone)
const report = ({ merchantId }: Merchant, query: string) =>
  world.ada.fetchJson<Takings>(`GET /api/reports/takings?limit=100&merchantId=${merchantId}&${query}`)
const check = ({ merchantId }: Merchant, query = '') =>
  world.ada.fetchJson<ReportCheck>(`GET /api/reports/check?merchantId=${merchantId}&${query}`)

const movement = (
  merchant: Merchant,
  at: string,
  part: Pick<Posting, 'kind' | 'entries'>,
  currency = 'EUR',
): Posting => ({
  ...merchant,
  at: new Date(at),
  currency,
  ...part,
})

test('PAY-30 report has the takings, refunds, disputes, fees, net and payouts of a day from the ledger', async () => {
  const merchant = await addBerlin()
  const day = '2026-03-10T10:00:00Z'
  await postAll(world.database, [
    capture(merchant, 10_000n, 175n, { at: new Date(day) }),
    capture(merchant, 5_000n, 100n, { at: new Date(day) }),
    movement(merchant, day, refundSent(2_000n)),
    movement(merchant, day, refundSettled(2_000n)),
    movement(merchant, day, disputeOpened(1_500n, 20n)),
    movement(merchant, day, disputeLost(1_500n)),
    movement(merchant, day, transferred(4_000n)),
  ])
  const { items, totals } = await report(merchant, 'from=2026-03-01&to=2026-03-31')
  const sums = {
    currency: 'EUR',
    payments: 2,
    takings: 15_000,
    refunds: 2_000,
    disputes: 1_500,
    fees: 295,
    other: 0,
    net: 11_205,
    payouts: 4_000,
  }
  expect(totals).toEqual([sums])
  expect(items).toEqual([
    {
      ...sums,
      from: '2026-03-10',
      to: '2026-03-10',
      merchantId: merchant.merchantId,
      merchantName: merchant.merchantId,
      venueId: null,
      venueName: null,
      method: null,
    },
  ])
  expect(await check(merchant, 'from=2026-03-01&to=2026-03-31')).toEqual({
    matches: true,
    entries: 17,
    differences: [],
  })
})

test('PAY-30 days of a report are those of the merchant’s time zone, with 23 and 25 hours when clocks change', async () => {
  const merchant = await addBerlin()
  const times = [
    '2026-03-28T22:59:59.999Z', // Saturday 23:59:59
    '2026-03-28T23:00:00.000Z', // Sunday 00:00, a day of 23 hours
    '2026-03-29T21:59:59.999Z', // Sunday 23:59:59 in summer time
    '2026-03-29T22:00:00.000Z', // Monday 00:00
    '2026-10-24T21:59:59.999Z', // Saturday 23:59:59
    '2026-10-24T22:00:00.000Z', // Sunday 00:00, a day of 25 hours
    '2026-10-25T22:59:59.999Z', // Sunday 23:59:59 in winter time
    '2026-10-25T23:00:00.000Z', // Monday 00:00
  ]
  for (const at of times) await post(world.database, capture(merchant, 100n, 1n, { at: new Date(at) }))
  const { items } = await report(merchant, 'from=2026-03-01&to=2026-10-31')
  expect(items.map(({ from, payments }) => [from, payments])).toEqual([
    ['2026-10-26', 1],
    ['2026-10-25', 2],
    ['2026-10-24', 1],
    ['2026-03-30', 1],
    ['2026-03-29', 2],
    ['2026-03-28', 1],
  ])
})

test('PAY-30 report of merchants at both sides of the date line has the days of each', async () => {
  const [east, west] = [await addBerlin('Pacific/Kiritimati'), await addBerlin('Pacific/Niue')]
  const at = new Date('2026-05-10T10:30:00Z')
  await postAll(world.database, [capture(east, 100n, 1n, { at }), capture(west, 100n, 1n, { at })])
  const days = async (merchant: Merchant) =>
    (await report(merchant, 'from=2026-05-01&to=2026-05-31')).items.map(({ from }) => from)
  expect(await days(east)).toEqual(['2026-05-11'])
  expect(await days(west)).toEqual(['2026-05-09'])
})

test('PAY-30 report is grouped by week, month and venue, filtered by currency and venue, and paged', async () => {
  const merchant = await addBerlin()
  const shop = newId()
  await world.database.sql`
    INSERT INTO payments.venues (id, organization_id, merchant_id, name)
    VALUES (${shop}, ${merchant.organizationId}, ${merchant.merchantId}, 'Corner shop')`
  const at = (day: string) => ({ at: new Date(`${day}T12:00:00Z`) })
  await postAll(world.database, [
    capture(merchant, 100n, 1n, { ...at('2026-06-28'), venueId: shop }), // Sunday
    capture(merchant, 200n, 2n, at('2026-06-29')), // Monday
    capture(merchant, 400n, 4n, at('2026-07-01')),
    capture(merchant, 800n, 8n, { ...at('2026-07-01'), currency: 'JPY' }),
  ])
  const range = 'from=2026-06-10&to=2026-07-20'
  const rows = async (query: string) =>
    (await report(merchant, `${range}&${query}`)).items.map(({ from, to, currency, takings }) => [
      from,
      to,
      currency,
      takings,
    ])
  expect(await rows('by=week')).toEqual([
    ['2026-06-29', '2026-07-05', 'JPY', 800],
    ['2026-06-29', '2026-07-05', 'EUR', 600],
    ['2026-06-22', '2026-06-28', 'EUR', 100],
  ])
  expect(await rows('by=month&currency=EUR')).toEqual([
    ['2026-07-01', '2026-07-20', 'EUR', 400],
    ['2026-06-10', '2026-06-30', 'EUR', 300],
  ])
  const byVenue = await report(merchant, `${range}&by=venue&currency=EUR`)
  expect(new Map(byVenue.items.map(({ venueName, takings }) => [venueName, takings]))).toEqual(
    new Map([
      ['Corner shop', 100],
      [null, 600],
    ]),
  )
  expect(await rows(`venueId=${shop}`)).toEqual([['2026-06-28', '2026-06-28', 'EUR', 100]])
  const first = await world.ada.fetchJson<Takings>(
    `GET /api/reports/takings?limit=3&merchantId=${merchant.merchantId}&${range}`,
  )
  const rest = await world.ada.fetchJson<Takings>(
    `GET /api/reports/takings?limit=3&merchantId=${merchant.merchantId}&${range}&cursor=${first.nextCursor}`,
  )
  expect([...first.items, ...rest.items].map(({ from, currency }) => `${from} ${currency}`)).toEqual([
    '2026-07-01 JPY',
    '2026-07-01 EUR',
    '2026-06-29 EUR',
    '2026-06-28 EUR',
  ])
  expect(rest.totals).toEqual(first.totals)
})

test('PAY-30 CSV of a report has decimal numbers of each currency', async () => {
  const merchant = await addBerlin()
  const at = new Date('2026-04-02T12:00:00Z')
  await postAll(world.database, [
    capture(merchant, 123_456n, 1_234n, { at, currency: 'KWD' }),
    capture(merchant, 123_456n, 1_234n, { at, currency: 'JPY' }),
    movement(merchant, at.toISOString(), refundSent(5n), 'KWD'),
    movement(merchant, '2026-04-01T12:00:00Z', refundSent(700n)), // A day with a loss.
  ])
  const response = await world.ada.fetch(
    `GET /api/reports/takings/export?merchantId=${merchant.merchantId}&from=2026-04-01&to=2026-04-30`,
  )
  expect(response.headers.get('content-type')).toStartWith('text/csv')
  const name = merchant.merchantId
  expect((await response.text()).split('\r\n')).toEqual([
    'from,to,merchant,venue,method,currency,payments,takings,refunds,disputes,fees,other,net,payouts',
    `2026-04-02,2026-04-02,${name},,,KWD,1,123.456,0.005,0.000,1.234,0.000,122.217,0.000`,
    `2026-04-02,2026-04-02,${name},,,JPY,1,123456,0,0,1234,0,122222,0`,
    `2026-04-01,2026-04-01,${name},,,EUR,0,0.00,7.00,0.00,0.00,0.00,-7.00,0.00`,
    '',
  ])
})

test('PAY-30 report without days is the month so far, and refuses ranges that end before they begin or are too long', async () => {
  const merchant = await addBerlin()
  const { from, to } = await report(merchant, '')
  expect(from).toBe(`${to.slice(0, 7)}-01`)
  const refusal = async (query: string) => {
    const response = await world.ada.fetch(`GET /api/reports/takings?merchantId=${merchant.merchantId}&${query}`)
    const { errors = [] }: { errors?: { path: string }[] } = await response.json()
    return [response.status, ...errors.map(({ path }) => path)]
  }
  expect(await refusal('from=2026-02-02&to=2026-02-01')).toEqual([422, 'from'])
  expect(await refusal('from=2020-01-01&to=2026-01-01')).toEqual([422, 'from'])
  expect(await refusal('from=2023-01-01&to=2025-12-31')).toEqual([200])
  const last = Temporal.PlainDate.from('2025-12-31')
  expect(await refusal(`from=${last.subtract({ days: 1_099 }).toString()}&to=2025-12-31`)).toEqual([200])
  expect(await refusal(`from=${last.subtract({ days: 1_100 }).toString()}&to=2025-12-31`)).toEqual([422, 'from'])
  expect(await refusal('from=nonsense')).toEqual([422, 'from'])
})

test('PAY-30 check names the day whose sum isn’t that of the entries', async () => {
  const merchant = await addBerlin()
  await post(world.database, capture(merchant, 100n, 1n, { at: new Date('2026-02-03T12:00:00Z') }))
  await world.database.sql`
    UPDATE payments.ledger_days SET amount = amount + 5 WHERE merchant_id = ${merchant.merchantId} AND account = 'fees'`
  expect(await check(merchant, 'from=2026-02-01&to=2026-02-28')).toEqual({
    matches: false,
    entries: 3,
    differences: [
      {
        merchantId: merchant.merchantId,
        day: '2026-02-03',
        currency: 'EUR',
        account: 'fees',
        kind: 'capture',
        ledger: 1,
        report: 6,
      },
    ],
  })
})

test('PAY-30 other organization gets no report of a merchant', async () => {
  const merchant = await addBerlin()
  await post(world.database, capture(merchant, 100n, 1n))
  for (const path of ['takings', 'takings/export', 'check', 'periods'])
    expect((await world.mallory.fetch(`GET /api/reports/${path}?merchantId=${merchant.merchantId}`)).status).toBe(404)
  const { items } = await world.mallory.fetchJson<Takings>('GET /api/reports/takings?from=2026-11-01&to=2026-11-30')
  expect(items.map(({ merchantId }) => merchantId)).not.toContain(merchant.merchantId)
})
