import { sql } from 'drizzle-orm'
import { createBatchWriter } from '#lib/batch.ts'
import type { Database } from '#lib/db.ts'
import type { Clock } from '#lib/time.ts'
import type { Validation } from '../contract.ts'
import { apiKeyScopes } from '../schema.ts'

declare module '#lib/call.ts' {
  interface Provided {
    /** Which scopes of API keys are used; of a process without identity, identity is told with the key. */
    readonly keyUses: KeyUses
  }
}

/** When each scope of each API key was used last (IDN-30). */
export interface KeyUses {
  /** That a credential is used for a permission, `<serviceId>.<resource>:<action>`: kept in memory, if it is a key's and held. */
  note(answer: Validation, permission: string | undefined): void
  /** Writes what was noted. */
  flush(): Promise<void>
}

interface Use {
  id: string
  scope: string
  at: Date
}

/** Milliseconds between two notes of a scope's use. */
const noteIntervalMs = 60_000
/** Milliseconds in which uses are gathered into one statement. */
const batchMs = 500
/** Uses per statement. */
const maxBatch = 5_000
const maxRemembered = 50_000

/** Notes uses without a query: the first of each minute goes into a batch, which is written half a second later. */
export function createKeyUses(db: Database, now: Clock, complain: (error: unknown) => void): KeyUses {
  const noted = new Map<string, number>()
  /** All uses of one statement fail with the same error. */
  let lastError: unknown
  const writer = createBatchWriter<Use>({
    gatherMs: batchMs,
    most: maxBatch,
    mostWaiting: maxRemembered,
    write: (uses) => write(db, uses),
  })

  return {
    note: ({ apiKey, permissions }, permission) => {
      if (!apiKey || permission === undefined || !permissions.includes(permission)) return
      const at = now()
      const use = { id: apiKey.id, scope: scopeOf(permission), at }
      if ((noted.get(keyOf(use)) ?? -Infinity) > at.getTime() - noteIntervalMs) return
      if (noted.size >= maxRemembered) noted.clear()
      noted.set(keyOf(use), at.getTime())
      writer.add(use).catch((error: unknown) => {
        noted.delete(keyOf(use))
        if (error !== lastError) complain(error)
        lastError = error
      })
    },
    flush: () => writer.flush(),
  }
}

const keyOf = ({ id, scope }: Use): string => `${id} ${scope}`

/** The scope of `<serviceId>.<resource>:<action>`. */
const scopeOf = (permission: string): string => permission.slice(permission.indexOf('.') + 1).replace(':', '.')

/** One statement. What another server is writing at this moment, or wrote within the minute, is left to it. */
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
