import { z } from 'zod'
import { PaymentPrice } from '../../contract/payments.ts'
import { AmountOrZero, CurrencyCode, Metadata, OwnId, priceOrigin, Recurring, TaxBehavior, Text } from '../fields.ts'
import { describePrice } from '../objects/subscriptions.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

const ProductData = z.object({
  id: OwnId.optional(),
  name: Text(250),
  taxCode: Text(100).optional(),
  unitLabel: Text(12).optional(),
  metadata: Metadata.optional(),
})

const PriceInput = z
  .object({
    currency: CurrencyCode,
    unitAmount: AmountOrZero,
    product: OwnId.optional().describe('An existing product.'),
    productData: ProductData.optional().describe('Of a new product.'),
    recurring: Recurring.optional().describe('Of a subscription; a single payment when not set.'),
    taxBehavior: TaxBehavior.optional(),
    lookupKey: Text(200).optional(),
    nickname: Text(500).optional(),
    metadata: Metadata.optional(),
  })
  .refine(...priceOrigin)

export const createPaymentPrice = paymentOperation({
  route: 'POST /platform/payments/prices',
  summary: 'Create a price at the payment provider',
  object: 'price',
  input: PriceInput,
  output: PaymentPrice,
  send: async (stripe, input, options) => describePrice(await stripe.prices.create(toParams(input), options)),
})
