import { and, asc, desc, eq, gt, inArray, ne, or, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '../actor.ts'
import { recordChange } from '../audit.ts'
import { organizationOf } from '../authorize.ts'
import type { Database } from '../db.ts'
import { conflict, notFound } from '../errors.ts'
import { byId, type PageOf } from '../paginate.ts'
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookMessages } from '../schema.ts'
import { problemOfStatus } from './attempt.ts'
import { enqueueDelivery } from './deliver.ts'
import { Id } from '../ids.ts'
import type { FailedReplay, WebhookDeliveryDetailRow, WebhookDeliveryRow, WebhookEndpoint } from './contract.ts'
import { sendMessage, type EmitDependencies } from './emit.ts'
import { findEndpoint, isRotating, lockEndpoint } from './endpoints.ts'
import { publishWebhookChange } from './publish-change.ts'

type DeliveryCall = EmitDependencies & { readonly db: Database; readonly actor: Actor }

export const testEvent = 'webhook.test'

const deliveryColumns = {
  id: webhookDeliveries.id,
  messageId: webhookDeliveries.messageId,
  type: webhookMessages.type,
  state: webhookDeliveries.state,
  attempts: webhookDeliveries.attempts,
  lastStatus: webhookDeliveries.lastStatus,
  nextAttemptAt: webhookDeliveries.nextAttemptAt,
  createdAt: webhookDeliveries.createdAt,
  settledAt: webhookDeliveries.settledAt,
}

interface Filter {
  id: string
  state?: WebhookDeliveryRow['state']
  /** A type of event, or the ID of a message or delivery. */
  q?: string
  limit: number
  cursor?: string
}

/** @throws {Problem} 404 for an endpoint of another organization */
export async function listDeliveries(
  db: Database,
  actor: Actor,
  { id, state, q, limit, cursor }: Filter,
): Promise<PageOf<WebhookDeliveryRow>> {
  await findEndpoint(db, actor, id)
  const slice = byId(webhookDeliveries.id, 'desc').slice({ limit, cursor })
  const rows = await db
    .select(deliveryColumns)
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, id),
        state && eq(webhookDeliveries.state, state),
        q ? matches(q) : undefined,
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

const matches = (q: string) =>
  Id.safeParse(q).success
    ? or(eq(webhookDeliveries.messageId, q), eq(webhookDeliveries.id, q))
    : eq(webhookMessages.type, q)

type EndpointFacts = Pick<z.input<typeof WebhookEndpoint>, 'failing' | 'recent' | 'failed' | 'lastDeliveryAt'>

export const factsOfNewEndpoint: EndpointFacts = {
  failing: false,
  recent: { delivered: 0, total: 0 },
  failed: 0,
  lastDeliveryAt: null,
}

export async function describeEndpoints<Row extends EndpointState>(
  { db, actor, now }: Pick<DeliveryCall, 'db' | 'actor' | 'now'>,
  rows: Row[],
): Promise<(Row & EndpointFacts)[]> {
  const [failing, counts] =
    rows.length > 0 ? await Promise.all([failingEndpoints(db, actor), countDeliveries(db, rows, now())]) : []
  return rows.map((row) => ({
    ...row,
    ...(counts?.get(row.id) ?? factsOfNewEndpoint),
    previousSecretEndsAt: isRotating(row, now()) ? row.previousSecretEndsAt : null,
    failing: failing?.has(row.id) ?? false,
  }))
}

const [maxRecent, recentDays, maxFailed] = [1_000, 7, 1_001]

async function countDeliveries(
  db: Database,
  rows: readonly EndpointState[],
  now: Date,
): Promise<Map<string, Omit<EndpointFacts, 'failing'>>> {
  const since = new Date(now.getTime() - recentDays * 86_400_000)
  const ids = rows.map(({ id }) => id)
  const counted = await db.execute<{
    id: string
    delivered: number
    total: number
    failed: number
    last: Date | string | null
  }>(sql`
    SELECT endpoint.id, recent.delivered, recent.total, failed.failed, last.last
    FROM unnest(${sql.param(ids)}::uuid[]) AS endpoint (id)
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS total, count(*) FILTER (WHERE newest.state = 'delivered')::int AS delivered
      FROM (
        SELECT state, created_at FROM platform.webhook_deliveries
        WHERE endpoint_id = endpoint.id ORDER BY id DESC LIMIT ${maxRecent}
      ) AS newest WHERE newest.created_at >= ${since.toISOString()}::timestamptz) AS recent
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS failed FROM (
        SELECT 1 FROM platform.webhook_deliveries
        WHERE endpoint_id = endpoint.id AND state = 'failed' LIMIT ${maxFailed}) AS dead) AS failed
    CROSS JOIN LATERAL (
      SELECT (SELECT created_at FROM platform.webhook_deliveries
        WHERE endpoint_id = endpoint.id ORDER BY id DESC LIMIT 1) AS last) AS last`)
  return new Map(
    counted.map(({ id, delivered, total, failed, last }) => [
      id,
      { recent: { delivered, total }, failed, lastDeliveryAt: last === null ? null : new Date(last) },
    ]),
  )
}

export async function describeEndpoint<Row extends EndpointState>(
  call: Pick<DeliveryCall, 'db' | 'actor' | 'now'>,
  row: Row,
): Promise<Row & EndpointFacts> {
  const [described] = await describeEndpoints(call, [row])
  if (!described) throw new Error('describeEndpoints returned no endpoint')
  return described
}

interface EndpointState {
  id: string
  previousSecretEndsAt: Date | null
}

