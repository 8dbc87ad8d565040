import { collect } from './collect.ts'
import type { Fonts } from './fonts.ts'
import { formatsOf, type Formats } from './formats.ts'
import { openSheet, type Piece, type Sheet } from './sheet.ts'
import { drawTable, type Row } from './table.ts'
import type { Drawing as AnyDrawing } from './message.ts'

type DrawnStatement = Extract<AnyDrawing, { statement: unknown }>
type Stored = DrawnStatement['statement']
type OfCurrency = Stored['currencies'][number]

interface Drawing {
  sheet: Sheet
  pieces: Piece[]
}

const language = 'en'

const monthName = (month: string): string =>
  Temporal.PlainDate.from(`${month}-01`).toLocaleString('en-GB', { month: 'long', year: 'numeric' })

/** The statement of a merchant and month as PDF/A-3b: the same bytes for the same statement. */
export function renderStatement({ statement, accountNames }: DrawnStatement, fonts: Fonts): Buffer<ArrayBuffer> {
  const { month, merchantName, legalName, to, currencies, taxes } = statement
  const title = `Statement ${monthName(month)}`
  const author = legalName ?? merchantName
  const sheet = openSheet({ fonts, title, author, language, createdAt: new Date(`${to}T00:00:00Z`) })
  const collected = collect(sheet.document)
  const drawing: Drawing = { sheet, pieces: [] }
  drawHead(drawing, statement, title)
  for (const each of currencies) drawCurrency(drawing, each, accountNames)
  drawTaxes(drawing, taxes)
  if (currencies.length === 0) write(drawing, 'P', 'Nothing was booked to this month or before.')
  sheet.footer((page, of) => [`${author} · ${title}`, `Page ${page} of ${of}`])
  sheet.document.addStructure(sheet.document.struct('Document', { title, lang: language }, drawing.pieces))
  sheet.document.end()
  return collected()
}

function write(
  { sheet, pieces }: Drawing,
  tag: 'H1' | 'H2' | 'P',
  text: string,
  look: { size?: number; muted?: boolean } = {},
): void {
  const box = { x: sheet.left, width: sheet.width, bold: tag !== 'P', ...look }
  // With what follows it.
  sheet.makeRoom(sheet.height(text, box) + (tag === 'H2' ? 80 : 0))
  const { piece, height } = sheet.write(tag, text, sheet.y, box)
  pieces.push(piece)
  sheet.y += height + 6
}

function drawHead(drawing: Drawing, statement: Stored, title: string): void {
  const { merchantName, legalName, timeZone, from, to, state, hash, late } = statement
  write(drawing, 'H1', title, { size: 18 })
  const names = [legalName, legalName === merchantName ? null : merchantName].filter(Boolean).join(', ')
  write(drawing, 'P', names, { size: 11 })
  write(drawing, 'P', `${from} – ${to}, days in ${timeZone}`, { muted: true })
  write(
    drawing,
    'P',
    state === 'closed' ? 'This month is closed.' : 'This month is open: its numbers can still change.',
    {
      muted: true,
    },
  )
  if (hash !== null) write(drawing, 'P', `End of the ledger when it was closed: sha256 ${hash}`, { muted: true })
  if (late > 0) write(drawing, 'P', `${late} bookings belong to months that were closed before.`, { muted: true })
  drawing.sheet.y += 12
}

function drawCurrency(drawing: Drawing, each: OfCurrency, names: DrawnStatement['accountNames']): void {
  const formats = formatsOf(language, each.currency)
  write(drawing, 'H2', each.currency, { size: 12 })
  draw(
    drawing,
    [
      { title: 'Movements', share: 0.6 },
      { title: 'Amount', share: 0.4, align: 'right' },
    ],
    movementsOf(each, formats),
  )
  const columns = ['Account', 'Before', 'Change', 'After'].map((name, at) => ({
    title: name,
    share: at === 0 ? 0.4 : 0.2,
    ...(at > 0 && { align: 'right' as const }),
  }))
  const rows = each.accounts.map(({ account, opening, change, closing }): Row => [
    { text: names[account] ?? account },
    { text: formats.money(opening) },
    { text: formats.money(change) },
    { text: formats.money(closing) },
  ])
  draw(drawing, columns, rows)
}

function draw({ sheet, pieces }: Drawing, columns: Parameters<typeof drawTable>[1], rows: readonly Row[]): void {
  pieces.push(drawTable(sheet, columns, rows))
  sheet.y += 14
}

function movementsOf(each: OfCurrency, { money, number }: Formats): Row[] {
  const lines: [string, bigint, boolean?][] = [
    [`Takings (${number(each.payments)} ${each.payments === 1 ? 'payment' : 'payments'})`, each.takings],
    ['Refunds', -each.refunds],
    ['Disputes', -each.disputes],
    ['Fees', -each.fees],
    ['Corrections and conversion', each.other],
    ['Net', each.net, true],
    ['Paid out', each.payouts],
  ]
  return lines.map(([text, amount, bold = false]) => [
    { text, bold },
    { text: money(amount), bold },
  ])
}

function drawTaxes(drawing: Drawing, taxes: Stored['taxes']): void {
  if (taxes.length === 0) return
  write(drawing, 'H2', 'Taxes', { size: 12 })
  const columns = ['Rate', 'Gross', 'Net', 'Tax'].map((title, at) => ({
    title,
    share: 0.25,
    ...(at > 0 && { align: 'right' as const }),
  }))
  const rows = taxes.map(({ rate, currency, gross, net, tax }): Row => {
    const { money, percent } = formatsOf(language, currency)
    return [
      { text: rate === null ? 'Without an order' : percent(rate) },
      { text: money(gross) },
      { text: money(net) },
      { text: money(tax) },
    ]
  })
  draw(drawing, columns, rows)
}
