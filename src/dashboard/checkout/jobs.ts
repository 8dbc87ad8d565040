import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { checkouts, freeWorkspaces, platformSubscriptions } from '../schema.ts'
import { applyAccess } from './apply.ts'
import { checkCheckout } from './check.ts'
import { settleCheckout } from './settle.ts'

const batch = 100
const dayMs = 24 * 60 * 60_000

/** Does what the newest state of a subscription asks for. */
export const applySubscription = job({
  name: 'dashboard.apply-subscription',
  input: z.object({ subscriptionId: Id }),
  concurrency: 4,
  retries: 10,
  uniqueBy: ({ subscriptionId }) => subscriptionId,
  run: async ({ input: { subscriptionId }, ...rest }) => {
    const work = { ...rest, db: rest.database.db }
    const { db } = work
    const [paid] = await db.select().from(platformSubscriptions).where(eq(platformSubscriptions.id, subscriptionId))
    const [free] = await db.select().from(freeWorkspaces).where(eq(freeWorkspaces.id, subscriptionId))
    const record = paid ?? free
    if (!record) return
    const { ownerType, holderId, access, sequence } = record
    if (ownerType === 'checkout') {
      const [row] = await db.select().from(checkouts).where(eq(checkouts.id, holderId))
      if (row && (row.state === 'open' || row.state === 'paid') && access === 'full') await settleCheckout(work, row)
    } else if ((await work.identity.organizationState(holderId)).exists) await applyAccess(work, holderId)
    const table = paid ? platformSubscriptions : freeWorkspaces
    await db
      .update(table)
      .set({ appliedSequence: sql`least(${table.sequence}, ${sequence})` })
      .where(and(eq(table.id, subscriptionId), lt(table.appliedSequence, sequence)))
  },
})

/** Asks payments about one that is not settled: its news can be lost. */
export const checkOpenCheckout = job({
  name: 'dashboard.check-checkout',
  input: z.object({ checkoutId: Id }),
  concurrency: 4,
  retries: 2,
  uniqueBy: ({ checkoutId }) => checkoutId,
  run: async ({ input, ...rest }) => checkCheckout({ ...rest, db: rest.database.db }, input.checkoutId),
})

/** Each minute; those of a day ago once an hour. */
export const sweepCheckouts = job({
  name: 'dashboard.sweep-checkouts',
  input: z.object({}),
  retries: 0,
  run: async ({ database, queue, now }) => {
    const at = now().getTime()
    const isDue = sql`${checkouts.checkedAt} < CASE WHEN ${checkouts.createdAt} > ${new Date(at - dayMs).toISOString()}::timestamptz
      THEN ${new Date(at - 120_000).toISOString()}::timestamptz ELSE ${new Date(at - dayMs / 24).toISOString()}::timestamptz END`
    const due = await database.db
      .select({ checkoutId: checkouts.id })
      .from(checkouts)
      .where(and(inArray(checkouts.state, ['open', 'paid', 'waiting']), isDue))
      .orderBy(asc(checkouts.checkedAt))
      .limit(batch)
    for (const each of due) await queue.enqueue(database.db, checkOpenCheckout, each)
  },
})

/** Of changes whose job used up its retries. */
export const sweepUnapplied = job({
  name: 'dashboard.sweep-unapplied-subscriptions',
  input: z.object({}),
  retries: 0,
  run: async ({ database, queue, now }) => {
    const before = new Date(now().getTime() - 10 * 60_000)
    for (const table of [platformSubscriptions, freeWorkspaces]) {
      const due = await database.db
        .select({ subscriptionId: table.id })
        .from(table)
        .where(and(sql`${table.appliedSequence} < ${table.sequence}`, lt(table.receivedAt, before)))
        .orderBy(asc(table.receivedAt))
        .limit(batch)
      for (const each of due) await queue.enqueue(database.db, applySubscription, each)
    }
  },
})
