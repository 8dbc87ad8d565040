import type Stripe from 'stripe'
import { z } from 'zod'
import { currency } from '../catalog/currency.ts'
import { emit } from '../store/events.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { insert, read } from '../store/objects.ts'
import { randomId, seconds } from '../wire/call.ts'
import { clearable, integer, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { recordMovement } from './transactions.ts'

const Create = paramsOf<Stripe.TopupCreateParams>()(
  z.strictObject({
    amount: integer(1),
    currency,
    description: text().optional(),
    metadata: clearable(metadata).optional(),
    statement_descriptor: text(15).optional(),
    transfer_group: text(200).optional(),
  }),
)
const List = paramsOf<Stripe.TopupListParams>()(z.strictObject(datedPageParams))

export const topupRoutes = [
  route('POST', '/v1/topups', Create, async (call, params) => {
    const id = randomId('tu')
    const { amount, currency: code } = params
    const movement = await recordMovement(call, { type: 'topup', amount, currency: code, source: id })
    const topup = await insert(call, 'topup', {
      id,
      object: 'topup',
      amount,
      balance_transaction: movement.id,
      created: seconds(call.now),
      currency: code,
      description: params.description ?? null,
      expected_availability_date: seconds(call.now),
      failure_code: null,
      failure_message: null,
      initiated_by: null,
      livemode: false,
      metadata: mergeMetadata({}, params.metadata),
      source: null,
      statement_descriptor: params.statement_descriptor ?? null,
      status: 'succeeded',
      transfer_group: params.transfer_group ?? null,
    })
    await emit(call, 'topup.created', topup)
    await emit(call, 'topup.succeeded', topup)
    return topup
  }),
  route('GET', '/v1/topups', List, (call, page) => listObjects(call, 'topup', '/v1/topups', page)),
  route('GET', '/v1/topups/:id', nothing, (call, _, id = '') => read(call, 'topup', id)),
]
