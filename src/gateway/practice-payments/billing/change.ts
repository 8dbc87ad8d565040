import { z } from 'zod'
import { changesOf, emit } from '../store/events.ts'
import { get, update } from '../store/objects.ts'
import type { InvoiceLine, Stock } from '../store/types.ts'
import { seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest, Refusal } from '../wire/error.ts'
import { createInvoice, defaultMethod, payInvoice, refuse } from './invoice.ts'
import { changeItems, type ChangedItem } from './items.ts'
import { prorate } from './lines.ts'

type Subscription = Stock['subscription']

export const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none'])

interface ItemChange {
  items: readonly ChangedItem[]
  proration_behavior?: z.output<typeof prorationBehavior>
  proration_date?: number
  payment_behavior?: string
}

const isLine = z.custom<InvoiceLine>(
  (value) => z.looseObject({ object: z.literal('line_item') }).safeParse(value).success,
)
const Hidden = z.looseObject({ pending: z.array(isLine) })

/** Prorations that the next invoice contains. */
export async function pendingLines(call: PaymentsCall, id: string): Promise<InvoiceLine[]> {
  return Hidden.parse((await get(call, 'subscription', id)).hidden).pending
}

export const prorationDate = (call: PaymentsCall, { items }: Subscription, wanted: number | undefined): number => {
  const at = wanted ?? seconds(call.now)
  const [first] = items.data
  if (first && (at < first.current_period_start || at > first.current_period_end))
    throw invalidRequest('Cannot specify `proration_date` outside of current subscription period.', 'proration_date')
  return at
}

/** Other quantities or prices, from now on. What they cost until the period ends is invoiced now, later or never. */
export async function changeSubscriptionItems(
  call: PaymentsCall,
  before: Subscription,
  { items: changes, proration_behavior: behavior = 'create_prorations', ...rest }: ItemChange,
): Promise<Subscription> {
  const items = await changeItems(call, before, changes)
  const at = prorationDate(call, before, rest.proration_date)
  const lines =
    behavior === 'none' || before.status === 'trialing' ? [] : await prorate(call, before.items.data, items, at)
  const pending = await pendingLines(call, before.id)
  const isNow = behavior === 'always_invoice' && lines.length > 0
  const after = await update(
    call,
    'subscription',
    before.id,
    { items: { ...before.items, data: items } },
    { pending: isNow ? [] : [...pending, ...lines] },
  )
  await emit(call, 'customer.subscription.updated', after, changesOf(before, after))
  if (!isNow) return after
  const customer = before.customer ?? ''
  const invoice = await createInvoice(call, {
    customer,
    subscription: before.id,
    lines: [...pending, ...lines],
    currency: before.currency,
    reason: 'subscription_update',
    start: seconds(call.now),
    end: seconds(call.now),
  })
  const invoiced = await update(call, 'subscription', before.id, { latest_invoice: invoice.id })
  if (invoice.status !== 'open' || rest.payment_behavior === 'default_incomplete') return invoiced
  const paid = await payInvoice(call, invoice, await defaultMethod(call, customer, before.default_payment_method))
  if (paid instanceof Refusal && rest.payment_behavior === 'error_if_incomplete') refuse(paid)
  return (await get(call, 'subscription', before.id)).data
}
