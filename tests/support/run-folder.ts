import { join } from 'node:path'

interface Run {
  /** Of the test server's database `postgres`: for creating and dropping others. */
  adminUrl: string
  /** The folder of files that test files share. */
  folder: string
}

let own: Promise<Run> | undefined

/** The server that the test runner started, or, when a file runs alone, one that ends with this process. */
export async function currentRun(): Promise<Run> {
  const { TEST_DATABASE_ADMIN_URL: adminUrl, TEST_RUN_FOLDER: folder } = process.env
  return adminUrl && folder ? { adminUrl, folder } : (own ??= startOwn())
}

export const runFolder = async (): Promise<string> => (await currentRun()).folder

/** A test process sends nothing when it ends; the server's keeper notices the end of its standard input. */
async function startOwn(): Promise<Run> {
  const keeper = Bun.spawn([process.execPath, join(import.meta.dir, 'keep-postgres.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  keeper.unref()
  for await (const bytes of keeper.stdout) return JSON.parse(new TextDecoder().decode(bytes)) as Run
  throw new Error('The test run has no PostgreSQL: see its messages above.')
}
