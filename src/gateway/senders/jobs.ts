import { and, asc, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { job, type JobDependencies } from '#lib/job.ts'
import { logFault } from '#lib/log/fault.ts'
import { mailHostOf } from '../email-transports/choose.ts'
import { senderDomains as table } from '../schema.ts'
import { isTakenError, queryRecords, storeResult } from './check-domain.ts'
import type { DomainRow } from './records.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** After that, a domain that was never verified is checked daily. */
const eagerMs = 14 * day
const maxDomains = 500
const concurrency = 10

/** Every 10 minutes, those that wait or fail; each day, the others. */
export const checkSenderDomains = job({
  name: 'gateway.check-sender-domains',
  input: z.object({}),
  run: async (work) => {
    const { db } = work.database
    const before = (ms: number) => new Date(work.now().getTime() - ms)
    const isOpen = and(
      or(isNull(table.verifiedAt), isNotNull(table.failingSince)),
      lt(table.checkedAt, before(9 * minute)),
      or(sql`${table.createdAt} > ${before(eagerMs).toISOString()}`, isNotNull(table.failingSince)),
    )
    const rows = await db
      .select()
      .from(table)
      .where(or(isNull(table.checkedAt), lt(table.checkedAt, before(day)), isOpen))
      .orderBy(sql`${table.checkedAt} NULLS FIRST`, asc(table.id))
      .limit(maxDomains)
    for (let from = 0; from < rows.length; from += concurrency)
      await Promise.all(rows.slice(from, from + concurrency).map((row) => checkOne(work, row)))
  },
})

async function checkOne(work: JobDependencies, row: DomainRow): Promise<void> {
  const call = { ...work, db: work.database.db }
  try {
    const result = await queryRecords(work.dns, row, await mailHostOf(call, row))
    await work.database.transaction((tx) => storeResult(tx, work, row, result))
  } catch (error) {
    if (!isTakenError(error)) logFault(work.log, 'checking a sender domain', error, { domain: row.domain })
    // Else it would be the first one each time, and keep others from being checked.
    await work.database.db.update(table).set({ checkedAt: work.now() }).where(eq(table.id, row.id))
  }
}
