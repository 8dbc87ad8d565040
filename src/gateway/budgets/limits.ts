import { and, eq, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, forbidden, notFound, type Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { resolveAction } from '#lib/raised-actions.ts'
import { limits as table } from '../schema.ts'
import { adoptHolds, startCounting } from './adopt.ts'
import { alertCause } from './alerts.ts'
import { limitsChanged } from './book.ts'
import { limitsLock } from './counters.ts'
import type { LimitChange, LimitInput } from './input.ts'
import { periodAt } from './period.ts'

export type LimitRow = typeof table.$inferSelect

type LimitCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'events'>

/** What the contract names differently from the columns. */
export const describeRow = (row: LimitRow) => ({ ...row, scope_type: row.scopeType, scope_value: row.scopeValue })

/** Its own, and those that the platform set for the organization; super admins see all of the platform. */
function visible(actor: Actor): SQL | undefined {
  const organizationId = organizationOf(actor, 'usage:read')
  const own = eq(table.organizationId, organizationId)
  const forIt = and(
    isNull(table.organizationId),
    actor.isSuperAdmin ? undefined : and(eq(table.scopeType, 'organization'), eq(table.scopeValue, organizationId)),
  )
  return or(own, forIt)
}

/** Also those of other organizations, for super admins. */
function manageable(actor: Actor): SQL | undefined {
  requireWholeOrganization(actor)
  return actor.isSuperAdmin ? undefined : eq(table.organizationId, organizationOf(actor, 'limits:manage'))
}

/** Limits are about all brands of an organization. @throws {Problem} 403 for an actor that is limited to some */
function requireWholeOrganization({ bindings }: Actor): void {
  if (bindings.length > 0) throw forbidden('limits:manage')
}

interface LimitQuery {
  limit: number
  cursor?: string
}

export async function listLimits(db: Database, actor: Actor, query: LimitQuery): Promise<PageOf<LimitRow>> {
  const slice = byId(table.id).slice(query)
  const rows = await db
    .select()
    .from(table)
    .where(and(visible(actor), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

/** @throws {Problem} 404 */
export async function getLimit(db: Database, actor: Actor, id: string): Promise<LimitRow> {
  const seen = actor.isSuperAdmin ? undefined : visible(actor)
  const [row] = await db
    .select()
    .from(table)
    .where(and(eq(table.id, id), seen))
  if (!row) throw notFound('limit')
  return row
}

/** @throws {Problem} 403 and 404 outside the actor's organization, and 409 `limit_exists` */
export async function createLimit(call: LimitCall, input: LimitInput): Promise<LimitRow> {
  const { db, actor, now } = call
  const at = now()
  const window = periodAt(input.period, input.timeZone, at)
  const { scope_type: scopeType, family, period, mode, limitNanoUsd, timeZone } = input
  const scopeValue = scopeType === 'organization' ? input.scope_value.toLowerCase() : input.scope_value
  const organizationId = ownerOf(actor, input)
  await lockLimits(db)
  const [row] = await db
    .insert(table)
    .values({
      id: newId(),
      organizationId,
      scopeType,
      scopeValue,
      family,
      period,
      mode,
      limitNanoUsd,
      timeZone,
      countsFrom: window.start,
      createdBy: actor.principal.id,
      createdAt: at,
      updatedAt: at,
    })
    .returning()
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'limits_scope' ? limitExists() : error
    })
  if (!row) throw new Error('The limit was not inserted')
  await startCounting(db, row, window, at)
  await finish(call, row.id, { after: row })
  return row
}

const limitExists = (): Problem =>
  conflict('limit_exists', 'This scope already has a limit for this family and period. Update that one instead.')

/** Null for limits of the platform. @throws {Problem} 403, or 404 for another organization, except for super admins */
function ownerOf(actor: Actor, input: LimitInput): string | null {
  requireWholeOrganization(actor)
  const own = organizationOf(actor, 'limits:manage')
  const isOwn =
    input.scope_type === 'organization'
      ? input.scope_value.toLowerCase() === own
      : input.scope_type === 'application' && !input.everyOrganization
  if (isOwn) return own
  if (actor.isSuperAdmin) return null
  if (input.scope_type === 'organization') throw notFound('organization')
  throw forbidden('super-admin')
}

/** @throws {Problem} 404 */
export async function updateLimit(call: LimitCall, { id, ...change }: LimitChange): Promise<LimitRow> {
  const { db, now } = call
  await lockLimits(db)
  const before = await lockRow(call, id)
  const at = now()
  const timeZone = change.timeZone ?? before.timeZone
  const window = periodAt(before.period, timeZone, at)
  const isMoved = timeZone !== before.timeZone
  const [after] = await db
    .update(table)
    .set({ ...change, ...(isMoved && { countsFrom: window.start }), updatedAt: at })
    .where(eq(table.id, id))
    .returning()
  if (!after) throw notFound('limit')
  if (isMoved) await startCounting(db, after, window, at)
  else if (after.mode === 'hard' && before.mode !== 'hard') {
    await db.execute(sql`
      INSERT INTO gateway.budget_periods (limit_id, period_start, period_end)
      VALUES (${id}, ${window.start.toISOString()}, ${window.end?.toISOString() ?? null}) ON CONFLICT DO NOTHING`)
    await adoptHolds(db, after, window)
  }
  // A warning is about the amount, so a new one can raise it again.
  await db.execute(sql`UPDATE gateway.budget_periods SET warned_percent = 0 WHERE limit_id = ${id}`)
  await finish(call, id, { before, after })
  return after
}

/** @throws {Problem} 404 */
export async function deleteLimit(call: LimitCall, id: string): Promise<void> {
  await lockLimits(call.db)
  const before = await lockRow(call, id)
  await call.db.delete(table).where(eq(table.id, id))
  await finish(call, id, { before })
}

async function lockRow({ db, actor }: LimitCall, id: string): Promise<LimitRow> {
  const [row] = await db
    .select()
    .from(table)
    .where(and(eq(table.id, id), manageable(actor)))
    .for('update')
  if (!row) throw notFound('limit')
  return row
}

/** Orders the change before or after each hold and each commit of usage. */
async function lockLimits(tx: Database): Promise<void> {
  await tx.execute(sql`UPDATE gateway.limits_version SET version = version + 1 WHERE id = 1`)
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${limitsLock})`)
}

interface Change {
  before?: LimitRow
  after?: LimitRow
}

async function finish({ db, events }: LimitCall, limitId: string, { before, after }: Change): Promise<void> {
  if (before) await resolveAction(db, alertCause(limitId))
  const organizationId = (after ?? before)?.organizationId ?? undefined
  recordChange(db, {
    object: 'limit',
    id: limitId,
    ...(before && { before: auditFields(before) }),
    ...(after && { after: auditFields(after) }),
    ...(organizationId !== undefined && { organizationId }),
  })
  await events.publish(db, limitsChanged.event, { limitId }, { waitForServers: true })
}

const auditFields = ({ scopeType, scopeValue, family, period, mode, limitNanoUsd, timeZone }: LimitRow) => ({
  scopeType,
  scopeValue,
  family,
  period,
  mode,
  timeZone,
  limitNanoUsd: String(limitNanoUsd),
})
