import { sql } from 'drizzle-orm'
import type { Database } from '../db.ts'
import { Problem } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Events } from '../events.ts'
import type { Queue } from '../queue.ts'
import { fillPath } from '../route-path.ts'
import { receivedWebhooks } from '../schema.ts'
import { isStorable } from '../text.ts'
import type { Clock } from '../time.ts'
import type { EventId, Webhook } from '../webhook.ts'
import { createHandlingJob } from './handle.ts'
import { publishReceivedWebhook } from './publish-change.ts'

interface StoredEvent extends EventId {
  raw: Uint8Array
  params?: Readonly<Record<string, string>>
  /** It was found in the provider's list, so finding it again is no delivery. */
  isListed?: true
}

/**
 * Stores an event and enqueues its handling; false for one that is stored already.
 *
 * @throws {Problem} 422 for an ID, type or path that can't be stored
 */
export async function storeReceived(
  tx: Database,
  { queue, events, now }: { queue: Queue; events: Events; now: Clock },
  hook: Webhook,
  { raw, params = {}, isListed, ...event }: StoredEvent,
): Promise<boolean> {
  // Not as the request spelled it: a path can be escaped in many ways, and no signature covers it.
  const path = fillPath(hook.path, (name) => params[name] ?? '')
  requireStorable(event, path)
  const id = newId()
  const { duplicates, path: onPath, eventId } = receivedWebhooks
  const [row] = await tx
    .insert(receivedWebhooks)
    .values({
      id,
      webhook: hook.name,
      path,
      organizationId: event.organizationId ?? null,
      eventId: event.id,
      type: event.type,
      objectId: event.objectId ?? null,
      params: { ...params },
      body: raw,
      state: 'waiting',
      receivedAt: now(),
    })
    .onConflictDoUpdate({
      target: [onPath, eventId],
      set: { duplicates: isListed ? sql`${duplicates}` : sql`${duplicates} + 1` },
    })
    .returning({ id: receivedWebhooks.id, organizationId: receivedWebhooks.organizationId })
  const isNew = row?.id === id
  if (isNew)
    await queue.enqueue(tx, createHandlingJob(hook), { id, round: 1, organizationId: event.organizationId ?? null })
  if (row) await publishReceivedWebhook({ events }, tx, { webhook: hook.name, organizationId: row.organizationId })
  return isNew
}

const maxLength = { id: 255, type: 255, objectId: 255, path: 1000 }

function requireStorable({ id, type = '', objectId = '' }: EventId, path: string): void {
  const isKept =
    id !== '' &&
    id.length <= maxLength.id &&
    type.length <= maxLength.type &&
    objectId.length <= maxLength.objectId &&
    path.length <= maxLength.path
  if (isKept && [id, type, objectId].every(isStorable) && !path.includes('%00')) return
  throw new Problem(
    422,
    'validation_failed',
    `The event must have an ID of 1 to ${maxLength.id} characters, and a type and path that can be stored.`,
  )
}
