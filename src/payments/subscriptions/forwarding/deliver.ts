import { and, asc, desc, eq, lt, lte, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job, type JobDependencies, type TypedJob } from '#lib/job.ts'
import { retryDelays } from '#lib/outgoing-webhooks/deliver.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { subscriptionKind } from '../../notification-kinds.ts'
import { subscriptionForwards } from '../../schema.ts'
import type { SendOutcome } from './dashboard.ts'

type ForwardRow = typeof subscriptionForwards.$inferSelect

/** Longer than a request takes: then another server can send the change again. */
const leaseMs = 60_000
/** Of one subscription in one job. */
const maxChanges = 50

const Input = z.object({ subscriptionId: Id })

/** Sends the newest waiting change of one subscription: it has the whole state. */
export const forwardChanges: TypedJob<z.output<typeof Input>> = job({
  name: 'payments.forward-subscription',
  input: Input,
  concurrency: 4,
  retries: 3,
  uniqueBy: ({ subscriptionId }) => subscriptionId,
  run: async (call) => {
    const { dashboard, database, now, input } = call
    if (!dashboard) return
    for (let sent = 0; sent < maxChanges; sent += 1) {
      const change = await claimNext(database.db, input.subscriptionId, now())
      if (!change) return
      const outcome = await dashboard.sendChange(change)
      const organizationId = isLast(change, outcome) ? await call.identity.adminOrganizationId() : null
      const state = await database.transaction((tx) => settle(tx, call, change, outcome, organizationId))
      if (state === 'waiting') return
    }
    await call.queue.enqueue(database.db, forwardChanges, input)
  },
})

/** Changes that are due and the newest of their subscription. */
export const sweepForwards = job({
  name: 'payments.sweep-subscription-forwards',
  input: z.object({}),
  retries: 0,
  run: async ({ dashboard, database, queue, now }) => {
    if (!dashboard) return
    const later = alias(subscriptionForwards, 'later')
    const { db } = database
    const due = await db
      .select({ subscriptionId: subscriptionForwards.subscriptionId })
      .from(subscriptionForwards)
      .where(
        and(
          eq(subscriptionForwards.state, 'waiting'),
          lte(subscriptionForwards.nextAttemptAt, now()),
          notExists(
            db
              .select({ one: sql`1` })
              .from(later)
              .where(
                and(
                  eq(later.subscriptionId, subscriptionForwards.subscriptionId),
                  eq(later.state, 'waiting'),
                  sql`${later.sequence} > ${subscriptionForwards.sequence}`,
                ),
              ),
          ),
        ),
      )
      .orderBy(asc(subscriptionForwards.nextAttemptAt), asc(subscriptionForwards.id))
      .limit(maxDue)
    for (const each of due) await queue.enqueue(db, forwardChanges, each)
  },
})
const maxDue = 200

/** Undefined when there is none, it isn’t due, or another server sends it. */
async function claimNext(db: Database, subscriptionId: string, now: Date): Promise<ForwardRow | undefined> {
  const waiting = and(
    eq(subscriptionForwards.subscriptionId, subscriptionId),
    eq(subscriptionForwards.state, 'waiting'),
  )
  const [first] = await db
    .select()
    .from(subscriptionForwards)
    .where(waiting)
    .orderBy(desc(subscriptionForwards.sequence))
    .limit(1)
  if (!first?.nextAttemptAt || first.nextAttemptAt > now) return undefined
  const [claimed] = await db
    .update(subscriptionForwards)
    .set({ nextAttemptAt: new Date(now.getTime() + leaseMs) })
    .where(
      and(waiting, eq(subscriptionForwards.id, first.id), eq(subscriptionForwards.nextAttemptAt, first.nextAttemptAt)),
    )
    .returning()
  return claimed
}

const isSent = ({ status }: SendOutcome): boolean => status !== null && status >= 200 && status < 300

const isLast = ({ tries }: ForwardRow, outcome: SendOutcome): boolean =>
  !isSent(outcome) && retryDelays[tries] === undefined

async function settle(
  tx: Database,
  { now, log }: JobDependencies,
  { id, tries, nextAttemptAt: lease, subscriptionId, sequence, ...change }: ForwardRow,
  outcome: SendOutcome,
  adminsId: string | null,
): Promise<ForwardRow['state']> {
  const delay = isSent(outcome) ? undefined : retryDelays[tries]
  const at = now()
  const state = isSent(outcome) ? 'delivered' : delay === undefined ? 'failed' : 'waiting'
  const settled = await tx
    .update(subscriptionForwards)
    .set({
      state,
      tries: tries + 1,
      attempts: change.attempts + 1,
      lastStatus: outcome.status,
      problem: outcome.problem,
      nextAttemptAt: delay === undefined ? null : new Date(at.getTime() + delay * 1_000),
      settledAt: delay === undefined ? at : null,
    })
    .where(
      and(
        eq(subscriptionForwards.id, id),
        eq(subscriptionForwards.state, 'waiting'),
        ...(lease ? [eq(subscriptionForwards.nextAttemptAt, lease)] : []),
      ),
    )
    .returning({ id: subscriptionForwards.id })
  // Replayed, or sent by another server since.
  if (settled.length === 0) return 'waiting'
  if (state === 'delivered') {
    await resolveAction(tx, causeOf(id))
    await supersede(tx, { subscriptionId, sequence }, at)
  }
  if (state !== 'failed') return state
  log.error('A change of a subscription never reached the dashboard', { subscription: subscriptionId, sequence })
  if (adminsId !== null)
    await raiseAction(tx, {
      kind: subscriptionKind,
      organizationId: adminsId,
      cause: causeOf(id),
      title: 'A change of a subscription didn’t reach the dashboard',
      reason: `${tries + 1} attempts over three days failed, the last one with ${outcome.status ?? 'no response'}. Until it is sent, an organization may have other apps or seats than it pays for.`,
      href: '/pay/webhooks',
      actions: [
        { label: 'Send again', method: 'POST', href: `/api/pay/subscription-webhooks/${id}/replay`, style: 'primary' },
        { label: 'See the events', method: 'GET', href: '/pay/webhooks' },
      ],
    })
  return state
}

/** The receiver would ignore the ones before. */
async function supersede(
  tx: Database,
  { subscriptionId, sequence }: Pick<ForwardRow, 'subscriptionId' | 'sequence'>,
  settledAt: Date,
): Promise<void> {
  await tx
    .update(subscriptionForwards)
    .set({ state: 'superseded', nextAttemptAt: null, settledAt })
    .where(
      and(
        eq(subscriptionForwards.subscriptionId, subscriptionId),
        eq(subscriptionForwards.state, 'waiting'),
        lt(subscriptionForwards.sequence, sequence),
      ),
    )
}

export const causeOf = (id: string): string => `payments.subscription-forward.${id}`
