import { z } from 'zod'
import type { Call } from '../call.ts'
import { Problem } from '../errors.ts'
import { newId } from '../ids.ts'
import { createHandlingJob } from '../incoming-webhooks/handle.ts'
import { logFault } from '../log/fault.ts'
import { readBytes } from '../request/body.ts'
import type { RequestContext } from '../request/context.ts'
import { invalidInput } from '../request/input.ts'
import { jsonResponse } from '../response/respond.ts'
import { fillPath } from '../route-path.ts'
import { receivedWebhooks } from '../schema.ts'
import { isStorable } from '../text.ts'
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
  // Not as the request spelled it: a path can be escaped in many ways, and no signature covers it.
  const path = pathOf(hook, params)
  requireStorable(event, path)
  const isNew = await http.database.transaction(async (tx) => {
    const id = newId()
    const stored = await tx
      .insert(receivedWebhooks)
      .values({
        id,
        webhook: hook.name,
        path,
        eventId: event.id,
        type: event.type,
        params,
        body: raw,
        state: 'waiting',
        receivedAt: http.now(),
      })
      .onConflictDoNothing({ target: [receivedWebhooks.path, receivedWebhooks.eventId] })
      .returning({ id: receivedWebhooks.id })
    if (stored.length > 0) await call.queue.enqueue(tx, createHandlingJob(hook), { id, round: 1 })
    return stored.length > 0
  })
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

const pathOf = ({ path }: Webhook, params: Readonly<Record<string, string>>): string =>
  fillPath(path, (name) => params[name] ?? '')

const maxLength = { id: 255, type: 255, path: 1000 }

function requireStorable({ id, type = '' }: EventId, path: string): void {
  const isKept =
    id !== '' && id.length <= maxLength.id && type.length <= maxLength.type && path.length <= maxLength.path
  if (isKept && isStorable(id) && isStorable(type) && !path.includes('%00')) return
  throw new Problem(
    422,
    'validation_failed',
    `The event must have an ID of 1 to ${maxLength.id} characters, and a type and path that can be stored.`,
  )
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
