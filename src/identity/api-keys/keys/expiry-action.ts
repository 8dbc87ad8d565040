import { and, inArray, isNotNull, lte, or, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { listCauses, raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { keyKind } from '../../notification-kinds.ts'
import { apiKeys } from '../../schema.ts'

const prefix = 'identity.key-expires:'
const place = '/settings/keys'

interface ExpiringKey {
  id: string
  organizationId: string
  name: string
  lastFour: string
  expiresAt: Date
}

export const raiseExpiry = (tx: Database, key: ExpiringKey): Promise<void> =>
  raiseAction(tx, {
    kind: keyKind,
    organizationId: key.organizationId,
    cause: `${prefix}${key.id}`,
    title: `The API key ${key.name} expires soon`,
    reason: `Requests with the key that ends in ${key.lastFour} fail from ${key.expiresAt.toISOString().slice(0, 10)} on. Rotate it, and give the new one to what uses it.`,
    href: place,
    actions: [
      { label: 'Rotate', method: 'GET', href: place, style: 'primary' },
      {
        label: 'Revoke',
        method: 'DELETE',
        href: `/api/api-keys/${key.id}`,
        confirm: `Revoke ${key.name}? Requests with it fail at once.`,
      },
    ],
    dueAt: key.expiresAt,
  })

/** On the transaction that revokes or replaces it. */
export const endExpiry = (tx: Database, id: string): Promise<void> => resolveAction(tx, `${prefix}${id}`)

/** Of keys that have expired, or ended in another way. */
export async function endExpiries(tx: Database, at: Date): Promise<void> {
  const ids = (await listCauses(tx, prefix)).map((cause) => cause.slice(prefix.length))
  const left = new Set(ids)
  const { id, expiresAt, revokedAt, overlapEndsAt } = apiKeys
  const isOver = or(lte(expiresAt, at), isNotNull(revokedAt), isNotNull(overlapEndsAt))
  const active = await tx
    .select({ id })
    .from(apiKeys)
    .where(and(inArray(id, ids), sql`NOT coalesce(${isOver}, false)`))
  for (const key of active) left.delete(key.id)
  for (const each of left) await endExpiry(tx, each)
}
