import { replaceSigningKeys } from '#identity'
import type { Config } from '#config'
import { openDatabase } from '#lib/db.ts'
import { withDerivationKey } from '#lib/secrets/derivation-key.ts'
import { secretsOf } from '#lib/secrets.ts'

/** Such as after a leak. Running servers use the new keys within 5 s. */
export async function rotateKeys(config: Config, url: string, say: (line: string) => void): Promise<void> {
  const database = openDatabase(url, 1)
  try {
    const secrets = await withDerivationKey(secretsOf(config), database.db)
    const removed = await replaceSigningKeys({ db: database.db, secrets, now: () => new Date() })
    say(`Created a new signing key and removed ${removed} old ${removed === 1 ? 'key' : 'keys'}.`)
    say(
      'Within 5 seconds, all servers reject tokens signed with the old keys. Users stay signed in: their clients get new tokens.',
    )
  } finally {
    await database.close()
  }
}
