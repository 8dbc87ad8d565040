import { audit } from '../audit.ts'
import { readBytes } from '../body.ts'
import { json } from '../respond.ts'
import type { Webhook } from '../webhook.ts'
import { count } from './count.ts'
import type { RequestContext } from '../request-context.ts'
import { callOf, type HttpParts } from './parts.ts'

/** A provider's call: its signature over the raw body first, then its work in one transaction. */
export async function receive(http: HttpParts, hook: Webhook, requestContext: RequestContext): Promise<Response> {
  const { request, facts } = requestContext
  await count(http, requestContext, 'ingestion', null)
  const raw = await readBytes(request)
  const call = { ...callOf(http, requestContext, hook.path, null, null), input: null, actor: null }
  await hook.verify(raw, call)
  const done = await http.database.transaction((db) => audit(db, call, () => hook.run(raw, { ...call, db })))
  return json(200, done, facts)
}
