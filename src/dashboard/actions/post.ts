import { sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { wholeOrganizationNeeded } from '#lib/outgoing-webhooks/permissions.ts'
import { enqueueAnnouncing } from '../delivery/announce/announce.job.ts'
import { notifications } from '../schema.ts'
import type { NotificationDraft } from './contract.ts'
import { emitAction } from './events.ts'
import { publishNotification } from './notifications.topic.ts'
import { raisingServices } from './services.ts'
import { lockPosted, requireRoom } from './posted-limits.ts'
import { sortAtOf } from './take.ts'

type PostCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events' | 'queue'>

const dashboardSlug = 'platform-dashboard-api'

/**
 * On a transaction. One open notification for each cause of a service or organization: posting it again updates it.
 * @throws {Problem} 409 past the limits
 */
export async function postNotification(
  call: PostCall,
  organizationId: string,
  { dueAt, ...draft }: Omit<NotificationDraft, 'organizationId'>,
): Promise<{ id: string; isNew: boolean }> {
  const { db, actor } = call
  const service = actor.service ?? dashboardSlug
  const postedBy = actor.service === null ? posterOf(actor) : null
  const values = { ...draft, dueAt: dueAt ?? null, sortAt: sortAtOf(dueAt ?? null), postedBy }
  const id = newId()
  await lockPosted(db, organizationId)
  const [row] = await db
    .insert(notifications)
    .values({ id, organizationId, service, ...values, raisedAt: call.now(), version: 0, posted: true })
    .onConflictDoUpdate({
      target: [notifications.organizationId, notifications.service, notifications.cause],
      targetWhere: sql`posted AND resolved_at IS NULL`,
      set: values,
    })
    .returning()
  if (!row) throw new Error('The notification was not stored')
  if (row.id === id) {
    await requireRoom(db, row)
    await emitAction(db, call, 'raised', row)
  }
  recordChange(db, { object: 'notification', id: row.id, after: { title: draft.title }, organizationId })
  await publishNotification(call, db, organizationId)
  if (row.announcedAt === null) await enqueueAnnouncing(db, call.queue, organizationId)
  return { id: row.id, isNew: row.id === id }
}

/** The API key itself, or the person. */
const posterOf = ({ tokenType, credential, principal }: Actor): string =>
  tokenType === 'api_key' ? credential.id : principal.id

/**
 * Asks identity, so outside of a transaction.
 * @throws {Problem} 422, 403 for keys and roles of single brands, and 404 for an app that the organization didn’t install
 */
export async function organizationToPost(
  { actor, identity }: Pick<Call<unknown, Actor>, 'actor' | 'identity'>,
  named: string | undefined,
): Promise<string> {
  if (actor.tokenType !== 'service') {
    const own = organizationOf(actor, 'notifications:write')
    if (actor.bindings.length > 0) throw wholeOrganizationNeeded('notifications:write')
    if (named === undefined || named === own) return own
    throw invalid([{ path: 'organizationId', message: 'Must be your organization, or left out.' }])
  }
  if (named === undefined) throw invalid([{ path: 'organizationId', message: 'Required.' }])
  if (!(await identity.organizationState(named)).exists) throw notFound('organization')
  const { service } = actor
  const isOfPlatform = service !== null && raisingServices.includes(service)
  if (!isOfPlatform && !(await identity.installedApps(named)).some(({ slug }) => slug === service))
    throw notFound('organization')
  return named
}
