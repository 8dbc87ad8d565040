import { sql } from 'drizzle-orm'
import { createBatchWriter } from '#lib/batch.ts'
import type { Database } from '#lib/db.ts'
import type { Clock } from '#lib/time.ts'
import type { Validation } from '../../contract.ts'
import { scopeOf } from '../../contract/fields.ts'
import { apiKeyScopes } from '../../schema.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** A process without identity reports them when it validates the key. */
    readonly keyUses: KeyUses
  }
}

export interface KeyUses {
  /** Only if the credential is a key that has the permission. Kept in memory. */
  note(answer: Validation, permission: string | undefined): void
  flush(): Promise<void>
}

interface Use {
  id: string
  scope: string
  at: Date
}

const noteIntervalMs = 60_000
const batchMs = 500
const maxBatch = 5_000
const maxRemembered = 50_000

/** The first use in each minute, in batches of half a second, without a query per request. */
export function createKeyUses(db: Database, now: Clock, onError: (error: unknown) => void): KeyUses {
  const noted = new Map<string, number>()
  /** All uses of one statement fail with the same error, which is logged once. */
  let lastError: unknown
  const writer = createBatchWriter<Use>({
    gatherMs: batchMs,
    maxRows: maxBatch,
    maxWaiting: maxRemembered,
    write: (uses) => write(db, uses),
  })

  return {
    note: ({ apiKey, permissions }, permission) => {
      if (!apiKey || permission === undefined || !permissions.includes(permission)) return
      const at = now()
      const use = { id: apiKey.id, scope: scopeOfHeld(permission), at }
      if ((noted.get(keyOf(use)) ?? -Infinity) > at.getTime() - noteIntervalMs) return
      if (noted.size >= maxRemembered) noted.clear()
      noted.set(keyOf(use), at.getTime())
      writer.add(use).catch((error: unknown) => {
        noted.delete(keyOf(use))
        if (error !== lastError) onError(error)
        lastError = error
      })
    },
    flush: () => writer.flush(),
  }
}

const keyOf = ({ id, scope }: Use): string => `${id} ${scope}`

const scopeOfHeld = (permission: string): string => scopeOf(permission.slice(permission.indexOf('.') + 1))

/** Rows that another server is updating, or has updated within the minute, are skipped. */
async function write(db: Database, uses: readonly Use[]): Promise<void> {
  const column = (values: unknown[]) => sql.param(values)
  await db.execute(sql`
    WITH due AS (
      SELECT known.api_key_id, known.scope, used.at FROM ${apiKeyScopes} AS known
      JOIN unnest(${column(uses.map(({ id }) => id))}::uuid[], ${column(uses.map(({ scope }) => scope))}::text[],
        ${column(uses.map(({ at }) => at.toISOString()))}::text[]::timestamptz[]) AS used (id, scope, at)
        ON used.id = known.api_key_id AND used.scope = known.scope
      WHERE known.last_used_at IS NULL OR known.last_used_at <= used.at - interval '1 minute'
      ORDER BY known.api_key_id, known.scope
      FOR NO KEY UPDATE OF known SKIP LOCKED)
    UPDATE ${apiKeyScopes} AS known SET last_used_at = due.at FROM due
    WHERE known.api_key_id = due.api_key_id AND known.scope = due.scope`)
}
