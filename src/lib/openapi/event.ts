import type { WebhookEvent } from '../outgoing-webhooks/event.ts'
import type { Endpoint } from './document.ts'
import type { Schemas } from './schemas.ts'

export const eventEndpoint = ({ type, summary, permission, data }: WebhookEvent, schemas: Schemas): Endpoint => ({
  operationId: `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase())}`,
  summary,
  description:
    'Sent to the organization’s webhooks, signed according to Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`). An event can arrive more than once with the same `webhook-id`, and out of order.',
  tags: ['webhooks'],
  'x-permission': permission,
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            type: { type: 'string', const: type },
            timestamp: { type: 'string', format: 'date-time' },
            data: schemas.outputSchema(data),
          },
          required: ['type', 'timestamp', 'data'],
        },
      },
    },
  },
  responses: {
    '2XX': { description: 'Received. Respond within 10 seconds. Other responses are retried for about 75 hours.' },
    410: { description: 'Gone: the webhook is disabled.' },
  },
})
