import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../actor.ts'
import { recordChange, auditedTransaction } from '../audit.ts'
import { organizationOf } from '../authorize.ts'
import type { Call } from '../call.ts'
import type { Database } from '../db.ts'
import { deleteInBatches } from '../db/delete-in-batches.ts'
import { conflict, invalid, notFound, versionConflict } from '../errors.ts'
import { newId } from '../ids.ts'
import { byId, type PageOf } from '../paginate.ts'
import { webhookDeliveries, webhookEndpoints } from '../schema.ts'
import { noEvents, type WebhookChange, type WebhookDraft } from './contract.ts'
import { endFailing } from './failing.ts'
import { publishWebhookChange } from './publish-change.ts'
import { resumeWebhook } from './resume.ts'
import { sealSigningSecret } from './secret.ts'
import { newSigningSecret } from './signature.ts'
import { urlProblem } from './url.ts'

type Endpoint = typeof webhookEndpoints.$inferSelect
type EndpointCall = Pick<Call, 'db' | 'now' | 'outbound' | 'secrets' | 'config' | 'events' | 'queue'> & {
  readonly actor: Actor
}

const maxEndpoints = 20
const hourMs = 60 * 60 * 1000

export async function listEndpoints(
  db: Database,
  actor: Actor,
  query: { limit: number; cursor?: string },
): Promise<PageOf<Endpoint>> {
  const slice = byId(webhookEndpoints.id).slice(query)
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.organizationId, organizationOf(actor, 'role:admin')), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

/** @throws {Problem} 404 */
export async function findEndpoint(db: Database, actor: Actor, id: string): Promise<Endpoint> {
  const [row] = await db.select().from(webhookEndpoints).where(ownEndpoint(actor, id))
  if (!row) throw notFound('webhook')
  return row
}

const ownEndpoint = (actor: Actor, id: string) =>
  and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.organizationId, organizationOf(actor, 'role:admin')))

/** @throws {Problem} 409 past 20, and 422 for a URL that is not allowed */
export async function createEndpoint(call: EndpointCall, draft: WebhookDraft): Promise<Endpoint & { secret: string }> {
  const { db, actor, secrets } = call
  const organizationId = organizationOf(actor, 'role:admin')
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`webhooks ${organizationId}`}, 0))`)
  if ((await db.$count(webhookEndpoints, eq(webhookEndpoints.organizationId, organizationId))) >= maxEndpoints)
    throw conflict('too_many_webhooks', `An organization can have at most ${maxEndpoints} webhooks. Delete one first.`)
  const id = newId()
  const secret = newSigningSecret()
  const at = call.now()
  const [row] = await db
    .insert(webhookEndpoints)
    .values({
      ...draft,
      ...checkDraft(call, draft),
      id,
      organizationId,
      state: 'enabled',
      sealedSecret: sealSigningSecret(secrets, id, secret),
      createdAt: at,
      updatedAt: at,
    })
    .returning()
  if (!row) throw new Error('The webhook was not inserted')
  recordChange(db, { object: 'webhook', id, after: auditFields(row) })
  return { ...row, secret }
}

/** `expected` is null for any version. Enabling resumes deliveries. @throws {Problem} 404, 409, 422 */
export async function updateEndpoint(
  call: EndpointCall,
  { id, version, ...change }: WebhookChange,
  expected: number[] | null = null,
): Promise<Endpoint> {
  const before = await lockEndpoint(call, id)
  for (const versions of [expected, version === undefined ? null : [version]])
    if (versions && !versions.includes(before.version)) throw versionConflict('this webhook', versions, before.version)
  const after = await save(call, before, { ...change, ...checkDraft(call, change) })
  if (change.state !== undefined || change.url !== undefined) await endFailing(call.db, id)
  if (before.state === 'paused' && after.state === 'enabled')
    await call.queue.enqueue(call.db, resumeWebhook, { id, organizationId: after.organizationId })
  return after
}

export const isRotating = ({ previousSecretEndsAt }: Pick<Endpoint, 'previousSecretEndsAt'>, now: Date): boolean =>
  previousSecretEndsAt !== null && previousSecretEndsAt > now

/** The old one signs too for `overlapHours`; 0 ends all. @throws {Problem} 404, 409 while the one before it is valid */
export async function rotateSecret(
  call: EndpointCall,
  id: string,
  overlapHours: number,
): Promise<Endpoint & { secret: string }> {
  const before = await lockEndpoint(call, id)
  const secret = newSigningSecret()
  const overlaps = overlapHours > 0
  if (overlaps && isRotating(before, call.now()))
    throw conflict(
      'secret_overlap',
      `The previous secret is valid until ${before.previousSecretEndsAt?.toISOString()}. Rotate again after that, or with overlapHours 0, which expires all earlier secrets immediately.`,
    )
  const row = await save(call, before, {
    sealedSecret: sealSigningSecret(call.secrets, id, secret),
    sealedPreviousSecret: overlaps ? before.sealedSecret : null,
    previousSecretEndsAt: overlaps ? new Date(call.now().getTime() + overlapHours * hourMs) : null,
  })
  return { ...row, secret }
}

/** In batches, since deliveries can be millions. After a failure, call it again. @throws {Problem} 404 */
export async function deleteEndpoint(
  call: EndpointCall & Parameters<typeof auditedTransaction>[0],
  id: string,
): Promise<Endpoint> {
  const { db, actor } = call
  await findEndpoint(db, actor, id)
  await deleteInBatches(db, webhookDeliveries, eq(webhookDeliveries.endpointId, id))
  return auditedTransaction(call, async (tx) => {
    const [row] = await tx.delete(webhookEndpoints).where(ownEndpoint(actor, id)).returning()
    if (!row) throw notFound('webhook')
    recordChange(tx, { object: 'webhook', id, before: auditFields(row) })
    await endFailing(tx, id)
    await publishWebhookChange(call, tx, id)
    return row
  })
}

/** Until the transaction ends. @throws {Problem} 404 */
export async function lockEndpoint({ db, actor }: Pick<EndpointCall, 'db' | 'actor'>, id: string): Promise<Endpoint> {
  const [row] = await db.select().from(webhookEndpoints).where(ownEndpoint(actor, id)).for('no key update')
  if (!row) throw notFound('webhook')
  return row
}

async function save(call: EndpointCall, before: Endpoint, change: Partial<Endpoint>): Promise<Endpoint> {
  const { db, now } = call
  const [row] = await db
    .update(webhookEndpoints)
    .set({ ...change, version: before.version + 1, updatedAt: now() })
    .where(eq(webhookEndpoints.id, before.id))
    .returning()
  if (!row) throw notFound('webhook')
  recordChange(db, { object: 'webhook', id: row.id, before: auditFields(before), after: auditFields(row) })
  await publishWebhookChange(call, db, row.id)
  return row
}

const auditFields = ({ name, url, events, state, previousSecretEndsAt }: Endpoint) => ({
  name,
  url,
  events,
  state,
  previousSecretEndsAt,
})

/** @throws {Problem} 422 for each of the fields `url` and `events` that is wrong */
function checkDraft(call: EndpointCall, { url, events }: Pick<WebhookChange, 'url' | 'events'>): { url?: string } {
  const parsed = url === undefined ? null : URL.parse(url)
  const problem = url === undefined ? null : urlProblem(call, parsed)
  const errors = [
    ...(problem ? [{ path: 'url', message: problem }] : []),
    ...(events?.length === 0 ? [{ path: 'events', message: noEvents }] : []),
  ]
  if (errors.length > 0) throw invalid(errors)
  if (!parsed) return {}
  parsed.hash = ''
  return { url: parsed.href }
}
