import { emit } from '../store/events.ts'
import { find, update } from '../store/objects.ts'
import { schedule } from '../store/tasks.ts'
import type { Stock } from '../store/types.ts'
import { seconds, type PaymentsCall } from '../wire/call.ts'

type Invoice = Stock['invoice']

const subscriptionOf = ({ parent }: Invoice): string | null => {
  const reference = parent?.subscription_details?.subscription
  return typeof reference === 'string' ? reference : null
}

/** The invoice is paid, and its subscription active. `intent` is null when nothing was due. */
export async function settleInvoice(
  call: PaymentsCall,
  id: string,
  intent: Stock['payment_intent'] | null,
): Promise<void> {
  const invoice = (await find(call, 'invoice', id))?.data
  if (!invoice || (invoice.status !== 'open' && invoice.status !== 'draft')) return
  const paid = await update(call, 'invoice', id, {
    status: 'paid',
    amount_paid: invoice.amount_due,
    amount_remaining: 0,
    next_payment_attempt: null,
    attempted: true,
    attempt_count: invoice.attempt_count + Number(intent !== null),
    status_transitions: { ...invoice.status_transitions, paid_at: seconds(call.now) },
  })
  await emit(call, 'invoice.paid', paid)
  await emit(call, 'invoice.payment_succeeded', paid)
  const subscription = subscriptionOf(invoice)
  if (subscription) await activate(call, subscription, intent?.payment_method ?? null)
}

async function activate(call: PaymentsCall, id: string, method: string | null): Promise<void> {
  const subscription = (await find(call, 'subscription', id))?.data
  if (!subscription) return
  const wasWaiting = ['incomplete', 'past_due', 'unpaid'].includes(subscription.status)
  const default_payment_method = subscription.default_payment_method ?? method
  if (!wasWaiting && default_payment_method === subscription.default_payment_method) return
  const changed = await update(call, 'subscription', id, {
    default_payment_method,
    ...(wasWaiting && { status: 'active' }),
  })
  if (wasWaiting) await emit(call, 'customer.subscription.updated', changed, { status: subscription.status })
}

/** Days after the invoice. */
const retryDays = [2, 4, 7]
const day = 86_400

/** Of a renewal; null after the last one. */
function nextAttemptOf({ billing_reason: reason, created }: Invoice, attempts: number): number | null {
  const days = reason === 'subscription_cycle' ? retryDays[attempts - 1] : undefined
  return days === undefined ? null : created + days * day
}

/** A renewal that can’t be paid makes its subscription past due. */
export async function failInvoice(call: PaymentsCall, id: string): Promise<void> {
  const invoice = (await find(call, 'invoice', id))?.data
  if (invoice?.status !== 'open') return
  const attempts = invoice.attempt_count + 1
  const next_payment_attempt = nextAttemptOf(invoice, attempts)
  const failed = await update(call, 'invoice', id, { attempted: true, attempt_count: attempts, next_payment_attempt })
  if (next_payment_attempt !== null)
    await schedule(call, 'retry_invoice', id, (next_payment_attempt - seconds(call.now)) * 1000)
  await emit(call, 'invoice.payment_failed', failed)
  const subscription = subscriptionOf(invoice)
  const found = subscription ? (await find(call, 'subscription', subscription))?.data : null
  if (found?.status !== 'active') return
  const changed = await update(call, 'subscription', found.id, { status: 'past_due' })
  await emit(call, 'customer.subscription.updated', changed, { status: 'active' })
}
