import { setPriority } from 'node:os'
import { endWithServer } from './end-with-server.ts'

/** The server has priority when both need the same core. */
const niceness = 10

/** Runs a program of `readApart`: writes what `read` finds in the file to standard output. */
export async function writeFacts(read: (path: string) => Promise<unknown>): Promise<void> {
  endWithServer()
  // Ctrl-C in a terminal and a stop by systemd reach every process, but the server finishes running work first.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  setPriority(niceness)
  const [path = ''] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(await read(path)))
}
