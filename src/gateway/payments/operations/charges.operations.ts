import { z } from 'zod'
import { PaymentCharge } from '../../contract/payments.ts'
import { ObjectId } from '../fields.ts'
import { describeCharge } from '../objects/payments.ts'
import { paymentOperation } from '../operation.ts'

export const getPaymentCharge = paymentOperation({
  route: 'GET /platform/payments/charges/:id',
  summary: 'Get a charge',
  object: 'charge',
  input: z.object({ id: ObjectId }),
  output: PaymentCharge,
  send: async (stripe, { id }, options) => describeCharge(await stripe.charges.retrieve(id, {}, options)),
})
