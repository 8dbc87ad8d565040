import type { AnsweredFault, Shape } from './wire/wire.ts'

const refuse = (status: number, error: string, message: string, headers?: Record<string, string>): Shape => ({
  status,
  body: { error, message },
  ...(headers && { headers }),
})

/** Bluesky's responses to faults, of which the limit ends in 10 minutes. */
export const shapes: Record<AnsweredFault, () => Shape> = {
  unauthorized: () => refuse(401, 'AuthMissing', 'Authentication Required'),
  expired_token: () => refuse(400, 'ExpiredToken', 'Token has expired'),
  revoked_token: () => refuse(400, 'ExpiredToken', 'Token has been revoked'),
  forbidden: () => refuse(403, 'Forbidden', 'Forbidden'),
  rate_limited: () =>
    refuse(429, 'RateLimitExceeded', 'Rate Limit Exceeded', {
      'ratelimit-limit': '5000',
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(Math.ceil(Date.now() / 1000) + 600),
      'ratelimit-policy': '5000;w=3600',
    }),
  server_error: () => refuse(500, 'InternalServerError', 'Internal Server Error'),
  media_refused: () => refuse(413, 'PayloadTooLarge', 'request entity too large'),
}
