import { and, eq, isNull } from 'drizzle-orm'
import { deleteInBatches } from '#lib/db/delete-in-batches.ts'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { notifications } from '../schema.ts'

/** Deletes what is for the person alone. What they were to do is anyone's again, and what they did stays done. */
export async function erasePersonOfNotifications({ database: { db } }: ErasureWork, id: string): Promise<void> {
  await deleteInBatches(db, notifications, eq(notifications.personId, id))
  const assigned = and(eq(notifications.assigneeId, id), isNull(notifications.resolvedAt))
  await db.update(notifications).set({ assigneeId: null }).where(assigned)
}
