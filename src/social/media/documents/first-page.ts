import { join } from 'node:path'
import { runApart } from '../processing/read-apart.ts'

const program = join(import.meta.dir, 'draw-page.ts')

/** The first page of a PDF as an image of at most 1280 pixels; null when it can't be drawn, as of an encrypted one. */
export async function drawFirstPage(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const drawn = await runApart({ program, path })
  return typeof drawn === 'string' || drawn.byteLength === 0 ? null : drawn
}
