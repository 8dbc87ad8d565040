import { initializeHelper } from '../helper-program.ts'
import { draw } from './draw.ts'
import { Edit } from './edit.ts'
import { encodeMessage, type Header } from './message.ts'
import { UnreadableImageError } from './prepared.ts'

// A separate process for one image: it reads the file from standard input and writes its copies to standard output.

initializeHelper(5)

/** As JSON, when the image is to be cropped or rotated. */
const [, , given] = process.argv
const edit = given === undefined ? null : Edit.parse(JSON.parse(given))

const message = await drawMessage(new Uint8Array(await Bun.stdin.arrayBuffer()))
const out = Bun.stdout.writer()
for (const bytes of message) await out.write(bytes)
await out.end()

async function drawMessage(file: Uint8Array): Promise<Uint8Array[]> {
  try {
    return encodeMessage(await draw(file, edit))
  } catch (error) {
    if (!(error instanceof UnreadableImageError)) throw error
    return [new TextEncoder().encode(`${JSON.stringify({ rejected: error.message } satisfies Header)}\n`)]
  }
}
