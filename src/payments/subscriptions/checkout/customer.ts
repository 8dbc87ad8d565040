import type { PaymentsWork } from '../../work.ts'
import { and, desc, eq, isNotNull, ne } from 'drizzle-orm'
import { subscriptions } from '../../schema.ts'
import { payerOf, type SubscriptionRow } from '../rows.ts'

interface Payable {
  providerCustomerId: string
  /** Charged without a page. */
  paymentMethodId: string | null
}

/** The customer of the owner’s subscription before, or a new one. @throws {Problem} of the gateway */
export async function ensureCustomer(work: PaymentsWork, row: SubscriptionRow): Promise<Payable> {
  const { payments } = work.gateway
  const payer = payerOf(row)
  const { email, name, organizationId } = row
  const idempotencyKey = `${row.id}:customer`
  const earlier = await findEarlier(work, row)
  const known = earlier === null ? null : await payments.getCustomer({ ...payer, id: earlier })
  if (known && !known.deleted) {
    await payments.updateCustomer({ ...payer, id: known.id, idempotencyKey, email, name })
    return { providerCustomerId: known.id, paymentMethodId: known.defaultPaymentMethodId }
  }
  const made = await payments.createCustomer({
    ...payer,
    idempotencyKey,
    email,
    name,
    metadata: { ownerId: organizationId },
  })
  return { providerCustomerId: made.id, paymentMethodId: null }
}

async function findEarlier({ db }: PaymentsWork, row: SubscriptionRow): Promise<string | null> {
  const { id, organizationId, accountKey, providerCustomerId } = subscriptions
  const [found] = await db
    .select({ customer: providerCustomerId })
    .from(subscriptions)
    .where(
      and(
        eq(organizationId, row.organizationId),
        eq(accountKey, row.accountKey),
        ne(id, row.id),
        isNotNull(providerCustomerId),
      ),
    )
    .orderBy(desc(id))
    .limit(1)
  return found?.customer ?? null
}
