import type { AnsweredFault, Shape } from './wire/wire.ts'

const refuse = (status: number, error: string, headers?: Record<string, string>): Shape => ({
  status,
  body: { error },
  ...(headers && { headers }),
})

/** Mastodon's responses to faults, of which the limit ends in 10 minutes. */
export const shapes: Record<AnsweredFault, () => Shape> = {
  unauthorized: () => refuse(401, 'The access token is invalid'),
  expired_token: () => refuse(401, 'The access token expired'),
  revoked_token: () => refuse(401, 'The access token was revoked'),
  forbidden: () => refuse(403, 'Your login is currently disabled'),
  rate_limited: () =>
    refuse(429, 'Too many requests', {
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': new Date(Date.now() + 600_000).toISOString(),
    }),
  server_error: () => refuse(503, 'There was a temporary problem serving your request, please try again'),
  media_refused: () => refuse(422, 'Validation failed: File content type is invalid, File is invalid'),
}
