import { initializeHelper } from '#lib/helper-program.ts'

const niceness = 10

/** Runs a program of `readApart`: writes what `read` finds in the file to standard output. */
export async function writeFacts(read: (path: string) => Promise<unknown>): Promise<void> {
  initializeHelper(niceness)
  const [path = ''] = process.argv.slice(2)
  process.stdout.write(JSON.stringify(await read(path)))
}
