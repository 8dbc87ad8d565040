import { Refusal, type Invalid } from '../wire/call.ts'

interface Fault {
  status: number
  message: string
  code?: string
  serviceErrorCode?: number
}

export const refuse = (fault: Fault): Refusal => new Refusal(Response.json(fault, { status: fault.status }))

const faults = {
  invalidToken: {
    status: 401,
    serviceErrorCode: 65_600,
    code: 'INVALID_ACCESS_TOKEN',
    message: 'Invalid access token',
  },
  revokedToken: {
    status: 401,
    serviceErrorCode: 65_601,
    code: 'REVOKED_ACCESS_TOKEN',
    message: 'The token used in the request has been revoked by the user',
  },
  expiredToken: {
    status: 401,
    serviceErrorCode: 65_602,
    code: 'EXPIRED_ACCESS_TOKEN',
    message: 'The token used in the request has expired',
  },
  throttled: {
    status: 429,
    serviceErrorCode: 101,
    code: 'TOO_MANY_REQUESTS',
    message: 'Resource level throttle APPLICATION_AND_MEMBER DAY limit for calls to this resource is reached.',
  },
  versionMissing: {
    status: 400,
    code: 'VERSION_MISSING',
    message: 'A version must be present. Please specify a version by adding the LinkedIn-Version header.',
  },
  mediaMissing: { status: 422, code: 'MEDIA_ASSET_PROCESSING_FAILED', message: 'The media asset failed processing.' },
  serverError: { status: 503, code: 'SERVICE_UNAVAILABLE', message: 'Service unavailable' },
} satisfies Record<string, Fault>

export const invalidToken = () => refuse(faults.invalidToken)
export const revokedToken = () => refuse(faults.revokedToken)
export const expiredToken = () => refuse(faults.expiredToken)
export const versionMissing = () => refuse(faults.versionMissing)

export const versionDead = (version: string) =>
  refuse({ status: 426, code: 'NONEXISTENT_VERSION', message: `Requested version ${version} is not active` })

const denied = (resource: string): Fault => ({
  status: 403,
  serviceErrorCode: 100,
  code: 'ACCESS_DENIED',
  message: `Not enough permissions to access: ${resource}`,
})
export const accessDenied = (resource: string) => refuse(denied(resource))
export const notFound = (what: string) =>
  refuse({ status: 404, code: 'NOT_FOUND', message: `Could not find entity ${what}` })
export const badRequest = (message: string) => refuse({ status: 400, code: 'ILLEGAL_ARGUMENT', message })
/** A body that the schema refuses. */
export const unprocessable = (field: string, message: string) =>
  refuse({ status: 422, message: `ERROR :: /${field.replaceAll('.', '/')} :: ${message}\n` })
export const duplicate = (urn: string) =>
  refuse({ status: 422, code: 'DUPLICATE_POST', message: `Content is a duplicate of ${urn}` })

export const invalid = ({ reason, field, message }: Invalid): Response => {
  if (field === 'content-type' || field === 'body') return badRequest(message).response
  if (reason === 'unknown') return unprocessable(field, 'unrecognized field found but not allowed').response
  if (reason === 'missing')
    return unprocessable(field, 'field is required but not found and has no default value').response
  return unprocessable(field, message).response
}

export const oauthError = (status: number, error: string, error_description: string): Response =>
  Response.json({ error, error_description }, { status })

const shaped = (body: Fault) => ({ status: body.status, body })

export const shapes = {
  unauthorized: () => shaped(faults.invalidToken),
  forbidden: () => shaped(denied('partnerApiPostsExternal.CREATE')),
  rate_limited: () => shaped(faults.throttled),
  server_error: () => shaped(faults.serverError),
  expired_token: () => shaped(faults.expiredToken),
  revoked_token: () => shaped(faults.revokedToken),
  media_refused: () => shaped(faults.mediaMissing),
}
