import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { byId } from '#lib/paginate.ts'
import type { MerchantFilter, MerchantList, VenueFilter, VenueList } from '../contract/merchants.ts'
import { requireMerchant } from '../ledger/merchants.ts'
import { merchants, venues } from '../schema.ts'
import { rightsIn } from './rights.ts'
import { describeMerchant, describeVenue, type MerchantRow, type VenueRow } from './rows.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>

const stateOf = (column: PgColumn, state: MerchantFilter['state']) =>
  state === undefined ? undefined : state === 'archived' ? isNotNull(column) : isNull(column)

export async function listMerchantRows(
  call: ReadCall,
  { state, limit, cursor }: MerchantFilter,
): Promise<z.input<typeof MerchantList>> {
  const slice = byId(merchants.id).slice({ limit, ...(cursor && { cursor }) })
  const [rows, { canWrite, readVenues, readSales }] = await Promise.all([
    call.db
      .select()
      .from(merchants)
      .where(
        and(
          eq(merchants.organizationId, organizationOf(call.actor, 'merchants:read')),
          stateOf(merchants.archivedAt, state),
          slice.where,
        ),
      )
      .orderBy(...slice.order)
      .limit(slice.limit),
    rightsIn(call, 'merchants:write'),
  ])
  const { items, nextCursor } = slice.page(rows)
  return {
    items: items.map((row) => describeMerchant(row, canWrite)),
    nextCursor,
    can: { create: canWrite, readVenues, readSales },
  }
}

/** @throws {Problem} 404 */
export async function findMerchant(db: Database, organizationId: string, id: string): Promise<MerchantRow> {
  const [row] = await db
    .select()
    .from(merchants)
    .where(and(eq(merchants.id, id), eq(merchants.organizationId, organizationId)))
  if (!row) throw notFound('merchant')
  return row
}

/** @throws {Problem} 404 for a merchant of another organization */
export async function listVenueRows(
  call: ReadCall,
  { merchantId, state, limit, cursor }: VenueFilter,
): Promise<z.input<typeof VenueList>> {
  const organizationId = organizationOf(call.actor, 'venues:read')
  if (merchantId !== undefined) await requireMerchant(call.db, organizationId, merchantId)
  const slice = byId(venues.id).slice({ limit, ...(cursor && { cursor }) })
  const [rows, { canWrite, readSales }] = await Promise.all([
    joined(call.db)
      .where(
        and(
          eq(venues.organizationId, organizationId),
          merchantId === undefined ? undefined : eq(venues.merchantId, merchantId),
          stateOf(venues.archivedAt, state),
          slice.where,
        ),
      )
      .orderBy(...slice.order)
      .limit(slice.limit),
    rightsIn(call, 'venues:write'),
  ])
  const page = slice.pageBy(rows, ({ venue }) => ({ id: venue.id }))
  return {
    items: page.items.map(({ venue, merchantName }) => describeVenue(venue, merchantName, canWrite)),
    nextCursor: page.nextCursor,
    can: { create: canWrite, readSales },
  }
}

const joined = (db: Database) =>
  db
    .select({ venue: venues, merchantName: merchants.name })
    .from(venues)
    .innerJoin(merchants, eq(merchants.id, venues.merchantId))

/** @throws {Problem} 404 */
export async function findVenue(
  db: Database,
  organizationId: string,
  id: string,
): Promise<{ venue: VenueRow; merchantName: string }> {
  const [row] = await joined(db).where(and(eq(venues.id, id), eq(venues.organizationId, organizationId)))
  if (!row) throw notFound('venue')
  return row
}
