import { and, asc, count, eq, gt, inArray, sql, type SQL } from 'drizzle-orm'
import { recordChange } from '../audit.ts'
import type { Call } from '../call.ts'
import { withinDays } from '../days.ts'
import type { Database } from '../db.ts'
import { conflict, notFound } from '../errors.ts'
import { byId, type PageOf } from '../paginate.ts'
import { receivedWebhooks } from '../schema.ts'
import type { ReceivedDetailRow, ReceivedRow, ReceivedWebhook } from './contract.ts'
import { handlingNamed } from './handle.ts'
import { publishReceivedWebhook } from './publish-change.ts'

const shown = {
  id: receivedWebhooks.id,
  webhook: receivedWebhooks.webhook,
  path: receivedWebhooks.path,
  eventId: receivedWebhooks.eventId,
  type: receivedWebhooks.type,
  objectId: receivedWebhooks.objectId,
  state: receivedWebhooks.state,
  problem: receivedWebhooks.problem,
  duplicates: receivedWebhooks.duplicates,
  attempts: receivedWebhooks.attempts,
  receivedAt: receivedWebhooks.receivedAt,
  settledAt: receivedWebhooks.settledAt,
}

interface Filter {
  webhook?: string
  /** Only its events; those of all when not set. */
  organizationId?: string
  state?: ReceivedWebhook['state']
  /** Only events that were delivered more than once. */
  repeated?: boolean
  type?: string | undefined
  objectId?: string | undefined
  /** Days of `timeZone`, both included. */
  from?: string | undefined
  to?: string | undefined
  timeZone?: string | undefined
  limit: number
  cursor?: string
}

export async function listReceived(
  db: Database,
  { webhook, organizationId, state, repeated, type, objectId, from, to, timeZone, ...query }: Filter,
): Promise<PageOf<ReceivedRow>> {
  const slice = byId(receivedWebhooks.id, 'desc').slice(query)
  const rows = await db
    .select(shown)
    .from(receivedWebhooks)
    .where(
      and(
        webhook === undefined ? undefined : eq(receivedWebhooks.webhook, webhook),
        organizationId === undefined ? undefined : eq(receivedWebhooks.organizationId, organizationId),
        state && eq(receivedWebhooks.state, state),
        repeated ? gt(receivedWebhooks.duplicates, 0) : undefined,
        type === undefined ? undefined : eq(receivedWebhooks.type, type),
        objectId === undefined ? undefined : eq(receivedWebhooks.objectId, objectId),
        withinDays(receivedWebhooks.receivedAt, { from, to, timeZone }),
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

export async function countReceived(db: Database): Promise<{ waiting: number; failed: number }> {
  const rows = await db
    .select({ state: receivedWebhooks.state, count: count() })
    .from(receivedWebhooks)
    .where(inArray(receivedWebhooks.state, ['waiting', 'failed']))
    .groupBy(receivedWebhooks.state)
  const counts = new Map(rows.map((row) => [row.state, row.count]))
  return { waiting: counts.get('waiting') ?? 0, failed: counts.get('failed') ?? 0 }
}

export interface ReceivedCounts {
  waiting: number
  handled: number
  failed: number
  ignored: number
  /** Repeated deliveries. */
  duplicates: number
}

interface Owner {
  webhook: string
  organizationId: string
}

export async function countReceivedOf(db: Database, owner: Owner): Promise<ReceivedCounts> {
  const rows = await db
    .select({
      state: receivedWebhooks.state,
      count: count(),
      duplicates: sql<number>`sum(${receivedWebhooks.duplicates})::int`,
    })
    .from(receivedWebhooks)
    .where(ownedBy(owner))
    .groupBy(receivedWebhooks.state)
  const counts = { waiting: 0, handled: 0, failed: 0, ignored: 0, duplicates: 0 }
  for (const row of rows) {
    counts[row.state] = row.count
    counts.duplicates += row.duplicates
  }
  return counts
}

const ownedBy = ({ webhook, organizationId }: Owner): SQL | undefined =>
  and(eq(receivedWebhooks.webhook, webhook), eq(receivedWebhooks.organizationId, organizationId))

/** One event, of the owner if there is one. @throws {Problem} 404 */
export async function findReceived(
  db: Database,
  id: string,
  owner?: Owner,
): Promise<ReceivedDetailRow & Pick<typeof receivedWebhooks.$inferSelect, 'attemptLog'>> {
  const [row] = await db
    .select()
    .from(receivedWebhooks)
    .where(and(eq(receivedWebhooks.id, id), owner && ownedBy(owner)))
  if (!row) throw notFound('event')
  return { ...row, body: new TextDecoder().decode(row.body) }
}

/** IDs of its oldest failed events. */
export async function listFailed(db: Database, owner: Owner, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: receivedWebhooks.id })
    .from(receivedWebhooks)
    .where(and(ownedBy(owner), eq(receivedWebhooks.state, 'failed')))
    .orderBy(asc(receivedWebhooks.id))
    .limit(limit)
  return rows.map(({ id }) => id)
}

/** Which of these events of the provider aren't stored. */
export async function findMissing(db: Database, path: string, eventIds: readonly string[]): Promise<Set<string>> {
  const missing = new Set(eventIds)
  if (missing.size === 0) return missing
  const stored = await db
    .select({ eventId: receivedWebhooks.eventId })
    .from(receivedWebhooks)
    .where(and(eq(receivedWebhooks.path, path), inArray(receivedWebhooks.eventId, [...eventIds])))
  for (const { eventId } of stored) missing.delete(eventId)
  return missing
}

/** @throws {Problem} 404, and 409 while it waits or is being handled, so that no event is handled twice at once */
export async function replayReceived(
  { db, queue, events }: Pick<Call, 'db' | 'queue' | 'events'>,
  id: string,
  owner?: Owner,
): Promise<ReceivedRow> {
  const [before] = await db
    .select({ state: receivedWebhooks.state })
    .from(receivedWebhooks)
    .where(and(eq(receivedWebhooks.id, id), owner && ownedBy(owner)))
    .for('update')
  if (!before) throw notFound('event')
  if (before.state === 'waiting') throw conflict('webhook_waiting', 'The event is being handled. Try again later.')
  const [row] = await db
    .update(receivedWebhooks)
    .set({ state: 'waiting', problem: null, settledAt: null, round: sql`${receivedWebhooks.round} + 1` })
    .where(eq(receivedWebhooks.id, id))
    .returning({ ...shown, round: receivedWebhooks.round, organizationId: receivedWebhooks.organizationId })
  if (!row) throw notFound('event')
  const { round, organizationId, ...event } = row
  await queue.enqueue(db, handlingNamed(event.webhook), { id, round, organizationId })
  recordChange(db, { object: 'received_webhook', id, before, after: { state: event.state } })
  await publishReceivedWebhook({ events }, db, { webhook: event.webhook, organizationId })
  return event
}
