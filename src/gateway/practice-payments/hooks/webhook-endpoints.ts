import type Stripe from 'stripe'
import { z } from 'zod'
import { listObjects, pageParams } from '../store/list.ts'
import { findAll, get, insert, read, remove, update } from '../store/objects.ts'
import { randomId, seconds } from '../wire/call.ts'
import { invalidRequest } from '../wire/error.ts'
import { clearable, flag, list, mergeMetadata, metadata, paramsOf, text, webUrl } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'

const eventName = z.string().regex(/^(?:\*|[a-z_]+(?:\.[a-z_]+)+)$/)

/** Events that the practice payments never send are accepted too. */
type OpenEvents<Params> = Omit<Params, 'enabled_events' | 'api_version'> & {
  enabled_events?: string[]
  api_version?: string
}

const shared = {
  description: clearable(text()).optional(),
  metadata: clearable(metadata).optional(),
}

const Create = paramsOf<OpenEvents<Stripe.WebhookEndpointCreateParams>>()(
  z.strictObject({
    ...shared,
    enabled_events: list(eventName, 300),
    url: webUrl,
    api_version: text(100).optional(),
    connect: flag.optional(),
  }),
)

const Update = paramsOf<OpenEvents<Stripe.WebhookEndpointUpdateParams>>()(
  z.strictObject({
    ...shared,
    enabled_events: list(eventName, 300).optional(),
    url: webUrl.optional(),
    disabled: flag.optional(),
  }),
)
const List = paramsOf<Stripe.WebhookEndpointListParams>()(z.strictObject(pageParams))

const maxEndpoints = 16

export const webhookEndpointRoutes = [
  route('POST', '/v1/webhook_endpoints', Create, async (call, fields) => {
    if ((await findAll(call, 'webhook_endpoint', {})).length >= maxEndpoints)
      throw invalidRequest(`You have reached the maximum of ${maxEndpoints} test webhook endpoints.`)
    const secret = randomId('whsec', 32)
    const endpoint = await insert(
      call,
      'webhook_endpoint',
      {
        id: randomId('we'),
        object: 'webhook_endpoint',
        api_version: fields.api_version ?? null,
        application: null,
        created: seconds(call.now),
        description: fields.description ?? null,
        enabled_events: fields.enabled_events,
        livemode: false,
        metadata: mergeMetadata({}, fields.metadata),
        status: 'enabled',
        url: fields.url,
      },
      { secret, connect: fields.connect ?? false },
    )
    return { ...endpoint, secret }
  }),
  route('GET', '/v1/webhook_endpoints', List, (call, page) =>
    listObjects(call, 'webhook_endpoint', '/v1/webhook_endpoints', page),
  ),
  route('GET', '/v1/webhook_endpoints/:id', nothing, (call, _, id = '') => read(call, 'webhook_endpoint', id)),
  route('POST', '/v1/webhook_endpoints/:id', Update, async (call, { metadata: change, disabled, ...rest }, id = '') => {
    const { data } = await get(call, 'webhook_endpoint', id)
    return update(call, 'webhook_endpoint', id, {
      ...rest,
      metadata: mergeMetadata(data.metadata, change),
      ...(disabled !== undefined && { status: disabled ? 'disabled' : 'enabled' }),
    })
  }),
  route('DELETE', '/v1/webhook_endpoints/:id', nothing, async (call, _, id = '') => {
    await get(call, 'webhook_endpoint', id)
    return remove(call, 'webhook_endpoint', id)
  }),
]
