import { and, desc, eq, notInArray, sql } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { listAll, pageAt } from '../../checkout/list-all.ts'
import { customers, paymentMethods, providerCustomers } from '../../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../../work.ts'
import { rowIs, type KnownCustomer, type ProviderCustomer } from './provider-customers.ts'

type MethodRow = typeof paymentMethods.$inferSelect
type ProviderMethod = Awaited<ReturnType<PaymentsWork['gateway']['payments']['listPaymentMethods']>>['items'][number]

const maxAttempts = 8
const maxPauseMs = 100

/**
 * Brings the payment methods of a customer at one account to what the provider has. A list that was read before another
 * change was stored is read again. @throws {Problem} of the gateway
 */
export async function readMethods(work: PaymentsWork, row: KnownCustomer): Promise<void> {
  const { organizationId, accountKey, providerCustomerId: customer } = row
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    if (attempt > 0) await Bun.sleep(Math.random() * maxPauseMs * attempt)
    const [seen] = await work.db.select().from(providerCustomers).where(rowIs(row))
    if (!seen) return
    const methods = await listAll((cursor) =>
      work.gateway.payments.listPaymentMethods({ organizationId, accountKey, customer, ...pageAt(cursor) }),
    )
    if (await transact(work.db, (tx) => store(tx, work, seen, methods))) return
  }
  throw new Error(`Payment methods of ${row.customerId} changed during each of ${maxAttempts} attempts to read them`)
}

/** False when something changed since `seen`. */
async function store(
  tx: Database,
  work: PaymentsWork,
  seen: ProviderCustomer,
  methods: readonly ProviderMethod[],
): Promise<boolean> {
  const locked = await lockOwner(tx, seen)
  if (!locked) return true
  if (locked.version !== seen.version) return false
  const own = ownOf(seen)
  const ids = methods.map(({ id }) => id)
  await tx
    .delete(paymentMethods)
    .where(and(own, ids.length > 0 ? notInArray(paymentMethods.providerPaymentMethodId, ids) : undefined))
  for (const method of methods) await storeMethod(tx, seen, method)
  await ensureDefault(tx, seen)
  await tx
    .update(providerCustomers)
    .set({
      readAt: work.now(),
      checks: 0,
      nextCheckAt: methods.length > 0 ? nextCheckOf(work, Infinity, { repeat: true }) : null,
      version: sql`${providerCustomers.version} + 1`,
    })
    .where(rowIs(seen))
  return true
}

/** Null after the customer’s data was deleted. */
export async function lockOwner(
  tx: Database,
  row: Pick<ProviderCustomer, 'customerId' | 'accountKey'>,
): Promise<ProviderCustomer | null> {
  const [customer] = await tx
    .select({ erasedAt: customers.erasedAt })
    .from(customers)
    .where(eq(customers.id, row.customerId))
    .for('share')
  const [locked] = await tx.select().from(providerCustomers).where(rowIs(row)).for('update')
  return customer?.erasedAt === null && locked ? locked : null
}

export const ownOf = ({ customerId, accountKey }: Pick<ProviderCustomer, 'customerId' | 'accountKey'>) =>
  and(eq(paymentMethods.customerId, customerId), eq(paymentMethods.accountKey, accountKey))

async function storeMethod(
  tx: Database,
  { organizationId, customerId, accountKey }: ProviderCustomer,
  { id, type, card, createdAt }: ProviderMethod,
): Promise<void> {
  const facts = {
    type,
    brand: card?.brand ?? null,
    lastFour: card && /^\d{4}$/.test(card.lastFour) ? card.lastFour : null,
    expiryMonth: card?.expMonth ?? null,
    expiryYear: card?.expYear ?? null,
  }
  await tx
    .insert(paymentMethods)
    .values({
      id: newId(),
      organizationId,
      customerId,
      accountKey,
      providerPaymentMethodId: id,
      createdAt: new Date(createdAt),
      ...facts,
    })
    .onConflictDoUpdate({
      target: [paymentMethods.providerPaymentMethodId, paymentMethods.organizationId, paymentMethods.accountKey],
      set: facts,
      // A server of the organization’s own can return any ID, also one of another customer.
      setWhere: eq(paymentMethods.customerId, customerId),
    })
}

/** One method is the default while there is any: the newest, until another one is chosen. */
export async function ensureDefault(tx: Database, row: ProviderCustomer): Promise<void> {
  const own: Pick<MethodRow, 'id' | 'isDefault'>[] = await tx
    .select({ id: paymentMethods.id, isDefault: paymentMethods.isDefault })
    .from(paymentMethods)
    .where(ownOf(row))
    .orderBy(desc(paymentMethods.createdAt), desc(paymentMethods.id))
  const [newest] = own
  if (!newest || own.some(({ isDefault }) => isDefault)) return
  await tx.update(paymentMethods).set({ isDefault: true }).where(eq(paymentMethods.id, newest.id))
  await tx.update(providerCustomers).set({ sentVersion: null }).where(rowIs(row))
}
