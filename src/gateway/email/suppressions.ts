import { and, desc, eq, ilike, inArray } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { containsPattern, type Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { byId } from '#lib/paginate.ts'
import { emailSuppressions as table } from '../schema.ts'

type Row = typeof table.$inferSelect

/** Of a recipient that an email isn’t sent to. */
export const suppressedResponse = 'The address is suppressed.'

/** Which of these addresses the organization doesn’t send to. */
export async function findSuppressed(
  db: Database,
  organizationId: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const keys = addresses.map((address) => address.toLowerCase())
  if (keys.length === 0) return new Set()
  const rows = await db
    .select({ address: table.address })
    .from(table)
    .where(and(eq(table.organizationId, organizationId), inArray(table.address, keys)))
  const found = new Set(rows.map(({ address }) => address))
  return new Set(addresses.filter((address) => found.has(address.toLowerCase())))
}

interface Suppressing {
  organizationId: string
  address: string
  reason: Row['reason']
  detail: string
  messageId: string
  at: Date
}

/** The first reason stays. */
export async function suppress(tx: Database, { organizationId, address, reason, detail, messageId, at }: Suppressing) {
  await tx
    .insert(table)
    .values({ id: newId(), organizationId, address: address.toLowerCase(), reason, detail, messageId, createdAt: at })
    .onConflictDoNothing()
}

interface Query {
  limit: number
  cursor?: string
  q?: string
}

export async function listSuppressions(db: Database, actor: Actor, { q, ...query }: Query) {
  const slice = byId(table.id, 'desc').slice(query)
  const rows = await db
    .select()
    .from(table)
    .where(
      and(
        eq(table.organizationId, organizationOf(actor, 'usage:read')),
        q === undefined ? undefined : ilike(table.address, containsPattern(q)),
        slice.where,
      ),
    )
    .orderBy(desc(table.id))
    .limit(slice.limit)
  return slice.page(rows)
}

/** @throws {Problem} 409 `address_suppressed` */
export async function addSuppression(
  { db, actor, now }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>,
  { address, detail = null }: { address: string; detail?: string | null | undefined },
): Promise<Row> {
  const organizationId = organizationOf(actor, 'org:admin')
  const by = { reason: 'manual', createdBy: actor.principal.id, createdAt: now() } as const
  const [row] = await db
    .insert(table)
    .values({ id: newId(), organizationId, address: address.toLowerCase(), detail, ...by })
    .onConflictDoNothing()
    .returning()
  if (!row) throw conflict('address_suppressed', `${address} is already suppressed.`)
  recordChange(db, { object: 'email_suppression', id: row.id, after: { address: row.address, reason: row.reason } })
  return row
}

/** @throws {Problem} 404 */
export async function removeSuppression(db: Database, actor: Actor, id: string): Promise<void> {
  const mine = and(eq(table.id, id), eq(table.organizationId, organizationOf(actor, 'org:admin')))
  const [row] = await db.delete(table).where(mine).returning()
  if (!row) throw notFound('suppressed address')
  recordChange(db, { object: 'email_suppression', id, before: { address: row.address, reason: row.reason } })
}
