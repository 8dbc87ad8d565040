import { and, asc, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { notificationDeliveries, notifications } from '../schema.ts'

const leaseOf = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

export interface Claimed {
  id: string
  attempts: number
  createdAt: Date
  notification: typeof notifications.$inferSelect
}

interface Place {
  channel: 'push' | 'chat'
  targetId: string
  at: Date
  limit: number
  leaseSeconds: number
}

/** What is due there, oldest first, for this server until the lease ends: after a killed server another one sends it. */
export async function claimDue(
  db: Database,
  { channel, targetId, at, limit, leaseSeconds }: Place,
): Promise<Claimed[]> {
  const deliveries = notificationDeliveries
  const due = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.channel, channel),
        eq(deliveries.targetId, targetId),
        eq(deliveries.state, 'waiting'),
        lte(deliveries.dueAt, at),
        or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, sql`now()`)),
      ),
    )
    .orderBy(asc(deliveries.dueAt), asc(deliveries.id))
    .limit(limit)
    .for('update', { skipLocked: true })
  const claimed = await db
    .update(deliveries)
    .set({ leasedUntil: leaseOf(leaseSeconds), attempts: sql`${deliveries.attempts} + 1` })
    .where(inArray(deliveries.id, due))
    .returning({
      id: deliveries.id,
      attempts: deliveries.attempts,
      createdAt: deliveries.createdAt,
      notificationId: deliveries.notificationId,
    })
  if (claimed.length === 0) return []
  const rows = await db
    .select()
    .from(notifications)
    .where(
      inArray(
        notifications.id,
        claimed.map(({ notificationId }) => notificationId),
      ),
    )
    .orderBy(asc(notifications.raisedAt), asc(notifications.id))
  return rows.flatMap((notification) =>
    claimed
      .filter(({ notificationId }) => notificationId === notification.id)
      .map(({ id, attempts, createdAt }) => ({ id, attempts, createdAt, notification })),
  )
}

interface Settled {
  state: 'sent' | 'failed' | 'dropped'
  problem?: string
  mailId?: string
}

export async function settleDeliveries(
  db: Database,
  ids: readonly string[],
  { state, problem, mailId }: Settled,
  at: Date,
): Promise<void> {
  if (ids.length === 0) return
  await db
    .update(notificationDeliveries)
    .set({ state, settledAt: at, leasedUntil: null, problem: problem ?? null, mailId: mailId ?? null })
    .where(and(inArray(notificationDeliveries.id, [...ids]), eq(notificationDeliveries.state, 'waiting')))
}

/** What quiet hours hold for longer stays held. */
const laterOf = (until: Date) =>
  sql`greatest(${notificationDeliveries.dueAt}, ${sql.param(until, notificationDeliveries.dueAt)})`

/** Nothing is sent to that place before, not even what comes later. */
export async function postpone(
  db: Database,
  { channel, targetId }: Pick<Place, 'channel' | 'targetId'>,
  { until, problem }: { until: Date; problem: string },
): Promise<void> {
  const waiting = and(
    eq(notificationDeliveries.channel, channel),
    eq(notificationDeliveries.targetId, targetId),
    eq(notificationDeliveries.state, 'waiting'),
  )
  await db
    .update(notificationDeliveries)
    .set({ leasedUntil: null, dueAt: laterOf(until), problem })
    .where(waiting)
}

export const resolvedBefore = 'It was resolved before it was sent.'
