import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { boundBrands, withinTenant } from '../access.ts'
import { pauses } from '../schema.ts'

export type PauseRow = typeof pauses.$inferSelect

/** Those of the organization, and of the brands that the actor reaches. */
export const listPauses = (db: Database, actor: Actor, brandIds?: string[]): Promise<PauseRow[]> =>
  db
    .select()
    .from(pauses)
    .where(
      or(
        eq(pauses.organizationId, organizationOf(actor)),
        brandIds ? inArray(pauses.brandId, brandIds) : withinTenant(db, actor, pauses.brandId),
      ),
    )
    .orderBy(asc(pauses.id))

/** The accounts of these that are paused by themselves. */
export async function listPausedAccounts(db: Database, connectionIds: string[]): Promise<Set<string>> {
  if (connectionIds.length === 0) return new Set()
  const rows = await db
    .select({ id: pauses.connectionId })
    .from(pauses)
    .where(inArray(pauses.connectionId, connectionIds))
  return new Set(rows.flatMap(({ id }) => id ?? []))
}

const Found = z.tuple([z.object({ paused: z.boolean() })])

/** Whether posts of the brand through the account have to wait (SOC-47). */
export async function isPaused(db: Database, { brandId, connectionId }: { brandId: string; connectionId: string }) {
  const rows = await db.execute(sql`
    select exists (
      select from social.brands b join social.pauses p on p.organization_id = b.platform_org_id or p.brand_id = b.id
      where b.id = ${brandId} and (p.connection_id is null or p.connection_id = ${connectionId})) as paused`)
  return Found.parse([...rows])[0].paused
}

interface Scope {
  organizationId: string | null
  brandId: string | null
  connectionId: string | null
}

export const pauseOf = ({ organizationId, brandId, connectionId }: Scope) =>
  and(
    organizationId === null ? isNull(pauses.organizationId) : eq(pauses.organizationId, organizationId),
    brandId === null ? isNull(pauses.brandId) : eq(pauses.brandId, brandId),
    connectionId === null ? isNull(pauses.connectionId) : eq(pauses.connectionId, connectionId),
  )

export const reachesAll = (actor: Actor): boolean => boundBrands(actor) === null
