import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { invoicesOf, setMerchant, training, type Invoices, type ShownInvoice } from './invoicing.ts'
import { until } from './provider.ts'
import { refundsOf } from './refunding.ts'
import { cards, shopOf, type Shop } from './shop.ts'

let world: World
let shop: Shop
let refunds: ReturnType<typeof refundsOf>
let invoices: Invoices

beforeAll(async () => {
  world = await openWorld()
  shop = shopOf(world.ada, world.stranger)
  refunds = refundsOf(world)
  invoices = invoicesOf(world.ada)
  await shop.createOrder()
  await setMerchant(world, { taxNumber: 'DE811569869' })
})
afterAll(() => world.close())

const sequenceOf = ({ number }: Pick<ShownInvoice, 'number'>): number => Number(number?.split('-').at(-1))

const creditNotesOf = async (invoice: { id: string }): Promise<ShownInvoice[]> => {
  const { creditNotes } = await invoices.read(invoice.id)
  return Promise.all(creditNotes.map(({ id }) => invoices.read(id)))
}

const taxed = {
  currency: 'EUR',
  lines: [
    { name: 'Beans', quantity: 3, unitAmount: 333, taxRate: '7' },
    { name: 'Course', quantity: 1, unitAmount: 8_401, taxRate: '19' },
  ],
}

test('PAY-30 draft has no number; issued it gets the next one, its seller and its due date', async () => {
  const draft = await invoices.draft()
  expect(draft).toMatchObject({ status: 'draft', number: null, total: 46_050, tax: 7_050, can: { issue: true } })
  expect(draft.taxes).toEqual([
    { rate: '19', net: 36_000, tax: 6_840, total: 42_840 },
    { rate: '7', net: 3_000, tax: 210, total: 3_210 },
  ])
  const issued = await world.ada.fetchJson<ShownInvoice>(`POST /api/invoices/${draft.id}/issue`)
  expect(issued).toMatchObject({ status: 'open', seller: { name: 'Acme Coffee GmbH', taxNumber: 'DE811569869' } })
  expect(issued.number).toMatch(/^[A-Z0-9-]+-\d{4}-\d{4}$/)
  const today = Temporal.Now.plainDateISO('UTC')
  expect(issued).toMatchObject({ issuedOn: today.toString(), dueOn: today.add({ days: 14 }).toString() })
  const next = await invoices.issue()
  expect(sequenceOf(next)).toBe(sequenceOf(issued) + 1)
})

test('PAY-30 draft is edited with If-Match and deleted; an issued invoice is neither', async () => {
  const draft = await invoices.draft()
  const edit = { ...training, note: 'Thank you', lines: [training.lines[0]] }
  const put = `PUT /api/invoices/${draft.id}`
  expect(await world.ada.fetchJson(put, edit)).toMatchObject({ total: 42_840, note: 'Thank you' })
  const stale = await world.ada.fetch(put, edit, { 'if-match': `"${draft.version}"` })
  expect([stale.status, await stale.json()]).toMatchObject([409, { code: 'version_conflict' }])
  await world.ada.fetchJson(`DELETE /api/invoices/${draft.id}`, undefined, 204)
  const issued = await invoices.issue()
  for (const route of [`PUT /api/invoices/${issued.id}`, `POST /api/invoices/${issued.id}/issue`])
    expect(await invoices.refusal(route, route.startsWith('PUT') ? edit : {})).toMatchObject({
      status: 409,
      problem: { code: 'invoice_state', state: 'open' },
    })
  expect(await invoices.refusal(`DELETE /api/invoices/${issued.id}`)).toMatchObject({ status: 409 })
})

test('PAY-30 issued invoice and its lines are not changed, deleted or numbered with a gap in the database', async () => {
  const { id } = await invoices.issue()
  const { id: draft } = await invoices.draft()
  const { id: paid } = await invoices.issue({ orderId: (await shop.sell()).id })
  const { sql } = world.database
  const tries = [
    sql`UPDATE payments.invoices SET total = total + 1 WHERE id = ${id}`,
    sql`UPDATE payments.invoices SET buyer_name = 'Someone else' WHERE id = ${id}`,
    sql`UPDATE payments.invoices SET number = NULL, status = 'draft' WHERE id = ${id}`,
    sql`DELETE FROM payments.invoices WHERE id = ${id}`,
    sql`UPDATE payments.invoices SET status = 'open' WHERE id = ${paid}`,
    sql`UPDATE payments.invoice_lines SET name = 'Other' WHERE invoice_id = ${id}`,
    sql`DELETE FROM payments.invoice_lines WHERE invoice_id = ${id}`,
    sql`UPDATE payments.invoices SET (year, sequence, number, issued_on, issued_at, seller, status) =
      (2026, 9999, 'X-2026-9999', now(), now(), '{}', 'open') WHERE id = ${draft}`,
  ]
  for (const attempt of tries) await expect(Promise.resolve(attempt)).rejects.toThrow(/issued|follow/)
})

