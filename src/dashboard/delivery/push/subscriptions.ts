import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import { digest, newId } from '#lib/ids.ts'
import { urlProblem } from '#lib/outgoing-webhooks/url.ts'
import { sealContext } from '#lib/secrets/sealed.ts'
import { pushSubscriptions } from '../../schema.ts'
import { nameBrowser } from './browser.ts'
import { PushSubscriptionDraft } from './contract.ts'
import { endedOf } from './ended.ts'

type SubscribeCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'secrets' | 'request' | 'outbound' | 'config' | 'now'>
export type SubscriptionRow = typeof pushSubscriptions.$inferSelect

const maxSubscriptions = 20

const contextOf = (id: string): string => sealContext(pushSubscriptions.sealedSubscription, id)

export const openSubscription = (
  { secrets }: Pick<Call, 'secrets'>,
  { id, sealedSubscription }: SubscriptionRow,
): PushSubscriptionDraft => PushSubscriptionDraft.parse(JSON.parse(secrets.open(sealedSubscription, contextOf(id))))

/** Without those of sessions that ended. */
export async function listSubscriptions({
  db,
  actor,
  identity,
}: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>): Promise<SubscriptionRow[]> {
  const rows = await db
    .select()
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.personId, actor.principal.id))
    .orderBy(asc(pushSubscriptions.id))
  const ended = await endedOf({ identity }, rows)
  return rows.filter((row) => !ended.includes(row))
}

/** The same browser again keeps its row; it moves to the caller. @throws {Problem} 409 past 20, 422 */
export async function addSubscription(
  call: SubscribeCall,
  { endpoint, keys }: PushSubscriptionDraft,
): Promise<SubscriptionRow> {
  const { db, actor, secrets, request } = call
  const problem = urlProblem(call, URL.parse(endpoint))
  if (problem) throw invalid([{ path: 'endpoint', message: problem }])
  const personId = actor.principal.id
  const endpointHash = digest(endpoint)
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`push subscriptions ${personId}`}, 0))`)
  const others = and(eq(pushSubscriptions.personId, personId), ne(pushSubscriptions.endpointHash, endpointHash))
  if ((await db.$count(pushSubscriptions, others)) >= maxSubscriptions)
    throw conflict(
      'too_many_push_subscriptions',
      `You can have push messages in at most ${maxSubscriptions} browsers. Remove one first.`,
    )
  // What waits for the person who used the browser before isn’t sent to it.
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.endpointHash, endpointHash))
  const id = newId()
  const [row] = await db
    .insert(pushSubscriptions)
    .values({
      id,
      personId,
      sessionId: actor.credential.id,
      endpointHash,
      sealedSubscription: secrets.seal(JSON.stringify({ endpoint, keys }), contextOf(id)),
      browser: nameBrowser(request.headers.get('user-agent')),
      createdAt: call.now(),
    })
    .returning()
  if (!row) throw new Error('The subscription was not stored')
  recordChange(db, { object: 'push_subscription', id, after: { browser: row.browser } })
  return row
}

/** @throws {Problem} 404 */
export async function deleteSubscription({ db, actor }: SubscribeCall, id: string): Promise<void> {
  const own = and(eq(pushSubscriptions.id, id), eq(pushSubscriptions.personId, actor.principal.id))
  const [deleted] = await db.delete(pushSubscriptions).where(own).returning()
  if (!deleted) throw notFound('push subscription')
  recordChange(db, { object: 'push_subscription', id, before: { browser: deleted.browser } })
}
