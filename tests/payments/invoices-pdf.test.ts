import { afterAll, beforeAll, expect, test } from 'bun:test'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { openWorld, type World } from '../support/world.ts'
import { invoicesOf, setMerchant, textOf, training, type Invoices, type ShownInvoice } from './invoicing.ts'

let world: World
let invoices: Invoices

beforeAll(async () => {
  world = await openWorld()
  invoices = invoicesOf(world.ada)
  await setMerchant(world, { taxNumber: 'DE811569869' })
})
afterAll(() => world.close())

const coffees = {
  currency: 'EUR',
  taxMode: 'exclusive',
  lines: [
    { name: 'Ελληνικά καφέ', quantity: 2, unitAmount: 1_250, taxRate: '19' },
    { name: 'Кофе в зёрнах', quantity: 1, unitAmount: 98_765, taxRate: '7' },
    { name: 'Crème brûlée, Straße, Łódź', quantity: 3, unitAmount: 333, taxRate: '0' },
  ],
  buyer: { name: 'Đorđe & Æther Kávéház', email: 'a@example.com' },
  language: 'de-DE',
}

test('PAY-30 PDF of an invoice has its text in Latin, Greek and Cyrillic, and amounts as its buyer writes them', async () => {
  const { id, number } = await invoices.issue(coffees)
  const [text = ''] = await textOf(await invoices.pdf(id))
  for (const part of [
    'Rechnung',
    number ?? 'no number',
    'Acme Coffee GmbH',
    'Oranienstraße 34',
    'DE811569869',
    'Ελληνικά καφέ',
    'Кофе в зёрнах',
    'Crème brûlée, Straße, Łódź',
    'Đorđe & Æther Kávéház',
    '987,65 €',
    '25,00 €',
    'Seite 1 von 1',
  ])
    expect(text).toContain(part)
})

test('PAY-30 PDF is PDF/A-3 with embedded fonts, tags, a language and the data of the invoice', async () => {
  const { id, total } = await invoices.issue(coffees)
  const bytes = await invoices.pdf(id)
  const raw = Buffer.from(bytes).toString('latin1')
  expect(raw.slice(0, 8)).toBe('%PDF-1.7')
  for (const part of ['<pdfaid:part>3</pdfaid:part>', '<pdfaid:conformance>B', '/GTS_PDFA1', '/AFRelationship /Data'])
    expect(raw).toContain(part)
  expect(raw).toContain('/FontFile2')
  expect(raw).not.toContain('/Helvetica')
  const pdf = await getDocument({ data: bytes.slice(), verbosity: 0 }).promise
  const { info } = await pdf.getMetadata()
  expect([info, await pdf.getMarkInfo()]).toMatchObject([{ Language: 'de-DE' }, new Map([['Marked', true]])])
  const attached: unknown = JSON.parse(inflatedJson(bytes))
  expect(attached).toMatchObject({ total, lines: [{ name: 'Ελληνικά καφέ' }, {}, {}], taxes: [{ rate: '19' }, {}, {}] })
})

/** The attachment is the only stream that is JSON. */
function inflatedJson(bytes: Uint8Array): string {
  const raw = Buffer.from(bytes)
  for (let at = raw.indexOf('stream\n'); at >= 0; at = raw.indexOf('stream\n', at + 7)) {
    const end = raw.indexOf('endstream', at)
    const text = inflate(raw.subarray(at + 7, end))
    if (text.startsWith('{\n')) return text
  }
  return 'null'
}

function inflate(bytes: Uint8Array): string {
  try {
    return Buffer.from(Bun.inflateSync(Buffer.from(bytes.subarray(2)))).toString()
  } catch {
    return ''
  }
}

