import { PDFiumLibrary } from '@hyzyla/pdfium'
import sharp from 'sharp'
import { writeOutput } from '../processing/reader.ts'
import { limitWasmMemory } from './wasm-memory.ts'

// A separate process that draws the first page of one PDF as a PNG. PDFium is WebAssembly: a file that breaks it
// reaches nothing else.

/** Pixels of the preview's longer side. */
const maxEdge = 1280
/** With the file itself. */
const maxBytes = 320 * 1024 * 1024

async function draw(path: string): Promise<Uint8Array> {
  limitWasmMemory(maxBytes)
  const library = await PDFiumLibrary.init()
  const document = await library.loadDocument(await Bun.file(path).bytes())
  const page = document.getPage(0)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = maxEdge / Math.max(originalWidth, originalHeight)
  const edge = (points: number) => Math.max(1, Math.round(points * scale))
  const size = { width: edge(originalWidth), height: edge(originalHeight) }
  const { data, width, height } = await page.render({ ...size, scale: 1, render: 'bitmap', renderFormFields: true })
  return sharp(data, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png({ compressionLevel: 3 })
    .toBuffer()
}

await writeOutput(draw)
