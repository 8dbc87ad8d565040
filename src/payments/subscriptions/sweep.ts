import { and, asc, eq, lte } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { ignoreLostAccount } from '../provider-account.ts'
import { subscriptions } from '../schema.ts'
import { nextCheckOf } from '../work.ts'
import { syncSubscription } from './provider/sync.ts'

const batch = 100

/** Reads one again, and does what is due by itself. */
export const checkSubscription = job({
  name: 'payments.check-subscription',
  input: z.object({ subscriptionId: Id }),
  concurrency: 4,
  retries: 3,
  uniqueBy: ({ subscriptionId }) => subscriptionId,
  run: ({ input, database, ...work }) =>
    syncSubscription({ ...work, db: database.db }, input.subscriptionId).catch(ignoreLostAccount),
})

export const sweepSubscriptions = job({
  name: 'payments.sweep-subscriptions',
  input: z.object({}),
  retries: 0,
  run: async ({ database, queue, config, now }) => {
    const due = await database.db
      .select({ id: subscriptions.id, nextCheckAt: subscriptions.nextCheckAt, checks: subscriptions.checks })
      .from(subscriptions)
      .where(lte(subscriptions.nextCheckAt, now()))
      .orderBy(asc(subscriptions.nextCheckAt))
      .limit(batch)
    for (const { id, nextCheckAt, checks } of due)
      await database.transaction(async (tx) => {
        if (!nextCheckAt) return
        // Until the check has a result, such as while the provider fails.
        await tx
          .update(subscriptions)
          .set({ nextCheckAt: nextCheckOf({ config, now }, checks + 1, { repeat: true }), checks: checks + 1 })
          .where(and(eq(subscriptions.id, id), eq(subscriptions.nextCheckAt, nextCheckAt)))
        await queue.enqueue(tx, checkSubscription, { subscriptionId: id })
      })
  },
})
