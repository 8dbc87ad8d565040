import { existsSync, statSync } from 'node:fs'
import type { Config } from '#config'
import { backup } from '#lib/backup.ts'
import { openDatabase } from '#lib/db.ts'
import { restore } from '#lib/backup/restore.ts'
import { noLimits } from '#lib/postgres/pool.ts'
import { secretsOf } from '#lib/secrets.ts'
import { StartupError } from '#lib/startup-error.ts'
import { openStorage } from '#lib/storage.ts'

type Print = (line: string) => void

/** Also while servers run. The default name has the current time. */
export async function backUp(config: Config, url: string, say: Print, [given]: string[], now: Date): Promise<void> {
  const path = given ?? `atrium-${now.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.gz`
  if (existsSync(path)) throw new StartupError(`${path} already exists. Choose another file name.`)
  const { rows, files, keyIds } = await backup({
    url,
    storage: openStorage(config),
    secrets: secretsOf(config),
    path,
    now,
  })
  say(`${path}: ${describeCounts(rows, files)}, ${Math.ceil(statSync(path).size / 1024)} KB`)
  if (keyIds.length > 0)
    say(
      `Its secrets are encrypted with the key ${keyIds.join(', ')} (${whereKeyIs(config)}). Keep a copy of that key in a different place.`,
    )
}

/**
 * Into an empty database, or over another with `--replace`. `--hold` makes overdue posts drafts, `--unsigned`
 * accepts an archive that no known key signed.
 */
export async function putBack(config: Config, url: string, say: Print, given: string[]): Promise<void> {
  const [path, ...more] = given.filter((word) => !flags.includes(word))
  if (!path || more.length > 0) throw new StartupError(`Usage: bun run restore <file> [${flags.join('] [')}]`)
  const replace = given.includes('--replace')
  const { rows, files } = await restore({
    url,
    storage: openStorage(config),
    secrets: secretsOf(config),
    path,
    replace,
    unsigned: given.includes('--unsigned'),
  })
  say(`Restored ${describeCounts(rows, files)}.`)
  if (given.includes('--hold')) {
    const held = await hold(url)
    say(`${held} overdue ${held === 1 ? 'post was' : 'posts were'} moved to drafts.`)
  }
  say('Start the server with: bun run start')
}

const flags = ['--replace', '--hold', '--unsigned']

async function hold(url: string): Promise<number> {
  const { holdOverdue } = await import('#social')
  const { db, close } = openDatabase(url, 1, noLimits)
  return holdOverdue(db).finally(close)
}

const whereKeyIs = ({ SECRETS_KEY, DATA_DIR }: Config): string =>
  SECRETS_KEY ? 'SECRETS_KEY' : `${DATA_DIR}/secrets.key`

const describeCounts = (rows: Record<string, number>, files: number): string => {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0)
  return `${total} rows of ${Object.keys(rows).length} tables and ${files} files`
}