test('PAY-30 paid order has one invoice, which is paid; a second one is refused', async () => {
  const order = await shop.sell(taxed)
  const invoice = await invoices.issue({ orderId: order.id })
  expect(invoice).toMatchObject({ status: 'paid', orderId: order.id, total: order.total, tax: order.tax })
  expect(invoice.lines.map(({ name, total }) => [name, total])).toEqual(
    order.lines.map(({ name, total }) => [name, total]),
  )
  expect(await invoices.refusal('POST /api/invoices', { orderId: order.id })).toMatchObject({
    status: 409,
    problem: { code: 'order_invoiced' },
  })
  expect(await invoices.refusal('POST /api/invoices', { orderId: order.id, currency: 'USD' })).toMatchObject({
    status: 422,
    problem: { errors: [{ path: 'currency' }] },
  })
})

test('PAY-30 invoice of an unpaid order is paid with it', async () => {
  const order = await shop.createOrder()
  const { id, status } = await invoices.issue({ orderId: order.id })
  expect(status).toBe('open')
  const payment = await shop.createPayment(order.id)
  await shop.pay(payment)
  await shop.check(payment)
  expect(await invoices.read(id)).toMatchObject({ status: 'paid', paidOutside: false })
})

test('PAY-30 standalone invoice is paid on the page of an order that is created for it', async () => {
  const { id } = await invoices.issue()
  const link = await world.ada.fetchJson<{ orderId: string; url: string }>(`POST /api/invoices/${id}/payment-link`)
  const again = await world.ada.fetchJson<{ orderId: string; url: string }>(`POST /api/invoices/${id}/payment-link`)
  expect(again).toEqual(link)
  expect(await shop.order(link.orderId)).toMatchObject({ total: 46_050, tax: 7_050, status: 'requires_action' })
  const visited = await world.stranger.fetch(`GET ${new URL(link.url).pathname}`)
  await shop.visit(visited.headers.get('location'), { outcome: 'pay', email: 'c@example.com', number: cards.good })
  const [payment] = (await shop.order(link.orderId)).payments
  if (payment) await shop.check(payment)
  expect(await invoices.read(id)).toMatchObject({ status: 'paid', orderId: link.orderId })
})

test('PAY-35 refund of an invoiced order issues a credit note of its own series with it', async () => {
  const order = await shop.sell(taxed)
  const invoice = await invoices.issue({ orderId: order.id })
  const refund = await refunds.create({ orderId: order.id, lines: [{ position: 1, quantity: 2 }] })
  const [note] = await creditNotesOf(invoice)
  expect(note).toMatchObject({
    kind: 'credit_note',
    status: 'issued',
    invoiceId: invoice.id,
    refundId: refund.id,
    total: 666,
    lines: [{ taxRate: '7', total: 666, tax: 43 }],
  })
  expect(note?.number).toMatch(/-CN-\d{4}-\d{4}$/)
  expect(await invoices.read(invoice.id)).toMatchObject({ status: 'paid', credited: 666 })
})

test('PAY-35 credit notes of partial refunds add up to the invoice and its tax of each rate, and never above', async () => {
  const order = await shop.sell(taxed)
  const invoice = await invoices.issue({ orderId: order.id })
  for (const amount of [1, 1_000, 333, 2_777]) await refunds.create({ orderId: order.id, amount })
  await refunds.create({ orderId: order.id })
  const notes = await creditNotesOf(invoice)
  expect(notes.map(({ total }) => total)).toEqual([1, 1_000, 333, 2_777, order.total - 4_111])
  const taxOf = (rate: string) =>
    notes.flatMap(({ taxes }) => taxes.filter((each) => each.rate === rate)).reduce((sum, { tax }) => sum + tax, 0)
  expect(invoice.taxes.map(({ rate }) => [rate, taxOf(rate)])).toEqual(
    invoice.taxes.map(({ rate, tax }) => [rate, tax]),
  )
  expect(await invoices.read(invoice.id)).toMatchObject({ credited: order.total })
  expect(notes.map(sequenceOf)).toEqual(notes.map((_, at) => sequenceOf(notes[0] ?? { number: null }) + at))
})

test('PAY-35 order that was refunded before it is invoiced gets its credit note with the invoice', async () => {
  const order = await shop.sell(taxed)
  await refunds.create({ orderId: order.id, amount: 500 })
  const invoice = await invoices.issue({ orderId: order.id })
  expect((await creditNotesOf(invoice)).map(({ total }) => total)).toEqual([500])
})

