import PDFDocument from 'pdfkit'
import type { Fonts } from './fonts.ts'

const margin = 56
const footerHeight = 40
const colors = { ink: '#172024', muted: '#4d5c63', rule: '#cfd8db' }

export interface Box {
  x: number
  width: number
  align?: 'left' | 'right'
  size?: number
  bold?: boolean
  muted?: boolean
}

type Tag = 'H1' | 'H2' | 'P' | 'TH' | 'TD'
export type Piece = ReturnType<PDFKit.PDFDocument['struct']>

interface SheetOptions {
  fonts: Fonts
  title: string
  author: string
  language: string
  createdAt: Date
}

interface Written {
  piece: Piece
  height: number
}

export interface Sheet {
  readonly document: PDFKit.PDFDocument
  readonly left: number
  readonly width: number
  /** Where the next text begins. */
  y: number
  height(text: string, box: Box): number
  write(tag: Tag, text: string, at: number, box: Box): Written
  rule(at: number): void
  /** Begins another page unless `height` is left on this one. True when it did. */
  makeRoom(height: number): boolean
  footer(textOf: (page: number, of: number) => readonly [left: string, right: string]): void
}

/** An A4 document to write on from top to bottom: tagged, PDF/A-3b, and the same bytes for the same content. */
export function openSheet({ fonts, title, author, language, createdAt }: SheetOptions): Sheet {
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: margin, left: margin, right: margin, bottom: 0 },
    font: '',
    subset: 'PDF/A-3b',
    pdfVersion: '1.7',
    tagged: true,
    displayTitle: true,
    lang: language,
    bufferPages: true,
    info: { Title: title, Author: author, Creator: 'Atrium', Producer: 'Atrium', CreationDate: createdAt },
  })
  for (const { name, bytes } of fonts.files) document.registerFont(name, bytes)
  const width = document.page.width - 2 * margin
  const bottom = document.page.height - margin - footerHeight
  const options = ({ width: boxWidth, align = 'left' }: Box) => ({ width: boxWidth, align, lineGap: 1.5 })
  const prepare = (text: string, { size = 9, bold = false }: Box): string => {
    const fitted = fonts.fit(text, bold)
    document.font(fitted.font).fontSize(size)
    return fitted.text
  }
  const draw = (text: string, at: number, box: Box): void => {
    const fitted = prepare(text, box)
    document.fillColor(box.muted ? colors.muted : colors.ink).text(fitted, box.x, at, options(box))
  }
  const height = (text: string, box: Box): number => document.heightOfString(prepare(text, box), options(box))
  const artifact = (type: 'Layout' | 'Pagination', drawing: () => void): void => {
    document.markContent('Artifact', { type })
    drawing()
    document.endMarkedContent()
  }
  const sheet: Sheet = {
    document,
    left: margin,
    width,
    y: margin,
    height,
    write: (tag, text, at, box) => {
      const content = document.markStructureContent(tag)
      draw(text, at, box)
      document.endMarkedContent()
      return { piece: document.struct(tag, {}, [content]), height: height(text, box) }
    },
    rule: (at) =>
      artifact('Layout', () => {
        document
          .moveTo(margin, at)
          .lineTo(margin + width, at)
          .lineWidth(0.5)
          .stroke(colors.rule)
      }),
    makeRoom: (wanted) => {
      if (sheet.y + wanted <= bottom) return false
      document.addPage()
      sheet.y = margin
      return true
    },
    footer: (textOf) => {
      const { start, count } = document.bufferedPageRange()
      for (let page = start; page < start + count; page += 1) {
        document.switchToPage(page)
        const [left, right] = textOf(page + 1, count)
        const at = bottom + footerHeight / 2
        const box = { size: 8, muted: true } as const
        artifact('Pagination', () => {
          draw(left, at, { ...box, x: margin, width: width * 0.7 })
          draw(right, at, { ...box, x: margin + width * 0.7, width: width * 0.3, align: 'right' })
        })
      }
    },
  }
  return sheet
}
