import { generateServiceKey } from '#identity'
import { openDatabase } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { StartupError } from '#lib/startup-error.ts'

/** Registers the public key, prints the private one (IDN-40). @throws {StartupError} for a third-party service */
export async function createServiceKey(
  url: string,
  say: (line: string) => void,
  [slug = '']: string[],
  now: Date,
): Promise<void> {
  if (!slug) throw new StartupError('Usage: bun run service:key <service>, for example platform-socialize')
  const database = openDatabase(url, 1)
  try {
    const key = await generateServiceKey(database.db, slug, now)
    say(`Set this as SERVICE_KEY of the process that runs ${slug}. Keep it secret. It is only shown once:\n${key}`)
  } catch (error) {
    throw error instanceof Problem ? new StartupError(error.message) : error
  } finally {
    await database.close()
  }
}
