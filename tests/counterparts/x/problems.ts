import { Refusal, type Invalid } from '../wire/call.ts'

const headers = { 'content-type': 'application/problem+json' }
const at = 'https://api.x.com/2/problems'

const problem = (status: number, body: object): Response => Response.json({ status, ...body }, { status, headers })

/** A problem without a type of its own. */
const plain = (status: number, title: string, detail = title) => ({ title, type: 'about:blank', status, detail })

export const unauthorized = () => new Refusal(problem(401, plain(401, 'Unauthorized')))
export const forbidden = (detail: string) => new Refusal(problem(403, plain(403, 'Forbidden', detail)))

export const invalidRequest = (parameter: string, value: string, message: string) =>
  new Refusal(
    problem(400, {
      errors: [{ parameters: { [parameter]: [value] }, message }],
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: `${at}/invalid-request`,
    }),
  )

export const notFound = (type: string, id: string) => ({
  value: id,
  detail: `Could not find ${type} with id: [${id}].`,
  title: 'Not Found Error',
  resource_type: type,
  parameter: 'id',
  resource_id: id,
  type: `${at}/resource-not-found`,
})

export const invalid = ({ reason, field, message }: Invalid): Response =>
  invalidRequest(
    field,
    '',
    reason === 'unknown'
      ? `$.${field}: is not defined in the schema and the schema does not allow additional properties`
      : `$.${field}: ${reason === 'missing' ? 'is missing but it is required' : message}`,
  ).response

/** An error of the OAuth endpoints. */
export const oauthError = (status: number, error: string, error_description: string): Response =>
  Response.json({ error, error_description }, { status })

export const rateLimited = () => plain(429, 'Too Many Requests')

const shaped = (body: { status: number; [field: string]: unknown }, more: Record<string, string> = {}) => ({
  status: body.status,
  body,
  headers: { ...headers, ...more },
})

/** Responses to the faults that every network has. */
export const shapes = (now: () => number) => ({
  unauthorized: () => shaped(plain(401, 'Unauthorized')),
  forbidden: () => shaped(plain(403, 'Forbidden', 'You are not permitted to perform this action.')),
  rate_limited: () =>
    shaped(rateLimited(), {
      'x-rate-limit-limit': '100',
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': String(Math.ceil(now() / 1000) + 60),
    }),
  server_error: () => shaped(plain(503, 'Service Unavailable')),
  // The API answers an expired token as an unknown one; refreshing tells a revoked one apart.
  expired_token: () => shaped(plain(401, 'Unauthorized')),
  revoked_token: () => shaped(plain(401, 'Unauthorized')),
  media_refused: () =>
    shaped({
      status: 400,
      errors: [{ parameters: { 'media.media_ids': ['[1]'] }, message: 'Your media IDs are invalid.' }],
      title: 'Invalid Request',
      detail: 'One or more parameters to your request was invalid.',
      type: `${at}/invalid-request`,
    }),
})
