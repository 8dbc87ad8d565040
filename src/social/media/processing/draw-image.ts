import { setPriority } from 'node:os'
import { draw } from './draw.ts'
import { partsOf, type Header } from './message.ts'
import { Unreadable } from './prepared.ts'

// A process of its own for one image: the file comes on standard input, and its copies leave on standard output.

// Ctrl-C in a terminal and a stop by systemd reach every process; the server finishes the uploads under way first.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {})

/** Behind the server, where both want the same core. */
const niceness = 5
setPriority(niceness)

const answer = await drawn(new Uint8Array(await Bun.stdin.arrayBuffer()))
const out = Bun.stdout.writer()
for (const bytes of answer) await out.write(bytes)
await out.end()

async function drawn(file: Uint8Array): Promise<Uint8Array[]> {
  try {
    return partsOf(await draw(file))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return [new TextEncoder().encode(`${JSON.stringify({ refused: error.message } satisfies Header)}\n`)]
  }
}
