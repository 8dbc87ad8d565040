import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { isAllowed, requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { notifications, notificationSnoozes } from '../schema.ts'
import type { Snooze } from './contract.ts'
import { findNotification } from './list.ts'
import { wakeSnoozed } from './jobs.ts'
import { emitAction } from './events.ts'
import { visibleTo } from './visible.ts'
import { publishNotification } from './notifications.topic.ts'
import { lockPosted, requireRoom } from './posted-limits.ts'

type ChangeCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'now' | 'events' | 'queue'>

const alreadyResolved = () => conflict('already_resolved', 'This is already done. Reload to see who did it.')

/** @throws {Problem} 404, 409 when it is resolved already */
export async function resolveNotification(call: ChangeCall, id: string): Promise<void> {
  const { notification } = await findNotification(call, id)
  const [resolved] = await call.db
    .update(notifications)
    .set({ resolvedAt: call.now(), resolvedBy: call.actor.principal.id })
    .where(and(eq(notifications.id, id), isNull(notifications.resolvedAt)))
    .returning()
  if (!resolved) throw alreadyResolved()
  await emitAction(call.db, call, 'resolved', resolved)
  await changed(call, notification, { resolved: true })
}

/** Of one that a person resolved. @throws {Problem} 404, 409 when the service resolved it or posted its cause again, or past the limits */
export async function reopenNotification(call: ChangeCall, id: string): Promise<void> {
  const { notification } = await findNotification(call, id)
  if (notification.resolvedAt === null) return
  await requireLatest(call, notification)
  const [reopened] = await call.db
    .update(notifications)
    .set({ resolvedAt: null, resolvedBy: null })
    .where(and(eq(notifications.id, id), isNotNull(notifications.resolvedBy)))
    .returning()
  if (!reopened) throw conflict('resolved_by_service', 'This is done where it was raised, so it can’t be opened again.')
  if (reopened.posted) await requireRoom(call.db, reopened)
  await emitAction(call.db, call, 'reopened', reopened)
  await changed(call, notification, { resolved: false })
}

/** A cause has one open notification. @throws {Problem} 409 */
async function requireLatest(
  { db }: ChangeCall,
  { posted, organizationId, service, cause }: typeof notifications.$inferSelect,
): Promise<void> {
  if (!posted || service === null) return
  await lockPosted(db, organizationId)
  const sameCause = and(
    eq(notifications.organizationId, organizationId),
    eq(notifications.service, service),
    eq(notifications.cause, cause),
  )
  const later = await db.$count(notifications, and(sameCause, notifications.posted, isNull(notifications.resolvedAt)))
  if (later > 0) throw conflict('posted_again', 'This was posted again since, and the later one is open.')
}

const yearMs = 366 * 24 * 60 * 60_000

/** For the caller alone. @throws {Problem} 404, 409, 422 for a time that is past or more than a year away */
export async function snoozeNotification(call: ChangeCall, { id, hours, ...given }: Snooze): Promise<void> {
  requirePerson(call.actor)
  const until = given.until ?? new Date(call.now().getTime() + (hours ?? 0) * 60 * 60_000)
  const { notification } = await findNotification(call, id)
  if (notification.resolvedAt) throw alreadyResolved()
  const aheadMs = until.getTime() - call.now().getTime()
  if (aheadMs <= 0 || aheadMs > yearMs)
    throw invalid([{ path: 'until', message: 'Must be in the future, within a year.' }])
  const { organizationId } = notification
  const values = { notificationId: id, organizationId, personId: call.actor.principal.id, until }
  await call.db
    .insert(notificationSnoozes)
    .values(values)
    .onConflictDoUpdate({
      target: [notificationSnoozes.notificationId, notificationSnoozes.personId],
      set: { until },
    })
  // Pages of the person show it again when the time has come.
  const snooze = `${id} ${values.personId}`
  const startAfter = Math.ceil(aheadMs / 1000)
  await call.queue.enqueue(call.db, wakeSnoozed, { organizationId, snooze }, { startAfter, moves: true })
  await changed(call, notification, { snoozed: true })
}

/** @throws {Problem} 404 */
export async function endSnooze(call: ChangeCall, id: string): Promise<void> {
  requirePerson(call.actor)
  const { notification } = await findNotification(call, id)
  const own = and(eq(notificationSnoozes.notificationId, id), eq(notificationSnoozes.personId, call.actor.principal.id))
  await call.db.delete(notificationSnoozes).where(own)
  await changed(call, notification, { snoozed: false })
}

/**
 * For everyone. Asks identity before it opens its transaction.
 * @throws {Problem} 404, also for a person who isn’t a member, 409, 422 for one who can’t see it
 */
export async function assignNotification(
  call: Call<unknown, Actor>,
  { id, personId }: { id: string; personId: string | null },
): Promise<void> {
  const { notification } = await findNotification(call, id)
  if (notification.resolvedAt) throw alreadyResolved()
  if (personId !== null && !(await canSee(call, notification, personId)))
    throw invalid([
      { path: 'personId', message: 'This member can’t see the action. Choose someone with access to it.' },
    ])
  await auditedTransaction(call, async (db) => {
    const same = eq(notifications.id, id)
    const [before] = await db.select().from(notifications).where(same).for('no key update')
    if (!before) throw notFound('notification')
    // What was checked must still be so.
    if (before.resolvedAt) throw alreadyResolved()
    const [assigned] = await db.update(notifications).set({ assigneeId: personId }).where(same).returning()
    if (!assigned) throw notFound('notification')
    if (assigned.assigneeId !== before.assigneeId) await emitAction(db, call, 'assigned', assigned)
    await changed({ ...call, db }, notification, { assignee: personId })
  })
}

/** @throws {Problem} 404 for a person who isn’t a member */
async function canSee(
  call: ChangeCall,
  { id, organizationId }: { id: string; organizationId: string },
  personId: string,
): Promise<boolean> {
  if (personId === call.actor.principal.id) return true
  const actor = await call.identity.memberActor(organizationId, personId)
  const serviceId = await call.identity.serviceId('platform-dashboard-api')
  if (!isAllowed(actor, 'notifications:read', serviceId)) return false
  return (await call.db.$count(notifications, and(eq(notifications.id, id), await visibleTo({ ...call, actor })))) > 0
}

async function changed(
  { db, events }: Pick<ChangeCall, 'db' | 'events'>,
  { id, organizationId }: { id: string; organizationId: string },
  after: object,
): Promise<void> {
  recordChange(db, { object: 'notification', id, after })
  await publishNotification({ events }, db, organizationId)
}
