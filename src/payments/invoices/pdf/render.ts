import type { DrawnInvoice } from './message.ts'
import type { Fonts } from './fonts.ts'
import { attachData } from './attach-data.ts'
import { collect } from './collect.ts'
import { formatsOf, type Formats } from './formats.ts'
import { openSheet, type Box, type Piece, type Sheet } from './sheet.ts'
import { drawTable, type Row } from './table.ts'
import { wordsOf } from './words.ts'

interface Drawing {
  sheet: Sheet
  invoice: DrawnInvoice
  words: ReturnType<typeof wordsOf>
  formats: Formats
  pieces: Piece[]
}

/** The document of an invoice as PDF/A-3b, with its data attached as JSON. The same invoice gives the same bytes. */
export function renderInvoice(
  { invoice, isVoid }: { invoice: DrawnInvoice; isVoid: boolean },
  fonts: Fonts,
): Buffer<ArrayBuffer> {
  const words = wordsOf(invoice.language)
  const kind = invoice.kind === 'invoice' ? words.invoice : words.creditNote
  const name = isVoid ? `${kind} (${words.void})` : kind
  const title = `${name} ${invoice.number ?? words.draft}`
  const createdAt = invoice.issuedAt ?? invoice.createdAt
  const { language, seller } = invoice
  const sheet = openSheet({ fonts, title, author: seller.name, language, createdAt })
  const formats = formatsOf(language, invoice.currency)
  const drawing: Drawing = { sheet, invoice, words, formats, pieces: [] }
  const collected = collect(sheet.document)
  drawHead(drawing, name)
  drawParties(drawing)
  drawLines(drawing)
  drawTotals(drawing)
  drawNotes(drawing)
  sheet.footer((page, of) => [`${seller.name} · ${title}`, words.page(page, of)])
  sheet.document.addStructure(sheet.document.struct('Document', { title, lang: language }, drawing.pieces))
  attachData(sheet, invoice, createdAt)
  sheet.document.end()
  return collected()
}

function drawHead({ sheet, invoice, words, formats, pieces }: Drawing, name: string): void {
  const { seller, number, issuedOn } = invoice
  const half = sheet.width / 2
  const left = { x: sheet.left, width: half - 16 }
  const right: Box = { x: sheet.left + half, width: half, align: 'right' }
  const heading = sheet.write('H1', name, sheet.y, { ...right, size: 18, bold: true })
  const facts = [number ?? words.draft, issuedOn && formats.day(issuedOn)].filter(Boolean).join('\n')
  const details = sheet.write('P', facts, sheet.y + heading.height + 2, right)
  const from = sheet.write('P', seller.name, sheet.y, { ...left, size: 11, bold: true })
  const address = [formats.address(seller.address), seller.taxNumber && `${words.taxNumber} ${seller.taxNumber}`]
  const about = sheet.write('P', address.filter(Boolean).join('\n') || ' ', sheet.y + from.height + 2, left)
  pieces.push(heading.piece, details.piece, from.piece, about.piece)
  sheet.y += Math.max(heading.height + details.height, from.height + about.height) + 28
}

function drawParties({ sheet, invoice, words, formats, pieces }: Drawing): void {
  const { buyer, dueOn, paymentDays, reference, original, serviceFrom, serviceTo, kind } = invoice
  const service = [serviceFrom, serviceTo === serviceFrom ? null : serviceTo].flatMap((day) =>
    day ? formats.day(day) : [],
  )
  const buyerText = [
    buyer.name ?? buyer.email ?? '–',
    formats.address(buyer.address),
    buyer.taxNumber && `${words.taxNumber} ${buyer.taxNumber}`,
  ]
  const facts: [string, string][] = [[words.billTo, buyerText.filter(Boolean).join('\n')]]
  if (service.length > 0) facts.push([words.serviceDate, service.join(' – ')])
  if (reference !== null) facts.push([words.reference, reference])
  if (kind === 'invoice')
    facts.push([words.due, [dueOn && formats.day(dueOn), words.netDays(paymentDays)].filter(Boolean).join('\n')])
  const share = sheet.width / facts.length
  const heights = facts.map(([title, text], at) => {
    const box = { x: sheet.left + at * share, width: share - 12 }
    const heading = sheet.write('H2', title, sheet.y, { ...box, size: 8, muted: true })
    const body = sheet.write('P', text, sheet.y + heading.height + 2, box)
    pieces.push(heading.piece, body.piece)
    return heading.height + body.height
  })
  sheet.y += Math.max(...heights) + 22
  if (original) paragraph({ sheet, pieces }, words.corrects(original.number, formats.day(original.issuedOn)))
}

