import type Stripe from 'stripe'
import { z } from 'zod'
import { changesOf, emit } from '../store/events.ts'
import { datedPageParams, listObjects, pageParams } from '../store/list.ts'
import { get, getOrDeleted, insert, remove, update } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { address, clearable, email, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { attach, fullAddress, usePaymentMethod } from '../payments/payment-methods.ts'

const shared = {
  address: clearable(address).optional(),
  description: text().optional(),
  email: email.optional(),
  invoice_settings: z.strictObject({ default_payment_method: text().optional() }).optional(),
  metadata: clearable(metadata).optional(),
  name: text(256).optional(),
  phone: text(20).optional(),
  tax_exempt: z.enum(['none', 'exempt', 'reverse']).optional(),
}

const Create = paramsOf<Stripe.CustomerCreateParams>()(z.strictObject({ ...shared, payment_method: text().optional() }))
const Update = paramsOf<Stripe.CustomerUpdateParams>()(z.strictObject(shared))
const List = paramsOf<Stripe.CustomerListParams>()(z.strictObject({ ...datedPageParams, email: email.optional() }))
const Methods = paramsOf<Stripe.CustomerListPaymentMethodsParams>()(
  z.strictObject({ ...pageParams, type: z.enum(['card']).optional() }),
)

interface CustomerFields {
  address?: z.output<typeof address> | null
  description?: string
  email?: string
  metadata?: Record<string, string> | null
  name?: string
  phone?: string
  tax_exempt?: 'none' | 'exempt' | 'reverse'
}

export async function createCustomer(call: PaymentsCall, fields: CustomerFields): Promise<Stock['customer']> {
  const customer = await insert(call, 'customer', {
    id: randomId('cus', 14),
    object: 'customer',
    address: fields.address ? fullAddress(fields.address) : null,
    balance: 0,
    created: seconds(call.now),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: fields.description ?? null,
    discount: null,
    email: fields.email ?? null,
    invoice_prefix: randomId('x', 8).slice(2).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: mergeMetadata({}, fields.metadata),
    name: fields.name ?? null,
    next_invoice_sequence: 1,
    phone: fields.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: fields.tax_exempt ?? 'none',
    test_clock: null,
  })
  await emit(call, 'customer.created', customer)
  return customer
}

/** @throws {StripeError} for a payment method that isn’t the customer’s */
async function checkDefault(call: PaymentsCall, customer: string, method: string | undefined): Promise<void> {
  if (method === undefined) return
  const { data } = await get(call, 'payment_method', method, 'invoice_settings[default_payment_method]')
  if (data.customer !== customer)
    throw invalidRequest(
      'The customer does not have a payment method with the ID ' +
        `${method}. The payment method must be attached to the customer.`,
      'invoice_settings[default_payment_method]',
      'resource_missing',
    )
}

export const customerRoutes = [
  route('POST', '/v1/customers', Create, async (call, { payment_method, invoice_settings, ...fields }) => {
    const customer = await createCustomer(call, fields)
    const attached = payment_method && (await attach(call, await usePaymentMethod(call, payment_method), customer.id))
    const wanted = invoice_settings?.default_payment_method
    if (!wanted) return customer
    const method = wanted === payment_method && attached ? attached.id : wanted
    await checkDefault(call, customer.id, method)
    return update(call, 'customer', customer.id, {
      invoice_settings: { ...customer.invoice_settings, default_payment_method: method },
    })
  }),
  route('GET', '/v1/customers', List, (call, { email: address_, ...page }) =>
    listObjects(call, 'customer', '/v1/customers', page, { email: address_ }),
  ),
  route('GET', '/v1/customers/:id', nothing, (call, _, id = '') => getOrDeleted(call, 'customer', id)),
  route('POST', '/v1/customers/:id', Update, async (call, fields, id = '') => {
    const { data } = await get(call, 'customer', id)
    const { metadata: change, invoice_settings, address: place, ...rest } = fields
    await checkDefault(call, id, invoice_settings?.default_payment_method)
    const customer = await update(call, 'customer', id, {
      ...rest,
      ...(place !== undefined && { address: place && fullAddress(place) }),
      invoice_settings: { ...data.invoice_settings, ...invoice_settings },
      metadata: mergeMetadata(data.metadata, change),
    })
    await emit(call, 'customer.updated', customer, changesOf(data, customer))
    return customer
  }),
  route('DELETE', '/v1/customers/:id', nothing, async (call, _, id = '') => {
    const { data } = await get(call, 'customer', id)
    const removed = await remove(call, 'customer', id)
    await emit(call, 'customer.deleted', data)
    return removed
  }),
  route('GET', '/v1/customers/:id/payment_methods', Methods, async (call, { type, ...page }, id = '') => {
    await get(call, 'customer', id)
    return listObjects(call, 'payment_method', `/v1/customers/${id}/payment_methods`, page, { customer: id, type })
  }),
]
