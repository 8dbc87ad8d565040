import { z } from 'zod'
import { titleOf } from '../errors.ts'
import type { Operation } from '../operation.ts'
import { refTo, type JsonSchema, type ResponseObject } from './document.ts'

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

interface OperationFacts {
  operation: Operation
  method: string
  takesBody: boolean
  takesInput: boolean
  takesIds: boolean
  refusesTestKeys: boolean
}

/** `default` stands for any status that isn't named. */
type Status = number | 'default'

function codesOf({
  operation,
  method,
  takesBody,
  takesInput,
  takesIds,
  refusesTestKeys,
}: OperationFacts): Map<Status, Set<string>> {
  const guarded = operation.permission !== 'public'
  const isIdempotent = operation.creates === true
  const codes = new Map<Status, Set<string>>()
  const addCode = (when: boolean, status: Status, code: string) => {
    if (when) codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  addCode(true, 400, 'malformed')
  addCode(guarded, 401, 'invalid_token')
  addCode(guarded, 403, 'permission_missing')
  const { permission } = operation
  const isPersonal = permission === 'signed-in' || permission === 'person'
  addCode(isPersonal || permission === 'known', 403, 'session_required')
  addCode(guarded && !isPersonal && refusesTestKeys, 403, 'test_key_not_allowed')
  addCode(guarded && !isPersonal, 403, 'workspace_suspended')
  addCode(permission === 'signed-in' && operation.personal !== false, 403, 'own_session_required')
  addCode(guarded && !isPersonal, 403, 'organization_requires_second_factor')
  addCode(guarded && !isPersonal, 403, 'organization_requires_sso')
  addCode(method !== 'GET', 403, 'cross_origin')
  addCode(operation.signed !== undefined, 403, 'session_required')
  addCode(takesIds || operation.signed !== undefined, 404, 'not_found')
  addCode(takesBody, 408, 'body_timeout')
  addCode(isIdempotent, 409, 'idempotency_in_progress')
  addCode(takesBody, 413, 'body_too_large')
  addCode(takesBody, 415, 'unsupported_media_type')
  addCode(operation.ranges === true, 416, 'range_not_satisfiable')
  addCode(takesInput || takesBody || operation.unknownFields !== 'ignored', 422, 'validation_failed')
  addCode(isIdempotent, 422, 'idempotency_key_reused')
  addCode(true, 429, 'rate_limited')
  addCode(true, 500, 'internal_error')
  addCode(method !== 'GET', 500, 'saved_not_shown')
  addCode(true, 503, 'database_unavailable')
  addCode(guarded, 503, 'identity_unavailable')
  addCode(true, operation.transaction === false && method !== 'GET' ? 504 : 503, 'operation_timed_out')
  for (const [code, statuses] of Object.entries(operation.problems ?? {}))
    for (const status of [statuses].flat()) addCode(true, status, code)
  return codes
}

const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } as JsonSchema },
}

export const problemResponses = (traits: OperationFacts): Record<string, ResponseObject> =>
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