test('PAY-35 refund that fails later leaves its credit note, which covers the next refund', async () => {
  const order = await shop.sell(taxed, cards.failedRefund)
  const invoice = await invoices.issue({ orderId: order.id })
  const { id } = await refunds.create({ orderId: order.id, amount: 500 })
  await until(
    () => refunds.check(id).catch(() => refunds.read(id)),
    ({ status }) => status === 'failed',
  )
  await refunds.create({ orderId: order.id, amount: 700 })
  expect((await creditNotesOf(invoice)).map(({ total }) => total)).toEqual([500, 200])
})

test('PAY-35 void invoice keeps its number, and can have a credit note of the whole amount', async () => {
  const plain = await invoices.issue()
  const voided = await world.ada.fetchJson<ShownInvoice>(`POST /api/invoices/${plain.id}/void`, {
    reason: 'Wrong address',
  })
  expect(voided).toMatchObject({ status: 'void', number: plain.number, creditNotes: [] })
  const credited = await invoices.issue()
  await world.ada.fetchJson(`POST /api/invoices/${credited.id}/void`, { reason: 'Wrong address', creditNote: true })
  expect(await creditNotesOf(credited)).toMatchObject([{ total: 46_050, tax: 7_050, reason: 'Wrong address' }])
  const paid = await invoices.issue({ orderId: (await shop.sell()).id })
  expect(await invoices.refusal(`POST /api/invoices/${paid.id}/void`, { reason: 'Oops' })).toMatchObject({
    status: 409,
    problem: { code: 'invoice_state' },
  })
})

test('PAY-30 voiding or marking as paid closes the payment link of a standalone invoice', async () => {
  for (const [action, body, status] of [
    ['void', { reason: 'Replaced' }, 'void'],
    ['paid', {}, 'paid'],
  ] as const) {
    const { id } = await invoices.issue()
    const { orderId } = await world.ada.fetchJson<{ orderId: string }>(`POST /api/invoices/${id}/payment-link`)
    expect(await world.ada.fetchJson(`POST /api/invoices/${id}/${action}`, body)).toMatchObject({ status })
    expect(await shop.order(orderId)).toMatchObject({ status: 'cancelled' })
    expect(await invoices.refusal(`POST /api/invoices/${id}/payment-link`)).toMatchObject({ status: 409 })
  }
})

test('PAY-30 voided order invoice frees its order for another invoice', async () => {
  const order = await shop.createOrder()
  const first = await invoices.issue({ orderId: order.id })
  await world.ada.fetchJson(`POST /api/invoices/${first.id}/void`, { reason: 'Wrong buyer' })
  expect(await invoices.issue({ orderId: order.id })).toMatchObject({ status: 'open' })
  expect(await shop.order(order.id)).toMatchObject({ status: 'pending' })
})

test('PAY-30 order shows its invoice until that is void, and whether it can be invoiced', async () => {
  const order = await shop.createOrder()
  const shown = async () => {
    const { invoice, can } = await world.ada.fetchJson<{
      invoice: { id: string; number: string | null } | null
      can: { invoice: boolean }
    }>(`GET /api/orders/${order.id}`)
    return [invoice, can.invoice]
  }
  expect(await shown()).toEqual([null, true])
  const { id } = await invoices.draft({ orderId: order.id })
  expect(await shown()).toEqual([{ id, number: null }, false])
  const { number } = await world.ada.fetchJson<ShownInvoice>(`POST /api/invoices/${id}/issue`)
  expect(await shown()).toEqual([{ id, number }, false])
  await world.ada.fetchJson(`POST /api/invoices/${id}/void`, { reason: 'Wrong buyer' })
  expect(await shown()).toEqual([null, true])
  await world.ada.fetchJson(`POST /api/orders/${order.id}/cancel`)
  expect(await shown()).toEqual([null, false])
})

test('PAY-30 invoice is overdue when its due date has passed where its merchant is', async () => {
  // Of its own: no other invoice was issued on a later day.
  const merchant = { name: 'Date line', timeZone: 'Pacific/Pago_Pago' }
  const { id: merchantId } = await world.ada.fetchJson<{ id: string }>('POST /api/merchants', merchant, 201)
  const { id } = await invoices.issue({ ...training, paymentDays: 0, merchantId })
  const seen = async () => {
    const { items } = await invoices.list('?status=overdue&limit=100')
    const summary = await world.ada.fetchJson<{ overdue: { count: number }[] }>('GET /api/invoices/summary')
    const counts = await world.ada.fetchJson<{ byStatus: { overdue?: number } }>('GET /api/invoices/counts')
    const { overdueDays } = await world.ada.fetchJson<{ overdueDays: number }>(`GET /api/invoices/${id}`)
    const isListed = items.some((each) => each.id === id)
    return [isListed, overdueDays > 0, (summary.overdue[0]?.count ?? 0) > 0, (counts.byStatus.overdue ?? 0) > 0]
  }
  expect(await seen()).toEqual([false, false, false, false])
  await world.ada.fetchJson(`PATCH /api/merchants/${merchantId}`, { timeZone: 'Pacific/Kiritimati' })
  expect(await seen()).toEqual([true, true, true, true])
})

