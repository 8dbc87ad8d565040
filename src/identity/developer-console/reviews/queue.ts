import { and, eq, ilike, isNull, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { containsPattern, type Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset } from '#lib/paginate.ts'
import { appReviews, developerApps, organizations } from '../../schema.ts'
import type { AppSearch } from '../contract.ts'

const isNotSubmitted = sql<boolean>`(${developerApps.status} <> 'submitted')`
const submittedFirst = keyset({ rests: [isNotSubmitted, z.boolean()], id: [developerApps.id, Id] })

/** Of all organizations, submitted apps first. For super admins. */
export async function listSubmitted(db: Database, { q, status, ...page }: AppSearch) {
  const slice = submittedFirst.slice(page)
  const rows = await db
    .select({
      id: developerApps.id,
      slug: developerApps.slug,
      name: developerApps.name,
      status: developerApps.status,
      organization: { id: organizations.id, name: organizations.name },
      submittedAt: appReviews.submittedAt,
      rests: isNotSubmitted,
    })
    .from(developerApps)
    .innerJoin(organizations, eq(organizations.id, developerApps.organizationId))
    .leftJoin(appReviews, and(eq(appReviews.appId, developerApps.id), isNull(appReviews.decision)))
    .where(and(matches(q), status ? eq(developerApps.status, status) : undefined, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  return slice.page(rows)
}

const matches = (q: string | undefined) =>
  q ? or(ilike(developerApps.name, containsPattern(q)), ilike(organizations.name, containsPattern(q))) : undefined
