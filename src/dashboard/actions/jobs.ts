import { and, eq, inArray, isNull, lte } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies } from '#lib/job.ts'
import { notifications } from '../schema.ts'
import { publishNotification } from './notifications.topic.ts'

/** Tells open pages that a snooze has ended. */
export const wakeSnoozed = job({
  name: 'dashboard.wake-snoozed',
  // Jobs of earlier releases have no key.
  input: z.object({ organizationId: Id, snooze: z.string().default('') }),
  uniqueBy: ({ organizationId, snooze }) => snooze || organizationId,
  run: ({ input, database, events }) => publishNotification({ events }, database.db, input.organizationId),
})

const dayMs = 24 * 60 * 60_000
/** How long posted notices are shown to people who don’t dismiss them, as those that services raise. */
const shownMs = 30 * dayMs
const batch = 500

/** Retention deletes them later, as everything that is done. */
export const endPostedNotices = job({
  name: 'dashboard.end-posted-notices',
  input: z.object({}),
  run: async (call) => {
    for (;;) if ((await endSome(call)) < batch) return
  },
})

const endSome = ({ database, events, now }: JobDependencies): Promise<number> =>
  database.transaction(async (tx) => {
    const { id, posted, surface, resolvedAt, raisedAt } = notifications
    const due = tx
      .select({ id })
      .from(notifications)
      .where(and(posted, eq(surface, 'notice'), isNull(resolvedAt), lte(raisedAt, new Date(now().getTime() - shownMs))))
      .orderBy(raisedAt)
      .limit(batch)
      .for('update', { skipLocked: true })
    const ended = await tx
      .update(notifications)
      .set({ resolvedAt: now() })
      .where(inArray(id, due))
      .returning({ organizationId: notifications.organizationId })
    for (const organizationId of new Set(ended.map((one) => one.organizationId)))
      await publishNotification({ events }, tx, organizationId)
    return ended.length
  })