test('PAY-30 40 invoices and credit notes at once have numbers without gaps', async () => {
  const orders = await Promise.all(Array.from({ length: 8 }, () => shop.sell()))
  await Promise.all([
    ...orders.map((order) => invoices.issue({ orderId: order.id })),
    ...Array.from({ length: 24 }, () => invoices.issue()),
  ])
  await Promise.all(orders.map((order) => refunds.create({ orderId: order.id, amount: 100 })))
  const { complete, series } = await invoices.numbering()
  expect(complete).toBe(true)
  expect(new Set(series.map(({ kind }) => kind))).toEqual(new Set(['credit_note', 'invoice']))
  for (const { count, last } of series) expect(sequenceOf({ number: last })).toBe(count)
})

test('PAY-30 the same Idempotency-Key issues one invoice', async () => {
  const headers = { 'idempotency-key': 'invoice-once' }
  const [first, second] = await Promise.all(
    [1, 2].map(async () => {
      const response = await world.ada.fetch('POST /api/invoices', { ...training, issue: true }, headers)
      return [response.status, await response.json()] as const
    }),
  )
  const third = await world.ada.fetch('POST /api/invoices', { ...training, issue: true }, headers)
  const numbers = [first, second, [third.status, await third.json()] as const]
    .filter((answer) => answer?.[0] === 201)
    .map((answer) => answer?.[1].number)
  expect(new Set(numbers).size).toBe(1)
})

test('PAY-30 list is filtered by state, buyer, currency and day, and exported as CSV', async () => {
  const yen = await invoices.issue({
    currency: 'JPY',
    lines: [{ name: 'Kenya', unitAmount: 3_200 }],
    buyer: { name: 'Yui', email: 'yui@example.com' },
  })
  const found = async (query: string) => (await invoices.list(query)).items.map(({ id }) => id)
  for (const query of ['?currency=JPY', '?email=yui%40example.com', '?q=yui', `?q=${yen.number}`])
    expect(await found(query)).toEqual([yen.id])
  expect(await found('?status=open&currency=JPY')).toEqual([yen.id])
  expect(await found('?status=overdue&currency=JPY')).toEqual([])
  expect(await found(`?from=${yen.issuedOn}&currency=JPY&to=${yen.issuedOn}`)).toEqual([yen.id])
  expect((await invoices.list('?status=credit_note')).items.every(({ kind }) => kind === 'credit_note')).toBe(true)
  const csv = await (await world.ada.fetch('GET /api/invoices/export?currency=JPY')).text()
  expect(csv.split('\r\n')[1]).toContain(yen.number ?? 'no number')
  const counts = await world.ada.fetchJson<{ byStatus: Record<string, number> }>(
    'GET /api/invoices/counts?currency=JPY',
  )
  expect(counts.byStatus).toEqual({ open: 1 })
})

test('PAY-30 open invoice is overdue from the day after its due date', async () => {
  const { id } = await invoices.issue({ ...training, paymentDays: 0 })
  expect(await invoices.read(id)).toMatchObject({ status: 'open', overdueDays: 0 })
  await world.database.sql`ALTER TABLE payments.invoices DISABLE TRIGGER invoices_unchanged`
  await world.database.sql`UPDATE payments.invoices SET due_on = due_on - 3 WHERE id = ${id}`
  await world.database.sql`ALTER TABLE payments.invoices ENABLE TRIGGER invoices_unchanged`
  expect(await invoices.read(id)).toMatchObject({ status: 'open', overdueDays: 3 })
  expect((await invoices.list('?status=overdue')).items.map((each) => each.id)).toContain(id)
})

test('PAY-30 invoices of another organization don’t exist', async () => {
  const { id } = await invoices.issue()
  const strangers = invoicesOf(world.mallory)
  for (const route of [`GET /api/invoices/${id}`, `GET /api/invoices/${id}/pdf`, `POST /api/invoices/${id}/void`])
    expect(await strangers.refusal(route, route.startsWith('GET') ? undefined : { reason: 'Mine' })).toMatchObject({
      status: 404,
    })
  expect((await strangers.list()).items.map((each) => each.id)).not.toContain(id)
})
