import type Stripe from 'stripe'
import { z } from 'zod'
import { checkStep, currency } from '../catalog/currency.ts'
import { changesOf, emit } from '../store/events.ts'
import { datedPageParams, listObjects, pageParams, wholeList } from '../store/list.ts'
import { get, insert, read, update } from '../store/objects.ts'
import type { Stock } from '../store/types.ts'
import { checkAccountId, connectedKey } from '../wire/account.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { clearable, integer, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'
import { requireFunds } from './funds.ts'
import { recordMovement } from './transactions.ts'

const Create = paramsOf<Stripe.TransferCreateParams>()(
  z.strictObject({
    amount: integer(1),
    currency,
    destination: text(),
    description: text().optional(),
    metadata: metadata.optional(),
    source_transaction: text().optional(),
    transfer_group: text(200).optional(),
  }),
)
const Update = paramsOf<Stripe.TransferUpdateParams>()(
  z.strictObject({ description: text().optional(), metadata: clearable(metadata).optional() }),
)
const List = paramsOf<Stripe.TransferListParams>()(
  z.strictObject({ ...datedPageParams, destination: text().optional(), transfer_group: text().optional() }),
)
const Reverse = paramsOf<Stripe.TransferCreateReversalParams>()(
  z.strictObject({
    amount: integer(1).optional(),
    description: text().optional(),
    metadata: clearable(metadata).optional(),
  }),
)
const Reversals = paramsOf<Stripe.TransferListReversalsParams>()(z.strictObject(pageParams))

type Transfer = Stock['transfer']

const atDestination = (call: PaymentsCall, destination: string): PaymentsCall => ({
  ...call,
  account: connectedKey(call.platform, destination),
})

async function createTransfer(call: PaymentsCall, params: z.output<typeof Create>): Promise<Transfer> {
  const { amount, currency: code, destination } = params
  if (call.account !== call.platform) throw invalidRequest('Connected accounts can’t create transfers.')
  checkAccountId(destination, 'destination')
  checkStep(amount, code)
  if (params.source_transaction) await get(call, 'charge', params.source_transaction, 'source_transaction')
  else await requireFunds(call, amount, code)
  const id = randomId('tr')
  const movement = await recordMovement(call, { type: 'transfer', amount: -amount, currency: code, source: id })
  await recordMovement(atDestination(call, destination), {
    type: 'payment',
    category: 'charge',
    amount,
    currency: code,
    source: id,
  })
  const transfer = await insert(call, 'transfer', {
    id,
    object: 'transfer',
    amount,
    amount_reversed: 0,
    balance_transaction: movement.id,
    created: seconds(call.now),
    currency: code,
    description: params.description ?? null,
    destination,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    reversals: wholeList(`/v1/transfers/${id}/reversals`, []),
    reversed: false,
    source_transaction: params.source_transaction ?? null,
    source_type: 'card',
    transfer_group: params.transfer_group ?? null,
  })
  await emit(call, 'transfer.created', transfer)
  return transfer
}

async function reverse(call: PaymentsCall, params: z.output<typeof Reverse>, transferId = '') {
  const { data } = await get(call, 'transfer', transferId)
  const left = data.amount - data.amount_reversed
  const amount = params.amount ?? left
  if (left === 0 || amount > left)
    throw invalidRequest(
      `You cannot reverse more than the transfer’s remaining amount of ${left}.`,
      'amount',
      'transfer_reversal_amount_too_large',
    )
  const destination = atDestination(call, data.destination ?? '')
  await requireFunds(destination, amount, data.currency)
  const id = randomId('trr')
  const movement = await recordMovement(call, { type: 'transfer_refund', amount, currency: data.currency, source: id })
  await recordMovement(destination, { type: 'payment_refund', amount: -amount, currency: data.currency, source: id })
  const reversal = await insert(call, 'transfer_reversal', {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: movement.id,
    created: seconds(call.now),
    currency: data.currency,
    destination_payment_refund: null,
    metadata: mergeMetadata({}, params.metadata),
    source_refund: null,
    transfer: transferId,
  })
  const amount_reversed = data.amount_reversed + amount
  const transfer = await update(call, 'transfer', transferId, {
    amount_reversed,
    reversed: amount_reversed === data.amount,
    reversals: { ...data.reversals, data: [{ ...reversal }, ...data.reversals.data] },
  })
  await emit(call, 'transfer.reversed', transfer, changesOf(data, transfer))
  return reversal
}

export const transferRoutes = [
  route('POST', '/v1/transfers', Create, createTransfer),
  route('GET', '/v1/transfers', List, (call, { destination, transfer_group, ...page }) =>
    listObjects(call, 'transfer', '/v1/transfers', page, { destination, transfer_group }),
  ),
  route('GET', '/v1/transfers/:id', nothing, (call, _, id = '') => read(call, 'transfer', id)),
  route('POST', '/v1/transfers/:id', Update, async (call, { metadata: change, ...fields }, id = '') => {
    const { data } = await get(call, 'transfer', id)
    const transfer = await update(call, 'transfer', id, { ...fields, metadata: mergeMetadata(data.metadata, change) })
    await emit(call, 'transfer.updated', transfer, changesOf(data, transfer))
    return transfer
  }),
  route('POST', '/v1/transfers/:id/reversals', Reverse, reverse),
  route('GET', '/v1/transfers/:id/reversals', Reversals, async (call, page, id = '') => {
    await get(call, 'transfer', id)
    return listObjects(call, 'transfer_reversal', `/v1/transfers/${id}/reversals`, page, { transfer: id })
  }),
  route('GET', '/v1/transfers/:id/reversals/:reversal', nothing, async (call, _, id = '', reversal = '') => {
    await get(call, 'transfer', id)
    return (await get(call, 'transfer_reversal', reversal)).data
  }),
]
