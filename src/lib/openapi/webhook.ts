import { pathParameters } from '../route-path.ts'
import type { Webhook } from '../webhook.ts'
import { refTo, type Endpoint, type JsonSchema } from './document.ts'

const operationIdOf = (prefix: string, path: string): string =>
  prefix + path.replaceAll(/[^a-zA-Z0-9]+(\w?)/g, (_, first: string) => first.toUpperCase())

const parametersOf = (path: string): Pick<Endpoint, 'parameters'> =>
  path.includes(':')
    ? {
        parameters: pathParameters(path).map((name) => ({
          name,
          in: 'path',
          required: true,
          schema: { type: 'string' },
        })),
      }
    : {}

const receivedSchema: JsonSchema = {
  type: 'object',
  properties: { received: { type: 'boolean' }, duplicate: { type: 'boolean' } },
  required: ['received', 'duplicate'],
}

export const challengeEndpoint = ({ path, summary }: Webhook, tag: string): Endpoint => ({
  operationId: operationIdOf('challenge', path),
  summary: `${summary}: verify the URL`,
  tags: [tag],
  'x-permission': 'signature',
  security: [],
  ...parametersOf(path),
  responses: {
    200: { description: 'The URL is verified.', content: { 'text/plain': { schema: { type: 'string' } } } },
    '4XX': {
      description: 'Refused.',
      content: { 'application/problem+json': { schema: { $ref: refTo('Problem') } } },
    },
  },
})

/** A request of a provider. Its signature is the only credential. */
export const webhookEndpoint = ({ path, summary }: Webhook, tag: string): Endpoint => ({
  operationId: operationIdOf('webhook', path),
  summary,
  tags: [tag],
  'x-permission': 'signature',
  security: [],
  ...parametersOf(path),
  requestBody: { required: true, content: { '*/*': { schema: {} } } },
  responses: {
    200: {
      description: 'Stored, or already received before. The event is handled in the background.',
      content: { 'application/json': { schema: receivedSchema } },
    },
    '4XX': {
      description: 'Rejected: the signature is missing or invalid, or the body can’t be read.',
      content: { 'application/problem+json': { schema: { $ref: refTo('Problem') } } },
    },
  },
})
