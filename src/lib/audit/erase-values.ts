import { and, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Database, DatabaseHandle } from '../db.ts'
import { keyset } from '../paginate.ts'
import { Id } from '../ids.ts'
import { auditLog } from '../schema.ts'
import { Instant } from '../time.ts'

const batchSize = 2_000
const oldestFirst = keyset({ at: [auditLog.at, Instant], id: [auditLog.id, Id] })

/** Erases the values of changed fields from an organization's audit log. Who did what and when stays (PLT-39). */
export async function eraseOrganizationValues(
  { database }: { readonly database: DatabaseHandle },
  organizationId: string,
): Promise<void> {
  let last: { at: Date; id: string } | undefined
  do {
    const before = last
    const rows = await database.transaction(async (tx) => {
      const page = await tx
        .select({ at: auditLog.at, id: auditLog.id })
        .from(auditLog)
        .where(and(eq(auditLog.organizationId, organizationId), before && oldestFirst.behind(before)))
        .orderBy(...oldestFirst.order)
        .limit(batchSize)
      const ids = sql.param(page.map(({ id }) => id))
      await eraseValues(tx, organizationId, sql`${auditLog.id} = ANY (${ids}::uuid[])`)
      return page
    })
    last = rows.length === batchSize ? rows.at(-1) : undefined
  } while (last)
}

export const erasePersonalValues = (tx: Database, userId: string): Promise<void> =>
  eraseValues(tx, userId, and(isNull(auditLog.organizationId), eq(auditLog.principalId, userId)))

/** The log's trigger allows this only for rows of the tenant in the setting. */
async function eraseValues(tx: Database, tenantId: string, rows: SQL | undefined): Promise<void> {
  await tx.execute(sql`SELECT set_config('atrium.erased_tenant', ${tenantId}, true)`)
  await tx
    .update(auditLog)
    .set({ before: null, after: null })
    .where(and(rows, or(isNotNull(auditLog.before), isNotNull(auditLog.after))))
}
