import type Stripe from 'stripe'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { emit } from '../store/events.ts'
import { datedPageParams, listObjects, pageParams, wholeList } from '../store/list.ts'
import { get, read, update } from '../store/objects.ts'
import { cancelIntent } from '../payments/cancel.ts'
import { paymentObjects } from '../schema.ts'
import { seconds } from '../wire/call.ts'
import { invalidRequest, Refusal } from '../wire/error.ts'
import { flag, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { defaultMethod, intentOf, payInvoice } from './invoice.ts'
import { listPayments } from './payments.ts'
import { previewInvoice, previewParams } from './preview.ts'

const Pay = paramsOf<Stripe.InvoicePayParams>()(
  z.strictObject({ off_session: flag.optional(), payment_method: text().optional() }),
)
const List = paramsOf<Stripe.InvoiceListParams>()(
  z.strictObject({
    ...datedPageParams,
    customer: text().optional(),
    status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
    subscription: text().optional(),
  }),
)
const Lines = paramsOf<Stripe.InvoiceListLineItemsParams>()(z.strictObject(pageParams))

const Payments = paramsOf<Stripe.InvoicePaymentListParams>()(z.strictObject({ ...pageParams, invoice: text() }))

const path = '/v1/invoices'

export const invoiceRoutes = [
  route('POST', `${path}/create_preview`, previewParams, previewInvoice),
  route('GET', path, List, (call, { customer, status, subscription, ...page }) => {
    const parent = JSON.stringify({ parent: { subscription_details: { subscription } } })
    return listObjects(call, 'invoice', path, page, { customer, status }, undefined, [
      subscription ? sql`${paymentObjects.data} @> ${parent}::text::jsonb` : undefined,
    ])
  }),
  route('GET', `${path}/:id`, nothing, (call, _, id = '') => read(call, 'invoice', id)),
  route('GET', `${path}/:id/lines`, Lines, async (call, { limit = 10, starting_after }, id = '') => {
    const { lines } = (await get(call, 'invoice', id)).data
    const from = starting_after ? lines.data.findIndex((line) => line.id === starting_after) + 1 : 0
    return {
      ...wholeList(`${path}/${id}/lines`, lines.data.slice(from, from + limit)),
      has_more: lines.data.length > from + limit,
    }
  }),
  route('GET', '/v1/invoice_payments', Payments, async (call, { invoice }) =>
    wholeList('/v1/invoice_payments', await listPayments(call, invoice)),
  ),
  route('POST', `${path}/:id/pay`, Pay, async (call, { payment_method, off_session }, id = '') => {
    const { data } = await get(call, 'invoice', id)
    const method = payment_method ?? (await defaultMethod(call, data.customer ?? '', data.default_payment_method))
    const paid = await payInvoice(call, data, method, off_session)
    return paid instanceof Refusal ? paid : (await get(call, 'invoice', id)).data
  }),
  route('POST', `${path}/:id/void`, nothing, async (call, _, id = '') => {
    const { data } = await get(call, 'invoice', id)
    if (data.status !== 'open')
      throw invalidRequest(
        `You can only pass in open invoices. This invoice is ${data.status}.`,
        undefined,
        'invoice_not_editable',
      )
    const intent = await intentOf(call, id)
    if (intent) await cancelIntent(call, intent, null)
    const voided = await update(call, 'invoice', id, {
      status: 'void',
      amount_remaining: 0,
      status_transitions: { ...data.status_transitions, voided_at: seconds(call.now) },
    })
    await emit(call, 'invoice.voided', voided, { status: 'open' })
    return voided
  }),
]
