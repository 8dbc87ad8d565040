import postgres from 'postgres'
import { StartupError } from '#lib/startup-error.ts'

export interface Connected {
  sql: postgres.Sql
  /** `server_version_num`: 180004 is 18.4. */
  version: number
}

/** postgres.js waits without end for a peer that accepts and hangs up. @throws {StartupError} without the password */
export async function connect(url: string, timeoutMs = 10_000): Promise<Connected> {
  const sql = open(url)
  try {
    const [row] = await within(
      timeoutMs,
      sql<{ version: number }[]>`
      SELECT current_setting('server_version_num')::int AS version`,
    )
    return { sql, version: row?.version ?? 0 }
  } catch (error) {
    // Not awaited: ending a connection that was never established takes as long as connecting.
    void sql.end({ timeout: 0 }).catch(() => {})
    throw databaseFailure(error, sql)
  }
}

function open(url: string): postgres.Sql {
  try {
    return postgres(url, { max: 1, onnotice: () => {} })
  } catch {
    throw new StartupError('DATABASE_URL must be a URL such as postgres://user:password@host:5432/database.')
  }
}

async function within<Answer>(timeoutMs: number, answer: Promise<Answer>): Promise<Answer> {
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => timeout.reject(new Error('no response')), timeoutMs)
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer))
}

export function databaseFailure(error: unknown, { options }: postgres.Sql): StartupError {
  const where = options.host.map((host, i) => `${host}:${options.port[i]}`).join(', ')
  return new StartupError(advice(error, where, `"${options.database}"`), { cause: error })
}

function advice(error: unknown, where: string, database: string): string {
  const { code, message, answered } = facts(error)
  const known = `The PostgreSQL on ${where}`
  if (/socket disconnected before secure TLS/.test(message))
    return `${known} (database ${database}) doesn’t support TLS, which DATABASE_URL requires. Enable TLS there, or remove sslmode from DATABASE_URL.`
  if (/CERT|SIGNED|ALTNAME|^ERR_TLS|^ERR_SSL/.test(code))
    return `${known} (database ${database}) has a TLS certificate that isn’t trusted (${code}). Replace it, or add its authority to NODE_EXTRA_CA_CERTS.`
  const reasons: Record<string, string> = {
    ENOTFOUND: `The host ${where} (database ${database}) doesn’t exist. Correct DATABASE_URL.`,
    EAI_AGAIN: `The host ${where} (database ${database}) can’t be resolved right now. Check DNS and DATABASE_URL.`,
    '28P01': `${known} rejected the user or password for database ${database}. Correct them in DATABASE_URL.`,
    '28000': `${known} doesn’t allow this user to connect to database ${database}: ${message}. Correct DATABASE_URL or the server’s pg_hba.conf.`,
    '3D000': `${known} has no database ${database}. Create it (CREATE DATABASE ${database}), or correct DATABASE_URL.`,
    '42501': `The user in DATABASE_URL lacks a privilege on database ${database}: ${message}. Run GRANT CREATE ON DATABASE ${database} for this user.`,
    '53300': `${known} (database ${database}) has no free connections. Increase its max_connections, or stop other clients.`,
    '57P03': `${known} (database ${database}) is not ready: ${message}. Start Atrium again when it is ready.`,
  }
  const reason = reasons[code]
  if (reason) return reason
  if (answered) return `${known} (database ${database}) refuses: ${message}.`
  return (
    `Can’t connect to PostgreSQL on ${where}, database ${database} (${message}). ` +
    'Start it, correct DATABASE_URL, or unset DATABASE_URL to use the embedded PostgreSQL.'
  )
}

/** `answered`: the server itself said no. */
function facts(error: unknown): { code: string; message: string; answered: boolean } {
  if (!(error instanceof Error)) return { code: '', message: String(error), answered: false }
  if (error.cause instanceof Error) return facts(error.cause)
  const code = 'code' in error ? String(error.code) : ''
  return { code, message: error.message, answered: error instanceof postgres.PostgresError }
}
