import { setPriority } from 'node:os'
import { loadFonts } from './fonts.ts'
import { decodeMessage } from './message.ts'
import { renderInvoice } from './render.ts'
import { renderStatement } from './render-statement.ts'

// A separate process for one document: it reads the data from standard input and writes the PDF to standard output.

// Ctrl-C in a terminal and a stop by systemd reach every process, but the server finishes its responses first.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

/** The server has priority when both need the same core. */
const niceness = 5
setPriority(niceness)

const drawing = decodeMessage(await Bun.stdin.text())
const fonts = await loadFonts(drawing.cjkFont)
await Bun.write(Bun.stdout, 'invoice' in drawing ? renderInvoice(drawing, fonts) : renderStatement(drawing, fonts))
