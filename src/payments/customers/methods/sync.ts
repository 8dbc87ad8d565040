import { eq } from 'drizzle-orm'
import { isAccountChanged } from '#gateway'
import { transact, type Database } from '#lib/db.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { accountKind } from '../../notification-kinds.ts'
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
    if (erasedAt) {
      await forgetAtProvider(work, row)
      await resolveAction(work.db, keptCauseOf(row))
    } else if (isKnown(row)) {
      await readMethods(work, row)
      await sendDetails(work, row)
    } else await work.db.update(providerCustomers).set({ nextCheckAt: null }).where(rowIs(row))
  } catch (error) {
    await transact(work.db, async (tx) => {
      const isLost = isAccountChanged(error)
      await tx
        .update(providerCustomers)
        .set({
          checks: row.checks + 1,
          nextCheckAt: nextCheckOf(work, isLost ? Infinity : row.checks, { repeat: true }),
        })
        .where(rowIs(row))
      if (erasedAt && (isLost || row.checks >= work.config.PAYMENTS_SWEEP_S.length)) await raiseKept(tx, row)
    })
    throw error
  }
}

const keptCauseOf = ({ customerId, accountKey }: ProviderCustomer): string =>
  `payments.customer-kept.${customerId}.${accountKey}`

/** People have to delete what the provider still has. On a transaction. */
const raiseKept = (tx: Database, row: ProviderCustomer): Promise<void> =>
  raiseAction(tx, {
    kind: accountKind,
    organizationId: row.organizationId,
    cause: keptCauseOf(row),
    title: 'Delete a customer at the payment provider',
    reason: `The personal data of a customer was deleted here, but not at the account ${row.accountKey.split(':')[1]} of the payment provider: it doesn’t respond, or its key is no longer stored. We try again daily. Store its key, or delete ${row.providerCustomerId ?? `the customer with the metadata customerId=${row.customerId}`} there.`,
    href: '/gateway/credentials',
    actions: [{ label: 'Store the key', method: 'GET', href: '/gateway/credentials', style: 'primary' }],
  })

/** The payment methods of a customer, at all accounts whose key is stored. @throws {Problem} of the gateway */
export async function readAllMethods(work: PaymentsWork, customerId: string): Promise<void> {
  const rows = await work.db.select().from(providerCustomers).where(eq(providerCustomers.customerId, customerId))
  for (const row of rows.filter(isKnown)) await readMethods(work, row).catch(ignoreLostAccount)
}
