import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { eventSubscriptions } from '#lib/schema.ts'
import type { workflows } from '../../schema.ts'

export const endSubscription = async (tx: Database, id: string): Promise<void> =>
  void (await tx.delete(eventSubscriptions).where(eq(eventSubscriptions.id, id)))

/** An enabled workflow with an event is subscribed to it, by its own id. */
export async function subscribe(
  tx: Database,
  { id, organizationId, state, trigger }: typeof workflows.$inferSelect,
  createdAt: Date,
): Promise<void> {
  await endSubscription(tx, id)
  if (state === 'enabled' && trigger.type === 'event')
    await tx.insert(eventSubscriptions).values({ id, organizationId, type: trigger.event, createdAt })
}
