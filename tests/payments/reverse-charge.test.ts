import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { invoicesOf, setMerchant, training, type Invoices, type ShownInvoice } from './invoicing.ts'
import { shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop
let invoices: Invoices

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  invoices = invoicesOf(world.ada)
  await shop.createOrder()
})
beforeEach(async () => void (await setMerchant(world, { taxNumber: 'DE811569869' })))
afterAll(() => world.close())

const danish = { name: 'Kaffebaren ApS', taxNumber: 'DK38291746' }
const refused = (path: string) => ({ status: 422, problem: { errors: [{ path }] } })

test('PAY-35 reverse charge: buyer with a VAT number of another EU country pays no VAT', async () => {
  const foreign = await invoices.draft({ ...training, buyer: { name: 'Kaffebaren ApS', taxNumber: 'DK38291746' } })
  expect(foreign).toMatchObject({ reverseCharge: true, tax: 0, total: 39_000, taxes: [{ rate: '0', tax: 0 }] })
  const domestic = await invoices.draft({ ...training, buyer: { name: 'Ostkreuz', taxNumber: 'DE123456789' } })
  expect(domestic).toMatchObject({ reverseCharge: false, tax: 7_050 })
  const declined = { ...training, buyer: { name: 'Kaffebaren ApS', taxNumber: 'DK38291746' }, reverseCharge: false }
  expect(await invoices.draft(declined)).toMatchObject({ reverseCharge: false, tax: 7_050 })
  expect(await invoices.refusal('POST /api/invoices', { ...training, reverseCharge: true })).toMatchObject({
    status: 422,
    problem: { errors: [{ path: 'buyer.taxNumber' }] },
  })
  const inclusive = { ...training, taxMode: 'inclusive', buyer: { taxNumber: 'DK38291746' } }
  expect(await invoices.refusal('POST /api/invoices', inclusive)).toMatchObject({
    status: 422,
    problem: { errors: [{ path: 'taxMode' }] },
  })
})

test('PAY-35 reverse charge: number of Northern Ireland or of another country has VAT, and a malformed one is refused', async () => {
  for (const buyer of [{ taxNumber: 'XI123456789' }, { taxNumber: 'DK 123', address: { country: 'US' } }])
    expect(await invoices.draft({ ...training, buyer })).toMatchObject({ reverseCharge: false, tax: 7_050 })
  const spaced = await invoices.draft({ ...training, buyer: { taxNumber: 'dk 38 29 17 46' } })
  expect(spaced).toMatchObject({ reverseCharge: true, buyer: { taxNumber: 'DK38291746' } })
  const malformed = { ...training, buyer: { taxNumber: 'DK123', address: { country: 'DK' } } }
  expect(await invoices.refusal('POST /api/invoices', malformed)).toMatchObject({
    status: 422,
    problem: { errors: [{ path: 'buyer.taxNumber' }] },
  })
})

test('PAY-35 reverse charge isn’t assumed for what has no tax anyway, nor for a buyer outside of the EU', async () => {
  const untaxed = [{ name: 'Stamps', unitAmount: 1_000, taxRate: '0' }]
  expect(await invoices.draft({ ...training, lines: untaxed, buyer: danish })).toMatchObject({ reverseCharge: false })
  const order = await shop.createOrder({ currency: 'EUR', lines: untaxed })
  expect(await invoices.draft({ orderId: order.id, buyer: danish })).toMatchObject({ reverseCharge: false, tax: 0 })
  const american = { ...danish, address: { country: 'US' } }
  expect(await invoices.draft({ ...training, buyer: american })).toMatchObject({ reverseCharge: false, tax: 7_050 })
})

test('PAY-35 reverse charge of an order is as sent, and refused for one that charges tax', async () => {
  const untaxed = await shop.createOrder({ currency: 'EUR', lines: [{ name: 'Training', unitAmount: 1_000 }] })
  const draft = await invoices.draft({ orderId: untaxed.id, buyer: danish, reverseCharge: true })
  expect(draft).toMatchObject({ reverseCharge: true, tax: 0, total: 1_000 })
  const lines = [{ name: 'Training', unitAmount: 1_000, taxRate: '19' }]
  const { id: orderId } = await shop.createOrder({ currency: 'EUR', lines })
  const refusal = await invoices.refusal('POST /api/invoices', { orderId, buyer: danish, reverseCharge: true })
  expect(refusal).toMatchObject(refused('reverseCharge'))
  expect(await invoices.draft({ orderId, buyer: danish })).toMatchObject({ reverseCharge: false, tax: 160 })
})

test('PAY-35 reverse charge needs VAT numbers of two countries, also when it is sent', async () => {
  const send = (taxNumber: string) =>
    invoices.refusal('POST /api/invoices', { ...training, buyer: { taxNumber }, reverseCharge: true })
  expect(await send('12-3456789')).toMatchObject(refused('buyer.taxNumber'))
  expect(await send('DE123456789')).toMatchObject(refused('reverseCharge'))
  expect(await send('XI123456789')).toMatchObject({ status: 201, problem: { reverseCharge: true, tax: 0 } })
  await setMerchant(world, { taxNumber: '12-3456789' })
  expect(await send('DK38291746')).toMatchObject(refused('merchantId'))
})

test('PAY-35 draft isn’t issued when the merchant’s tax number has changed who owes the VAT, until it is saved again', async () => {
  const reversed = await invoices.draft({ ...training, buyer: danish })
  const wanted = await invoices.draft({ ...training, buyer: danish, reverseCharge: true })
  const issue = (id: string) => invoices.refusal(`POST /api/invoices/${id}/issue`)
  const changed = { status: 409, problem: { code: 'reverse_charge', reverseCharge: false } }
  for (const [taxNumber, path] of [
    [null, 'merchantId'],
    ['DK12345678', 'reverseCharge'],
  ] as const) {
    await setMerchant(world, { taxNumber })
    expect(await issue(reversed.id)).toMatchObject(changed)
    expect(await issue(wanted.id)).toMatchObject(refused(path))
  }
  const domestic = await invoices.draft({ ...training, buyer: danish })
  await setMerchant(world, { taxNumber: 'FR12345678901' })
  expect(await issue(domestic.id)).toMatchObject({ ...changed, problem: { reverseCharge: true } })
  await world.ada.fetchJson(`PUT /api/invoices/${domestic.id}`, { ...training, buyer: danish })
  for (const { id } of [domestic, reversed, wanted])
    expect(await world.ada.fetchJson<ShownInvoice>(`POST /api/invoices/${id}/issue`)).toMatchObject({
      reverseCharge: true,
      tax: 0,
      seller: { taxNumber: 'FR12345678901' },
    })
})

test('PAY-35 database refuses to issue reverse charge without the tax numbers of both', async () => {
  const { id } = await invoices.draft({ ...training, buyer: danish })
  const issuing = world.database.sql`
    UPDATE payments.invoices SET (year, sequence, number, issued_on, issued_at, seller, status) =
      (2001, 1, 'X-2001-0001', now(), now(), '{"name": "Acme", "taxNumber": null}', 'open') WHERE id = ${id}`
  await expect(Promise.resolve(issuing)).rejects.toThrow('without both tax numbers')
})
