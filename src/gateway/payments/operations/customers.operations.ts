import { z } from 'zod'
import {
  BillingPortalSession,
  DeletedProviderObject,
  PaymentCustomer,
  PaymentCustomerList,
} from '../../contract/payments.ts'
import { Address, createdRange, Email, listing, Metadata, ObjectId, Text, Url } from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describeCustomer, describePortalSession } from '../objects/customers.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

const fields = {
  email: Email.optional(),
  name: Text(256).optional(),
  phone: Text(20).optional(),
  description: Text(500).optional(),
  address: Address.optional(),
  metadata: Metadata.optional(),
}

export const createPaymentCustomer = paymentOperation({
  route: 'POST /platform/payments/customers',
  summary: 'Create a customer at the payment provider',
  object: 'customer',
  input: z.object({ ...fields, paymentMethod: ObjectId.optional() }),
  output: PaymentCustomer,
  send: async (stripe, input, options) => describeCustomer(await stripe.customers.create(toParams(input), options)),
})

export const getPaymentCustomer = paymentOperation({
  route: 'GET /platform/payments/customers/:id',
  summary: 'Get a customer of the payment provider',
  object: 'customer',
  input: z.object({ id: ObjectId }),
  output: PaymentCustomer,
  send: async (stripe, { id }, options) => describeCustomer(await stripe.customers.retrieve(id, {}, options)),
})

export const updatePaymentCustomer = paymentOperation({
  route: 'PATCH /platform/payments/customers/:id',
  summary: 'Update a customer at the payment provider',
  object: 'customer',
  input: z.object({
    id: ObjectId,
    ...fields,
    address: fields.address.nullable().describe('null deletes it.'),
    defaultPaymentMethod: ObjectId.optional().describe('For its invoices.'),
  }),
  output: PaymentCustomer,
  send: async (stripe, { id, defaultPaymentMethod, ...input }, options) =>
    describeCustomer(
      await stripe.customers.update(
        id,
        toParams({ ...input, ...(defaultPaymentMethod && { invoiceSettings: { defaultPaymentMethod } }) }),
        options,
      ),
    ),
})

export const listPaymentCustomers = paymentOperation({
  route: 'GET /platform/payments/customers',
  summary: 'List customers of the payment provider',
  object: 'customer',
  input: z.object({ ...listing, ...createdRange }),
  output: PaymentCustomerList,
  send: async (stripe, page, options) =>
    pageOf(await stripe.customers.list(pageParams(page), options), describeCustomer),
})

export const deletePaymentCustomer = paymentOperation({
  route: 'DELETE /platform/payments/customers/:id',
  summary: 'Delete a customer at the payment provider',
  ends: true,
  object: 'customer',
  input: z.object({ id: ObjectId }),
  output: DeletedProviderObject,
  send: async (stripe, { id }, options) => {
    const { deleted } = await stripe.customers.del(id, {}, options)
    return { id, deleted }
  },
})

export const createBillingPortalSession = paymentOperation({
  route: 'POST /platform/payments/billing-portal/sessions',
  summary: 'Create a billing portal session',
  object: 'customer',
  input: z.object({ customer: ObjectId, returnUrl: Url.optional(), configuration: ObjectId.optional() }),
  output: BillingPortalSession,
  send: async (stripe, input, options) =>
    describePortalSession(await stripe.billingPortal.sessions.create(toParams(input), options)),
})
