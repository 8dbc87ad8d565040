import type { Stripe } from 'stripe'
import type { z } from 'zod'
import type { ProviderWebhookEndpoint } from '../../contract/payments.ts'
import { timeOf } from './parts.ts'

export const describeEndpoint = (endpoint: Stripe.WebhookEndpoint): z.input<typeof ProviderWebhookEndpoint> => ({
  id: endpoint.id,
  url: endpoint.url,
  status: endpoint.status,
  enabledEvents: endpoint.enabled_events,
  description: endpoint.description,
  secret: endpoint.secret ?? null,
  liveMode: endpoint.livemode,
  metadata: endpoint.metadata,
  createdAt: timeOf(endpoint.created),
})
