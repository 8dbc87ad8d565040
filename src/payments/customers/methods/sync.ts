import { eq } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import { ignoreLostAccount } from '../../provider-account.ts'
import { customers, providerCustomers } from '../../schema.ts'
import { nextCheckOf, type PaymentsWork } from '../../work.ts'
import { forgetAtProvider } from './forget.ts'
import { isKnown, rowIs, type ProviderCustomer } from './provider-customers.ts'
import { readMethods } from './read-methods.ts'
import { sendDetails } from './send-details.ts'

type Key = Pick<ProviderCustomer, 'customerId' | 'accountKey'>

/**
 * Brings a customer at one account of the provider to ours, and our payment methods to the provider’s. Looked at again
 * after a failure. @throws {Problem} of the gateway
 */
export async function syncProviderCustomer(work: PaymentsWork, key: Key): Promise<void> {
  const [found] = await work.db
    .select({ row: providerCustomers, erasedAt: customers.erasedAt })
    .from(providerCustomers)
    .innerJoin(customers, eq(customers.id, providerCustomers.customerId))
    .where(rowIs(key))
  if (!found) return
  const { row, erasedAt } = found
  try {
    if (erasedAt) await forgetAtProvider(work, row)
    else if (isKnown(row)) {
      await readMethods(work, row)
      await sendDetails(work, row)
    } else await work.db.update(providerCustomers).set({ nextCheckAt: null }).where(rowIs(row))
  } catch (error) {
    const checks = isAccountChanged(error) ? Infinity : row.checks
    await work.db
      .update(providerCustomers)
      .set({ checks: row.checks + 1, nextCheckAt: nextCheckOf(work, checks, { repeat: true }) })
      .where(rowIs(row))
    throw error
  }
}

/** The payment methods of a customer, at all accounts whose key is stored. @throws {Problem} of the gateway */
export async function readAllMethods(work: PaymentsWork, customerId: string): Promise<void> {
  const rows = await work.db.select().from(providerCustomers).where(eq(providerCustomers.customerId, customerId))
  for (const row of rows.filter(isKnown)) await readMethods(work, row).catch(ignoreLostAccount)
}