test('PAY-30 PDF of the same invoice has the same bytes and ETag, also after it was voided', async () => {
  const { id } = await invoices.issue(coffees)
  const read = () => world.ada.fetch(`GET /api/invoices/${id}/pdf`)
  const first = await read()
  const etag = first.headers.get('etag') ?? ''
  expect([first.headers.get('content-type'), first.headers.get('content-disposition')]).toEqual([
    'application/pdf',
    expect.stringMatching(/^inline; filename="[\w-]+\.pdf"$/),
  ])
  const bytes = await first.arrayBuffer()
  await world.ada.fetchJson(`POST /api/invoices/${id}/void`, { reason: 'Replaced' })
  await Bun.sleep(1_100)
  const again = await read()
  expect([again.headers.get('etag'), Buffer.from(await again.arrayBuffer()).equals(Buffer.from(bytes))]).toEqual([
    etag,
    true,
  ])
  const unchanged = await world.ada.fetch(`GET /api/invoices/${id}/pdf`, undefined, { 'if-none-match': etag })
  expect(unchanged.status).toBe(304)
})

test('PAY-30 PDF of 100 lines and long words repeats the head of its table on each page', async () => {
  const lines = Array.from({ length: 100 }, (_, at) => ({
    name: at === 50 ? 'Donaudampfschifffahrtsgesellschaft'.repeat(7) : `Line ${at + 1}`,
    unitAmount: 100 + at,
    taxRate: at % 2 === 0 ? '19' : '7',
  }))
  const { id } = await invoices.issue({ ...training, lines })
  const pages = await textOf(await invoices.pdf(id))
  expect(pages.length).toBeGreaterThan(2)
  pages.forEach((text, at) => expect(text).toContain(`Page ${at + 1} of ${pages.length}`))
  const withLines = pages.filter((text) => /Line \d/.test(text))
  for (const text of withLines) expect(text).toMatch(/Description Quantity Price VAT Amount/)
  const whole = pages.join(' ')
  for (const at of [1, 50, 52, 100]) expect(whole).toContain(`Line ${at} `)
})

test('PAY-35 PDF of a credit note names its invoice, and of reverse charge the article of the directive', async () => {
  const buyer = { name: 'Kaffebaren ApS', taxNumber: 'DK38291746' }
  const invoice = await invoices.issue({ ...training, buyer })
  const [text = ''] = await textOf(await invoices.pdf(invoice.id))
  expect(text).toContain('Reverse charge: the recipient is liable for VAT under Article 196')
  expect(text).toContain('VAT 0%, reverse charge')
  await world.ada.fetchJson(`POST /api/invoices/${invoice.id}/void`, { reason: 'Wrong hours', creditNote: true })
  const { creditNotes } = await invoices.read(invoice.id)
  const [noteText = ''] = await textOf(await invoices.pdf(creditNotes[0]?.id ?? ''))
  for (const part of ['Credit note', `Corrects invoice ${invoice.number}`, 'Reason: Wrong hours', '€390.00'])
    expect(noteText).toContain(part)
})

test.each([
  ['JPY', '3200', '¥3,200'],
  ['KWD', '1.250', 'KWD 1.250'],
  ['INR', '98765.40', '₹98,765.40'],
  ['UAH', '12.40', 'UAH 12.40'],
])('PAY-30 PDF writes amounts of %s with its decimal places', async (currency, price, written) => {
  const { id } = await invoices.issue({ currency, lines: [{ name: 'Coffee', price }] })
  const [text = ''] = await textOf(await invoices.pdf(id))
  expect(text.replaceAll('\u00A0', ' ')).toContain(written)
})

test('PAY-30 characters that no font has are marked, and the attached data keeps them', async () => {
  const { id } = await invoices.issue({ currency: 'EUR', lines: [{ name: 'Tea 茶', unitAmount: 100 }] })
  const bytes = await invoices.pdf(id)
  expect((await textOf(bytes))[0]).toContain('Tea \uFFFD')
  expect(inflatedJson(bytes)).toContain('Tea 茶')
})

