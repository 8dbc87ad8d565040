import { Refusal, type Invalid } from '../wire/call.ts'
import type { AnsweredFault, Shape } from '../wire/wire.ts'

/** An error of the OAuth endpoints (RFC 6749, 5.2). */
export const oauthError = (error: string, description: string, status = 400, headers = {}): Refusal =>
  new Refusal(Response.json({ error, error_description: description }, { status, headers }))

export const invalid = ({ reason, field, message }: Invalid): Response =>
  oauthError('invalid_request', `${field}: ${reason === 'missing' ? 'Required' : message}`).response

const shape = (status: number, error: string, description: string, headers = {}): Shape => ({
  status,
  headers,
  body: { error, error_description: description },
})

/** Responses of the authorization server to the faults that every network has. */
export const oauthShapes: Record<AnsweredFault, () => Shape> = {
  unauthorized: () => shape(401, 'invalid_client', 'Client authentication failed'),
  forbidden: () => shape(403, 'access_denied', 'Forbidden'),
  rate_limited: () => shape(429, 'rate_limit_exceeded', 'Too many requests', { 'retry-after': '1' }),
  server_error: () => shape(500, 'server_error', 'Server error'),
  expired_token: () => shape(400, 'invalid_grant', 'Refresh token expired'),
  revoked_token: () => shape(400, 'invalid_grant', 'Session revoked'),
  media_refused: () => shape(400, 'invalid_request', 'Invalid request'),
}

/** What a PDS answers to a token or proof that it doesn’t accept (RFC 9449, 7.1). */
export const tokenRefused = (error: string, message: string, nonce: string): Response =>
  Response.json(
    { error, message },
    {
      status: 401,
      headers: {
        'www-authenticate': `DPoP error="${error}", error_description="${message}", algs="ES256"`,
        'dpop-nonce': nonce,
      },
    },
  )
