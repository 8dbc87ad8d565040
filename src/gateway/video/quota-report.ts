import { and, eq, inArray } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { quotaBuckets, type CurrentVideoQuota } from '../contract/video.ts'
import { videoQuota, videoQuotaLimits, videoQuotaShares } from '../schema.ts'
import { bucketLimits } from './costs.ts'
import { pacificDay, type PacificDay } from './pacific-day.ts'
import { practiceProject, videoApp } from './provider.ts'
import { counterOf, projectOfCounter, shareOf } from './quota.ts'

type Reader = Pick<Call, 'db' | 'secrets' | 'config' | 'upstreams' | 'now'>

/** Of the project that the organization’s calls use, and those that they used before today. */
export async function reportQuota(call: Reader, organizationId: string): Promise<CurrentVideoQuota> {
  const { db } = call
  const at = call.now()
  const today = pacificDay(at)
  const { day, end: resetsAt } = today
  const [app, shares] = await Promise.all([
    videoApp(call, { organizationId, test: false }),
    db
      .select()
      .from(videoQuotaShares)
      .where(and(eq(videoQuotaShares.organizationId, organizationId), eq(videoQuotaShares.day, day))),
  ])
  const { project: appProject = null, level: appLevel = 'platform' } = app ?? {}
  const own = appProject === null ? null : counterOf({ level: appLevel, project: appProject }, organizationId)
  const named = own ?? (appLevel === 'practice' && shares.length === 0 ? practiceProject : null)
  const counters = [...new Set([...(named === null ? [] : [named]), ...shares.map(({ project }) => project)])]
  if (counters.length === 0) return { day, resetsAt, buckets: [] }
  const [rows, limits] = await Promise.all([
    db
      .select()
      .from(videoQuota)
      .where(and(inArray(videoQuota.project, counters), eq(videoQuota.day, day))),
    db
      .select()
      .from(videoQuotaLimits)
      .where(inArray(videoQuotaLimits.project, counters.map(projectOfCounter))),
  ])
  const usual = bucketLimits(day)
  const buckets = counters.flatMap((counter) =>
    quotaBuckets.flatMap((bucket) => {
      const project = projectOfCounter(counter)
      const isSame = (row: { project: string; bucket: string }) => row.project === counter && row.bucket === bucket
      const counted = rows.find(isSame)
      const granted = limits.find((row) => row.project === project && row.bucket === bucket)
      const limit = granted?.unitsPerDay ?? usual.get(bucket)
      // Nothing of ours calls the method, unless it was.
      if (limit === undefined || (bucket === 'videos.batchGetStats' && !counted)) return []
      const used = counted?.used ?? 0
      const ownUsed = shares.find(isSame)?.units ?? 0
      const level = counter !== project ? 'organization' : appLevel === 'practice' ? 'practice' : 'platform'
      const isShareUsed = level === 'platform' && ownUsed >= shareOf(limit)
      return {
        project,
        level,
        bucket,
        used,
        ownUsed,
        limit,
        exhausted: isShareUsed || used >= limit || (counted?.exhaustedAt ?? null) !== null,
        forecast: forecastOf(used, today, at),
        resetsAt,
      } as const
    }),
  )
  return { day, resetsAt, buckets }
}

/** In the first hour a single call would count too much. */
const leastMs = 60 * 60_000

/** Units at the end of the day when calls go on at the present pace. */
export function forecastOf(used: number, { start, end }: PacificDay, at: Date): number {
  const wholeMs = end.getTime() - start.getTime()
  const elapsedMs = Math.max(at.getTime() - start.getTime(), leastMs)
  return Math.max(used, Math.round((used * wholeMs) / elapsedMs))
}
