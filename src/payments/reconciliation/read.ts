import { and, desc, eq, getTableColumns, gte, inArray, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import type {
  Reconciliation,
  ReconciliationDifference,
  ReconciliationDifferenceFilter,
  ReconciliationRun,
  RunState,
} from '../contract/reconciliation.ts'
import { orders, reconciliationDifferences, reconciliationRuns, settlementItems, settlements } from '../schema.ts'
import { isCheckable } from './buttons.ts'
import type { DifferenceRow } from './differences.ts'
import { nextStartOf, type RunRow } from './start.ts'
import { adviceOf, titleOf } from './words.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'actor' | 'db' | 'identity' | 'now'>

const permission = 'transactions:read'

const mayResolve = async ({ actor, identity }: ReadCall): Promise<boolean> =>
  isAllowed(actor, 'transactions:write', await identity.serviceId('platform-pay'))

export const describeRun = ({
  errorCode,
  errorDetail,
  balances,
  ...run
}: RunRow): z.input<typeof ReconciliationRun> => ({
  ...run,
  error: run.state === 'failed' && errorCode !== null ? { code: errorCode, message: errorDetail ?? '' } : null,
  balances:
    balances?.map(({ currency, ledger, provider, unexplained }) => ({
      currency,
      ledger: BigInt(ledger),
      provider: BigInt(provider),
      unexplained: BigInt(unexplained),
    })) ?? null,
})

/** The newest first. */
export async function listRuns(
  { db, actor }: ReadCall,
  { state, ...page }: { state?: RunState | undefined; limit: number; cursor?: string | undefined },
): Promise<PageOf<z.input<typeof ReconciliationRun>>> {
  const slice = byId(reconciliationRuns.id, 'desc').slice({
    limit: page.limit,
    ...(page.cursor !== undefined && { cursor: page.cursor }),
  })
  const rows = await db
    .select()
    .from(reconciliationRuns)
    .where(
      and(
        eq(reconciliationRuns.organizationId, organizationOf(actor, permission)),
        state && eq(reconciliationRuns.state, state),
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  return { items: items.map(describeRun), nextCursor }
}

/** @throws {Problem} 404 */
export async function getRun({ db, actor }: ReadCall, id: string): Promise<z.input<typeof ReconciliationRun>> {
  const [row] = await db
    .select()
    .from(reconciliationRuns)
    .where(and(eq(reconciliationRuns.id, id), eq(reconciliationRuns.organizationId, organizationOf(actor, permission))))
  if (!row) throw notFound('reconciliation')
  return describeRun(row)
}

const shownDays = 30
const dayMs = 24 * 60 * 60_000

const Days = z.array(
  z.object({
    day: z.string(),
    runId: z.string(),
    state: z.enum(['running', 'succeeded', 'failed']),
    differences: z.number(),
    error: z.string().nullable(),
  }),
)

export async function readOverview(call: ReadCall): Promise<z.input<typeof Reconciliation>> {
  const { db, actor, now } = call
  const organizationId = organizationOf(actor, permission)
  const ofOrganization = eq(reconciliationRuns.organizationId, organizationId)
  const newest = () => db.select().from(reconciliationRuns).orderBy(desc(reconciliationRuns.id)).limit(1)
  const today = now().toISOString().slice(0, 10)
  const first = Temporal.PlainDate.from(today)
    .subtract({ days: shownDays - 1 })
    .toString()
  const [last, running, days, open, resolved, canRun] = await Promise.all([
    newest().where(and(ofOrganization, ne(reconciliationRuns.state, 'running'))),
    newest().where(and(ofOrganization, eq(reconciliationRuns.state, 'running'))),
    db.execute(sql`
      SELECT DISTINCT ON (day) to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, id AS "runId", state,
        differences, error_detail AS error
      FROM payments.reconciliation_runs
      WHERE organization_id = ${organizationId} AND started_at >= ${`${first}T00:00:00Z`}
      ORDER BY day, id DESC`),
    countOpen(db, organizationId),
    db.$count(
      reconciliationDifferences,
      and(
        eq(reconciliationDifferences.organizationId, organizationId),
        gte(reconciliationDifferences.resolvedAt, new Date(now().getTime() - shownDays * dayMs)),
      ),
    ),
    mayResolve(call),
  ])
  const byDay = new Map(Days.parse(days).map((row) => [row.day, row]))
  return {
    last: last[0] ? describeRun(last[0]) : null,
    running: running[0] ? describeRun(running[0]) : null,
    days: Array.from({ length: shownDays }, (_, at) => {
      const day = Temporal.PlainDate.from(first).add({ days: at }).toString()
      return byDay.get(day) ?? { day, runId: null, state: null, differences: 0, error: null }
    }),
    open,
    resolved,
    nextRunAt: nextStartOf(organizationId, now()),
    can: { run: canRun },
  }
}

export const countOpen = (db: Database, organizationId: string): Promise<number> =>
  db.$count(
    reconciliationDifferences,
    and(eq(reconciliationDifferences.organizationId, organizationId), eq(reconciliationDifferences.status, 'open')),
  )

type Described = z.input<typeof ReconciliationDifference>

const fields = {
  ...getTableColumns(reconciliationDifferences),
  orderNumber: orders.number,
  batchId: settlements.batchId,
}

const selectDifferences = (db: Database) =>
  db
    .select(fields)
    .from(reconciliationDifferences)
    .leftJoin(orders, eq(orders.id, reconciliationDifferences.orderId))
    .leftJoin(settlementItems, eq(settlementItems.id, reconciliationDifferences.itemId))
    .leftJoin(settlements, eq(settlements.id, settlementItems.settlementId))

type ShownRow = DifferenceRow & { orderNumber: string | null; batchId: string | null }

/** The newest first. */
export async function listDifferences(
  call: ReadCall,
  { status, kind, ...page }: ReconciliationDifferenceFilter,
): Promise<PageOf<Described>> {
  const slice = byId(reconciliationDifferences.id, 'desc').slice(page)
  const rows = await selectDifferences(call.db)
    .where(
      and(
        eq(reconciliationDifferences.organizationId, organizationOf(call.actor, permission)),
        status === 'closed'
          ? inArray(reconciliationDifferences.status, ['explained', 'recorded', 'resolved'])
          : status && eq(reconciliationDifferences.status, status),
        kind && eq(reconciliationDifferences.kind, kind),
        slice.where,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  return { items: await describeDifferences(call, items), nextCursor }
}

/** @throws {Problem} 404 */
export async function getDifference(call: ReadCall, id: string): Promise<Described> {
  const rows = await selectDifferences(call.db).where(
    and(
      eq(reconciliationDifferences.id, id),
      eq(reconciliationDifferences.organizationId, organizationOf(call.actor, permission)),
    ),
  )
  const [difference] = await describeDifferences(call, rows)
  if (!difference) throw notFound('difference')
  return difference
}

async function describeDifferences(call: ReadCall, rows: readonly ShownRow[]): Promise<Described[]> {
  const ids = [...new Set(rows.flatMap(({ resolvedBy }) => resolvedBy ?? []))]
  const [people, canResolve] = await Promise.all([call.identity.people(ids), mayResolve(call)])
  return rows.map((row) => ({
    ...row,
    title: titleOf(row),
    advice: adviceOf(row),
    resolvedByName: row.resolvedBy === null ? null : (people.get(row.resolvedBy)?.name ?? null),
    proposal: row.proposal.map(({ entries, ...correction }) => ({
      ...correction,
      entries: entries.map(({ account, amount }) => ({ account, amount: BigInt(amount) })),
    })),
    can: {
      explain: canResolve && row.status === 'open' && row.kind !== 'run_failed',
      record: canResolve && row.status === 'open' && row.proposal.length > 0,
      check: canResolve && row.status === 'open' && isCheckable(row),
    },
  }))
}
