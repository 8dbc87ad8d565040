import postgres from 'postgres'
import { StartupError } from '#lib/startup-error.ts'

export interface Connected {
  /** One connection, for work that belongs to a session (advisory locks). */
  sql: postgres.Sql
  /** As `server_version_num`: 180004 is 18.4. */
  version: number
}

/**
 * Opens one connection and hears the server's first answer, within `limit` milliseconds: by itself postgres.js waits
 * without end for a peer that accepts and hangs up.
 * @throws {StartupError} that names host, port and database, never the password
 */
export async function connect(url: string, limit = 10_000): Promise<Connected> {
  const sql = open(url)
  try {
    const [row] = await within(
      limit,
      sql<{ version: number }[]>`
      SELECT current_setting('server_version_num')::int AS version`,
    )
    return { sql, version: row?.version ?? 0 }
  } catch (error) {
    // Not awaited: ending a connection that never stood takes as long as reaching it.
    void sql.end({ timeout: 0 }).catch(() => {})
    throw databaseFailure(error, sql)
  }
}

function open(url: string): postgres.Sql {
  try {
    return postgres(url, { max: 1, onnotice: () => {} })
  } catch {
    throw new StartupError('DATABASE_URL is not an address such as postgres://user:password@host:5432/database.')
  }
}

async function within<Answer>(limit: number, answer: Promise<Answer>): Promise<Answer> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('no answer')), limit)
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer))
}

/** What the operator reads when a database cannot be used: which one, why, and what to do. */
export function databaseFailure(error: unknown, { options }: postgres.Sql): StartupError {
  const where = options.host.map((host, i) => `${host}:${options.port[i]}`).join(', ')
  return new StartupError(advice(error, where, `"${options.database}"`), { cause: error })
}

function advice(error: unknown, where: string, database: string): string {
  const { code, message, answered } = facts(error)
  const known = `The PostgreSQL on ${where}`
  if (/socket disconnected before secure TLS/.test(message))
    return `${known} (database ${database}) offers no TLS, which DATABASE_URL asks for. Switch TLS on there, or take sslmode out of DATABASE_URL.`
  if (/CERT|SIGNED|ALTNAME|^ERR_TLS|^ERR_SSL/.test(code))
    return `${known} (database ${database}) shows a certificate that is not trusted (${code}). Correct it, or name its authority in NODE_EXTRA_CA_CERTS.`
  const reasons: Record<string, string> = {
    ENOTFOUND: `The host of ${where} (database ${database}) is not known. Correct DATABASE_URL.`,
    EAI_AGAIN: `The host of ${where} (database ${database}) cannot be looked up now. Check the name service and DATABASE_URL.`,
    '28P01': `${known} refuses this user or password for database ${database}. Correct user and password in DATABASE_URL.`,
    '28000': `${known} does not let this user into database ${database}: ${message}. Correct DATABASE_URL or the server's pg_hba.conf.`,
    '3D000': `${known} has no database ${database}. Create it (CREATE DATABASE ${database}), or correct DATABASE_URL.`,
    '42501': `${known} lets the user of DATABASE_URL into database ${database}, but: ${message}. GRANT CREATE ON DATABASE ${database} to this user.`,
    '53300': `${known} (database ${database}) has no free connection. Raise its max_connections or stop other clients.`,
    '57P03': `${known} (database ${database}) is not ready: ${message}. Start Atrium again when it is.`,
  }
  const reason = reasons[code]
  if (reason) return reason
  if (answered) return `${known} (database ${database}) refuses: ${message}.`
  return (
    `No PostgreSQL answers on ${where} for database ${database} (${message}). ` +
    'Start it, or correct DATABASE_URL; without DATABASE_URL Atrium brings its own.'
  )
}

/** `answered`: the server itself said no. */
function facts(error: unknown): { code: string; message: string; answered: boolean } {
  if (!(error instanceof Error)) return { code: '', message: String(error), answered: false }
  if (error.cause instanceof Error) return facts(error.cause)
  const code = 'code' in error ? String(error.code) : ''
  return { code, message: error.message, answered: error instanceof postgres.PostgresError }
}
