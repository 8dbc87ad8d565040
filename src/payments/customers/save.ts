import { and, eq, isNull, or, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { CustomerDraft, CustomerEdit } from '../contract/customers.ts'
import { checkTaxNumber } from '../contract/tax-number.ts'
import { customers, invoices, orders, paymentMethods, providerCustomers } from '../schema.ts'
import { requireVersion } from '../version.ts'
import type { CustomerRow } from './describe.ts'
import { emitCustomerChange, emitCustomerCreated } from './events.ts'
import { enqueueSync } from './methods/jobs.ts'

type CustomerCall = Pick<Call<unknown, Actor>, 'actor' | 'db' | 'now' | 'queue' | 'events'>

/** @throws {Problem} 422 without a name and email, or for a malformed tax number */
export async function createCustomer(call: CustomerCall, draft: CustomerDraft): Promise<CustomerRow> {
  const { db, actor, now } = call
  requireNamed(draft)
  const [row] = await db
    .insert(customers)
    .values({
      ...draft,
      id: newId(),
      organizationId: organizationOf(actor, 'customers:write'),
      taxNumber: checkTaxNumber(draft.taxNumber, draft.address?.country ?? null),
      createdBy: actor.principal.id,
      createdAt: now(),
    })
    .returning()
  if (!row) throw new Error('The customer was not inserted')
  recordChange(db, { object: 'customer', id: row.id, after: { kind: row.kind } })
  await emitCustomerCreated(db, call, row)
  return row
}

/** @throws {Problem} 404, 409 `version_conflict`, `customer_erased`, 422 like `createCustomer` */
export async function updateCustomer(
  call: CustomerCall,
  input: CustomerEdit,
  versions: readonly number[] | null,
): Promise<CustomerRow> {
  const { id, version: _, ...changes } = input
  const before = await lockCustomer(call, id)
  requireVersion(before, versions, 'this customer')
  requireNotErased(before)
  const { name = before.name, email = before.email, address = before.address, taxNumber = before.taxNumber } = changes
  requireNamed({ name, email })
  const isTaxed = changes.taxNumber !== undefined || changes.address !== undefined
  const after = await save(call, before, {
    ...changes,
    ...(isTaxed && { taxNumber: checkTaxNumber(taxNumber, address?.country ?? null) }),
  })
  await enqueueSync(call.db, call, after)
  return after
}

/** New orders are refused. @throws {Problem} 404 */
export async function archiveCustomer(call: CustomerCall, id: string): Promise<CustomerRow> {
  const before = await lockCustomer(call, id)
  return before.archivedAt ? before : save(call, before, { archivedAt: call.now() })
}

/** @throws {Problem} 404, 409 `customer_erased` */
export async function restoreCustomer(call: CustomerCall, id: string): Promise<CustomerRow> {
  const before = await lockCustomer(call, id)
  requireNotErased(before)
  return before.archivedAt ? save(call, before, { archivedAt: null }) : before
}

/**
 * Its ID stays as a pseudonym, so that orders and ledger remain as they are. At the provider it is deleted afterwards.
 * @throws {Problem} 404
 */
export async function eraseCustomer(call: CustomerCall, id: string): Promise<void> {
  const { db, now } = call
  const before = await lockCustomer(call, id)
  if (before.erasedAt) return
  const guest = and(
    eq(orders.organizationId, before.organizationId),
    isNull(orders.customerId),
    // Addresses are stored as they were entered.
    sql`lower(${orders.customerEmail}) = lower(${before.email})`,
  )
  await db
    .update(orders)
    .set({ customerEmail: null, customerName: null })
    .where(or(eq(orders.customerId, before.id), before.email === null ? undefined : guest))
  await db
    .update(invoices)
    .set({
      buyerName: null,
      buyerEmail: null,
      buyerTaxNumber: null,
      buyerAddress: null,
      version: sql`${invoices.version} + 1`,
    })
    .where(and(eq(invoices.customerId, before.id), eq(invoices.status, 'draft')))
  await db.delete(paymentMethods).where(eq(paymentMethods.customerId, before.id))
  await db
    .update(providerCustomers)
    .set({ nextCheckAt: now(), checks: 0 })
    .where(eq(providerCustomers.customerId, before.id))
  await enqueueSync(db, call, before)
  await save(call, before, {
    ...nothingPersonal,
    metadata: {},
    archivedAt: before.archivedAt ?? now(),
    erasedAt: now(),
  })
}

const nothingPersonal = {
  name: null,
  email: null,
  phone: null,
  address: null,
  taxNumber: null,
  language: null,
  note: null,
}

async function lockCustomer({ db, actor }: CustomerCall, id: string): Promise<CustomerRow> {
  const organizationId = organizationOf(actor, 'customers:write')
  const [row] = await db
    .select()
    .from(customers)
    .where(and(eq(customers.id, id), eq(customers.organizationId, organizationId)))
    .for('update')
  if (!row) throw notFound('customer')
  return row
}

type Changes = { [Name in keyof CustomerRow]?: CustomerRow[Name] | undefined }

/** The audit log outlives personal data, so it only has the names of its fields. */
async function save(call: CustomerCall, before: CustomerRow, changes: Changes): Promise<CustomerRow> {
  const { db } = call
  const [after] = await db
    .update(customers)
    .set({ ...changes, version: sql`${customers.version} + 1` })
    .where(eq(customers.id, before.id))
    .returning()
  if (!after) throw new Error('The locked customer is gone')
  const fields = new Map(Object.entries(after))
  const changed = Object.entries(before).flatMap(([name, value]) =>
    name !== 'version' && !Bun.deepEquals(value, fields.get(name)) ? [name] : [],
  )
  recordChange(db, { object: 'customer', id: after.id, before: {}, after: { changed } })
  await emitCustomerChange(db, call, after, changed)
  return after
}

function requireNamed({ name, email }: Pick<CustomerRow, 'name' | 'email'>): void {
  if (name === null && email === null) throw invalid([{ path: 'name', message: 'Enter a name or an email address.' }])
}

function requireNotErased({ erasedAt }: CustomerRow): void {
  if (erasedAt) throw conflict('customer_erased', 'The personal data of this customer was deleted.')
}
