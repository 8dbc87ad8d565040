import { Refusal, type Invalid } from '../wire/call.ts'
import { secret } from '../wire/grants.ts'
import type { Shape } from '../wire/wire.ts'

const logId = () => `2026${secret(12)}`
const bodyOf = (code: string, message: string) => ({ data: {}, error: { code, message, log_id: logId() } })

/** A refusal in the shape of TikTok's API. */
export const refuse = (status: number, code: string, message: string): Refusal =>
  new Refusal(Response.json(bodyOf(code, message), { status }))

export const succeed = (data: object): Response =>
  Response.json({ data, error: { code: 'ok', message: '', log_id: logId() } })

/** As `succeed`, for data with numbers beyond JavaScript's safe integers. */
export const succeedWith = (data: string): Response =>
  new Response(`{"data":${data},"error":{"code":"ok","message":"","log_id":"${logId()}"}}`, {
    headers: { 'content-type': 'application/json' },
  })

export const invalidToken = () =>
  refuse(401, 'access_token_invalid', 'The access token is invalid or not found in the request.')
export const missingScope = (scope: string) =>
  refuse(
    401,
    'scope_not_authorized',
    `The user did not authorize the scope required for completing this request: ${scope}.`,
  )
export const invalidParams = (message: string) => refuse(400, 'invalid_params', message)
export const rateLimited = () =>
  refuse(429, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.')

export const invalid = ({ reason, field, message }: Invalid): Response => {
  if (reason === 'unknown') return invalidParams(`Unknown parameter ${field}`).response
  if (reason === 'missing') return invalidParams(`Missing parameter ${field}`).response
  return invalidParams(`Parameter ${field} is invalid: ${message}`).response
}

/** The error of the token endpoints. */
export const oauthError = (error: string, error_description: string): Response =>
  Response.json({ error, error_description, log_id: logId() }, { status: 400 })

const shaped = (status: number, code: string, message: string) => (): Shape => ({
  status,
  body: bodyOf(code, message),
})

export const shapes = {
  unauthorized: shaped(401, 'access_token_invalid', 'The access token is invalid or not found in the request.'),
  forbidden: shaped(403, 'spam_risk_user_banned_from_posting', 'The user is banned from making new posts.'),
  rate_limited: shaped(429, 'rate_limit_exceeded', 'The API rate limit was exceeded. Please try again later.'),
  server_error: shaped(500, 'internal_error', 'Something went wrong. Please try again later.'),
  // The API answers an expired and a revoked token as an unknown one; refreshing tells them apart.
  expired_token: shaped(401, 'access_token_invalid', 'The access token is invalid or not found in the request.'),
  revoked_token: shaped(401, 'access_token_invalid', 'The access token is invalid or not found in the request.'),
  media_refused: shaped(403, 'url_ownership_unverified', 'Please verify the ownership of the URL or its prefix.'),
}
