import { describeFieldErrors, type FieldError } from './request/field-error.ts'
import type { Cookie } from './reply.ts'

export type { FieldError } from './request/field-error.ts'

export interface ProblemOptions {
  errors?: FieldError[]
  headers?: Record<string, string>
  members?: Record<string, unknown>
  cause?: unknown
  /** The page on which a person can solve the problem. Browsers are redirected there. */
  next?: string
  cookies?: Cookie[]
  /** With a status from 500: nothing was changed, so the same `Idempotency-Key` can be sent again. */
  nothingDone?: true
}

/** An RFC 9457 problem. The `cause` is only logged. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly options: ProblemOptions

  constructor(status: number, code: string, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause })
    this.status = status
    this.code = code
    this.options = options
  }
}

export function rethrowAsNothingDone(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  throw new Problem(error.status, error.code, error.message, { ...error.options, nothingDone: true })
}

export interface ProblemDocument {
  type: string
  title: string
  status: number
  detail: string
  code: string
  requestId: string
  errors?: FieldError[]
  [member: string]: unknown
}

const titles: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized',
  402: 'Budget exceeded',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timed out',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Content too large',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  421: 'Misdirected request',
  422: 'Invalid input',
  423: 'Locked',
  429: 'Too many requests',
  500: 'Internal error',
  502: 'Provider failed',
  503: 'Unavailable',
  504: 'Provider timed out',
}

export const titleOf = (status: number): string => titles[status] ?? 'Error'

export const problemDocument = (problem: Problem, requestId: string): ProblemDocument => ({
  type: `urn:atrium:problem:${problem.code}`,
  title: titleOf(problem.status),
  status: problem.status,
  detail: problem.message,
  code: problem.code,
  requestId,
  ...(problem.options.errors && { errors: problem.options.errors }),
  ...problem.options.members,
})

/** 404 for an object that doesn't exist or belongs to another tenant, which responses don't distinguish. */
export const notFound = (what = 'page'): Problem =>
  new Problem(404, 'not_found', `This ${what} doesn’t exist, or you don’t have access to it.`)

export const unauthorized = (detail = 'Sign in, or send a valid bearer token.', code = 'invalid_token'): Problem =>
  new Problem(401, code, detail, { headers: { 'WWW-Authenticate': 'Bearer' } })

/** No role includes them. */
export const servicePermissions: readonly string[] = ['service:invoke', 'organizations:provision']

/** Permissions that no organization's admin can grant. */
const platformPermissions: Record<string, string> = {
  service: 'Only services of the platform can call this, with their own tokens.',
  'super-admin': 'Only super admins can do this.',
  ...Object.fromEntries(
    servicePermissions.map((permission) => [
      permission,
      `Only services of the platform have the permission “${permission}”.`,
    ]),
  ),
}

export const forbidden = (permission: string): Problem =>
  new Problem(
    403,
    'permission_missing',
    platformPermissions[permission] ??
      `You need the ${describePermission(permission)} to do this. Ask ${granterOf(permission)} of your organization for access.`,
    { members: { permission } },
  )

export const organizationNeeded = (permission: string): Problem =>
  new Problem(
    403,
    'permission_missing',
    `You need the ${describePermission(permission)} in an organization, but you are in your personal account. Switch to an organization, or create one.`,
    { members: { permission } },
  )

/** Admins can't grant a higher role than their own. */
const granterOf = (permission: string): string => (permission === 'role:owner' ? 'an owner' : 'an admin')

const describePermission = (permission: string): string =>
  permission.startsWith('role:') ? `${permission.slice('role:'.length)} role` : `permission “${permission}”`

export const retryLater = (
  status: 423 | 429 | 503,
  code: string,
  detail: string,
  { retryAfter = 5, ...options }: Omit<ProblemOptions, 'headers'> & { retryAfter?: number } = {},
): Problem => new Problem(status, code, detail, { ...options, headers: { 'Retry-After': String(retryAfter) } })

export function nullFor404(error: unknown): null {
  if (error instanceof Problem && error.status === 404) return null
  throw error
}

/** The same for what the caller can see in a list and can’t open. */
export function nullIfHidden(error: unknown): null {
  if (error instanceof Problem && error.status === 403) return null
  return nullFor404(error)
}

export const conflict = (code: string, detail: string, members?: Record<string, unknown>): Problem =>
  new Problem(409, code, detail, { members })

/**
 * A change of a version that is no longer the stored one.
 * @param what Such as `this customer`.
 * @param expected The versions that the caller accepts.
 */
export const versionConflict = (what: string, expected: readonly number[], version: number): Problem =>
  conflict(
    'version_conflict',
    `Someone changed ${what} in the meantime. Your changes weren’t saved. Reload and make them again.`,
    { yours: { version: expected[0] ?? null }, current: { version } },
  )

export const invalid = (errors: FieldError[]): Problem =>
  new Problem(422, 'validation_failed', describeFieldErrors(errors), { errors })
