import { asc, gt, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { afterCommit } from '#lib/db/after-commit.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import type { BindableReport } from '#identity'
import { brands } from '../schema.ts'

const Told = z.object({ id: Id, organizationId: Id, name: z.string(), version: z.int() })
type Told = z.output<typeof Told>

const service = 'platform-socialize'

const reportOf = (brand: Told): BindableReport => ({ kind: 'brand', ...brand, deleted: false })

/** Identity lists what keys can be bound to (IDN-18): this is the way there that survives its absence. */
export const reportBrands = job({
  name: 'social.report-brands',
  input: z.object({ brands: z.array(Told) }),
  retries: 20,
  run: ({ input, identity }) => identity.reportBindables(service, input.brands.map(reportOf)),
})

/**
 * Tells identity of brands as this transaction leaves them: by the queue, which keeps at it, and once at the commit, so
 * that who made a brand can bind a key to it.
 */
export async function report({ db, queue, identity }: Pick<Call, 'db' | 'queue' | 'identity'>, ids: string[]) {
  const told = await current(db, inArray(brands.id, ids))
  await queue.enqueue(db, reportBrands, { brands: told })
  afterCommit(db, () => identity.reportBindables(service, told.map(reportOf)).catch(() => {}))
}

const atOnce = 100

/** Tells of every brand: those made before reports existed, and what was lost. */
export const reportAllBrands = job({
  name: 'social.report-all-brands',
  input: z.object({}),
  run: async ({ database: { db }, identity }) => {
    for (let last: string | undefined; ;) {
      const told = await current(db, last ? gt(brands.id, last) : undefined)
      if (told.length > 0) await identity.reportBindables(service, told.map(reportOf))
      if (told.length < atOnce) return
      last = told.at(-1)?.id
    }
  },
})

/** Who changes a brand holds its row, so the statement's time grows with each change of it. */
const version = sql<number>`(extract(epoch FROM statement_timestamp()) * 1000000)::bigint`.mapWith(Number)

const current = (db: Database, which: SQL | undefined): Promise<Told[]> =>
  db
    .select({ id: brands.id, organizationId: brands.organizationId, name: brands.name, version })
    .from(brands)
    .where(which)
    .orderBy(asc(brands.id))
    .limit(atOnce)
