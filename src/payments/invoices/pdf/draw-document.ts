import { initializeHelper } from '#lib/helper-program.ts'
import { loadFonts } from './fonts.ts'
import { decodeMessage } from './message.ts'
import { renderInvoice } from './render.ts'
import { renderStatement } from './render-statement.ts'

// A separate process for one document: it reads the data from standard input and writes the PDF to standard output.

initializeHelper(5)

const drawing = decodeMessage(await Bun.stdin.text())
const fonts = await loadFonts(drawing.cjkFont)
await Bun.write(Bun.stdout, 'invoice' in drawing ? renderInvoice(drawing, fonts) : renderStatement(drawing, fonts))
