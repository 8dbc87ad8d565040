import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { paymentMethods, providerCustomers } from '../../schema.ts'
import { enqueueSync } from './jobs.ts'
import { isKnown, rowIs } from './provider-customers.ts'
import { ensureDefault, lockOwner, ownOf, readMethods } from './read-methods.ts'

type MethodRow = typeof paymentMethods.$inferSelect
type ChangeCall = Call<unknown, Actor>

interface Chosen {
  id: string
  methodId: string
}

/** Of its account. @throws {Problem} 404 */
export async function setDefault(call: ChangeCall, chosen: Chosen): Promise<void> {
  const { db } = call
  const method = await findMethod(call, chosen)
  const owner = await lockOwner(db, method)
  const [current] = await db.select().from(paymentMethods).where(eq(paymentMethods.id, method.id))
  if (!owner || !current) throw notFound('payment method')
  if (current.isDefault) return
  await db
    .update(paymentMethods)
    .set({ isDefault: false })
    .where(and(ownOf(owner), eq(paymentMethods.isDefault, true)))
  await db.update(paymentMethods).set({ isDefault: true }).where(eq(paymentMethods.id, method.id))
  await markChanged(db, owner)
  await enqueueSync(db, call, { id: owner.customerId, organizationId: owner.organizationId })
  recordChange(db, { object: 'customer', id: owner.customerId, after: { defaultPaymentMethod: method.id } })
}

/** Detached at the provider first. @throws {Problem} 404, 409 without a key of its account, and the gateway’s */
export async function removeMethod(call: ChangeCall, chosen: Chosen): Promise<void> {
  const method = await findMethod(call, chosen)
  const { organizationId, accountKey, providerPaymentMethodId: id } = method
  try {
    await call.gateway.payments.detachPaymentMethod({ organizationId, accountKey, id, idempotencyKey: method.id })
  } catch (error) {
    // Removed before, perhaps by this request: the list says.
    if (!(await isGone(call, method))) throw error
  }
  await auditedTransaction(call, async (tx) => {
    const owner = await lockOwner(tx, method)
    recordChange(tx, { object: 'customer', id: method.customerId, after: { removedPaymentMethod: method.id } })
    if (!owner) return
    await tx.delete(paymentMethods).where(eq(paymentMethods.id, method.id))
    await ensureDefault(tx, owner)
    await markChanged(tx, owner)
    await enqueueSync(tx, call, { id: owner.customerId, organizationId })
  })
}

async function isGone(call: ChangeCall, method: MethodRow): Promise<boolean> {
  const [owner] = await call.db.select().from(providerCustomers).where(rowIs(method))
  if (!owner || !isKnown(owner)) return true
  await readMethods(call, owner).catch((error: unknown) =>
    call.log.warn('Payment methods can’t be read', { error: String(error) }),
  )
  return (await call.db.$count(paymentMethods, eq(paymentMethods.id, method.id))) === 0
}

/** What is being read is older, and something has to be sent. */
const markChanged = (tx: Database, owner: Pick<typeof providerCustomers.$inferSelect, 'customerId' | 'accountKey'>) =>
  tx
    .update(providerCustomers)
    .set({ version: sql`${providerCustomers.version} + 1`, sentVersion: null })
    .where(rowIs(owner))

async function findMethod({ db, actor }: ChangeCall, { id, methodId }: Chosen): Promise<MethodRow> {
  const [row] = await db
    .select()
    .from(paymentMethods)
    .where(
      and(
        eq(paymentMethods.id, methodId),
        eq(paymentMethods.customerId, id),
        eq(paymentMethods.organizationId, organizationOf(actor, 'customers:write')),
      ),
    )
  if (!row) throw notFound('payment method')
  return row
}
