import { z } from 'zod'
import { dayRange } from '#lib/days.ts'
import { Id } from '#lib/ids.ts'
import { Currency, Units, UnitsInput } from '#lib/money.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { optionalField, plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

const Amount = Units.describe('In the smallest unit of the currency.')

export const BatchStatus = z.enum([
  'needs_approval',
  'accepted',
  'processing',
  'completed',
  'partially_failed',
  'failed',
])
export type BatchStatus = z.output<typeof BatchStatus>

export const ItemStatus = z.enum(['pending', 'sent', 'unknown', 'settled', 'failed', 'returned'])
export type ItemStatus = z.output<typeof ItemStatus>

export const BatchFailure = z.enum(['balance_short', 'declined', 'items_failed'])
export type BatchFailure = z.output<typeof BatchFailure>

export const CallbackState = z.enum(['waiting', 'delivered', 'failed'])
export type CallbackState = z.output<typeof CallbackState>

export const RequesterKind = z.enum(['person', 'api_key', 'service'])
export type RequesterKind = z.output<typeof RequesterKind>

const maxItems = 10_000
/** Of any currency; most have a lower limit. */
const maxAmount = 999_999_999_999

/** Visible ASCII, as it is part of URLs and sent to the provider. */
const Name = z
  .string()
  .regex(/^[\w.:-]{1,100}$/, 'Must be 1 to 100 letters, digits, dots, colons, hyphens and underscores.')
/** Dots alone would be parts of a path. */
export const BatchId = Name.regex(/[A-Za-z0-9]/, 'Must contain a letter or digit.')

const ItemInput = z.object({
  reference: Name.describe('Unique within the batch.'),
  recipient: z
    .string()
    .regex(/^acct_\w{1,100}$/, 'Must be the ID of a connected account, such as acct_1Pb2Lm.')
    .describe('A connected account of the payment provider.'),
  amount: UnitsInput.refine((units) => units > 0n && units <= BigInt(maxAmount), `Must be from 1 to ${maxAmount}.`),
})

export const BatchDraft = z.object({
  batchId: BatchId.describe('Chosen by you. The same batch is never paid twice.'),
  currency: Currency,
  callbackUrl: z
    .url({ protocol: /^https?$/, error: 'Must be an http(s) URL.' })
    .max(2_000)
    .describe('Gets a signed `settlement.updated` (Standard Webhooks) after each change.'),
  controlSum: UnitsInput.describe('The sum of all amounts.'),
  items: z.array(ItemInput).min(1, 'Add at least one item.').max(maxItems, `Must have at most ${maxItems} items.`),
})
export type BatchDraft = z.output<typeof BatchDraft>

export const NewSettlement = z.object({
  id: Id,
  batchId: z.string(),
  status: BatchStatus,
  currency: z.string(),
  controlSum: Amount,
  repeats: z.int().describe('How often the same batch was sent again.'),
  items: z.array(z.object({ reference: z.string(), status: ItemStatus })),
})
export type NewSettlement = z.output<typeof NewSettlement>

const Total = z.object({ items: z.int(), amount: Amount })
const Totals = z.object({
  pending: Total,
  sent: Total,
  unknown: Total,
  settled: Total,
  failed: Total,
  returned: Total,
})
export type Totals = z.input<typeof Totals>

export const Settlement = z.object({
  id: Id,
  batchId: z.string(),
  status: BatchStatus,
  failure: BatchFailure.nullable(),
  currency: z.string(),
  controlSum: Amount,
  itemCount: z.int(),
  totals: Totals,
  ceiling: Amount.nullable().describe('The ceiling that it was above, so that a second person has to approve it.'),
  missingAmount: Amount.nullable().describe('What the balance lacked. Nothing was paid.'),
  createdAt: Timestamp,
  startedAt: Timestamp.nullable(),
  finishedAt: Timestamp.nullable(),
  version: z.int(),
})
export type Settlement = z.output<typeof Settlement>

export const SettlementList = listOf(Settlement).extend({
  currencies: z.array(z.string()).describe('Of the latest 1,000 batches, the most used first.'),
  counts: z
    .array(z.object({ status: BatchStatus, count: z.int() }))
    .describe('Of all statuses with batches that match the other filters, each counted up to 1,001.'),
})
export type SettlementList = z.output<typeof SettlementList>

export const SettlementFilter = z.object({
  status: optionalField(BatchStatus),
  currency: optionalField(Currency),
  q: optionalField(plainText(100).trim().min(1)).describe('The beginning of a batchId, or a reference or recipient.'),
  ...dayRange,
  ...paging,
})
export type SettlementFilter = z.output<typeof SettlementFilter>

