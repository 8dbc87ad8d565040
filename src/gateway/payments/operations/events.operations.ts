import { z } from 'zod'
import { PaymentEvent, PaymentEventList } from '../../contract/payments.ts'
import { Account, createdRange, listing, ObjectId } from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describeEvent } from '../objects/funds.ts'
import { paymentOperation } from '../operation.ts'

const EventType = z.string().regex(/^[a-z0-9_]+(\.[a-z0-9_]+)+$/, 'Must be a type of events, such as charge.refunded.')
const maxTypes = 20

export const listPaymentEvents = paymentOperation({
  route: 'GET /platform/payments/events',
  summary: 'List events of the payment provider',
  object: 'event',
  input: z.object({
    ...listing,
    ...createdRange,
    account: Account,
    types: z
      .preprocess((given) => (typeof given === 'string' ? [given] : given), z.array(EventType).min(1).max(maxTypes))
      .optional(),
    delivered: z.stringbool().optional().describe('false finds events whose webhooks were lost.'),
  }),
  output: PaymentEventList,
  send: async (stripe, { types, delivered, ...page }, options) =>
    pageOf(
      await stripe.events.list(
        {
          ...pageParams(page),
          ...(types && { types }),
          ...(delivered !== undefined && { delivery_success: delivered }),
        },
        options,
      ),
      describeEvent,
    ),
})

export const getPaymentEvent = paymentOperation({
  route: 'GET /platform/payments/events/:id',
  summary: 'Get an event of the payment provider',
  object: 'event',
  input: z.object({ id: ObjectId, account: Account }),
  output: PaymentEvent,
  send: async (stripe, { id }, options) => describeEvent(await stripe.events.retrieve(id, {}, options)),
})
