import type Stripe from 'stripe'
import { z } from 'zod'
import { emit } from '../store/events.ts'
import { get, insert } from '../store/objects.ts'
import { randomId, seconds } from '../wire/call.ts'
import { paramsOf, text, webUrl } from '../wire/params.ts'
import { route } from '../wire/route.ts'

const Create = paramsOf<Stripe.BillingPortal.SessionCreateParams>()(
  z.strictObject({ customer: text(), locale: text(10).optional(), return_url: webUrl.optional() }),
)

export const portalRoutes = [
  route('POST', '/v1/billing_portal/sessions', Create, async (call, { customer, locale, return_url }) => {
    await get(call, 'customer', customer, 'customer')
    const id = randomId('bps')
    const session = await insert(call, 'billing_portal.session', {
      id,
      object: 'billing_portal.session',
      configuration: 'bpc_practice',
      created: seconds(call.now),
      customer,
      customer_account: null,
      flow: null,
      livemode: false,
      locale: locale ?? null,
      on_behalf_of: null,
      return_url: return_url ?? null,
      url: `${call.origin}/dev/payments/portal/${id}`,
    })
    await emit(call, 'billing_portal.session.created', session)
    return session
  }),
]
