import type Stripe from 'stripe'
import { z } from 'zod'
import { changesOf, emit } from '../store/events.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { get, read, update } from '../store/objects.ts'
import { clearable, email, mergeMetadata, metadata, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'

const Update = paramsOf<Stripe.ChargeUpdateParams>()(
  z.strictObject({
    description: text().optional(),
    metadata: clearable(metadata).optional(),
    receipt_email: email.optional(),
    transfer_group: text(200).optional(),
  }),
)

const List = paramsOf<Stripe.ChargeListParams>()(
  z.strictObject({
    ...datedPageParams,
    customer: text().optional(),
    payment_intent: text().optional(),
    transfer_group: text().optional(),
  }),
)

export const chargeRoutes = [
  route('GET', '/v1/charges', List, (call, { customer, payment_intent, transfer_group, ...page }) =>
    listObjects(call, 'charge', '/v1/charges', page, { customer, payment_intent, transfer_group }),
  ),
  route('GET', '/v1/charges/:id', nothing, (call, _, id = '') => read(call, 'charge', id)),
  route('POST', '/v1/charges/:id', Update, async (call, { metadata: change, ...fields }, id = '') => {
    const { data } = await get(call, 'charge', id)
    const charge = await update(call, 'charge', id, { ...fields, metadata: mergeMetadata(data.metadata, change) })
    await emit(call, 'charge.updated', charge, changesOf(data, charge))
    return charge
  }),
]
