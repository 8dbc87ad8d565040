import { lt, sql } from 'drizzle-orm'
import type { TakeAction } from '#lib/raised-actions/hand-over.ts'
import { notifications } from '../schema.ts'
import { publishNotification } from './notifications.topic.ts'

/** Stores a raised action; what arrives late, or twice, changes nothing. */
export const takeAction: TakeAction = async ({ database, events }, { resolvedAt, ...notice }) => {
  await database.transaction(async (tx) => {
    const values = { ...notice, resolvedAt }
    const { id: _, ...changes } = values
    const stored = await tx
      .insert(notifications)
      .values(values)
      .onConflictDoUpdate({
        target: notifications.id,
        // What a person resolved stays so.
        set: { ...changes, resolvedAt: sql`coalesce(excluded.resolved_at, ${notifications.resolvedAt})` },
        setWhere: lt(notifications.version, notice.version),
      })
      .returning({ id: notifications.id })
    if (stored.length > 0) await publishNotification({ events }, tx, notice.organizationId)
  })
}
