import { and, asc, eq, ilike, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { containing, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { decodeCursor, pageOf } from '#lib/paginate.ts'
import { appReviews, developerApps, organizations } from '../schema.ts'
import type { AppSearch } from './contract.ts'

const Place = z.tuple([z.boolean(), Id])
const rests = sql<boolean>`(${developerApps.status} <> 'submitted')`

/** One page of all workspaces' apps, of those whose name or workspace has `q` in it: first what waits for a review. For super admins. */
export async function listSubmitted(db: Database, { q, limit, cursor }: AppSearch) {
  const after = decodeCursor(Place, cursor)
  const rows = await db
    .select({
      id: developerApps.id,
      slug: developerApps.slug,
      name: developerApps.name,
      status: developerApps.status,
      organization: { id: organizations.id, name: organizations.name },
      submittedAt: appReviews.submittedAt,
      rests,
    })
    .from(developerApps)
    .innerJoin(organizations, eq(organizations.id, developerApps.organizationId))
    .leftJoin(appReviews, and(eq(appReviews.appId, developerApps.id), isNull(appReviews.decision)))
    .where(and(isCalled(q), after && sql`(${rests}, ${developerApps.id}) > (${after[0]}, ${after[1]}::uuid)`))
    .orderBy(asc(rests), asc(developerApps.id))
    .limit(limit + 1)
  return pageOf(rows, limit, (last) => [last.rests, last.id])
}

const isCalled = (q: string | undefined) =>
  q ? or(ilike(developerApps.name, containing(q)), ilike(organizations.name, containing(q))) : undefined