export const SettlementItem = z.object({
  id: Id,
  reference: z.string(),
  recipient: z.string(),
  amount: Amount,
  currency: z.string(),
  status: ItemStatus.describe('`unknown`: the provider’s response was lost. We keep asking and never guess.'),
  failureCode: z.string().nullable(),
  failureMessage: z.string().nullable(),
  transferId: z.string().nullable(),
  payoutId: z.string().nullable(),
  reversalId: z.string().nullable().describe('Of the transfer, after its payout failed or was returned.'),
  returnedAmount: Amount.describe(
    'What of the transfer came back. It can be a part, reversed at the provider by hand.',
  ),
  changedAt: Timestamp,
  settledAt: Timestamp.nullable(),
  checkedAt: Timestamp.nullable(),
  nextCheckAt: Timestamp.nullable(),
  resolvable: z.boolean().describe('It is unknown and isn’t sent again, so a person can say what became of it.'),
})
export type SettlementItem = z.output<typeof SettlementItem>

export const SettlementItemList = listOf(SettlementItem).extend({ can: z.object({ resolve: z.boolean() }) })
export type SettlementItemList = z.output<typeof SettlementItemList>

export const SettlementItemFilter = z.object({
  batchId: BatchId,
  status: optionalField(ItemStatus),
  ...paging,
})

export type SettlementItemFilter = z.output<typeof SettlementItemFilter>

export const ItemDecision = z.object({
  batchId: BatchId,
  itemId: Id,
  outcome: z
    .enum(['settled', 'failed'])
    .describe('`failed`: what was transferred is taken back. `settled`: the recipient has the money.'),
  note: plainText(1_000).trim().min(1, 'Enter how you found out.'),
})
export type ItemDecision = z.output<typeof ItemDecision>

export const SettlementCallback = z.object({
  id: Id.describe('Sent as `webhook-id`, the same for every attempt.'),
  sequence: z.int(),
  state: CallbackState,
  body: z.string().describe('The exact request body.'),
  attempts: z.int(),
  lastStatus: z.int().nullable(),
  nextAttemptAt: Timestamp.nullable(),
  createdAt: Timestamp,
  settledAt: Timestamp.nullable(),
  log: z
    .array(
      z.object({
        number: z.int(),
        at: Timestamp,
        durationMs: z.int(),
        status: z.int().nullable(),
        answer: z.string().nullable(),
        problem: z.string().nullable(),
      }),
    )
    .describe('The last 20 attempts, newest first.'),
})
export type SettlementCallback = z.output<typeof SettlementCallback>

export const SettlementDetails = Settlement.extend({
  callbackUrl: z.string(),
  callbacksStoppedAt: Timestamp.nullable().describe('When the callback URL responded with 410 Gone.'),
  repeats: z.int(),
  requestedBy: Id.nullable(),
  requesterKind: RequesterKind,
  requestingService: z.string().nullable(),
  decidedBy: Id.nullable(),
  decidedAt: Timestamp.nullable(),
  confirmedAlone: Timestamp.nullable().describe(
    'When the owner confirmed it with a second factor, because no one else holds the permission.',
  ),
  largest: z.object({
    reference: z.string(),
    recipient: z.string(),
    amount: Amount,
    paidBefore: z.int().describe('How often its recipient was paid before.'),
  }),
  newRecipients: z.object({ count: z.int(), amount: Amount }),
  nextCheckAt: Timestamp.nullable(),
  callbacks: z.array(SettlementCallback).describe('The newest 100.'),
  can: z.object({
    approve: z.boolean(),
    confirmAlone: z.boolean().describe('Approval needs a second factor, since no one else can approve.'),
    decline: z.boolean(),
    check: z.boolean(),
    replay: z.boolean(),
  }),
})
export type SettlementDetails = z.output<typeof SettlementDetails>

export const CallbackSecrets = z.object({
  current: z.object({ ending: z.string().describe('Its last 4 characters.'), createdAt: Timestamp }).nullable(),
  previous: z.object({ ending: z.string(), endsAt: Timestamp }).nullable(),
  can: z.object({ rotate: z.boolean() }),
})
export type CallbackSecrets = z.output<typeof CallbackSecrets>

export const NewCallbackSecret = CallbackSecrets.omit({ can: true }).extend({
  secret: z.string().optional().describe('`whsec_…` (Standard Webhooks). Only returned here.'),
})
export type NewCallbackSecret = z.output<typeof NewCallbackSecret>
