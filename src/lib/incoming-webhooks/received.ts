import { and, count, eq, sql } from 'drizzle-orm'
import { recordChange } from '../audit.ts'
import type { Call } from '../call.ts'
import type { Database } from '../db.ts'
import { conflict, notFound } from '../errors.ts'
import { byId, type PageOf } from '../paginate.ts'
import { receivedWebhooks } from '../schema.ts'
import type { ReceivedDetailRow, ReceivedRow, ReceivedWebhook } from './contract.ts'
import { handlingNamed } from './handle.ts'

const shown = {
  id: receivedWebhooks.id,
  webhook: receivedWebhooks.webhook,
  path: receivedWebhooks.path,
  eventId: receivedWebhooks.eventId,
  type: receivedWebhooks.type,
  state: receivedWebhooks.state,
  problem: receivedWebhooks.problem,
  receivedAt: receivedWebhooks.receivedAt,
  settledAt: receivedWebhooks.settledAt,
}

interface Filter {
  webhook?: string
  state?: ReceivedWebhook['state']
  limit: number
  cursor?: string
}

export async function listReceived(db: Database, { webhook, state, ...query }: Filter): Promise<PageOf<ReceivedRow>> {
  const slice = byId(receivedWebhooks.id, 'desc').slice(query)
  const rows = await db
    .select(shown)
    .from(receivedWebhooks)
    .where(
      and(
        webhook === undefined ? undefined : eq(receivedWebhooks.webhook, webhook),
        state && eq(receivedWebhooks.state, state),
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
    .where(sql`${receivedWebhooks.state} <> 'handled'`)
    .groupBy(receivedWebhooks.state)
  const counts = new Map(rows.map((row) => [row.state, row.count]))
  return { waiting: counts.get('waiting') ?? 0, failed: counts.get('failed') ?? 0 }
}

/** @throws {Problem} 404 */
export async function findReceived(db: Database, id: string): Promise<ReceivedDetailRow> {
  const [row] = await db.select().from(receivedWebhooks).where(eq(receivedWebhooks.id, id))
  if (!row) throw notFound('event')
  return { ...row, body: new TextDecoder().decode(row.body) }
}

/** @throws {Problem} 404, and 409 while it waits or is being handled, so that no event is handled twice at once */
export async function replayReceived({ db, queue }: Pick<Call, 'db' | 'queue'>, id: string): Promise<ReceivedRow> {
  const [before] = await db
    .select({ state: receivedWebhooks.state })
    .from(receivedWebhooks)
    .where(eq(receivedWebhooks.id, id))
    .for('update')
  if (!before) throw notFound('event')
  if (before.state === 'waiting') throw conflict('webhook_waiting', 'The event is being handled. Try again later.')
  const [row] = await db
    .update(receivedWebhooks)
    .set({ state: 'waiting', problem: null, settledAt: null, round: sql`${receivedWebhooks.round} + 1` })
    .where(eq(receivedWebhooks.id, id))
    .returning({ ...shown, round: receivedWebhooks.round })
  if (!row) throw notFound('event')
  const { round, ...event } = row
  await queue.enqueue(db, handlingNamed(event.webhook), { id, round })
  recordChange(db, { object: 'received_webhook', id, before, after: { state: event.state } })
  return event
}
