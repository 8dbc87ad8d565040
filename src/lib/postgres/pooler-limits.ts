import type { Sql } from 'postgres'
import type { Log } from '../log.ts'

/** A pooler accepts no settings with a connection, so the server can't set them itself. */
export async function warnWithoutLimits(pooled: Sql, log: Pick<Log, 'warn'>): Promise<void> {
  const rows = await pooled<{ name: string }[]>`
    SELECT name FROM pg_settings
    WHERE name IN ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') AND setting = '0'
    ORDER BY name`
  if (rows.length === 0) return
  const missing = rows.map(({ name }) => name).join(', ')
  log.warn('database role has no time limits', {
    missing,
    hint: 'Behind a pooler, set them with ALTER ROLE … SET: see docs/operate.md.',
  })
}
