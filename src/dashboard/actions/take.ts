import { eq, lt, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import type { ActionNotice, TakeAction } from '#lib/raised-actions/hand-over.ts'
import { enqueueAnnouncing } from '../delivery/announce/announce.job.ts'
import { notifications } from '../schema.ts'
import { emitAction } from './events.ts'
import { publishNotification } from './notifications.topic.ts'

/** Without a deadline it comes after all that have one. */
const noDeadline = new Date('9999-12-31T00:00:00Z')

export const sortAtOf = (dueAt: Date | null): Date => dueAt ?? noDeadline

/** From a service of this process. */
export const takeAction: TakeAction = ({ database, events, queue, now }, notice) =>
  database.transaction((tx) => storeNotice({ db: tx, events, queue, now }, notice))

/** On a transaction. What arrives late, or twice, changes nothing. */
export async function storeNotice(
  { db, ...emitting }: EmitDependencies & { readonly db: Database },
  notice: ActionNotice,
): Promise<void> {
  const [before] = await db
    .select({ resolvedAt: notifications.resolvedAt })
    .from(notifications)
    .where(eq(notifications.id, notice.id))
    .for('no key update')
  const values = { ...notice, sortAt: sortAtOf(notice.dueAt) }
  const { id: _, ...changes } = values
  const [stored] = await db
    .insert(notifications)
    .values(values)
    .onConflictDoUpdate({
      target: notifications.id,
      // What a person resolved stays so, and only they can open it again, until the service resolves it.
      set: {
        ...changes,
        resolvedAt: sql`coalesce(excluded.resolved_at, ${notifications.resolvedAt})`,
        resolvedBy: sql`CASE WHEN excluded.resolved_at IS NULL THEN ${notifications.resolvedBy} END`,
      },
      setWhere: lt(notifications.version, notice.version),
    })
    .returning()
  if (!stored) return
  if (!before && !stored.resolvedAt) await emitAction(db, emitting, 'raised', stored)
  if (before && !before.resolvedAt && stored.resolvedAt) await emitAction(db, emitting, 'resolved', stored)
  await publishNotification(emitting, db, notice.organizationId)
  if (stored.announcedAt === null) await enqueueAnnouncing(db, emitting.queue, notice.organizationId)
}
