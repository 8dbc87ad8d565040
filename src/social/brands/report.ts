import { asc, gt, inArray, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { afterCommit, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import type { BindableReport } from '#identity'
import { brands } from '../schema.ts'

const BrandVersion = z.object({ id: Id, organizationId: Id, name: z.string(), version: z.int() })
type BrandVersion = z.output<typeof BrandVersion>

const serviceSlug = 'platform-socialize'

const reportOf = (brand: BrandVersion): BindableReport => ({ kind: 'brand', ...brand, deleted: false })

/** Identity lists them as the resources that keys can be bound to (IDN-18). Retried while it is unavailable. */
export const reportBrands = job({
  name: 'social.report-brands',
  input: z.object({ brands: z.array(BrandVersion) }),
  retries: 20,
  run: ({ input, identity }) => identity.reportBindables(serviceSlug, input.brands.map(reportOf)),
})

/** By the queue, which retries, and once at the commit, so that keys can be bound to a new brand at once. */
export async function enqueueReport({ db, queue, identity }: Pick<Call, 'db' | 'queue' | 'identity'>, ids: string[]) {
  const versions = await listVersions(db, inArray(brands.id, ids))
  await queue.enqueue(db, reportBrands, { brands: versions })
  afterCommit(db, () => identity.reportBindables(serviceSlug, versions.map(reportOf)).catch(() => {}))
}

const batchSize = 100

/** Reports all brands: those created before reports existed, and lost reports. */
export const reportAllBrands = job({
  name: 'social.report-all-brands',
  input: z.object({}),
  run: async ({ database: { db }, identity }) => {
    for (let last: string | undefined; ;) {
      const versions = await listVersions(db, last ? gt(brands.id, last) : undefined)
      if (versions.length > 0) await identity.reportBindables(serviceSlug, versions.map(reportOf))
      if (versions.length < batchSize) return
      last = versions.at(-1)?.id
    }
  },
})

/** A change of a brand locks its row, so the statement's time grows with each change. */
const version = sql<number>`(extract(epoch FROM statement_timestamp()) * 1000000)::bigint`.mapWith(Number)

const listVersions = (db: Database, which: SQL | undefined): Promise<BrandVersion[]> =>
  db
    .select({ id: brands.id, organizationId: brands.organizationId, name: brands.name, version })
    .from(brands)
    .where(which)
    .orderBy(asc(brands.id))
    .limit(batchSize)
