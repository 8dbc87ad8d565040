import { asc, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { payerOf } from '../provider-account.ts'
import { stepOf } from '../provider-amounts.ts'
import { toProviderUnits } from '../provider-units.ts'
import { orderLines, orders, type orderPayments } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'

type PaymentRow = typeof orderPayments.$inferSelect
type OrderRow = typeof orders.$inferSelect
type LineRow = typeof orderLines.$inferSelect

/** What the customer pays with. */
export interface Made {
  checkoutSessionId?: string
  paymentLinkId?: string
  paymentIntentId?: string
  url: string | null
  expiresAt: Date | null
  clientSecret: string | null
}

const minute = 60_000
/** Of the provider’s page to pay on. */
const openMs = { min: 31 * minute, max: 23 * 60 * minute }

/** The payment’s ID is the idempotency key, so a repetition within a day makes nothing new. @throws {Problem} */
export async function makeAtProvider(work: PaymentsWork, payment: PaymentRow): Promise<Made> {
  const { payments } = work.gateway
  const { order, lines } = await readOrder(work.db, payment.orderId)
  const metadata = { organizationId: order.organizationId, orderId: order.id, paymentId: payment.id }
  const payer = { ...payerOf(payment), idempotencyKey: payment.id }
  const intent = {
    captureMethod: payment.captureMethod,
    description: `Order ${order.number}`,
    transferGroup: order.id,
    metadata,
  }
  if (payment.mode === 'intent') {
    const made = await payments.createPaymentIntent({
      ...payer,
      ...intent,
      amount: toProviderUnits(payment.amount, payment.currency),
      currency: payment.currency,
      ...methodOf(payment),
      ...(order.customerEmail !== null && { receiptEmail: order.customerEmail }),
    })
    return { paymentIntentId: made.id, url: null, expiresAt: order.expiresAt, clientSecret: made.clientSecret }
  }
  const lineItems = lineItemsOf(order, lines)
  if (payment.mode === 'link') {
    const made = await payments.createPaymentLink({
      ...payer,
      lineItems,
      paymentIntentData: intent,
      restrictions: { completedSessions: { limit: 1 } },
      metadata,
      ...(payment.successUrl !== null && {
        afterCompletion: { type: 'redirect' as const, redirect: { url: payment.successUrl } },
      }),
    })
    return { paymentLinkId: made.id, url: made.url, expiresAt: order.expiresAt, clientSecret: null }
  }
  const made = await payments.createCheckoutSession({
    ...payer,
    mode: 'payment',
    lineItems,
    paymentIntentData: intent,
    metadata,
    clientReferenceId: order.id,
    successUrl: payment.successUrl ?? '',
    expiresAt: expiryOf(payment, order),
    ...(payment.cancelUrl !== null && { cancelUrl: payment.cancelUrl }),
    ...(order.customerEmail !== null && { customerEmail: order.customerEmail }),
  })
  return { checkoutSessionId: made.id, url: made.url, expiresAt: made.expiresAt, clientSecret: null }
}

/** Without a saved one, the customer chooses on the page of the organization. */
const methodOf = ({ providerCustomerId, providerPaymentMethodId }: PaymentRow) =>
  providerCustomerId === null || providerPaymentMethodId === null
    ? { automaticPaymentMethods: { enabled: true } }
    : {
        automaticPaymentMethods: { enabled: true, allowRedirects: 'never' as const },
        customer: providerCustomerId,
        paymentMethod: providerPaymentMethodId,
        confirm: true,
        offSession: true,
      }

/** Of the row only, so that a repeated request is the same. */
function expiryOf(payment: PaymentRow, order: OrderRow): string {
  const from = payment.createdAt.getTime()
  const latest = from + openMs.max
  const wanted = order.expiresAt ? Math.max(order.expiresAt.getTime(), from + openMs.min) : latest
  return new Date(Math.min(wanted, latest)).toISOString()
}

/** The lines as the customer sees them there; one item when the provider couldn’t take the amount of one of them. */
function lineItemsOf({ number, currency, total }: OrderRow, lines: readonly LineRow[]) {
  const step = stepOf(currency)
  const fits = lines.every((line) => line.total % step === 0n)
  return fits
    ? lines.map((line) => lineItemOf(line, currency))
    : [{ quantity: 1, priceData: priceOf(`Order ${number}`, total, currency) }]
}

/** A line whose total isn’t quantity × price is a single item. */
function lineItemOf({ name, quantity, unitAmount, total }: LineRow, currency: string) {
  const isPlain = BigInt(quantity) * unitAmount === total && unitAmount % stepOf(currency) === 0n
  const shown = isPlain || quantity === 1 ? name : `${quantity} × ${name}`
  return { quantity: isPlain ? quantity : 1, priceData: priceOf(shown, isPlain ? unitAmount : total, currency) }
}

const priceOf = (name: string, amount: bigint, currency: string) => ({
  currency,
  unitAmount: toProviderUnits(amount, currency),
  productData: { name },
})

async function readOrder(db: Database, orderId: string): Promise<{ order: OrderRow; lines: LineRow[] }> {
  const [[order], lines] = await Promise.all([
    db.select().from(orders).where(eq(orders.id, orderId)),
    db.select().from(orderLines).where(eq(orderLines.orderId, orderId)).orderBy(asc(orderLines.position)),
  ])
  if (!order) throw new Error('The order of a payment is gone')
  return { order, lines }
}
