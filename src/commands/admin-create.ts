import { createSuperAdminLink } from '#identity'
import type { Config } from '#config'
import { openDatabase } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { StartupError } from '#lib/startup-error.ts'

/** The link works once, for 24 hours (PLT-38). @throws {StartupError} for a member of another organization */
export async function createAdmin(
  config: Config,
  url: string,
  say: (line: string) => void,
  [email = '']: string[],
  now: Date,
): Promise<void> {
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new StartupError('Usage: bun run admin:create <email>')
  const database = openDatabase(url, 1)
  try {
    const path = await createSuperAdminLink(database.db, email, now)
    say(
      `Open this link to become a super admin. It expires in 24 hours and can be used once:\n${new URL(path, baseOf(config)).href}`,
    )
  } catch (error) {
    throw error instanceof Problem ? new StartupError(error.message) : error
  } finally {
    await database.close()
  }
}

const baseOf = ({ PUBLIC_URL, HOST, PORT }: Config): string => PUBLIC_URL ?? `http://${HOST}:${PORT}`
