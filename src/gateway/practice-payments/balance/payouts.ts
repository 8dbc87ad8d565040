import { and, eq, like, or, sql } from 'drizzle-orm'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { takeBehavior } from '../behavior.ts'
import { checkStep, currency } from '../catalog/currency.ts'
import type { PracticePaymentsBehavior } from '../contract.ts'
import { changesOf, emit } from '../store/events.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { find, get, insert, read, update } from '../store/objects.ts'
import { schedule } from '../store/tasks.ts'
import type { Stock } from '../store/types.ts'
import { paymentObjects, paymentTasks } from '../schema.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { clearable, integer, mergeMetadata, metadata, paramsOf, text, timeRange } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { requireFunds } from './funds.ts'
import { recordMovement } from './transactions.ts'

const Create = paramsOf<Stripe.PayoutCreateParams>()(
  z.strictObject({
    amount: integer(1),
    currency,
    description: text().optional(),
    destination: text().optional(),
    metadata: metadata.optional(),
    method: z.enum(['standard', 'instant']).optional(),
    statement_descriptor: text(22).optional(),
  }),
)
const Update = paramsOf<Stripe.PayoutUpdateParams>()(z.strictObject({ metadata: clearable(metadata).optional() }))
const List = paramsOf<Stripe.PayoutListParams>()(
  z.strictObject({
    ...datedPageParams,
    arrival_date: timeRange.optional(),
    destination: text().optional(),
    status: z.enum(['pending', 'paid', 'failed', 'canceled', 'in_transit']).optional(),
  }),
)

type Fate = PracticePaymentsBehavior['payouts']

const stepsMs = { leave: 400, arrive: 200, return: 400 }

async function createPayout(call: PaymentsCall, params: z.output<typeof Create>): Promise<Stock['payout']> {
  const { amount, currency: code, metadata: given, description, method = 'standard' } = params
  checkStep(amount, code, { isPayout: true })
  await requireFunds(call, amount, code)
  const fate = await takeBehavior(call.tx, call.platform, 'payouts')
  const id = randomId('po')
  const movement = await recordMovement(call, { type: 'payout', amount: -amount, currency: code, source: id })
  const payout = await insert(
    call,
    'payout',
    {
      id,
      object: 'payout',
      amount,
      application_fee: null,
      application_fee_amount: null,
      arrival_date: seconds(call.now),
      automatic: false,
      balance_transaction: movement.id,
      created: seconds(call.now),
      currency: code,
      description: description ?? null,
      destination: params.destination ?? 'ba_practice',
      failure_balance_transaction: null,
      failure_code: null,
      failure_message: null,
      livemode: false,
      metadata: mergeMetadata({}, given),
      method,
      original_payout: null,
      payout_method: null,
      reconciliation_status: 'not_applicable',
      reversed_by: null,
      source_type: 'card',
      statement_descriptor: params.statement_descriptor ?? null,
      status: 'pending',
      trace_id: null,
      type: 'bank_account',
    },
    { fate },
  )
  await emit(call, 'payout.created', payout)
  await schedule(call, 'move_payout', id, stepsMs.leave)
  return payout
}

/** The next step of a payout on its way. */
export async function movePayout(call: PaymentsCall, id: string): Promise<void> {
  const found = await find(call, 'payout', id)
  if (!found) return
  const { data: payout, hidden } = found
  const fate: unknown = hidden['fate']
  if (fate === 'unknown') return
  if (payout.status === 'pending') {
    const moved = await update(call, 'payout', id, { status: 'in_transit' })
    await emit(call, 'payout.updated', moved, { status: 'pending' })
    await schedule(call, 'move_payout', id, stepsMs.arrive)
  } else if (payout.status === 'in_transit') {
    const paid = await update(call, 'payout', id, { status: 'paid' })
    await emit(call, 'payout.paid', paid, { status: 'in_transit' })
    if (fate === 'return_late') await schedule(call, 'move_payout', id, stepsMs.return)
  } else if (payout.status === 'paid' && fate === 'return_late') {
    const { amount, currency: code } = payout
    const back = await recordMovement(call, { type: 'payout_failure', amount, currency: code, source: id })
    const failed = await update(call, 'payout', id, {
      status: 'failed',
      failure_balance_transaction: back.id,
      failure_code: 'account_closed',
      failure_message: 'The bank account has been closed.',
    })
    await emit(call, 'payout.failed', failed, changesOf(payout, failed))
  }
}

/** Payouts of unknown outcome continue as the new behavior says. `account` is empty for every account. */
export async function resumePayouts(db: Database, account: string, fate: Fate): Promise<void> {
  if (fate === 'unknown') return
  const { account: owner, id, type, hidden } = paymentObjects
  const resumed = await db
    .update(paymentObjects)
    .set({ hidden: sql`${hidden} || ${JSON.stringify({ fate })}::text::jsonb` })
    .where(
      and(
        eq(type, 'payout'),
        sql`${hidden} @> '{"fate":"unknown"}'`,
        account === '' ? undefined : or(eq(owner, account), like(owner, `${account}/%`)),
      ),
    )
    .returning({ account: owner, objectId: id })
  if (resumed.length === 0) return
  const dueAt = new Date()
  await db.insert(paymentTasks).values(resumed.map((each) => ({ ...each, kind: 'move_payout', dueAt })))
}

export const payoutRoutes = [
  route('POST', '/v1/payouts', Create, createPayout),
  route('GET', '/v1/payouts', List, (call, { arrival_date, destination, status, ...page }) =>
    listObjects(
      call,
      'payout',
      '/v1/payouts',
      { ...page, created: page.created ?? arrival_date },
      { destination, status },
    ),
  ),
  route('GET', '/v1/payouts/:id', nothing, (call, _, id = '') => read(call, 'payout', id)),
  route('POST', '/v1/payouts/:id', Update, async (call, fields, id = '') => {
    const { data } = await get(call, 'payout', id)
    const payout = await update(call, 'payout', id, { metadata: mergeMetadata(data.metadata ?? {}, fields.metadata) })
    await emit(call, 'payout.updated', payout, { metadata: data.metadata })
    return payout
  }),
  route('POST', '/v1/payouts/:id/cancel', nothing, async (call, _, id = '') => {
    const { data } = await get(call, 'payout', id)
    if (data.status !== 'pending')
      throw invalidRequest(`Payouts can only be canceled while pending, and this one is ${data.status}.`)
    await recordMovement(call, { type: 'payout_cancel', amount: data.amount, currency: data.currency, source: id })
    const payout = await update(call, 'payout', id, { status: 'canceled' })
    await emit(call, 'payout.canceled', payout, { status: 'pending' })
    return payout
  }),
]