function drawLines({ sheet, invoice, words, formats, pieces }: Drawing): void {
  const { lines, taxMode } = invoice
  const columns = [
    { title: words.description, share: 0.42 },
    { title: words.quantity, share: 0.12, align: 'right' as const },
    { title: words.price, share: 0.17, align: 'right' as const },
    { title: words.tax, share: 0.11, align: 'right' as const },
    { title: words.amount, share: 0.18, align: 'right' as const },
  ]
  const rows = lines.map((line): Row => [
    {
      text: line.name,
      ...(line.discount > 0n && { detail: `${words.discount} ${formats.money(-line.discount)}` }),
    },
    { text: formats.number(line.quantity) },
    { text: formats.money(line.unitAmount) },
    { text: formats.percent(line.taxRate) },
    { text: formats.money(taxMode === 'inclusive' ? line.total : line.total - line.tax) },
  ])
  pieces.push(drawTable(sheet, columns, rows))
  sheet.y += 14
}

function drawTotals({ sheet, invoice, words, formats, pieces }: Drawing): void {
  const { taxes, total, tax, reverseCharge } = invoice
  const suffix = reverseCharge ? `, ${words.reverseChargeShort}` : ''
  const rows: [string, string, boolean][] = [
    [words.net, formats.money(total - tax), false],
    ...taxes.map(({ rate, tax: own }): [string, string, boolean] => [
      `${words.tax} ${formats.percent(rate)}${suffix}`,
      formats.money(own),
      false,
    ]),
    [words.total, formats.money(total), true],
  ]
  sheet.makeRoom(rows.length * 20)
  const x = sheet.left + sheet.width * 0.5
  for (const [title, text, bold] of rows) {
    const size = bold ? 11 : 9
    const label = sheet.write('P', title, sheet.y, { x, width: sheet.width * 0.27, bold, size })
    const amount = sheet.write('P', text, sheet.y, {
      x: x + sheet.width * 0.27,
      width: sheet.width * 0.23,
      align: 'right',
      bold,
      size,
    })
    pieces.push(label.piece, amount.piece)
    sheet.y += Math.max(label.height, amount.height) + 5
  }
  sheet.y += 14
  if (taxes.length > 1) drawTaxTable({ sheet, invoice, words, formats, pieces })
}

function drawTaxTable({ sheet, invoice, words, formats, pieces }: Drawing): void {
  const columns = [words.tax, words.net, words.tax, words.gross].map((title, at) => ({
    title,
    share: 0.25,
    ...(at > 0 && { align: 'right' as const }),
  }))
  const rows = invoice.taxes.map(({ rate, net, tax, total }): Row => [
    { text: formats.percent(rate) },
    { text: formats.money(net) },
    { text: formats.money(tax) },
    { text: formats.money(total) },
  ])
  pieces.push(drawTable(sheet, columns, rows))
  sheet.y += 14
}

function drawNotes({ sheet, invoice, words, pieces }: Drawing): void {
  const { reverseCharge, taxMode, tax, note, reason, kind } = invoice
  if (reverseCharge) paragraph({ sheet, pieces }, words.reverseCharge)
  if (kind === 'invoice' && taxMode === 'inclusive' && tax > 0n) paragraph({ sheet, pieces }, words.includesTax)
  if (reason !== null) paragraph({ sheet, pieces }, `${words.reason}: ${reason}`)
  if (note !== null) paragraph({ sheet, pieces }, note)
}

function paragraph({ sheet, pieces }: Pick<Drawing, 'sheet' | 'pieces'>, text: string): void {
  const box = { x: sheet.left, width: sheet.width }
  sheet.makeRoom(sheet.height(text, box))
  const { piece, height } = sheet.write('P', text, sheet.y, box)
  pieces.push(piece)
  sheet.y += height + 10
}
