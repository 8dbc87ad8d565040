import { Refusal, type Invalid } from '../wire/call.ts'
import type { Shape } from '../wire/wire.ts'

interface Reason {
  reason: string
  domain?: string
  location?: string
  locationType?: 'header' | 'parameter' | 'body' | 'other'
  status?: string
}

const bodyOf = (code: number, message: string, { status, domain = 'global', ...named }: Reason) => ({
  error: { code, message, errors: [{ message, domain, ...named }], ...(status !== undefined && { status }) },
})

/** A refusal in the shape of Google's APIs. */
export const refuse = (code: number, message: string, reason: Reason): Refusal =>
  new Refusal(Response.json(bodyOf(code, message, reason), { status: code }))

const invalidCredentials = {
  reason: 'authError',
  location: 'Authorization',
  locationType: 'header',
  status: 'UNAUTHENTICATED',
} as const
const authMessage =
  'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.'

export const invalidToken = () => refuse(401, authMessage, invalidCredentials)
export const missingScope = () =>
  refuse(403, 'Request had insufficient authentication scopes.', {
    reason: 'insufficientPermissions',
    status: 'PERMISSION_DENIED',
  })
export const noChannel = () =>
  refuse(401, 'Unauthorized', {
    reason: 'youtubeSignupRequired',
    domain: 'youtube.header',
    location: 'Authorization',
    locationType: 'header',
  })
const quotaMessage = 'The request cannot be completed because you have exceeded your quota.'
const quotaReason = { reason: 'quotaExceeded', domain: 'youtube.quota' } as const
export const quotaExceeded = () => refuse(403, quotaMessage, quotaReason)
export const quotaFault = { kind: 'answer', status: 403, body: bodyOf(403, quotaMessage, quotaReason) } as const
export const uploadLimitExceeded = () =>
  refuse(400, 'The user has exceeded the number of videos they may upload.', {
    reason: 'uploadLimitExceeded',
    domain: 'youtube.video',
  })
export const invalidMetadata = (reason: string, message: string, location: string) =>
  refuse(400, message, { reason, domain: 'youtube.video', location, locationType: 'body' })
const commentMessages = {
  channelOrVideoIdMissing: 'The comment thread must be linked with a video or a channel.',
  channelNotFound: 'The channel cannot be found.',
  videoNotFound: 'The video identified by the <code>videoId</code> parameter could not be found.',
  commentsDisabled: 'The video identified by the <code>videoId</code> parameter has disabled comments.',
  commentTextRequired: 'The comment text is missing.',
  commentTextTooLong: 'The comment text exceeds the maximum length.',
  forbidden: 'The comment thread cannot be created or listed due to insufficient permissions.',
} as const
export const commentRefusal = (code: number, reason: keyof typeof commentMessages) =>
  refuse(code, commentMessages[reason], { reason, domain: 'youtube.commentThread' })
export const badRequest = (message: string) =>
  refuse(400, message, { reason: 'badRequest', status: 'INVALID_ARGUMENT' })
const badContentMessage =
  "Media type 'video/unknown' is not supported. Valid media types: [video/*, application/octet-stream]"
export const badContent = (type: string) =>
  refuse(400, badContentMessage.replace('video/unknown', type), { reason: 'badContent' })

export const invalid = ({ reason, field, message }: Invalid): Response => {
  if (reason === 'unknown')
    return badRequest(`Invalid JSON payload received. Unknown name "${field}": Cannot find field.`).response
  if (reason === 'missing')
    return refuse(400, `Required parameter: ${field}`, {
      reason: 'required',
      location: field,
      locationType: 'parameter',
    }).response
  return badRequest(`Invalid value at '${field}': ${message}`).response
}

/** The error of the token endpoints. */
export const oauthError = (status: number, error: string, error_description: string): Response =>
  Response.json({ error, error_description }, { status })

const shaped = (status: number, message: string, reason: Reason) => (): Shape => ({
  status,
  body: bodyOf(status, message, reason),
})

export const shapes = {
  unauthorized: shaped(401, authMessage, invalidCredentials),
  forbidden: shaped(403, 'Forbidden', { reason: 'forbidden', domain: 'youtube.video' }),
  rate_limited: shaped(429, 'Quota exceeded for quota metric of the service youtube.googleapis.com.', {
    reason: 'rateLimitExceeded',
    status: 'RESOURCE_EXHAUSTED',
  }),
  server_error: shaped(503, 'The service is currently unavailable.', {
    reason: 'backendError',
    status: 'UNAVAILABLE',
  }),
  // The API answers an expired and a revoked token as an unknown one; refreshing tells them apart.
  expired_token: shaped(401, authMessage, invalidCredentials),
  revoked_token: shaped(401, authMessage, invalidCredentials),
  media_refused: shaped(400, badContentMessage, { reason: 'badContent' }),
}
