import type { Box, Piece, Sheet } from './sheet.ts'

export interface Column {
  title: string
  /** Of the width of the sheet. */
  share: number
  align?: 'right'
}

interface Cell {
  text: string
  bold?: boolean
  /** In small below the text. */
  detail?: string
}

export type Row = readonly Cell[]

const gap = 8
const padding = 5

/** A table whose head is repeated on each page. */
export function drawTable(sheet: Sheet, columns: readonly Column[], rows: readonly Row[]): Piece {
  const boxes = boxesOf(sheet, columns)
  const drawn: Piece[] = []
  const head = (): void => {
    const cells = columns.map(({ title }) => ({ text: title }))
    sheet.makeRoom(heightOf(sheet, boxes, cells) * 3)
    drawn.push(drawRow(sheet, boxes, cells, 'TH'))
  }
  head()
  for (const row of rows) {
    if (sheet.makeRoom(heightOf(sheet, boxes, row))) head()
    drawn.push(drawRow(sheet, boxes, row, 'TD'))
  }
  return sheet.document.struct('Table', {}, drawn)
}

function boxesOf({ left, width }: Sheet, columns: readonly Column[]): Box[] {
  let x = left
  return columns.map(({ share, align }) => {
    const start = x
    x += width * share
    return { x: align ? start + gap : start, width: width * share - gap, ...(align && { align }) }
  })
}

const detailOf = (box: Box): Box => ({ ...box, size: 8, muted: true })

const heightOf = (sheet: Sheet, boxes: readonly Box[], row: Row): number =>
  2 * padding + Math.max(...boxes.map((box, at) => heightOfCell(sheet, box, row[at] ?? { text: '' })))

const heightOfCell = (sheet: Sheet, box: Box, { text, detail, bold = false }: Cell): number =>
  sheet.height(text, { ...box, bold }) + (detail ? sheet.height(detail, detailOf(box)) : 0)

function drawRow(sheet: Sheet, boxes: readonly Box[], row: Row, tag: 'TH' | 'TD'): Piece {
  const height = heightOf(sheet, boxes, row)
  const top = sheet.y + padding
  const cells = boxes.flatMap((box, at) => {
    const { text, detail, bold = false } = row[at] ?? { text: '' }
    const own = { ...box, bold, muted: tag === 'TH' }
    const { piece, height: below } = sheet.write(tag, text, top, own)
    return detail ? [piece, sheet.write('TD', detail, top + below, detailOf(box)).piece] : [piece]
  })
  sheet.y += height
  sheet.rule(sheet.y)
  return sheet.document.struct('TR', {}, cells)
}
