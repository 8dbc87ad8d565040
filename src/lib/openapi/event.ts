import type { WebhookEvent } from '../outgoing-webhooks/event.ts'
import type { Endpoint } from './document.ts'
import type { Schemas } from './schemas.ts'

/** What a server of the organization's own receives for an event. */
export const eventEndpoint = ({ type, summary, permission, data }: WebhookEvent, schemas: Schemas): Endpoint => ({
  operationId: `on${type.replaceAll(/(?:^|[._])(\w)/g, (_, first: string) => first.toUpperCase())}`,
  summary,
  description:
    'Sent to webhooks of the organization, signed as Standard Webhooks describe it (`webhook-id`, `webhook-timestamp`, `webhook-signature`). It can arrive more than once, with the same `webhook-id`, and in any order.',
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
            data: schemas.answered(data),
          },
          required: ['type', 'timestamp', 'data'],
        },
      },
    },
  },
  responses: {
    '2XX': { description: 'Taken. Answer within 15 seconds; other answers are tried again for about 75 hours.' },
    410: { description: 'Gone: the webhook is disabled.' },
  },
})
