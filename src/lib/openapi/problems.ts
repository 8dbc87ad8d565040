import { z } from 'zod'
import { titleOf } from '../errors.ts'
import type { Operation } from '../operation.ts'
import { refTo, type JsonSchema, type ResponseObject } from './document.ts'

/** RFC 9457: what every refusal and failure answers. */
export const Problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().describe('What went wrong and what to do about it.'),
  code: z.string().describe('A stable code for programs.'),
  requestId: z.guid().describe('Identifies the request in the logs. Quote it when you report a problem.'),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('The invalid fields (422).'),
})

/** What decides which problems an operation can answer. */
interface Traits {
  operation: Operation
  method: string
  takesBody: boolean
  takesInput: boolean
  takesIds: boolean
}

/** `default` stands for any status that isn't named. */
type Status = number | 'default'

/** The `code`s of an operation's problems by status: the kernel's, and its own. */
function codesOf({ operation, method, takesBody, takesInput, takesIds }: Traits): Map<Status, Set<string>> {
  const guarded = operation.permission !== 'public'
  const once = operation.creates === true
  const codes = new Map<Status, Set<string>>()
  const may = (when: boolean, status: Status, code: string) => {
    if (when) codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  may(true, 400, 'malformed')
  may(guarded, 401, 'invalid_token')
  may(guarded, 403, 'permission_missing')
  const { permission } = operation
  const ofPeople = permission === 'signed-in' || permission === 'person'
  may(ofPeople || permission === 'known', 403, 'session_needed')
  may(guarded && !ofPeople, 403, 'workspace_suspended')
  may(permission === 'signed-in' && operation.personal !== false, 403, 'own_sign_in_needed')
  may(guarded && !ofPeople, 403, 'second_factor_needed')
  may(guarded && !ofPeople, 403, 'own_sign_in_required')
  may(method !== 'GET', 403, 'cross_origin')
  may(operation.signed !== undefined, 403, 'session_needed')
  may(takesIds || operation.signed !== undefined, 404, 'not_found')
  may(takesBody, 408, 'body_timeout')
  may(once, 409, 'idempotency_in_progress')
  may(takesBody, 413, 'body_too_large')
  may(takesBody, 415, 'unsupported_media_type')
  may(operation.ranges === true, 416, 'range_not_satisfiable')
  may(takesInput || takesBody || operation.unknownFields !== 'ignored', 422, 'validation_failed')
  may(once, 422, 'idempotency_key_reused')
  may(true, 429, 'rate_limited')
  may(true, 500, 'internal_error')
  may(method !== 'GET', 500, 'saved_not_shown')
  may(true, 503, 'database_unavailable')
  may(guarded, 503, 'identity_unavailable')
  may(true, operation.transaction === false && method !== 'GET' ? 504 : 503, 'operation_timed_out')
  for (const [code, status] of Object.entries(operation.problems ?? {})) may(true, status, code)
  return codes
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } as JsonSchema },
}

/** The responses of an operation's problems, by status. */
export const problemResponses = (traits: Traits): Record<string, ResponseObject> =>
  Object.fromEntries(
    [...codesOf(traits)].map(([status, codes]) => [
      status,
      {
        description: `${status === 'default' ? 'Any status' : titleOf(status)}: ${[...codes].map((code) => `\`${code}\``).join(', ')}.`,
        ...((status === 429 || status === 503) && { headers: retryAfter }),
        content: { 'application/problem+json': { schema: { $ref: refTo('Problem') } } },
        'x-codes': [...codes],
      },
    ]),
  )
