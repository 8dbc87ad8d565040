import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { receivedWebhookChanged } from '#lib/incoming-webhooks/publish-change.ts'
import { topic } from '#lib/topic.ts'
import { webhookName } from './receive.ts'

/** `provider-events:<organizationId>`: an event of the payment provider was received, processed or replayed. */
export const providerEventsTopic = topic({
  name: 'provider-events',
  permission: 'payments:read',
  ...receivedWebhookChanged,
  idOf: ({ webhook, organizationId }) => (webhook === webhookName ? organizationId : ''),
  authorize: async ({ actor, input }: Call<string, Actor>) => {
    if (organizationOf(actor, 'payments:read') !== input) throw notFound('organization')
  },
})
