import { Refusal, type Invalid } from '../wire/call.ts'
import { secret } from '../wire/grants.ts'
import type { Shape } from '../wire/wire.ts'

export interface GraphFault {
  status?: number
  code: number
  subcode?: number
  message: string
  type?: string
  isTransient?: boolean
  title?: string
  explanation?: string
}

const bodyOf = ({ code, subcode, message, type = 'OAuthException', isTransient, title, explanation }: GraphFault) => ({
  error: {
    message,
    type,
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    ...(isTransient !== undefined && { is_transient: isTransient }),
    ...(title !== undefined && { error_user_title: title }),
    ...(explanation !== undefined && { error_user_msg: explanation }),
    fbtrace_id: `A${secret(16)}`,
  },
})

/** A refusal in the shape that all of Meta's Graph APIs share. */
export const graphError = (fault: GraphFault): Refusal =>
  new Refusal(Response.json(bodyOf(fault), { status: fault.status ?? 400 }))

export const graphShape = (fault: GraphFault, headers?: Record<string, string>): Shape => ({
  status: fault.status ?? 400,
  body: bodyOf(fault),
  headers,
})

export const faults = {
  unreadableToken: { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' },
  expiredToken: {
    status: 401,
    code: 190,
    subcode: 463,
    message: 'Error validating access token: Session has expired on Saturday, 28-Nov-26 10:00:00 PST.',
  },
  revokedToken: {
    status: 401,
    code: 190,
    subcode: 458,
    message: 'Error validating access token: The user has not authorized application 1000.',
  },
  denied: { status: 403, code: 200, message: '(#200) Permissions error' },
  noPermission: { status: 403, code: 10, message: '(#10) Application does not have permission for this action' },
  rateLimited: { status: 403, code: 4, message: '(#4) Application request limit reached' },
  unavailable: { status: 500, code: 2, message: 'Service temporarily unavailable', isTransient: true },
} satisfies Record<string, GraphFault>

export const missingObject = (id: string) =>
  graphError({
    code: 100,
    subcode: 33,
    message: `Unsupported request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation. Please read the Graph API documentation`,
    type: 'GraphMethodException',
  })

export const invalidParameter = (message: string, subcode?: number) =>
  graphError({ code: 100, subcode, message: `(#100) ${message}` })

export const invalid = ({ reason, field, message }: Invalid): Response => {
  if (reason === 'missing') return invalidParameter(`The parameter ${field} is required`).response
  if (reason === 'unknown') return invalidParameter(`Unexpected parameter ${field}`).response
  return invalidParameter(`Param ${field}: ${message}`).response
}

export const notFound = () => graphError({ status: 404, code: 2500, message: 'Unknown path components' }).response

/** The error of the token endpoints of Instagram and Threads. */
export const oauthError = (error_message: string): Response =>
  Response.json({ error_type: 'OAuthException', code: 400, error_message }, { status: 400 })

const badCode = {
  status: 400,
  body: {
    error_type: 'OAuthException',
    code: 400,
    error_message: 'Matching code was not found or was already used',
  },
}
/** Responses to faults where Instagram and Threads redeem codes. */
export const codeShapes = { unauthorized: badCode, expired_token: badCode, revoked_token: badCode }