test('PAY-30 invoice is emailed with links to its PDF and to the page to pay on', async () => {
  const { id, number } = await invoices.issue(coffees)
  const sent = await world.ada.fetchJson<ShownInvoice>(`POST /api/invoices/${id}/send`, { to: 'buyer@example.com' })
  expect(sent).toMatchObject({ sentTo: 'buyer@example.com' })
  const [mail] = await world.letters('buyer@example.com')
  expect(mail?.subject).toBe(`Invoice ${number} from Acme Coffee GmbH`)
  const [, path = ''] = /(\/api\/pay\/invoices\/[\w-]+\/pdf)/.exec(mail?.text ?? '') ?? []
  expect(mail?.text).toContain('/payments/')
  const response = await world.stranger.fetch(`GET ${path}`)
  expect([response.status, response.headers.get('referrer-policy')]).toEqual([200, 'no-referrer'])
  expect((await textOf(new Uint8Array(await response.arrayBuffer())))[0]).toContain(number ?? 'no number')
  const unknown = await world.stranger.fetch(`GET ${path.replace(/\/[\w-]+\/pdf/, `/${'x'.repeat(43)}/pdf`)}`)
  expect(unknown.status).toBe(404)
  expect(await invoices.refusal(`POST /api/invoices/${(await invoices.draft()).id}/send`)).toMatchObject({
    status: 409,
  })
})

test('PAY-30 an address gets at most 20 invoices a day, and a name with a line break is refused', async () => {
  const { id } = await invoices.issue()
  const statuses: number[] = []
  for (let sent = 0; sent < 21; sent += 1)
    statuses.push((await world.ada.fetch(`POST /api/invoices/${id}/send`, { to: 'Often@example.com' })).status)
  expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([20, 429])
  const elsewhere = await invoicesOf(world.mallory).issue()
  expect(
    await invoicesOf(world.mallory).refusal(`POST /api/invoices/${elsewhere.id}/send`, { to: 'often@example.com' }),
  ).toMatchObject({
    status: 429,
    problem: { code: 'too_many_mails' },
  })
  const name = 'Acme\nBcc: v@example.com'
  for (const draft of [
    { ...training, buyer: { name } },
    { ...training, lines: [{ name, unitAmount: 100 }] },
  ])
    expect(await invoices.refusal('POST /api/invoices', draft)).toMatchObject({ status: 422 })
})

test('PAY-30 PDFs that one organization requests at once wait for each other, and hold up no other organization', async () => {
  const other = await invoicesOf(world.mallory).draft()
  const drafts = await Promise.all(
    Array.from({ length: 12 }, (_, at) => invoices.draft({ ...training, note: `Draft ${at}` })),
  )
  // Those that wait for longer than 30 s, which slow machines reach, are refused with 503, and requested again.
  const pdfOf = async ({ id }: { id: string }): Promise<number> => {
    for (let request = 1; ; request++) {
      const { status } = await world.ada.fetch(`GET /api/invoices/${id}/pdf`)
      if (status !== 503 || request === 5) return status
      await Bun.sleep(1_000)
    }
  }
  const all = Promise.all(drafts.map((draft) => pdfOf(draft)))
  const { status } = await world.mallory.fetch(`GET /api/invoices/${other.id}/pdf`)
  expect(status).toBe(200)
  const statuses = await all
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses.filter((each) => each === 200).length).toBeGreaterThanOrEqual(8)
})

test('PAY-30 buyer’s PDF of an invoice says that it is void', async () => {
  const { id } = await invoices.issue()
  const [{ token } = { token: '' }] = await world.database.sql<{ token: string }[]>`
    SELECT token FROM payments.invoices WHERE id = ${id}`
  const textOfSent = async () => {
    const sent = await world.stranger.fetch(`GET /api/pay/invoices/${token}/pdf`)
    return (await textOf(new Uint8Array(await sent.arrayBuffer())))[0]
  }
  expect(await textOfSent()).not.toContain('Void')
  await world.ada.fetchJson(`POST /api/invoices/${id}/void`, { reason: 'Replaced' })
  expect(await textOfSent()).toContain('Invoice (Void)')
})
