import { emit } from '../store/events.ts'
import { find, update } from '../store/objects.ts'
import { schedule } from '../store/tasks.ts'
import type { Stock } from '../store/types.ts'
import { seconds, type PaymentsCall } from '../wire/call.ts'
import { pendingLines } from './change.ts'
import { createInvoice, payInvoice } from './invoice.ts'
import { periodLines } from './lines.ts'
import { addInterval } from './period.ts'

type Subscription = Stock['subscription']

/** The items in the period after the current one. */
export const nextPeriod = ({ items }: Subscription): Subscription['items']['data'] =>
  items.data.map((item) => ({
    ...item,
    current_period_start: item.current_period_end,
    current_period_end: addInterval(
      item.current_period_end,
      item.price.recurring?.interval ?? 'month',
      item.price.recurring?.interval_count ?? 1,
    ),
  }))

/** Begins the next period and invoices it, or ends a subscription that was canceled. */
export async function renewSubscription(call: PaymentsCall, id: string): Promise<void> {
  const before = (await find(call, 'subscription', id))?.data
  const end = before?.items.data[0]?.current_period_end
  if (!before || end === undefined || before.ended_at !== null) return
  if (end > seconds(call.now)) return schedule(call, 'renew_subscription', id, (end - seconds(call.now)) * 1000)
  const isEnding = before.cancel_at_period_end || before.cancel_at !== null
  if (isEnding || before.status === 'incomplete') return endSubscription(call, before)
  const items = nextPeriod(before)
  const lines = [...(await pendingLines(call, id)), ...(await periodLines(call, items))]
  const renewed = await update(
    call,
    'subscription',
    id,
    { items: { ...before.items, data: items }, ...(before.status === 'trialing' && { status: 'active' }) },
    { pending: [] },
  )
  await emit(call, 'customer.subscription.updated', renewed, { items: before.items })
  const invoice = await createInvoice(call, {
    customer: before.customer ?? '',
    subscription: id,
    lines,
    currency: before.currency,
    reason: 'subscription_cycle',
    start: before.items.data[0]?.current_period_start ?? end,
    end,
  })
  await update(call, 'subscription', id, { latest_invoice: invoice.id })
  const customer = (await find(call, 'customer', before.customer ?? ''))?.data
  const method = before.default_payment_method ?? customer?.invoice_settings.default_payment_method
  if (invoice.status === 'open' && typeof method === 'string') await payInvoice(call, invoice, method)
  const next = items[0]?.current_period_end ?? end
  await schedule(call, 'renew_subscription', id, (next - seconds(call.now)) * 1000)
}

export async function endSubscription(call: PaymentsCall, before: Subscription): Promise<void> {
  const ended = await update(call, 'subscription', before.id, {
    status: before.status === 'incomplete' ? 'incomplete_expired' : 'canceled',
    canceled_at: before.canceled_at ?? seconds(call.now),
    ended_at: seconds(call.now),
  })
  await emit(call, 'customer.subscription.deleted', ended)
}
