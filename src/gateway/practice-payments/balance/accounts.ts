import type Stripe from 'stripe'
import { z } from 'zod'
import { currency } from '../catalog/currency.ts'
import { datedPageParams, listObjects } from '../store/list.ts'
import { find, insert } from '../store/objects.ts'
import { accountIdOf, checkAccountId } from '../wire/account.ts'
import { randomId, seconds, type PaymentsCall } from '../wire/call.ts'
import { clearable, email, flag, mergeMetadata, metadata, paramsOf } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'

const requested = z.strictObject({ requested: flag }).optional()

const Create = paramsOf<Stripe.AccountCreateParams>()(
  z.strictObject({
    business_type: z.enum(['company', 'government_entity', 'individual', 'non_profit']).optional(),
    capabilities: z.strictObject({ card_payments: requested, transfers: requested }).optional(),
    country: z.string().length(2).optional(),
    default_currency: currency.optional(),
    email: email.optional(),
    metadata: clearable(metadata).optional(),
    type: z.enum(['custom', 'express', 'standard']).optional(),
  }),
)
const List = paramsOf<Stripe.AccountListParams>()(z.strictObject(datedPageParams))

const accountFrom = (id: string, { now }: PaymentsCall, params: z.output<typeof Create>): Stripe.Account => ({
  id,
  object: 'account',
  business_type: params.business_type ?? null,
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: params.country ?? 'US',
  created: seconds(now),
  default_currency: params.default_currency ?? 'usd',
  details_submitted: true,
  email: params.email ?? null,
  metadata: mergeMetadata({}, params.metadata),
  payouts_enabled: true,
  type: params.type ?? 'standard',
})

/** Accounts needn’t be created first. */
async function getAccount(call: PaymentsCall, id: string): Promise<Stripe.Account> {
  checkAccountId(id, 'id')
  const found = await find({ ...call, account: call.platform }, 'account', id)
  return found?.data ?? accountFrom(id, call, {})
}

export const accountRoutes = [
  route('POST', '/v1/accounts', Create, (call, params) =>
    insert(call, 'account', accountFrom(randomId('acct', 16), call, params)),
  ),
  route('GET', '/v1/accounts', List, (call, page) => listObjects(call, 'account', '/v1/accounts', page)),
  route('GET', '/v1/accounts/:id', nothing, (call, _, id = '') => getAccount(call, id)),
  route('GET', '/v1/account', nothing, (call) => getAccount(call, accountIdOf(call.account))),
]
