import { z } from 'zod'
import type { Call } from '../call.ts'
import { Problem } from '../errors.ts'
import { storeReceived } from '../incoming-webhooks/store.ts'
import { logFault } from '../log/fault.ts'
import { readBytes } from '../request/body.ts'
import type { RequestContext } from '../request/context.ts'
import { invalidInput } from '../request/input.ts'
import { jsonResponse } from '../response/respond.ts'
import type { EventId, Webhook } from '../webhook.ts'
import { countRequest } from './admission.ts'
import { createCall } from './create-call.ts'
import type { HttpDependencies } from './dependencies.ts'

/** Verifies, stores and enqueues in one transaction; a repeated event isn't handled again. */
export async function receive(
  http: HttpDependencies,
  hook: Webhook,
  requestContext: RequestContext,
): Promise<Response> {
  const { request, facts, params } = requestContext
  await countRequest(http, requestContext, 'ingestion', null)
  const raw = await readBytes(request, { limit: hook.bodyLimit })
  const call = createWebhookCall(http, hook, requestContext)
  const { headers, url } = facts
  const event = await verifyEvent(http, hook, { raw, headers, params, query: url.searchParams }, call)
  const stored = { ...event, raw, params }
  const isNew = await http.database.transaction((tx) => storeReceived(tx, call, hook, stored))
  return jsonResponse(200, { received: true, duplicate: !isNew }, facts)
}

/** @throws {Problem} of `verify`, and 400 and 422 for a body that it can't read */
async function verifyEvent(
  { log }: HttpDependencies,
  hook: Webhook,
  ...given: Parameters<Webhook['verify']>
): Promise<EventId> {
  try {
    return await hook.verify(...given)
  } catch (cause) {
    // Logged, since `verify` can also have read something malformed of its own.
    if (cause instanceof SyntaxError || cause instanceof z.ZodError)
      logFault(log, 'webhook rejected', cause, { webhook: hook.name })
    if (cause instanceof SyntaxError) throw new Problem(400, 'malformed', 'The body couldn’t be read.', { cause })
    if (cause instanceof z.ZodError) throw invalidInput(cause)
    throw cause
  }
}

export async function answerChallenge(
  http: HttpDependencies,
  hook: Webhook & Required<Pick<Webhook, 'challenge'>>,
  requestContext: RequestContext,
): Promise<Response> {
  const { facts, params } = requestContext
  await countRequest(http, requestContext, 'ingestion', null)
  const { headers, url } = facts
  const incoming = { headers, params, query: url.searchParams }
  const answer = await hook.challenge(incoming, createWebhookCall(http, hook, requestContext))
  return new Response(answer, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

const createWebhookCall = (
  http: HttpDependencies,
  hook: Webhook,
  requestContext: RequestContext,
): Call<null, null> => ({
  ...createCall(http, requestContext, hook.path, null, null),
  input: null,
  actor: null,
})
