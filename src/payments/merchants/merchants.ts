import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { MerchantDraft, MerchantEdit } from '../contract/merchants.ts'
import { checkTaxNumber } from '../contract/tax-number.ts'
import { ensureDefaultMerchant } from '../orders/merchants.ts'
import { merchants } from '../schema.ts'
import { requireVersion } from '../version.ts'
import { freePrefix, isIssuedUnder } from './prefix.ts'
import type { MerchantRow } from './rows.ts'

type MerchantCall = Pick<Call<unknown, Actor>, 'actor' | 'db' | 'now'>

const maxMerchants = 100

/** The first one is the default. @throws {Problem} 409 `too_many_merchants`, 422 for a name or prefix of another one, or a malformed tax number */
export async function createMerchant(call: MerchantCall, draft: MerchantDraft): Promise<MerchantRow> {
  const { db, actor, now } = call
  const organizationId = organizationOf(actor, 'merchants:write')
  const { timeZone, invoicePrefix, ...fields } = draft
  const values = {
    ...fields,
    taxNumber: checkTaxNumber(draft.taxNumber, draft.address?.country ?? null),
    timezone: timeZone,
  }
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`merchants ${organizationId}`}, 0))`)
  const count = await db.$count(merchants, eq(merchants.organizationId, organizationId))
  if (count === 0) {
    const { id } = await ensureDefaultMerchant(db, organizationId)
    return save(call, await lockMerchant(call, id), { ...values, invoicePrefix })
  }
  if (count >= maxMerchants)
    throw conflict('too_many_merchants', `An organization can have at most ${maxMerchants} merchants.`)
  if (invoicePrefix !== undefined && (await isIssuedUnder(db, { organizationId, prefix: invoicePrefix })))
    throw prefixTaken()
  const [row] = await db
    .insert(merchants)
    .values({
      ...values,
      id: newId(),
      organizationId,
      invoicePrefix: invoicePrefix ?? (await freePrefix(db, organizationId, draft.name)),
      createdAt: now(),
    })
    .returning()
    .catch(refuseTaken)
  if (!row) throw new Error('The merchant was not inserted')
  recordChange(db, { object: 'merchant', id: row.id, after: auditFields(row) })
  return row
}

/** @throws {Problem} 404, 409 `version_conflict`, 422 like `createMerchant` */
export async function updateMerchant(
  call: MerchantCall,
  input: MerchantEdit,
  versions: readonly number[] | null,
): Promise<MerchantRow> {
  const { id, version: _, timeZone, ...changes } = input
  const before = await lockMerchant(call, id)
  requireVersion(before, versions, 'this merchant')
  const { address = before.address, taxNumber = before.taxNumber } = changes
  const isTaxed = changes.taxNumber !== undefined || changes.address !== undefined
  return save(call, before, {
    ...changes,
    ...(isTaxed && { taxNumber: checkTaxNumber(taxNumber, address?.country ?? null) }),
    ...(timeZone !== undefined && { timezone: timeZone }),
  })
}

/** Orders without a merchant belong to it from then on. @throws {Problem} 404, 409 `merchant_archived` */
export async function setDefaultMerchant(call: MerchantCall, id: string): Promise<MerchantRow> {
  const { db, actor } = call
  const organizationId = organizationOf(actor, 'merchants:write')
  // All of them, in one order: two callers wait for one another.
  const rows = await db
    .select()
    .from(merchants)
    .where(eq(merchants.organizationId, organizationId))
    .orderBy(merchants.id)
    .for('update')
  const wanted = rows.find((row) => row.id === id.toLowerCase())
  if (!wanted) throw notFound('merchant')
  if (wanted.isDefault) return wanted
  if (wanted.archivedAt) throw conflict('merchant_archived', 'This merchant is archived. Restore it first.')
  const former = rows.find((row) => row.isDefault)
  if (former) await save(call, former, { isDefault: false })
  return save(call, wanted, { isDefault: true })
}

/** @throws {Problem} 404, 409 `merchant_default` */
export async function archiveMerchant(call: MerchantCall, id: string): Promise<MerchantRow> {
  const before = await lockMerchant(call, id)
  if (before.isDefault)
    throw conflict('merchant_default', 'This is the default merchant. Make another one the default first.')
  return before.archivedAt ? before : save(call, before, { archivedAt: call.now() })
}

/** @throws {Problem} 404 */
export async function restoreMerchant(call: MerchantCall, id: string): Promise<MerchantRow> {
  const before = await lockMerchant(call, id)
  return before.archivedAt ? save(call, before, { archivedAt: null }) : before
}

async function lockMerchant({ db, actor }: MerchantCall, id: string): Promise<MerchantRow> {
  const organizationId = organizationOf(actor, 'merchants:write')
  const [row] = await db
    .select()
    .from(merchants)
    .where(and(eq(merchants.id, id), eq(merchants.organizationId, organizationId)))
    .for('update')
  if (!row) throw notFound('merchant')
  return row
}

type Changes = { [Name in keyof MerchantRow]?: MerchantRow[Name] | undefined }

async function save({ db }: { db: Database }, before: MerchantRow, changes: Changes): Promise<MerchantRow> {
  const { id, organizationId } = before
  const prefix = changes.invoicePrefix ?? before.invoicePrefix
  if (prefix !== before.invoicePrefix && (await isIssuedUnder(db, { organizationId, prefix, exceptBy: id })))
    throw prefixTaken()
  const [after] = await db
    .update(merchants)
    .set({ ...changes, version: sql`${merchants.version} + 1` })
    .where(eq(merchants.id, id))
    .returning()
    .catch(refuseTaken)
  if (!after) throw new Error('The locked merchant is gone')
  recordChange(db, { object: 'merchant', id, before: auditFields(before), after: auditFields(after) })
  return after
}

function refuseTaken(error: unknown): never {
  const broken = brokenConstraint(error)
  if (broken === 'merchants_name') throw invalid([{ path: 'name', message: 'Another merchant already has this name.' }])
  if (broken === 'merchants_prefix') throw prefixTaken()
  throw error
}

const prefixTaken = () =>
  invalid([{ path: 'invoicePrefix', message: 'Another merchant uses this prefix, or has used it before.' }])

function auditFields(row: MerchantRow) {
  const { id: _, organizationId: __, createdAt: ___, ...fields } = row
  return fields
}
