import { and, eq, sql } from 'drizzle-orm'
import { executePrepared, transact, type Database } from '#lib/db.ts'
import { retryLater, type Problem } from '#lib/errors.ts'
import type { QuotaBucket } from '../contract/video.ts'
import type { ProviderCredential } from '../credentials/resolve.ts'
import { videoQuota, videoQuotaLimits } from '../schema.ts'
import { methodCost, type MethodCost, type VideoMethod } from './costs.ts'
import { pacificDay } from './pacific-day.ts'

interface QuotaRequest {
  organizationId: string
  project: string
  method: VideoMethod
  /** Under which its units are counted, by `counterOf`: the project when not set. */
  counter?: string
  /** Whether it is the platform’s project, of which one organization gets only a share. */
  isShared?: boolean
}

export interface Taken extends MethodCost, Omit<QuotaRequest, 'method' | 'isShared'> {
  day: string
  counter: string
}

/**
 * Client IDs are public, and an organization can enter any: what calls with its own one use and exhaust doesn't count for
 * others.
 */
export const counterOf = (
  { level, project }: { level: ProviderCredential['level']; project: string },
  organizationId: string,
): string => (level === 'organization' ? `${project}/${organizationId}` : project)

export const projectOfCounter = (counter: string): string => counter.split('/', 1)[0] ?? counter

/** What one organization can use of the platform’s project in a day: a quarter, or one call that takes more. */
export const shareOf = (limit: number, units = 1): number => Math.max(units, Math.floor(limit / 4))

/**
 * Counts a call before it is made, so that servers together never exceed the limit. @throws {Problem} 429
 * `quota_exhausted` until midnight Pacific
 */
export const takeQuota = (db: Database, { isShared, ...request }: QuotaRequest, at: Date): Promise<Taken> =>
  isShared
    ? // The units are taken together with the share, and neither when that is too large.
      transact(db, async (tx) => {
        const { taken, ownUsed, allowed } = await takeUnits(tx, request, at)
        if (ownUsed > shareOf(allowed, taken.units)) throw shareExhausted(taken, allowed, at)
        return taken
      })
    : takeUnits(db, request, at).then(({ taken }) => taken)

async function takeUnits(db: Database, { method, counter, ...rest }: Omit<QuotaRequest, 'isShared'>, at: Date) {
  const of = { ...rest, counter: counter ?? rest.project }
  const { day } = pacificDay(at)
  const cost = methodCost(method, day)
  const { bucket, units, limit } = cost
  const [taken] = await executePrepared<{ own: number; allowed: number }>(
    db,
    sql`
    WITH allowed AS (
      SELECT coalesce((SELECT units_per_day FROM gateway.video_quota_limits
        WHERE project = ${of.project} AND bucket = ${bucket}), ${limit}::int) AS units
    ), taken AS (
      INSERT INTO gateway.video_quota AS quota (project, bucket, day, used)
      SELECT ${of.counter}, ${bucket}, ${day}::date, ${units}::int FROM allowed WHERE ${units}::int <= allowed.units
      ON CONFLICT (project, bucket, day) DO UPDATE SET used = quota.used + excluded.used
        WHERE quota.exhausted_at IS NULL AND quota.used + excluded.used <= (SELECT units FROM allowed)
      RETURNING used
    ), share AS (
      INSERT INTO gateway.video_quota_shares AS share (organization_id, project, bucket, day, units)
      SELECT ${of.organizationId}::uuid, ${of.counter}, ${bucket}, ${day}::date, ${units}::int FROM taken
      ON CONFLICT (organization_id, day, project, bucket) DO UPDATE SET units = share.units + excluded.units
      RETURNING units
    )
    SELECT share.units AS own, allowed.units AS allowed FROM share, allowed`,
  )
  if (!taken) throw quotaExhausted({ project: of.project, bucket }, at)
  return { taken: { ...of, ...cost, day }, ownUsed: taken.own, allowed: taken.allowed }
}

/** For a call that never reached the provider. */
export async function returnQuota(db: Database, { organizationId, counter, bucket, day, units }: Taken): Promise<void> {
  await executePrepared(
    db,
    sql`
    WITH share AS (
      UPDATE gateway.video_quota_shares SET units = greatest(units - ${units}::int, 0)
      WHERE organization_id = ${organizationId}::uuid AND day = ${day}::date AND project = ${counter}
        AND bucket = ${bucket}
    )
    UPDATE gateway.video_quota SET used = greatest(used - ${units}::int, 0)
    WHERE project = ${counter} AND bucket = ${bucket} AND day = ${day}::date`,
  )
}

/** The provider refused a call although we had counted less: others use the same project. */
export async function exhaustQuota(db: Database, { counter, bucket, day, units }: Taken, at: Date): Promise<void> {
  await db
    .insert(videoQuota)
    .values({ project: counter, bucket, day, used: units, exhaustedAt: at })
    .onConflictDoUpdate({
      target: [videoQuota.project, videoQuota.bucket, videoQuota.day],
      set: { exhaustedAt: at },
    })
}

/** Null: the usual units. A bucket that the provider called exhausted is tried again. Takes effect at once. */
export async function setQuotaLimit(
  tx: Database,
  { project, bucket, limit }: { project: string; bucket: QuotaBucket; limit: number | null },
  at: Date,
): Promise<void> {
  const own = and(eq(videoQuotaLimits.project, project), eq(videoQuotaLimits.bucket, bucket))
  if (limit === null) await tx.delete(videoQuotaLimits).where(own)
  else
    await tx
      .insert(videoQuotaLimits)
      .values({ project, bucket, unitsPerDay: limit, updatedAt: at })
      .onConflictDoUpdate({
        target: [videoQuotaLimits.project, videoQuotaLimits.bucket],
        set: { unitsPerDay: limit, updatedAt: at },
      })
  const { day } = pacificDay(at)
  await tx
    .update(videoQuota)
    .set({ exhaustedAt: null })
    .where(
      and(
        sql`split_part(${videoQuota.project}, '/', 1) = ${project}`,
        eq(videoQuota.bucket, bucket),
        eq(videoQuota.day, day),
      ),
    )
}

const bucketNames: Record<QuotaBucket, string> = {
  'videos.insert': 'uploads of videos',
  'search.list': 'searches',
  'videos.batchGetStats': 'statistics of videos',
  other: 'calls to YouTube',
}

interface Exhausted {
  project: string
  bucket: QuotaBucket
}

export const quotaExhausted = (of: Exhausted, at: Date): Problem =>
  exhausted(of, at, {
    scope: 'project',
    detail: `The Google project ${of.project} has used its daily quota for ${bucketNames[of.bucket]}.`,
  })

const shareExhausted = ({ project, bucket, units }: Taken, allowed: number, at: Date): Problem =>
  exhausted({ project, bucket }, at, {
    scope: 'organization',
    detail: `The organization has used its daily share of the Google project ${project} for ${bucketNames[bucket]}: ${shareOf(allowed, units)} of ${allowed} units. An OAuth client of its own has the whole quota of its project.`,
  })

function exhausted(
  { project, bucket }: Exhausted,
  at: Date,
  { scope, detail }: { scope: 'project' | 'organization'; detail: string },
): Problem {
  const { end } = pacificDay(at)
  const retryAfter = Math.max(1, Math.ceil((end.getTime() - at.getTime()) / 1000))
  const resetsAt = end.toISOString()
  return retryLater(429, 'quota_exhausted', `${detail} It resets at ${resetsAt}, at midnight Pacific time.`, {
    retryAfter,
    members: { project, bucket, scope, resetsAt },
    nothingDone: true,
  })
}
