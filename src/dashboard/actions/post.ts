import { sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { notifications } from '../schema.ts'
import type { NotificationDraft } from './contract.ts'
import { publishNotification } from './notifications.topic.ts'
import { sortAtOf } from './take.ts'

type PostCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events'>

/** One open notification for each cause of a service or organization: posting it again updates it. */
export async function postNotification(
  call: PostCall,
  { organizationId: named, dueAt, ...draft }: NotificationDraft,
): Promise<{ id: string; isNew: boolean }> {
  const { db, actor } = call
  const organizationId = organizationFor(actor, named)
  const service = actor.service ?? 'platform-dashboard-api'
  const values = { ...draft, dueAt: dueAt ?? null, sortAt: sortAtOf(dueAt ?? null) }
  const id = newId()
  const [row] = await db
    .insert(notifications)
    .values({ id, organizationId, service, ...values, raisedAt: call.now(), version: 0, posted: true })
    .onConflictDoUpdate({
      target: [notifications.organizationId, notifications.service, notifications.cause],
      targetWhere: sql`posted AND resolved_at IS NULL`,
      set: values,
    })
    .returning({ id: notifications.id })
  if (!row) throw new Error('The notification was not stored')
  recordChange(db, { object: 'notification', id: row.id, after: { title: draft.title }, organizationId })
  await publishNotification(call, db, organizationId)
  return { id: row.id, isNew: row.id === id }
}

function organizationFor(actor: Actor, named: string | undefined): string {
  if (actor.tokenType !== 'service') {
    const own = organizationOf(actor, 'notifications:write')
    if (named === undefined || named === own) return own
    throw invalid([{ path: 'organizationId', message: 'Must be your organization, or left out.' }])
  }
  if (named !== undefined) return named
  throw invalid([{ path: 'organizationId', message: 'Required.' }])
}
