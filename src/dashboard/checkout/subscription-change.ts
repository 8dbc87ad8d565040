import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { plainText } from '#lib/text.ts'

/** The largest `integer` of PostgreSQL. */
const maxInt = 2_147_483_647
const time = z.iso.datetime()
const packages = z.enum(['three', 'five', 'ten', 'everything', 'free'])
const ownerType = z.enum(['organization', 'checkout'])
const amount = z.int().min(0)

export const ReceivedSubscription = z.object({
  id: Id,
  ownerType,
  ownerId: Id,
  package: packages,
  seats: z.int().min(1).max(maxInt),
  currency: z.string().regex(/^[A-Z]{3}$/i),
  unitAmount: amount,
  status: z.enum(['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'canceled', 'paused']),
  access: z.enum(['none', 'full', 'read_only', 'ended']),
  trialEndsAt: time.nullable(),
  currentPeriodStartsAt: time.nullable(),
  currentPeriodEndsAt: time.nullable(),
  cancelAtPeriodEnd: z.boolean(),
  cancelAt: time.nullable(),
  endedAt: time.nullable(),
  keptUntil: time.nullable(),
  dunning: z
    .object({
      pastDueSince: time,
      attempts: z.int(),
      nextAttemptAt: time.nullable(),
      lastFailure: plainText(5000).nullable(),
      readOnlyAt: time,
    })
    .nullable(),
  createdAt: time,
})

/** As payments sends it: the whole subscription after a change. */
export const ReceivedSubscriptionChange = z.object({
  id: Id,
  type: z.enum([
    'subscription.started',
    'subscription.updated',
    'subscription.past_due',
    'subscription.read_only',
    'subscription.recovered',
    'subscription.canceled',
  ]),
  sequence: z.int().min(1).max(maxInt),
  ownerType,
  ownerId: Id,
  subscription: ReceivedSubscription,
})
export type ReceivedSubscriptionChange = z.output<typeof ReceivedSubscriptionChange>
