import { initializeHelper } from '#lib/helper-program.ts'

const niceness = 10

/** Runs a program of `readApart`: writes what `read` finds in the file to standard output. */
export const writeFacts = (read: (path: string) => Promise<unknown>): Promise<void> =>
  writeOutput(async (path) => JSON.stringify(await read(path)))

/** Runs a program of `runApart`: writes what `read` returns for the file to standard output. */
export async function writeOutput(read: (path: string) => Promise<string | Uint8Array>): Promise<void> {
  initializeHelper(niceness)
  const [path = ''] = process.argv.slice(2)
  await Bun.write(Bun.stdout, await read(path))
}
