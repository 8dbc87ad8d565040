import { and, eq, sql } from 'drizzle-orm'
import { organizationOf } from '#lib/authorize.ts'
import { recordChange } from '#lib/audit.ts'
import { forbidden, notFound } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import * as brands from '../brands/brands.ts'
import * as connections from '../accounts/connections.ts'
import { recordAccountEvent } from '../accounts/history/record.ts'
import { requireAllNetworks, withinTenant } from '../access.ts'
import type { PauseScope } from '../contract.ts'
import { publishPostChanges } from '../posts/transitions.ts'
import { firstComments, pauses, posts } from '../schema.ts'
import { pauseOf, reachesAll } from './find.ts'

/** Pausing what is paused changes nothing. @throws {Problem} 404, and 403 for the organization without all its brands, and for test keys */
export async function pause(call: ChangeCall, scope: PauseScope): Promise<void> {
  const { db, actor } = call
  const target = await targetOf(call, scope)
  const [row] = await db
    .insert(pauses)
    .values({ ...target, pausedBy: actor.principal.id })
    .onConflictDoNothing()
    .returning()
  if (!row) return
  recordChange(db, { object: 'pause', id: row.id, after: row })
  await recordForAccount(call, target, 'paused')
}

/** Posts that came due in the meantime are published at once, and first comments written. @throws {Problem} as `pause` */
export async function resume(call: ChangeCall, scope: PauseScope): Promise<void> {
  const { db, actor } = call
  const target = await targetOf(call, scope)
  const [row] = await db.delete(pauses).where(pauseOf(target)).returning()
  if (!row) return
  recordChange(db, { object: 'pause', id: row.id, before: row })
  await recordForAccount(call, target, 'resumed')
  const isResumed = ({ brandId, waitingFor }: typeof posts | typeof firstComments) =>
    and(
      target.brandId === null ? withinTenant(db, actor, brandId) : eq(brandId, target.brandId),
      sql`${waitingFor}->>'reason' = 'paused'`,
    )
  const woken = await db
    .update(posts)
    .set({ dueAt: posts.scheduledAt, waitingFor: null })
    .where(and(isResumed(posts), eq(posts.status, 'scheduled')))
    .returning()
  const comments = await db
    .update(firstComments)
    .set({ dueAt: sql`clock_timestamp()`, waitingFor: null })
    .where(and(isResumed(firstComments), eq(firstComments.state, 'pending')))
    .returning()
  await publishPostChanges(call, [...woken, ...comments])
}

async function recordForAccount(
  { db, actor }: ChangeCall,
  { brandId, connectionId: id }: Awaited<ReturnType<typeof targetOf>>,
  kind: 'paused' | 'resumed',
): Promise<void> {
  if (brandId !== null && id !== null)
    await recordAccountEvent(db, { id, brandId }, { kind, personId: actor.principal.id })
}

async function targetOf({ db, actor }: ChangeCall, { brandId, connectionId }: PauseScope) {
  const none = { organizationId: null, brandId: null, connectionId: null }
  if (connectionId !== undefined) {
    const account = await connections.get(db, actor, connectionId)
    if (brandId !== undefined && account.brandId !== brandId) throw notFound('account')
    return { ...none, brandId: account.brandId, connectionId }
  }
  requireAllNetworks(actor)
  if (brandId !== undefined) return { ...none, brandId: (await brands.get(db, actor, brandId)).id }
  if (!reachesAll(actor)) throw forbidden('accounts:write')
  return { ...none, organizationId: organizationOf(actor) }
}
