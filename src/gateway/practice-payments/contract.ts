import { z } from 'zod'
import { listOf, paging } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { optionalField, plainText } from '#lib/text.ts'

export const PracticePaymentsBehavior = z.object({
  webhooks: z
    .enum(['ok', 'duplicate', 'reorder', 'delay', 'lose'])
    .describe(
      'Sent once, twice, out of order, after 2 seconds, or never. Lost events are still in the list of events.',
    ),
  answers: z
    .enum(['ok', 'timeout_after_success', 'fail'])
    .describe('Given, withheld after the change was made, or 500 before anything is changed.'),
  payouts: z
    .enum(['ok', 'return_late', 'unknown'])
    .describe('Paid, paid and returned later, or pending until the behavior is changed.'),
  times: z
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe('How many webhooks, responses and payouts are affected; any number by default.'),
})
export type PracticePaymentsBehavior = z.output<typeof PracticePaymentsBehavior>

const ApiKey = optionalField(plainText(300).regex(/^(?:sk|rk)_test_/, 'Must be a test key, such as sk_test_shop.'))

export const PaymentsBehaviorScope = z.object({
  apiKey: ApiKey.describe('Only for the account of this secret key.'),
})

const count = z.preprocess(
  (given) => (given === '' ? undefined : typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
  PracticePaymentsBehavior.shape.times,
)

export const PaymentsBehaviorChange = z.object({
  webhooks: PracticePaymentsBehavior.shape.webhooks.default('ok'),
  answers: PracticePaymentsBehavior.shape.answers.default('ok'),
  payouts: PracticePaymentsBehavior.shape.payouts.default('ok'),
  times: count,
  ...PaymentsBehaviorScope.shape,
})

const PaymentObject = z.object({
  id: z.string(),
  object: z.string().describe('The type, such as `payment_intent`.'),
  account: z.string().describe('Of the secret key that created it, or the connected account.'),
  createdAt: Timestamp,
  data: z.record(z.string(), z.unknown()).describe('As in Stripe’s API.'),
})

export const PaymentObjectFilter = z.object({
  ...paging,
  type: optionalField(plainText(100)).describe('Only objects of this type, such as `refund`.'),
  ...PaymentsBehaviorScope.shape,
})

export const PaymentObjectList = listOf(PaymentObject)
