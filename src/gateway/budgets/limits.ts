import { and, eq, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, forbidden, notFound, type Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { resolveAction } from '#lib/raised-actions.ts'
import { limits as table } from '../schema.ts'
import { nameApps } from '../names.ts'
import { adoptHolds, startCounting } from './adopt.ts'
import { alertCause } from './alert-text.ts'
import { limitsChanged } from './book.ts'
import { amountOf, type LimitChange, type LimitInput } from './input.ts'
import { forecastLimits } from './forecast.ts'
import { periodAt } from './period.ts'
import { describeState, readStates } from './states.ts'

export type LimitRow = typeof table.$inferSelect

type LimitCall = Pick<
  Call<unknown, Actor>,
  'db' | 'actor' | 'now' | 'events' | 'budgets' | 'operation' | 'request' | 'context'
>

type Describing = Call<unknown, Actor>

/** With the state of their current periods, and what the actor can do. */
export async function describeLimits(call: Describing, rows: readonly LimitRow[]) {
  const { db, actor, identity, now } = call
  const at = now()
  const hasApps = rows.some(({ scopeType }) => scopeType === 'application')
  const [states, serviceId, names] = await Promise.all([
    readStates(db, rows, at),
    identity.serviceId('platform-gateway'),
    hasApps ? nameApps(call) : null,
  ])
  const manages = canManage(actor, serviceId)
  const forecasts = await forecastLimits(db, states, at)
  return states.map((state, index) => {
    const { organizationId: owner, scopeType, scopeValue, spentNanoUsd } = state
    const can = manages && (actor.isSuperAdmin || owner !== null)
    const scopeName = (scopeType === 'application' && names?.get(scopeValue)) || null
    const forecastNanoUsd = forecasts[index] ?? spentNanoUsd
    return { ...describeState(state), scopeName, forecastNanoUsd, can: { update: can, delete: can } }
  })
}

export async function describeLimit(call: Describing, row: LimitRow) {
  const [limit] = await describeLimits(call, [row])
  if (!limit) throw new Error('The state of the limit was not read')
  return limit
}

/** Limits are about all brands of an organization. */
const canManage = (actor: Actor, serviceId: string): boolean =>
  actor.bindings.length === 0 && isAllowed(actor, 'limits:manage', serviceId)

export async function creatable({ actor, identity }: Describing) {
  return { create: canManage(actor, await identity.serviceId('platform-gateway')) }
}

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
  const scopeValue = scopeValueOf(call.actor, input)
  const scope = { scopeValue, organizationId: ownerOf(call.actor, input, scopeValue) }
  await call.budgets.prepareChange()
  return auditedTransaction(call, (db) => insertLimit({ ...call, db }, input, scope))
}

async function insertLimit(
  call: LimitCall,
  input: LimitInput,
  { scopeValue, organizationId }: Pick<LimitRow, 'scopeValue' | 'organizationId'>,
): Promise<LimitRow> {
  const { db, actor, now } = call
  const at = now()
  const window = periodAt(input.period, input.timeZone, at)
  const { scope_type: scopeType, family, period, mode, timeZone } = input
  const limitNanoUsd = amountOf(input)
  await call.budgets.lockLimits(db)
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

/** Of the actor's organization when not set. */
export function scopeValueOf(actor: Actor, input: Pick<LimitInput, 'scope_type' | 'scope_value'>): string {
  const { scope_type: type, scope_value: value } = input
  if (type === 'platform') return 'platform'
  if (type === 'organization') return value?.toLowerCase() ?? organizationOf(actor, 'usage:read')
  return value ?? ''
}

const limitExists = (): Problem =>
  conflict('limit_exists', 'This scope already has a limit for this family and period. Update that one instead.')

/** Null for limits of the platform. @throws {Problem} 403, or 404 for another organization, except for super admins */
function ownerOf(actor: Actor, input: LimitInput, scopeValue: string): string | null {
  requireWholeOrganization(actor)
  const own = organizationOf(actor, 'limits:manage')
  const isOwn =
    input.scope_type === 'organization'
      ? scopeValue === own
      : input.scope_type === 'application' && !input.everyOrganization
  if (isOwn) return own
  if (actor.isSuperAdmin) return null
  if (input.scope_type === 'organization') throw notFound('organization')
  throw forbidden('super-admin')
}

/** @throws {Problem} 404 */
export async function updateLimit(call: LimitCall, change: LimitChange): Promise<LimitRow> {
  await prepareChange(call, change.id)
  return auditedTransaction(call, (db) => changeLimit({ ...call, db }, change))
}

/** Waits for other servers only for a limit that the actor can change. @throws {Problem} 404, 503 */
async function prepareChange({ db, actor, budgets }: LimitCall, id: string): Promise<void> {
  if ((await db.$count(table, and(eq(table.id, id), manageable(actor)))) === 0) throw notFound('limit')
  await budgets.prepareChange()
}

async function changeLimit(call: LimitCall, { id, limitUsd, ...given }: LimitChange): Promise<LimitRow> {
  const change = { ...given, limitNanoUsd: given.limitNanoUsd ?? limitUsd }
  const { db, now } = call
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
  await prepareChange(call, id)
  await auditedTransaction(call, async (db) => {
    const own = { ...call, db }
    const before = await lockRow(own, id)
    await db.delete(table).where(eq(table.id, id))
    await finish(own, id, { before })
  })
}

/** @throws {Problem} 404 for one that was deleted meanwhile */
async function lockRow({ db, actor, budgets }: LimitCall, id: string): Promise<LimitRow> {
  await budgets.lockLimits(db)
  const [row] = await db
    .select()
    .from(table)
    .where(and(eq(table.id, id), manageable(actor)))
    .for('update')
  if (!row) throw notFound('limit')
  return row
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
