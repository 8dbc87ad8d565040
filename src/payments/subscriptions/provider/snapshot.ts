import type { PaymentsWork } from '../../work.ts'
import type { Provided } from '#lib/call.ts'
import { listAll, pageAt } from '../../checkout/list-all.ts'
import { isKeyKnown } from '../../provider-keys.ts'
import { payerOf, type SubscriptionRow } from '../rows.ts'

type Client = Provided['gateway']['payments']
export type ProviderSubscription = Awaited<ReturnType<Client['getSubscription']>>
export type ProviderInvoice = Awaited<ReturnType<Client['getInvoice']>>

/** What the provider says of a subscription, read after the row’s `version`. */
export interface Snapshot {
  subscription: ProviderSubscription | null
  /** The newest. */
  invoices: readonly ProviderInvoice[]
  /** Whose payment failed, the oldest one. */
  failing: ProviderInvoice | null
  /** Its page can’t be paid any more, and wasn’t. */
  isAbandoned: boolean
}

const maxInvoices = 20

/** @throws {Problem} of the gateway */
export async function readSnapshot(work: PaymentsWork, row: SubscriptionRow): Promise<Snapshot> {
  const { payments } = work.gateway
  const payer = payerOf(row)
  const subscription = await findAtProvider(payments, row)
  if (!subscription) {
    const isAbandoned = await isClosed(work, row)
    return { subscription: null, invoices: [], failing: null, isAbandoned }
  }
  const { items: invoices } = await payments.listInvoices({
    ...payer,
    subscription: subscription.id,
    limit: maxInvoices,
  })
  const failed = invoices.findLast(({ status, attempts }) => status === 'open' && attempts > 0)
  const failing = failed ? await payments.getInvoice({ ...payer, id: failed.id }) : null
  return { subscription, invoices, failing, isAbandoned: false }
}

async function findAtProvider(client: Client, row: SubscriptionRow): Promise<ProviderSubscription | null> {
  const { id, providerSubscriptionId, providerCustomerId: customer } = row
  const payer = payerOf(row)
  if (providerSubscriptionId !== null) return client.getSubscription({ ...payer, id: providerSubscriptionId })
  if (customer === null) return null
  const isOurs = ({ metadata }: ProviderSubscription) => metadata['subscriptionId'] === id
  const found = await listAll(
    (cursor) => client.listSubscriptions({ ...payer, customer, status: 'all', ...pageAt(cursor) }),
    isOurs,
  )
  return found.find(isOurs) ?? null
}

/** A creation without outcome can still have taken effect, until the provider forgets its key. */
async function isClosed({ gateway, now }: PaymentsWork, row: SubscriptionRow): Promise<boolean> {
  const { checkoutSessionId: id } = row
  if (id === null) return !isKeyKnown(row.createdAt, now())
  return (await gateway.payments.getCheckoutSession({ ...payerOf(row), id })).status === 'expired'
}
