import { z } from 'zod'
import {
  DeletedProviderObject,
  ProviderWebhookEndpoint,
  ProviderWebhookEndpointList,
  WebhookEvent,
} from '../../contract/payments.ts'
import { listing, Metadata, ObjectId, Text, Url } from '../fields.ts'
import { pageOf, pageParams } from '../lists.ts'
import { describeEndpoint } from '../objects/webhook-endpoints.ts'
import { paymentOperation } from '../operation.ts'
import { toParams } from '../params.ts'

const object = 'webhook endpoint'

export const createWebhookEndpoint = paymentOperation({
  route: 'POST /platform/payments/webhook-endpoints',
  summary: 'Create a webhook endpoint at the payment provider',
  object,
  input: z.object({
    url: Url,
    enabledEvents: z.array(WebhookEvent).min(1).max(WebhookEvent.options.length),
    description: Text(500).optional(),
    connect: z.boolean().optional().describe('Events of connected accounts, instead of its own.'),
    metadata: Metadata.optional(),
  }),
  output: ProviderWebhookEndpoint,
  send: async (stripe, input, options) =>
    describeEndpoint(await stripe.webhookEndpoints.create(toParams(input), options)),
})

export const getWebhookEndpoint = paymentOperation({
  route: 'GET /platform/payments/webhook-endpoints/:id',
  summary: 'Get a webhook endpoint of the payment provider',
  object,
  input: z.object({ id: ObjectId }),
  output: ProviderWebhookEndpoint,
  send: async (stripe, { id }, options) => describeEndpoint(await stripe.webhookEndpoints.retrieve(id, {}, options)),
})

export const listWebhookEndpoints = paymentOperation({
  route: 'GET /platform/payments/webhook-endpoints',
  summary: 'List webhook endpoints of the payment provider',
  object,
  input: z.object(listing),
  output: ProviderWebhookEndpointList,
  send: async (stripe, page, options) =>
    pageOf(await stripe.webhookEndpoints.list(pageParams(page), options), describeEndpoint),
})

export const deleteWebhookEndpoint = paymentOperation({
  route: 'DELETE /platform/payments/webhook-endpoints/:id',
  summary: 'Delete a webhook endpoint at the payment provider',
  ends: true,
  object,
  input: z.object({ id: ObjectId }),
  output: DeletedProviderObject,
  send: async (stripe, { id }, options) => {
    const { deleted } = await stripe.webhookEndpoints.del(id, {}, options)
    return { id, deleted }
  },
})
