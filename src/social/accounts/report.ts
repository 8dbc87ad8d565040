import { and, eq, gt, lt, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { accountReports, brands, connections } from '../schema.ts'

type Reporting = Pick<Call, 'queue'>

/**
 * The gateway's inventory lists connected accounts, and never asks for them (GTW-04): it gets the current state after
 * each change. Retried for about a day while it is unavailable.
 */
export const reportAccount = job({
  name: 'social.report-account',
  input: z.object({ id: Id }),
  retries: 14,
  concurrency: 4,
  uniqueBy: ({ id }) => id,
  run: async ({ input: { id }, database: { db }, gateway }) => {
    if (!gateway.isConfigured) return
    const row = await readAccount(db, id)
    if (!row) return gateway.social.remove(id)
    const { active, health, ...state } = row
    await gateway.social.report(id, { ...state, health: healthOf({ active, health }) })
    await db
      .insert(accountReports)
      .values({ connectionId: id, version: row.version, reportedVersion: row.version })
      .onConflictDoUpdate({
        target: accountReports.connectionId,
        set: { reportedVersion: row.version },
        setWhere: lt(accountReports.reportedVersion, row.version),
      })
  },
})

const healthOf = ({ active, health }: Pick<typeof connections.$inferSelect, 'active' | 'health'>) => {
  if (!active) return 'inactive'
  return health === 'ok' ? 'healthy' : health
}

async function readAccount(db: Database, id: string) {
  const { provider, name, host, health, active, createdAt } = connections
  const [row] = await db
    .select({
      provider,
      name,
      host,
      health,
      active,
      connectedAt: createdAt,
      organizationId: brands.organizationId,
      brandId: brands.id,
      brandName: brands.name,
      version: sql<number>`coalesce(${accountReports.version}, 1)`.mapWith(Number),
      lastUsedAt: accountReports.lastUsedAt,
      hasTokens: sql<boolean>`${connections.sealedTokens} IS NOT NULL`,
    })
    .from(connections)
    .innerJoin(brands, eq(brands.id, connections.brandId))
    .leftJoin(accountReports, eq(accountReports.connectionId, connections.id))
    .where(eq(connections.id, id))
  return row
}

const nextVersion = sql`${accountReports.version} + 1`

/** Call it in the transaction of the change, after it. */
export async function reportAccounts(db: Database, { queue }: Reporting, which: SQL | undefined): Promise<void> {
  const changed = await db.select({ connectionId: connections.id }).from(connections).where(which)
  if (changed.length === 0) return
  await db
    .insert(accountReports)
    .values(changed)
    .onConflictDoUpdate({ target: accountReports.connectionId, set: { version: nextVersion } })
  for (const { connectionId: id } of changed) await queue.enqueue(db, reportAccount, { id })
}

/** Between changes of the time when an account last published: each is a report. */
const useSeconds = 5 * 60

export async function reportUse(tx: Database, { queue }: Reporting, id: string): Promise<void> {
  const lastUsedAt = sql`clock_timestamp()`
  const changed = await tx
    .insert(accountReports)
    .values({ connectionId: id, lastUsedAt })
    .onConflictDoUpdate({
      target: accountReports.connectionId,
      set: { version: nextVersion, lastUsedAt },
      setWhere: sql`coalesce(${accountReports.lastUsedAt} < clock_timestamp() - ${useSeconds} * interval '1 second', true)`,
    })
    .returning({ id: accountReports.connectionId })
  if (changed.length > 0) await queue.enqueue(tx, reportAccount, { id })
}

/** Call it in the transaction that deletes them. */
export async function reportRemoved(db: Database, { queue }: Reporting, ids: readonly string[]): Promise<void> {
  for (const id of ids) await queue.enqueue(db, reportAccount, { id })
}

const batchSize = 500

/** Enqueues accounts that were connected before reports existed, and those whose report failed. */
export const reportUnreported = job({
  name: 'social.report-unreported-accounts',
  input: z.object({}),
  run: async ({ database: { db }, gateway, queue }) => {
    if (!gateway.isConfigured) return
    for (let last: string | undefined; ;) {
      const rows = await db
        .select({ id: connections.id })
        .from(connections)
        .leftJoin(accountReports, eq(accountReports.connectionId, connections.id))
        .where(
          and(
            sql`coalesce(${accountReports.reportedVersion} < ${accountReports.version}, true)`,
            last ? gt(connections.id, last) : undefined,
          ),
        )
        .orderBy(connections.id)
        .limit(batchSize)
      for (const { id } of rows) await queue.enqueue(db, reportAccount, { id })
      if (rows.length < batchSize) return
      last = rows.at(-1)?.id
    }
  },
})
