import { and, eq, sql } from 'drizzle-orm'
import type { Actor } from '../actor.ts'
import { audited } from '../audit.ts'
import type { Call } from '../call.ts'
import type { Database } from '../db.ts'
import { conflict, invalid, notFound, organizationNeeded } from '../errors.ts'
import { newId } from '../ids.ts'
import { OutboundError } from '../outbound.ts'
import { byId, type PageOf } from '../paginate.ts'
import { webhookEndpoints } from '../schema.ts'
import type { WebhookChange, WebhookDraft } from './contract.ts'
import { sealSigningSecret } from './secret.ts'
import { newSigningSecret } from './signature.ts'

type Endpoint = typeof webhookEndpoints.$inferSelect
type Act = Pick<Call, 'db' | 'now' | 'outbound' | 'secrets' | 'config'> & { readonly actor: Actor }

/** An organization has so many at most. */
const most = 20
const hour = 60 * 60 * 1000

/** The active organization. Throws 403 without one. */
export function organizationOf({ organization }: Actor): string {
  if (!organization) throw organizationNeeded('role:admin')
  return organization.id
}

/** The organization's endpoints in the order in which they were made. */
export async function listEndpoints(
  db: Database,
  actor: Actor,
  query: { limit: number; cursor?: string },
): Promise<PageOf<Endpoint>> {
  const slice = byId(webhookEndpoints.id).slice(query)
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.organizationId, organizationOf(actor)), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

/** One endpoint of the organization. Throws 404. */
export async function findEndpoint(db: Database, actor: Actor, id: string): Promise<Endpoint> {
  const [row] = await db.select().from(webhookEndpoints).where(own(actor, id))
  if (!row) throw notFound('webhook')
  return row
}

const own = (actor: Actor, id: string) =>
  and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.organizationId, organizationOf(actor)))

/** Makes an endpoint with its secret. Throws 409 past 20, and 422 for an address that is never called. */
export async function createEndpoint(act: Act, draft: WebhookDraft): Promise<Endpoint & { secret: string }> {
  const { db, actor, secrets } = act
  const organizationId = organizationOf(actor)
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`webhooks ${organizationId}`}, 0))`)
  if ((await db.$count(webhookEndpoints, eq(webhookEndpoints.organizationId, organizationId))) >= most)
    throw conflict('too_many_webhooks', `An organization has at most ${most} webhooks. Delete one first.`)
  const id = newId()
  const secret = newSigningSecret()
  const at = act.now()
  const [row] = await db
    .insert(webhookEndpoints)
    .values({
      ...draft,
      url: checkedUrl(act, draft.url),
      id,
      organizationId,
      state: 'enabled',
      sealedSecret: sealSigningSecret(secrets, id, secret),
      createdAt: at,
      updatedAt: at,
    })
    .returning()
  if (!row) throw new Error('The webhook was not inserted')
  audited(db, { object: 'webhook', id, after: recorded(row) })
  return { ...row, secret }
}

/** Changes an endpoint. Throws 404, and 422 for an address that is never called. */
export async function updateEndpoint(act: Act, { id, ...change }: WebhookChange): Promise<Endpoint> {
  const before = await lockEndpoint(act, id)
  const url = change.url === undefined ? {} : { url: checkedUrl(act, change.url) }
  return save(act, before, { ...change, ...url })
}

/** Gives it a new secret; the former one signs too for so long. Of secrets there are two at most. */
export async function rotateSecret(act: Act, id: string, overlapHours: number): Promise<Endpoint & { secret: string }> {
  const before = await lockEndpoint(act, id)
  const secret = newSigningSecret()
  const stays = overlapHours > 0
  const row = await save(act, before, {
    sealedSecret: sealSigningSecret(act.secrets, id, secret),
    sealedPreviousSecret: stays ? before.sealedSecret : null,
    previousSecretEndsAt: stays ? new Date(act.now().getTime() + overlapHours * hour) : null,
  })
  return { ...row, secret }
}

/** Deletes an endpoint with its deliveries. Throws 404. */
export async function deleteEndpoint({ db, actor }: Act, id: string): Promise<Endpoint> {
  const [row] = await db.delete(webhookEndpoints).where(own(actor, id)).returning()
  if (!row) throw notFound('webhook')
  audited(db, { object: 'webhook', id, before: recorded(row) })
  return row
}

/** The same, kept as it is until the transaction ends. Throws 404. */
export async function lockEndpoint({ db, actor }: Pick<Act, 'db' | 'actor'>, id: string): Promise<Endpoint> {
  const [row] = await db.select().from(webhookEndpoints).where(own(actor, id)).for('no key update')
  if (!row) throw notFound('webhook')
  return row
}

async function save({ db, now }: Act, before: Endpoint, change: Partial<Endpoint>): Promise<Endpoint> {
  const [row] = await db
    .update(webhookEndpoints)
    .set({ ...change, updatedAt: now() })
    .where(eq(webhookEndpoints.id, before.id))
    .returning()
  if (!row) throw notFound('webhook')
  audited(db, { object: 'webhook', id: row.id, before: recorded(before), after: recorded(row) })
  return row
}

const recorded = ({ name, url, events, state, previousSecretEndsAt }: Endpoint) => ({
  name,
  url,
  events,
  state,
  previousSecretEndsAt,
})

/** Throws 422 that names the field. */
function checkedUrl({ outbound, config }: Act, text: string): string {
  const url = URL.parse(text)
  if (!url) throw wrongUrl('Must be a full URL, such as https://example.com/webhooks.')
  if (url.protocol !== 'https:' && !config.ALLOW_PRIVATE_NETWORK) throw wrongUrl('Must begin with https://.')
  try {
    outbound.check(url)
  } catch (error) {
    if (error instanceof OutboundError) throw wrongUrl(error.message)
    throw error
  }
  url.hash = ''
  return url.href
}

const wrongUrl = (message: string) => invalid([{ path: 'url', message }])
