import { and, eq, isNull, lte, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { job } from '#lib/job.ts'
import type { Queue } from '#lib/queue.ts'
import { notificationDeliveries } from '../schema.ts'
import { postToChat } from './chat/post.job.ts'
import { sendEmail } from './email/email.job.ts'
import { sendPush } from './push/push.job.ts'

type Place = Pick<typeof notificationDeliveries.$inferInsert, 'organizationId' | 'channel' | 'targetId' | 'personId'>

const keyOf = ({ organizationId, channel, targetId }: Place): string =>
  channel === 'push' ? targetId : `${organizationId} ${targetId}`

/** One job for each place: it sends all that is due there. */
export async function enqueueSending(db: Database, queue: Queue, places: readonly Place[]): Promise<void> {
  const distinct = new Map(places.map((place) => [`${place.channel} ${keyOf(place)}`, place]))
  for (const { channel, organizationId, targetId, personId } of distinct.values()) {
    if (channel === 'email') await queue.enqueue(db, sendEmail, { organizationId, personId: targetId })
    else if (channel === 'push' && personId) await queue.enqueue(db, sendPush, { subscriptionId: targetId, personId })
    else if (channel === 'chat') await queue.enqueue(db, postToChat, { organizationId, webhookId: targetId })
  }
}

const maxPlaces = 2_000

/** What was held, is tried again, or was left by a server that was killed. */
export const sendDue = job({
  name: 'dashboard.send-due-notifications',
  input: z.object({}),
  run: async ({ database: { db }, queue, now }) => {
    const { organizationId, channel, targetId, personId, state, dueAt, leasedUntil } = notificationDeliveries
    const places = await db
      .selectDistinct({ organizationId, channel, targetId, personId })
      .from(notificationDeliveries)
      .where(and(eq(state, 'waiting'), lte(dueAt, now()), or(isNull(leasedUntil), lte(leasedUntil, sql`now()`))))
      .limit(maxPlaces)
    await enqueueSending(db, queue, places)
  },
})