async function failingEndpoints(db: Database, actor: Actor): Promise<ReadonlySet<string>> {
  const newest = db
    .select({ state: webhookDeliveries.state })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, webhookEndpoints.id), gt(webhookDeliveries.tries, 0)))
    .orderBy(desc(webhookDeliveries.id))
    .limit(1)
    .as('newest')
  const rows = await db
    .select({ id: webhookEndpoints.id })
    .from(webhookEndpoints)
    .innerJoinLateral(newest, sql`true`)
    .where(and(eq(webhookEndpoints.organizationId, organizationOf(actor, 'role:admin')), ne(newest.state, 'delivered')))
  return new Set(rows.map(({ id }) => id))
}

interface DeliveryIds {
  id: string
  deliveryId: string
}

/** @throws {Problem} 404 */
export async function findDelivery(
  db: Database,
  actor: Actor,
  { id, deliveryId }: DeliveryIds,
): Promise<WebhookDeliveryDetailRow> {
  const endpoint = await findEndpoint(db, actor, id)
  const [row] = await db
    .select({ ...deliveryColumns, body: webhookMessages.body })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.endpointId, id)))
  if (!row) throw notFound('delivery')
  const log = await db
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, deliveryId))
    .orderBy(desc(webhookAttempts.number))
  return {
    ...row,
    log: log.map((attempt) => ({ ...attempt, problem: attempt.problem ?? problemOfStatus(attempt.status) })),
    can: { replay: endpoint.state === 'enabled' },
  }
}

export async function waitingTypes(db: Database, endpointId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ type: webhookMessages.type })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.state, 'waiting')))
  return rows.map(({ type }) => type)
}

/** @throws {Problem} 404, and 409 when it isn't enabled or its last test wasn't attempted yet */
export async function sendTest(call: DeliveryCall, id: string): Promise<WebhookDeliveryRow> {
  const { db, actor } = call
  const endpoint = await lockEndpoint(call, id)
  requireEnabled(endpoint)
  const [waiting] = await db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, id),
        eq(webhookDeliveries.state, 'waiting'),
        eq(webhookDeliveries.attempts, 0),
        eq(webhookMessages.type, testEvent),
      ),
    )
    .limit(1)
  if (waiting)
    throw conflict(
      'test_waiting',
      'The previous test event is still being sent. Try again when its delivery shows an attempt.',
    )
  const message = { organizationId: organizationOf(actor, 'role:admin'), type: testEvent, data: { webhookId: id } }
  const [deliveryId = ''] = await sendMessage(db, call, message, [endpoint])
  recordChange(db, { object: 'webhook', id, after: { tested: deliveryId } })
  return findDelivery(db, actor, { id, deliveryId })
}

/** With all its retries. @throws {Problem} 404, and 409 when its endpoint isn't enabled */
export async function replayDelivery(call: DeliveryCall, { id, deliveryId }: DeliveryIds): Promise<WebhookDeliveryRow> {
  const { db, actor } = call
  const endpoint = await findEndpoint(db, actor, id)
  requireEnabled(endpoint)
  const [row] = await db
    .update(webhookDeliveries)
    .set(replaying(call))
    .where(and(eq(webhookDeliveries.id, deliveryId), eq(webhookDeliveries.endpointId, id)))
    .returning()
  if (!row) throw notFound('delivery')
  await publishWebhookChange(call, db, id)
  const again = { id: deliveryId, round: row.round, organizationId: organizationOf(actor, 'role:admin') }
  await enqueueDelivery(db, call.queue, endpoint, again)
  recordChange(db, { object: 'webhook_delivery', id: deliveryId, after: { state: 'waiting', round: row.round } })
  return findDelivery(db, actor, { id, deliveryId })
}

/** Of one request, which has a deadline. */
const replayBatch = 500

export async function failedTypes(db: Database, endpointId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ type: webhookMessages.type })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .where(and(eq(webhookDeliveries.endpointId, endpointId), eq(webhookDeliveries.state, 'failed')))
  return rows.map(({ type }) => type)
}

/** Sends failed deliveries again, oldest first, with all their retries. @throws {Problem} as `replayDelivery` */
export async function replayFailed(call: DeliveryCall, id: string): Promise<z.output<typeof FailedReplay>> {
  const { db, actor } = call
  const endpoint = await findEndpoint(db, actor, id)
  requireEnabled(endpoint)
  const failed = db
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.state, 'failed')))
    .orderBy(asc(webhookDeliveries.id))
    .limit(replayBatch)
    .for('update', { skipLocked: true })
  const replayed = await db
    .update(webhookDeliveries)
    .set(replaying(call))
    .where(inArray(webhookDeliveries.id, failed))
    .returning({ id: webhookDeliveries.id, round: webhookDeliveries.round })
  const organizationId = organizationOf(actor, 'role:admin')
  for (const delivery of replayed) await enqueueDelivery(db, call.queue, endpoint, { ...delivery, organizationId })
  await publishWebhookChange(call, db, id)
  recordChange(db, { object: 'webhook', id, after: { replayed: replayed.length } })
  const counts = await countDeliveries(db, [endpoint], call.now())
  return { replayed: replayed.length, remaining: counts.get(id)?.failed ?? 0 }
}

const replaying = ({ now }: Pick<DeliveryCall, 'now'>) =>
  ({
    state: 'waiting',
    round: sql`${webhookDeliveries.round} + 1`,
    tries: 0,
    nextAttemptAt: now(),
    settledAt: null,
  }) as const

function requireEnabled({ state }: { state: string }): void {
  if (state === 'enabled') return
  throw conflict('webhook_not_enabled', 'This webhook is not enabled. Enable it first.')
}
