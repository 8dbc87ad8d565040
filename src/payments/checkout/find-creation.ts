import type { orderPayments } from '../schema.ts'
import { payerOf } from '../provider-account.ts'
import type { PaymentsWork } from '../work.ts'
import { listAll, pageAt } from './list-all.ts'
import type { Made } from './make-at-provider.ts'

type PaymentRow = typeof orderPayments.$inferSelect

const minute = 60_000
/** The provider’s clock, and repetitions with the same key. */
const around = { beforeMs: 10 * minute, afterMs: 25 * 60 * minute }

/**
 * What the provider made for a payment whose creation got no response: its metadata names the payment. Null when there
 * is nothing. @throws {Problem} of the gateway
 */
export async function findCreation({ gateway }: PaymentsWork, payment: PaymentRow): Promise<Made | null> {
  const { payments } = gateway
  const { id, createdAt } = payment
  const payer = payerOf(payment)
  const at = createdAt.getTime()
  const range = {
    ...payer,
    createdFrom: new Date(at - around.beforeMs).toISOString(),
    createdBefore: new Date(at + around.afterMs).toISOString(),
  }
  const isOwn = ({ metadata }: { metadata: Record<string, string> }) => metadata['paymentId'] === id
  if (payment.mode === 'intent') {
    const intents = await listAll((cursor) => payments.listPaymentIntents({ ...range, ...pageAt(cursor) }), isOwn)
    const found = intents.find(isOwn)
    if (!found) return null
    return { paymentIntentId: found.id, url: null, expiresAt: payment.expiresAt, clientSecret: found.clientSecret }
  }
  if (payment.mode === 'link') {
    const links = await listAll((cursor) => payments.listPaymentLinks({ ...payer, ...pageAt(cursor) }), isOwn)
    const found = links.find(isOwn)
    if (!found) return null
    return { paymentLinkId: found.id, url: found.url, expiresAt: payment.expiresAt, clientSecret: null }
  }
  const pages = await listAll((cursor) => payments.listCheckoutSessions({ ...range, ...pageAt(cursor) }), isOwn)
  const found = pages.find(isOwn)
  if (!found) return null
  return { checkoutSessionId: found.id, url: found.url, expiresAt: found.expiresAt, clientSecret: null }
}
