import type { Config } from '#config'
import { openDatabase } from '#lib/db.ts'
import { rotateSecrets, type RotationResult } from '#lib/secrets/rotate.ts'
import { ownSealed } from '#lib/secrets/sealed.ts'
import { noLimits } from '#lib/postgres/pool.ts'
import { secretsOf } from '#lib/secrets.ts'
import { StartupError } from '#lib/startup-error.ts'
import { contexts } from '../contexts.ts'

export const sealedColumns = [...ownSealed, ...Object.values(contexts).flatMap((context) => context.sealed ?? [])]

/** SECRETS_KEY_PREVIOUS has the former keys. @throws {StartupError} after the last one, when some failed */
export async function rotate(config: Config, url: string, say: (line: string) => void): Promise<void> {
  const database = openDatabase(url, 2, noLimits)
  try {
    const rotated = await rotateSecrets(database, secretsOf(config), sealedColumns)
    for (const { table, rewrapped } of rotated) say(`${table}: ${rewrapped} re-encrypted`)
    printFailures(rotated, say)
  } finally {
    await database.close()
  }
}

function printFailures(rotated: RotationResult[], say: (line: string) => void): void {
  const failed = rotated.flatMap(({ table, failed: rows }) => rows.map((row) => ({ table, ...row })))
  if (failed.length === 0)
    return say('All secrets are encrypted with SECRETS_KEY. You can remove SECRETS_KEY_PREVIOUS.')
  const lines = failed.slice(0, 10).map(({ table, id, reason }) => `  ${table} ${id}: ${reason}`)
  throw new StartupError(
    `${failed.length} secrets couldn’t be re-encrypted. Keep SECRETS_KEY_PREVIOUS.\n${lines.join('\n')}`,
  )
}
