import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { keyset, type PageOf } from '#lib/paginate.ts'
import { z } from 'zod'
import { contrastOnWhite, type Brand } from '../contract.ts'
import { testKeyNetwork, readPermissions, type CheckPermission, explainAbsence, reachedBrand } from '../access.ts'
import { brands } from '../schema.ts'
import type { BrandRow } from './brands.ts'
import type { WithLogoUrl } from '#lib/images/logo.ts'
import { listClockChanges, type SlotClockChange } from '../slots/clock-changes.ts'
import { withLogoUrl } from './logo/logo-url.ts'

type BrandDetails = WithLogoUrl<BrandRow> &
  Pick<Brand, 'contrastsOnWhite' | 'counts' | 'can'> & {
    slotClockChanges: SlotClockChange[]
  }
type Reading = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'now'>

const aheadMs = 366 * 24 * 3_600_000

const byName = keyset({ name: [brands.name, z.string()], id: [brands.id, Id] })

export async function listDetails(
  call: Reading,
  query: { limit: number; cursor?: string },
): Promise<PageOf<BrandDetails> & { total: number; can: { create: boolean } }> {
  const { db, actor } = call
  const slice = byName.slice(query)
  const [rows, total, check] = await Promise.all([
    db
      .select(columnsFor(actor))
      .from(brands)
      .where(and(reachedBrand(actor), slice.where))
      .orderBy(...slice.order)
      .limit(slice.limit),
    db.$count(brands, reachedBrand(actor)),
    readPermissions(call),
  ])
  const { items, nextCursor } = slice.page(rows)
  return {
    items: items.map((row) => describe(row, actor, check, call.now())),
    nextCursor,
    total,
    can: { create: check('brands:write') },
  }
}

/** @throws {Problem} 404 when it is absent or another organization's, 403 where it is read only */
export async function getDetails(call: Reading, id: string): Promise<BrandDetails> {
  const { db, actor } = call
  const [[row], check] = await Promise.all([
    db
      .select(columnsFor(actor))
      .from(brands)
      .where(and(eq(brands.id, id), reachedBrand(actor))),
    readPermissions(call),
  ])
  if (!row) throw await explainAbsence(db, actor, 'brand', [id])
  return describe(row, actor, check, call.now())
}

/** After a transfer the actor no longer reaches it. */
export async function detailsOfChanged(call: Reading, { id }: BrandRow): Promise<BrandDetails> {
  const [[row], check] = await Promise.all([
    call.db.select(columnsFor(call.actor)).from(brands).where(eq(brands.id, id)),
    readPermissions(call),
  ])
  if (!row) throw new Error(`Brand ${id} no longer exists`)
  return describe(row, call.actor, check, call.now())
}

type Counted = BrandRow & { accounts: number; posts: number; scheduled: number }

/** Counts stop here, which means more than 1,000: a brand can have any number of posts. */
const maxCount = 1_001

/** A test key counts what it reads: the sandbox network's accounts and posts (IDN-36). */
function columnsFor({ credential }: Actor) {
  const readable = credential.test ? sql`provider = ${testKeyNetwork}` : sql`true`
  // Drizzle leaves out the table of a column where a query has only one; these subqueries have two.
  const count = (table: 'connections' | 'posts', where: SQL, order: SQL) =>
    sql<number>`(select count(*)::int from (select from social.${sql.raw(table)}
      where brand_id = brands.id and ${readable} and ${where} order by ${order} limit ${maxCount}) counted)`
  // In the order of an index of each brand: without one PostgreSQL can read the whole table for a brand with few posts.
  const byTime = sql`sort_at, id`
  return {
    ...getTableColumns(brands),
    accounts: count('connections', sql`active`, sql`provider, external_id, owner_id`),
    posts: count('posts', sql`true`, byTime),
    scheduled: count('posts', sql`status = 'scheduled'`, byTime),
  }
}

function describe(
  { accounts, posts, scheduled, ...brand }: Counted,
  actor: Actor,
  check: CheckPermission,
  now: Date,
): BrandDetails {
  const canWrite = brand.organizationId === organizationOf(actor) && check('brands:write', brand.id)
  return {
    ...withLogoUrl(brand),
    contrastsOnWhite: brand.colors.map(contrastOnWhite),
    slotClockChanges: listClockChanges(brand.queueSlots, brand.timeZone, {
      from: now,
      until: new Date(now.getTime() + aheadMs),
    }),
    counts: { accounts: check('accounts:read', brand.id) ? accounts : null, posts, scheduled },
    can: { update: canWrite, transfer: canWrite },
  }
}
