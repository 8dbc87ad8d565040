import { and, eq, lte, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { quotaExceeded } from './google-error.ts'
import { practiceVideoQuota } from './schema.ts'

/** Units a day since 1 June 2026. */
const limits = { 'videos.insert': 100, 'search.list': 100, other: 10_000 } as const
type Bucket = keyof typeof limits

export interface Cost {
  bucket: Bucket
  units: number
}

const pacificDay = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'America/Los_Angeles',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})
const dayOf = (now: Date): string => pacificDay.format(now)

/** @throws {GoogleError} 403, and nothing is charged */
export async function charge(db: Database, project: string, { bucket, units }: Cost, now: Date): Promise<void> {
  const { used } = practiceVideoQuota
  const [charged] = await db
    .insert(practiceVideoQuota)
    .values({ project, bucket, day: dayOf(now), used: units })
    .onConflictDoUpdate({
      target: [practiceVideoQuota.project, practiceVideoQuota.bucket, practiceVideoQuota.day],
      set: { used: sql`${used} + ${units}` },
      setWhere: lte(used, limits[bucket] - units),
    })
    .returning({ used })
  if (!charged) throw quotaExceeded()
}

export async function getQuota(db: Database, project: string, now: Date) {
  const day = dayOf(now)
  const isToday = and(eq(practiceVideoQuota.project, project), eq(practiceVideoQuota.day, day))
  const rows = await db.select().from(practiceVideoQuota).where(isToday)
  const buckets = Object.entries(limits).map(([bucket, limit]) => ({
    bucket,
    used: rows.find((row) => row.bucket === bucket)?.used ?? 0,
    limit,
  }))
  return { project, day, buckets }
}
