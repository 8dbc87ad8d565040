import { neverRespond } from '#lib/counterpart.ts'
import { transact, type Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { digest } from '#lib/ids.ts'
import { readBytes } from '#lib/request/body.ts'
import { takeBehavior } from '../behavior.ts'
import type { Practice } from '../state.ts'
import { authenticate } from './account.ts'
import { randomId, type PaymentsCall } from './call.ts'
import { errorBody, formatError, invalidRequest, Refusal, StripeError } from './error.ts'
import { expandAll } from './expand.ts'
import { canonicalText, parseForm, type Fields } from './form.ts'
import { keyIn, once, type Answer } from './idempotency.ts'
import { matchRoute, type Accepted } from './route.ts'

interface Incoming {
  request: Request
  /** Below the base address, with `/v1`. */
  path: string
  origin: string
  signal: AbortSignal
}

const failure = () => new StripeError(500, 'An unknown error occurred', { type: 'api_error' })

const maxBytes = 1024 * 1024

/** Answers as Stripe would, or as the behavior demands. */
export async function respond(practice: Practice, incoming: Incoming): Promise<Response> {
  const requestId = randomId('req', 14)
  try {
    return await answerRequest(practice, incoming, requestId)
  } catch (error) {
    const refusal = error instanceof StripeError ? error : failure()
    if (refusal !== error) practice.fail(error)
    return toResponse({ status: refusal.status, body: JSON.stringify(errorBody(refusal, requestId)), requestId })
  }
}

async function answerRequest(practice: Practice, incoming: Incoming, requestId: string): Promise<Response> {
  const { request, path, origin, signal } = incoming
  const { method, headers } = request
  const caller = authenticate(headers)
  const { route, ids } = matchRoute(practice.routes, method, path)
  const fields = await readFields(request)
  const key = method === 'POST' ? keyIn(headers) : null
  const accepted = route.accept(fields, ids)
  const behavior = await takeBehavior(practice.db, caller.platform, 'answers', method === 'GET' ? 'fail' : undefined)
  if (behavior === 'fail') throw failure()
  const now = practice.now()
  const answer = await transact(practice.db, (tx) => {
    const call: PaymentsCall = { tx, ...caller, now, origin, request: { id: requestId, idempotency_key: key } }
    const work = () => execute(practice, call, accepted, requestId)
    if (key === null) return work()
    const parameters = digest(`${method} ${path} ${canonicalText(fields)}`)
    return once(tx, { account: caller.account, key, digest: parameters, now, requestId }, work)
  })
  practice.dispatcher.wake()
  if (behavior === 'timeout_after_success') return neverRespond(signal)
  return toResponse(answer, { 'stripe-version': caller.version, ...(key !== null && { 'idempotency-key': key }) })
}

/** A thrown refusal undoes what was changed before it. */
async function execute(practice: Practice, call: PaymentsCall, accepted: Accepted, requestId: string): Promise<Answer> {
  try {
    return await transact(call.tx, async (tx: Database) => {
      const inner = { ...call, tx }
      const result = await accepted.run(inner)
      if (result instanceof Refusal)
        return { status: result.status, body: JSON.stringify(formatError(result.error, requestId)), requestId }
      const expanded = await expandAll(inner, result, accepted.expand, practice.include)
      return { status: 200, body: JSON.stringify(expanded), requestId }
    })
  } catch (error) {
    if (!(error instanceof StripeError)) throw error
    return { status: error.status, body: JSON.stringify(errorBody(error, requestId)), requestId }
  }
}

/** @throws {StripeError} for another media type than that of forms */
async function readFields(request: Request): Promise<Fields> {
  const { search } = new URL(request.url)
  if (request.method !== 'POST') return parseForm(search)
  const bytes = await readBytes(request, { limit: maxBytes }).catch((error: unknown) => {
    throw error instanceof Problem ? new StripeError(error.status, error.message) : error
  })
  if (bytes.length === 0) return parseForm(search)
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw invalidRequest(
      'Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.',
    )
  return parseForm(new TextDecoder().decode(bytes))
}

const toResponse = ({ status, body, requestId, replayOf }: Answer, extra: Record<string, string> = {}): Response =>
  new Response(body, {
    status,
    headers: {
      ...extra,
      'content-type': 'application/json',
      'cache-control': 'no-cache, no-store',
      'request-id': requestId,
      ...(replayOf && { 'idempotent-replayed': 'true', 'original-request': replayOf }),
      ...(status >= 500 && { 'stripe-should-retry': 'true' }),
    },
  })
