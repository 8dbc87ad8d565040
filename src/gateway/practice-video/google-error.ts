interface ErrorFacts {
  reason: string
  domain?: string
  location?: string
  locationType?: string
  /** The canonical code, such as INVALID_ARGUMENT, in errors of Google’s front end. */
  code?: string
  headers?: Record<string, string>
}

/** A refusal in Google’s format. */
export class GoogleError extends Error {
  readonly status: number
  readonly facts: ErrorFacts

  constructor(status: number, message: string, facts: ErrorFacts) {
    super(message)
    this.status = status
    this.facts = facts
  }

  toResponse(): Response {
    const { reason, domain = 'global', location, locationType, code, headers } = this.facts
    const detail = { message: this.message, domain, reason, ...(location && { location, locationType }) }
    const error = { code: this.status, message: this.message, errors: [detail], ...(code && { status: code }) }
    return Response.json({ error }, { status: this.status, headers: { 'Cache-Control': 'private', ...headers } })
  }
}

/** The upload server answers wrong ranges in plain text. */
export class UploadError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }

  toResponse = (): Response =>
    new Response(this.message, { status: this.status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

export const invalidArgument = (message: string) =>
  new GoogleError(400, message, { reason: 'badRequest', code: 'INVALID_ARGUMENT' })

export const invalidCredentials = () =>
  new GoogleError(
    401,
    'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
    {
      reason: 'authError',
      location: 'Authorization',
      locationType: 'header',
      code: 'UNAUTHENTICATED',
      headers: { 'WWW-Authenticate': 'Bearer realm="https://accounts.google.com/", error="invalid_token"' },
    },
  )

export const missingCredentials = () =>
  new GoogleError(401, 'Login Required.', {
    reason: 'required',
    location: 'Authorization',
    locationType: 'header',
    code: 'UNAUTHENTICATED',
    headers: { 'WWW-Authenticate': 'Bearer realm="https://accounts.google.com/"' },
  })

export const insufficientScope = () =>
  new GoogleError(403, 'Request had insufficient authentication scopes.', {
    reason: 'insufficientPermissions',
    code: 'PERMISSION_DENIED',
  })

export const signupRequired = () =>
  new GoogleError(401, 'Unauthorized', {
    reason: 'youtubeSignupRequired',
    domain: 'youtube.header',
    location: 'Authorization',
    locationType: 'header',
  })

export const quotaExceeded = () =>
  new GoogleError(403, 'The request cannot be completed because you have exceeded your quota.', {
    reason: 'quotaExceeded',
    domain: 'youtube.quota',
  })

export const rateLimitExceeded = (retryAfter: number) =>
  new GoogleError(429, "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user'.", {
    reason: 'rateLimitExceeded',
    code: 'RESOURCE_EXHAUSTED',
    headers: { 'Retry-After': String(retryAfter) },
  })

export const uploadLimitExceeded = () =>
  new GoogleError(400, 'The user has exceeded the number of videos they may upload.', {
    reason: 'uploadLimitExceeded',
    domain: 'youtube.video',
  })

export const videoNotFound = () =>
  new GoogleError(404, 'The video that you are trying to change cannot be found.', {
    reason: 'videoNotFound',
    domain: 'youtube.video',
    location: 'id',
    locationType: 'parameter',
  })

export const forbidden = (message = 'Forbidden') => new GoogleError(403, message, { reason: 'forbidden' })

export const sessionNotFound = (status: number) => new UploadError(status, status === 410 ? 'Gone' : 'Not Found')

/** What the behavior `fail` demands. */
export const failure = (status: number) =>
  status >= 500
    ? new GoogleError(status, status === 503 ? 'The service is currently unavailable.' : 'Backend Error', {
        reason: 'backendError',
      })
    : status === 401
      ? invalidCredentials()
      : status === 403
        ? forbidden()
        : new GoogleError(status, 'Bad Request', { reason: 'badRequest' })

export const badContent = (type: string, accepted: readonly string[]) =>
  new GoogleError(400, `Media type '${type}' is not supported. Valid media types: [${accepted.join(', ')}]`, {
    reason: 'badContent',
  })

export const tooLarge = () => new GoogleError(413, 'Request Too Large', { reason: 'uploadTooLarge' })
