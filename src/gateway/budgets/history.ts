import { and, eq, inArray, isNull, or } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { readAuditPage, type AuditRow } from '#lib/audit/read.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { byId } from '#lib/paginate.ts'
import { Family, LimitMode, Period, ScopeType } from '../contract/families.ts'
import type { LimitRevision } from '../contract/limits.ts'
import { nameApps } from '../names.ts'
import { budgetAlerts, limits } from '../schema.ts'

interface Paged {
  limit: number
  cursor?: string
}

type Reading = Call<Paged, Actor>

const scopeColumns = {
  id: limits.id,
  scopeType: limits.scopeType,
  scopeValue: limits.scopeValue,
  family: limits.family,
  period: limits.period,
}

const Scope = z.object({
  scopeType: ScopeType,
  scopeValue: z.string(),
  family: Family.nullable().default(null),
  period: Period,
})
type Scope = z.output<typeof Scope>

/** Newest first; those of the platform's limits for super admins. */
export async function listAlerts(call: Reading) {
  const { db, actor, input } = call
  const own = eq(budgetAlerts.organizationId, organizationOf(actor, 'usage:read'))
  const slice = byId(budgetAlerts.id, 'desc').slice(input)
  const rows = await db
    .select({ alert: budgetAlerts, limit: scopeColumns })
    .from(budgetAlerts)
    .innerJoin(limits, eq(limits.id, budgetAlerts.limitId))
    .where(and(actor.isSuperAdmin ? or(own, isNull(budgetAlerts.organizationId)) : own, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.pageBy(rows, ({ alert }) => alert)
  const nameOf = await namer(
    call,
    items.map(({ limit }) => limit),
  )
  return {
    items: items.map(({ alert, limit }) => ({ ...alert, limit: describe(limit.id, limit, nameOf) })),
    nextCursor,
  }
}

const Terms = z.object({ limitNanoUsd: z.coerce.bigint(), mode: LimitMode, timeZone: z.string() }).partial()

/** Of the organization's own limits, from the audit log, newest first. */
export async function listRevisions(call: Reading) {
  const { db, actor, input, identity } = call
  const organizationId = organizationOf(actor, 'usage:read')
  const { items, nextCursor } = await readAuditPage(db, organizationId, { ...input, object: 'limit' })
  const ids = items.flatMap(({ objectId }) => objectId ?? [])
  const [known, people] = await Promise.all([
    ids.length > 0 ? db.select(scopeColumns).from(limits).where(inArray(limits.id, ids)) : [],
    identity.people(items.flatMap(({ principalId }) => principalId ?? [])),
  ])
  const scopes = new Map<string, Scope>(known.map(({ id, ...scope }) => [id, scope]))
  // The scope of a deleted limit is in the entries of its creation and deletion.
  for (const row of items) for (const fields of [row.before, row.after]) learnScope(scopes, row.objectId, fields)
  const nameOf = await namer(call, [...scopes.values()])
  return {
    items: items.flatMap((row) => {
      const scope = scopes.get(row.objectId ?? '')
      if (!scope || row.outcome !== 'done') return []
      return [
        {
          id: row.id,
          at: row.at,
          byName: (row.principalId && people.get(row.principalId)?.name) || null,
          kind: kindOf(row),
          limit: describe(row.objectId ?? '', scope, nameOf),
          before: row.before && Terms.parse(row.before),
          after: row.after && Terms.parse(row.after),
        },
      ]
    }),
    nextCursor,
  }
}

const kindOf = ({ before, after }: AuditRow): LimitRevision['kind'] =>
  !before ? 'created' : after ? 'updated' : 'deleted'

function learnScope(scopes: Map<string, Scope>, id: string | null, fields: unknown): void {
  const scope = Scope.safeParse(fields)
  if (id !== null && scope.success && !scopes.has(id)) scopes.set(id, scope.data)
}

type NameOf = (scope: Scope) => string | null

async function namer(call: Reading, scopes: readonly Scope[]): Promise<NameOf> {
  const names = scopes.some(({ scopeType }) => scopeType === 'application') ? await nameApps(call) : null
  return ({ scopeType, scopeValue }) => (scopeType === 'application' && names?.get(scopeValue)) || null
}

const describe = (id: string, scope: Scope, nameOf: NameOf) => ({
  ...scope,
  id,
  scope_type: scope.scopeType,
  scope_value: scope.scopeValue,
  scopeName: nameOf(scope),
})
