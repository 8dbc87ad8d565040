import { create, type Font } from 'fontkit'
import { StartupError } from '#lib/startup-error.ts'

/** DejaVu: Latin, Greek, Cyrillic and more, as static fonts (PDFKit draws variable ones wrongly). */
const packaged = {
  text: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
}

type FontName = 'text' | 'bold' | 'cjk'

export interface Fonts {
  readonly files: readonly { name: FontName; bytes: Buffer }[]
  /** The font that has most of a text’s characters, and the text with a mark for those that it hasn’t. */
  fit(text: string, bold?: boolean): { font: FontName; text: string }
}

const loaded = new Map<string, Promise<Fonts>>()

/** Read once. @param cjkFont The path of a font for Chinese, Japanese and Korean (`PDF_CJK_FONT`) */
export function loadFonts(cjkFont: string | undefined): Promise<Fonts> {
  const name = cjkFont ?? ''
  const known = loaded.get(name)
  if (known) return known
  const reading = readFonts(cjkFont)
  loaded.set(name, reading)
  reading.catch(() => loaded.delete(name))
  return reading
}

async function readFonts(cjkFont: string | undefined): Promise<Fonts> {
  const [text, bold, cjk] = await Promise.all([
    readFile(new URL(packaged.text)),
    readFile(new URL(packaged.bold)),
    cjkFont === undefined ? null : readFile(cjkFont),
  ])
  const own = open(text)
  const fallback = cjk && open(cjk)
  return {
    files: [
      { name: 'text', bytes: text },
      { name: 'bold', bytes: bold },
      ...(cjk ? [{ name: 'cjk' as const, bytes: cjk }] : []),
    ],
    fit: (given, isBold = false) => {
      const written = given.normalize('NFC')
      if (fallback && countMissing(fallback, written) < countMissing(own, written))
        return { font: 'cjk', text: markMissing(fallback, written) }
      return { font: isBold ? 'bold' : 'text', text: markMissing(own, written) }
    },
  }
}

const readFile = async (path: string | URL): Promise<Buffer> => Buffer.from(await Bun.file(path).arrayBuffer())

function open(bytes: Buffer): Font {
  const font = create(bytes)
  if ('fonts' in font) throw new StartupError('PDF_CJK_FONT must be one font, not a collection (.ttc).')
  return font
}

const isBreak = (character: string): boolean => character === '\n' || character === '\r' || character === '\t'

const lacks = (font: Font, character: string): boolean =>
  !isBreak(character) && !font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)

const countMissing = (font: Font, text: string): number => [...text].filter((each) => lacks(font, each)).length

/** A PDF/A must not show glyphs that the font hasn’t. The attached data has the text as it is. */
function markMissing(font: Font, text: string): string {
  const mark = font.hasGlyphForCodePoint(0xff_fd) ? '\uFFFD' : '?'
  return [...text].map((each) => (lacks(font, each) ? mark : each)).join('')
}
