import { and, gt, inArray } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { sessions } from '../schema.ts'

/** Of these, the ones that neither ended nor expired. */
export const listLiveSessions = (db: Database, ids: readonly string[], now: Date): Promise<{ id: string }[]> =>
  db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(inArray(sessions.id, [...ids]), gt(sessions.idleExpiresAt, now)))
