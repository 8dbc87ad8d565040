import { readBytes } from '../body.ts'
import type { Call } from '../call.ts'
import { Problem } from '../errors.ts'
import { newId } from '../ids.ts'
import { handlingOf } from '../incoming-webhooks/handle.ts'
import type { RequestContext } from '../request-context.ts'
import { json } from '../respond.ts'
import { receivedWebhooks } from '../schema.ts'
import type { Webhook } from '../webhook.ts'
import { count } from './count.ts'
import { callOf, type HttpParts } from './parts.ts'

/**
 * A provider's event: its signature over the raw body first, then it is stored and its job enqueued in one transaction,
 * and answered 200. One that was stored before is answered the same and not handled again.
 */
export async function receive(http: HttpParts, hook: Webhook, requestContext: RequestContext): Promise<Response> {
  const { request, facts, params } = requestContext
  await count(http, requestContext, 'ingestion', null)
  const raw = await readBytes(request, { limit: hook.largestBody })
  const call = receivingCall(http, hook, requestContext)
  const { headers, url } = facts
  const event = await hook.verify({ raw, headers, params, query: url.searchParams }, call)
  requireKeepable(event.id, url.pathname)
  const isNew = await http.database.transaction(async (tx) => {
    const id = newId()
    const stored = await tx
      .insert(receivedWebhooks)
      .values({
        id,
        webhook: hook.name,
        path: url.pathname,
        eventId: event.id,
        type: event.type,
        params,
        body: raw,
        state: 'waiting',
        receivedAt: http.now(),
      })
      .onConflictDoNothing({ target: [receivedWebhooks.path, receivedWebhooks.eventId] })
      .returning({ id: receivedWebhooks.id })
    if (stored.length > 0) await call.queue.enqueue(tx, handlingOf(hook), { id, round: 1 })
    return stored.length > 0
  })
  return json(200, { received: true, duplicate: !isNew }, facts)
}

/** Characters of the id of an event, and of the path at which it came in: an index holds no longer ones. */
const longest = { id: 255, path: 1000 }

function requireKeepable(id: string, path: string): void {
  if (id !== '' && id.length <= longest.id && path.length <= longest.path) return
  throw new Problem(
    422,
    'validation_failed',
    `The event has no id of 1 to ${longest.id} characters, or its path is too long.`,
  )
}

/** A provider asks whether this address is the owner's. */
export async function answerChallenge(
  http: HttpParts,
  hook: Webhook & Required<Pick<Webhook, 'challenge'>>,
  requestContext: RequestContext,
): Promise<Response> {
  const { facts, params } = requestContext
  await count(http, requestContext, 'ingestion', null)
  const { headers, url } = facts
  const incoming = { headers, params, query: url.searchParams }
  const answer = await hook.challenge(incoming, receivingCall(http, hook, requestContext))
  return new Response(answer, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}

const receivingCall = (http: HttpParts, hook: Webhook, requestContext: RequestContext): Call<null, null> => ({
  ...callOf(http, requestContext, hook.path, null, null),
  input: null,
  actor: null,
})
