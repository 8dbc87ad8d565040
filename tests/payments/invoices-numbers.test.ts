import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { invoicesOf, training, type Invoices, type ShownNumbering } from './invoicing.ts'
import { shopOf } from './shop.ts'

// Prefixes and series of several merchants.

let world: World
let invoices: Invoices

beforeAll(async () => {
  world = await openWorld()
  invoices = invoicesOf(world.ada)
  await shopOf(world.ada, world.stranger).createOrder()
})
afterAll(() => world.close())

interface Merchant {
  id: string
  invoicePrefix: string
}

const create = (draft: object) => world.ada.fetchJson<Merchant>('POST /api/merchants', draft, 201)
const rename = ({ id }: Merchant, invoicePrefix: string) =>
  world.ada.fetchJson<Merchant>(`PATCH /api/merchants/${id}`, { invoicePrefix })
const issueFor = ({ id }: Merchant) => invoices.issue({ ...training, merchantId: id })
const prefixRefused = { status: 422, problem: { errors: [{ path: 'invoicePrefix' }] } }

test('PAY-30 prefix that documents were issued under is refused for another merchant, also an automatic one', async () => {
  const one = await create({ name: 'Zebra One', invoicePrefix: 'ZQ' })
  const { number } = await issueFor(one)
  expect(number).toMatch(/^ZQ-\d{4}-0001$/)
  await rename(one, 'ZR')
  expect(await invoices.refusal('POST /api/merchants', { name: 'Two', invoicePrefix: 'ZQ' })).toMatchObject(
    prefixRefused,
  )
  const two = await create({ name: 'Zebra Quagga' })
  expect(two.invoicePrefix).toBe('ZQ2')
  expect(await invoices.refusal(`PATCH /api/merchants/${two.id}`, { invoicePrefix: 'ZQ' })).toMatchObject(prefixRefused)
  expect(await rename(one, 'ZQ')).toMatchObject({ invoicePrefix: 'ZQ' })
})

test('PAY-30 prefix that was never issued under is free for another merchant', async () => {
  await rename(await create({ name: 'Free one', invoicePrefix: 'FREE' }), 'FR1')
  expect(await create({ name: 'Free two', invoicePrefix: 'FREE' })).toMatchObject({ invoicePrefix: 'FREE' })
})

test('PAY-30 prefix can’t end as the numbers of credit notes do', async () => {
  expect(await invoices.refusal('POST /api/merchants', { name: 'CN', invoicePrefix: 'x-cn' })).toMatchObject(
    prefixRefused,
  )
  expect(await create({ name: 'CNX', invoicePrefix: 'X-CN-1' })).toMatchObject({ invoicePrefix: 'X-CN-1' })
})

test('PAY-30 two merchants at once can’t both have the prefix of numbers that are being issued', async () => {
  const [one, two] = [await create({ name: 'Race one', invoicePrefix: 'RC' }), await create({ name: 'Race two' })]
  const [issued] = await Promise.all([
    issueFor(one),
    rename(one, 'RD').then(() => world.ada.fetch(`PATCH /api/merchants/${two.id}`, { invoicePrefix: 'RC' })),
  ])
  const other = await issueFor(two)
  expect(other.number).not.toBe(issued.number)
})

test('PAY-30 numbering names missing numbers of each series, and the summary sees that the last one is missing', async () => {
  const merchant = await create({ name: 'Gap', invoicePrefix: 'GAP' })
  const { number } = await issueFor(merchant)
  const { number: last } = await issueFor(merchant)
  const summarize = async () =>
    (await world.ada.fetchJson<{ numbering: ShownNumbering }>('GET /api/invoices/summary')).numbering
  const ownOf = ({ series }: ShownNumbering) => series.find((each) => each.merchant.id === merchant.id)
  expect(ownOf(await invoices.numbering())).toMatchObject({ first: number, last, count: 2, missing: [] })
  const summary = await summarize()
  expect([summary.complete, ownOf(summary)]).toMatchObject([true, { first: number, last, count: 2 }])
  await world.database.sql`UPDATE payments.invoice_numbers SET last = 4 WHERE merchant_id = ${merchant.id}`
  const broken = await invoices.numbering()
  expect([broken.complete, ownOf(broken)]).toMatchObject([false, { count: 2, missing: [3, 4] }])
  expect((await summarize()).complete).toBe(false)
})

test('PAY-30 invoice has the day and the year of its merchant’s time zone, but none before that of the number before', async () => {
  const today = (zone: string) => Temporal.Now.plainDateISO(zone).toString()
  const merchant = await create({ name: 'Date line', timeZone: 'Pacific/Pago_Pago' })
  const move = (timeZone: string) => world.ada.fetchJson(`PATCH /api/merchants/${merchant.id}`, { timeZone })
  const issue = async () => (await invoices.issue({ ...training, paymentDays: 7, merchantId: merchant.id })).issuedOn
  expect(await issue()).toBe(today('Pacific/Pago_Pago'))
  await move('Pacific/Kiritimati')
  expect(await issue()).toBe(today('Pacific/Kiritimati'))
  await move('Pacific/Pago_Pago')
  const { id, issuedOn, dueOn } = await invoices.issue({ ...training, paymentDays: 7, merchantId: merchant.id })
  expect(issuedOn).toBe(today('Pacific/Kiritimati'))
  expect(dueOn).toBe(
    Temporal.PlainDate.from(issuedOn ?? '')
      .add({ days: 7 })
      .toString(),
  )
  const { id: draft } = await invoices.draft({ ...training, merchantId: merchant.id })
  const earlier = world.database.sql`
    UPDATE payments.invoices SET (year, sequence, number, issued_on, issued_at, seller, status) = (
      SELECT year, sequence + 1, 'Earlier', issued_on - 1, now(), seller, 'open' FROM payments.invoices WHERE id = ${id})
    WHERE id = ${draft}`
  await expect(Promise.resolve(earlier)).rejects.toThrow('issued before the number before')
})
