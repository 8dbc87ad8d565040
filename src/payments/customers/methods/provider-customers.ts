import { and, eq, isNull } from 'drizzle-orm'
import { transact, type Database } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { listAll, pageAt } from '../../checkout/list-all.ts'
import { isKeyKnown } from '../../provider-keys.ts'
import { customers, providerCustomers } from '../../schema.ts'
import type { PaymentsWork } from '../../work.ts'

export type ProviderCustomer = typeof providerCustomers.$inferSelect
/** With the ID that the provider gave. */
export type KnownCustomer = ProviderCustomer & { providerCustomerId: string }

export const rowIs = ({ customerId, accountKey }: Pick<ProviderCustomer, 'customerId' | 'accountKey'>) =>
  and(eq(providerCustomers.customerId, customerId), eq(providerCustomers.accountKey, accountKey))

interface Owner {
  organizationId: string
  customerId: string
  accountKey: string
}

/** The customer at an account of the provider, made there at its first use. @throws {Problem} 404, 409, and the gateway’s */
export async function ensureProviderCustomer(work: PaymentsWork, owner: Owner): Promise<KnownCustomer> {
  const row = await transact(work.db, (tx) => insertOrFind(tx, work, owner))
  return isKnown(row) ? row : createAtProvider(work, row)
}

export const isKnown = (row: ProviderCustomer): row is KnownCustomer => row.providerCustomerId !== null

/** The customer is locked against a concurrent deletion of its data, which has the provider’s deleted too. */
async function insertOrFind(tx: Database, { now }: PaymentsWork, owner: Owner): Promise<ProviderCustomer> {
  const [customer] = await tx
    .select({ archivedAt: customers.archivedAt, erasedAt: customers.erasedAt })
    .from(customers)
    .where(and(eq(customers.id, owner.customerId), eq(customers.organizationId, owner.organizationId)))
    .for('share')
  if (!customer) throw notFound('customer')
  if (customer.erasedAt) throw conflict('customer_erased', 'The personal data of this customer was deleted.')
  if (customer.archivedAt) throw conflict('customer_archived', 'This customer is archived. Restore it first.')
  const at = now()
  const [added] = await tx
    .insert(providerCustomers)
    .values({ ...owner, createdAt: at })
    .onConflictDoNothing()
    .returning()
  const row = added ?? (await find(tx, owner))
  if (!row) throw new Error('The customer of the provider was neither inserted nor found')
  return row
}

async function find(db: Database, row: Pick<ProviderCustomer, 'customerId' | 'accountKey'>) {
  const [found] = await db.select().from(providerCustomers).where(rowIs(row))
  return found
}

const maxAttempts = 20
const pauseMs = 100

/**
 * Sent with nothing but our IDs, so that each repetition is the same request. What the key no longer covers is looked up
 * first. @throws {Problem} of the gateway
 */
async function createAtProvider(work: PaymentsWork, row: ProviderCustomer): Promise<KnownCustomer> {
  const current = isKeyKnown(row.createdAt, work.now()) ? row : await renewKey(work, row)
  if (isKnown(current)) return current
  const { organizationId, customerId, accountKey, createdAt } = current
  for (let attempt = 1; ; attempt += 1) {
    try {
      const made = await work.gateway.payments.createCustomer({
        organizationId,
        accountKey,
        idempotencyKey: `${customerId}:${accountKey}:${createdAt.getTime()}`,
        metadata: metadataOf(current),
      })
      return await storeId(work, current, made.id)
    } catch (error) {
      const isMade = error instanceof Problem && error.code === 'idempotency_in_progress'
      if (!isMade || attempt === maxAttempts) throw error
      await Bun.sleep(pauseMs)
    }
  }
}

const metadataOf = ({ organizationId, customerId }: ProviderCustomer) => ({ organizationId, customerId })

async function renewKey(work: PaymentsWork, row: ProviderCustomer): Promise<ProviderCustomer> {
  const found = await findAtProvider(work, row)
  if (found !== null) return storeId(work, row, found)
  const [renewed] = await work.db
    .update(providerCustomers)
    .set({ createdAt: work.now() })
    .where(
      and(rowIs(row), eq(providerCustomers.createdAt, row.createdAt), isNull(providerCustomers.providerCustomerId)),
    )
    .returning()
  const current = renewed ?? (await find(work.db, row))
  if (!current) throw notFound('customer')
  return current
}

const minute = 60_000
/** The provider’s clock, and repetitions with the same key. */
const around = { beforeMs: 10 * minute, afterMs: 25 * 60 * minute }

/** Its metadata names our customer. Null when there is none. @throws {Problem} of the gateway */
export async function findAtProvider(
  { gateway }: Pick<PaymentsWork, 'gateway'>,
  { organizationId, customerId, accountKey, createdAt }: ProviderCustomer,
): Promise<string | null> {
  const range = {
    organizationId,
    accountKey,
    createdFrom: new Date(createdAt.getTime() - around.beforeMs).toISOString(),
    createdBefore: new Date(createdAt.getTime() + around.afterMs).toISOString(),
  }
  const isOwn = ({ metadata }: { metadata: Record<string, string> }) => metadata['customerId'] === customerId
  const found = await listAll((cursor) => gateway.payments.listCustomers({ ...range, ...pageAt(cursor) }), isOwn)
  return found.find(isOwn)?.id ?? null
}

/** Its details are sent next. */
async function storeId({ db, now }: PaymentsWork, row: ProviderCustomer, id: string): Promise<KnownCustomer> {
  await db
    .update(providerCustomers)
    .set({ providerCustomerId: id, nextCheckAt: now() })
    .where(and(rowIs(row), isNull(providerCustomers.providerCustomerId)))
  const stored = await find(db, row)
  if (!stored || !isKnown(stored)) throw notFound('customer')
  return stored
}
