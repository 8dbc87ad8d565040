import { and, eq, inArray, isNotNull, lt, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import { AccountHealth, type AccountReport, type ConnectedAccount } from '../contract/social.ts'
import { socialConnections as table } from '../schema.ts'
import { forgetRefreshes } from './refreshes/stored.ts'

/** False for a report that arrived late or again. */
export async function storeReport(db: Database, id: string, { hasTokens, ...report }: AccountReport): Promise<boolean> {
  const stored = await db
    .insert(table)
    .values({ id, ...report })
    .onConflictDoUpdate({
      target: table.id,
      set: report,
      setWhere: and(isNotNull(table.organizationId), lt(table.version, report.version)),
    })
    .returning({ id: table.id })
  if (stored.length === 0) return false
  if (!hasTokens) await forgetRefreshes(db, id)
  return true
}

const forgotten = {
  organizationId: null,
  brandId: null,
  brandName: null,
  provider: null,
  name: null,
  host: null,
  health: null,
  connectedAt: null,
  lastUsedAt: null,
} as const

/** For good: only its ID stays for a while, so that a late report doesn't bring it back. */
export async function removeAccount(db: Database, id: string, now: Date): Promise<void> {
  const values = { ...forgotten, removedAt: now }
  await db
    .insert(table)
    .values({ id, version: 0, ...values })
    .onConflictDoUpdate({ target: table.id, set: values, setWhere: isNotNull(table.organizationId) })
  await forgetRefreshes(db, id)
}

export async function removeAccountsOf(db: Database, organizationId: string, now: Date): Promise<void> {
  await db
    .update(table)
    .set({ ...forgotten, removedAt: now })
    .where(eq(table.organizationId, organizationId))
}

interface AccountFilter {
  q?: string | undefined
  provider?: string | undefined
  brandId?: string | undefined
  health?: AccountHealth | undefined
  limit: number
  cursor?: string | undefined
}

const byNetwork = keyset({
  provider: [sql<string>`${table.provider}`, z.string()],
  name: [sql<string>`${table.name}`, z.string()],
  id: [table.id, Id],
})

/** A key that is bound to brands only reads theirs, and a test key only accounts of the sandbox (IDN-27, IDN-36). */
function readableBy({ bindings, credential }: Actor) {
  const brands = bindings.filter(({ kind }) => kind === 'brand').map(({ id }) => id)
  return and(
    bindings.length > 0 ? inArray(table.brandId, brands) : undefined,
    credential.test ? eq(table.provider, 'sandbox') : undefined,
  )
}

/** By network, then by name. */
export async function listAccounts(
  db: Database,
  actor: Actor,
  { q, provider, brandId, health, limit, cursor }: AccountFilter,
): Promise<PageOf<z.input<typeof ConnectedAccount>>> {
  const slice = byNetwork.slice({ limit, ...(cursor !== undefined && { cursor }) })
  const rows = await db
    .select()
    .from(table)
    .where(
      and(
        eq(table.organizationId, organizationOf(actor, 'usage:read')),
        readableBy(actor),
        q ? or(contains(table.name, q), contains(table.brandName, q)) : undefined,
        provider ? eq(table.provider, provider) : undefined,
        brandId ? eq(table.brandId, brandId) : undefined,
        health ? eq(table.health, health) : undefined,
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows.map(knownAccount))
}

const contains = (column: typeof table.name | typeof table.brandName, text: string) =>
  sql`position(lower(${text}) IN lower(${column})) > 0`

/** A check constraint holds these together. */
function knownAccount(row: typeof table.$inferSelect): z.input<typeof ConnectedAccount> {
  const { id, provider, name, host, brandId, brandName, health, connectedAt, lastUsedAt } = row
  if (provider === null || name === null || host === null || !brandId || brandName === null || !health || !connectedAt)
    throw new Error(`Connected account ${id} lacks its fields`)
  return { id, provider, name, host, brandId, brandName, health, connectedAt, lastUsedAt }
}
