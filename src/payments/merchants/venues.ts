import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { VenueDraft, VenueEdit } from '../contract/merchants.ts'
import { venues } from '../schema.ts'
import { requireVersion } from '../version.ts'
import { findMerchant } from './read.ts'
import type { VenueRow } from './rows.ts'

type VenueCall = Pick<Call<unknown, Actor>, 'actor' | 'db' | 'now'>

const maxVenues = 1_000

/** @throws {Problem} 404 for an unknown merchant, 409 `merchant_archived`, `too_many_venues`, 422 for a name of another one */
export async function createVenue(
  { db, actor, now }: VenueCall,
  { merchantId, timeZone, ...fields }: VenueDraft,
): Promise<VenueRow> {
  const organizationId = organizationOf(actor, 'venues:write')
  const merchant = await findMerchant(db, organizationId, merchantId)
  if (merchant.archivedAt) throw conflict('merchant_archived', 'This merchant is archived. Restore it first.')
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`venues ${organizationId}`}, 0))`)
  if ((await db.$count(venues, eq(venues.organizationId, organizationId))) >= maxVenues)
    throw conflict('too_many_venues', `An organization can have at most ${maxVenues} venues.`)
  const [row] = await db
    .insert(venues)
    .values({ ...fields, id: newId(), organizationId, merchantId, timezone: timeZone, createdAt: now() })
    .returning()
    .catch(refuseTaken)
  if (!row) throw new Error('The venue was not inserted')
  recordChange(db, { object: 'venue', id: row.id, after: auditFields(row) })
  return row
}

/** @throws {Problem} 404, 409 `version_conflict`, 422 for a name of another one */
export async function updateVenue(
  call: VenueCall,
  input: VenueEdit,
  versions: readonly number[] | null,
): Promise<VenueRow> {
  const { id, version: _, timeZone, ...changes } = input
  const before = await lockVenue(call, id)
  requireVersion(before, versions, 'this venue')
  return save(call, before, { ...changes, ...(timeZone !== undefined && { timezone: timeZone }) })
}

/** @throws {Problem} 404 */
export async function archiveVenue(call: VenueCall, id: string): Promise<VenueRow> {
  const before = await lockVenue(call, id)
  return before.archivedAt ? before : save(call, before, { archivedAt: call.now() })
}

/** @throws {Problem} 404 */
export async function restoreVenue(call: VenueCall, id: string): Promise<VenueRow> {
  const before = await lockVenue(call, id)
  return before.archivedAt ? save(call, before, { archivedAt: null }) : before
}

async function lockVenue({ db, actor }: VenueCall, id: string): Promise<VenueRow> {
  const [row] = await db
    .select()
    .from(venues)
    .where(and(eq(venues.id, id), eq(venues.organizationId, organizationOf(actor, 'venues:write'))))
    .for('update')
  if (!row) throw notFound('venue')
  return row
}

type Changes = { [Name in keyof VenueRow]?: VenueRow[Name] | undefined }

async function save({ db }: { db: Database }, before: VenueRow, changes: Changes): Promise<VenueRow> {
  const [after] = await db
    .update(venues)
    .set({ ...changes, version: sql`${venues.version} + 1` })
    .where(eq(venues.id, before.id))
    .returning()
    .catch(refuseTaken)
  if (!after) throw new Error('The locked venue is gone')
  recordChange(db, { object: 'venue', id: after.id, before: auditFields(before), after: auditFields(after) })
  return after
}

function refuseTaken(error: unknown): never {
  if (brokenConstraint(error) === 'venues_name')
    throw invalid([{ path: 'name', message: 'Another venue of this merchant already has this name.' }])
  throw error
}

function auditFields(row: VenueRow) {
  const { id: _, organizationId: __, createdAt: ___, ...fields } = row
  return fields
}
