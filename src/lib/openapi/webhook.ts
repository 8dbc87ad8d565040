import type { Webhook } from '../webhook.ts'
import { refTo, type Endpoint } from './document.ts'

/** A provider's call to us: its body is the provider's, and its signature the only credential. */
export const webhookEndpoint = ({ path, summary }: Webhook, tag: string): Endpoint => ({
  operationId: `webhook${path.replaceAll(/[^a-zA-Z0-9]+(\w?)/g, (_, first: string) => first.toUpperCase())}`,
  summary,
  tags: [tag],
  'x-permission': 'signature',
  security: [],
  ...(path.includes(':') && {
    parameters: [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
  }),
  requestBody: { required: true, content: { '*/*': { schema: {} } } },
  responses: {
    200: { description: 'Taken.', content: { 'application/json': { schema: {} } } },
    '4XX': {
      description: 'Refused: the signature is missing or wrong, or the body can’t be read.',
      content: { 'application/problem+json': { schema: { $ref: refTo('Problem') } } },
    },
  },
})
