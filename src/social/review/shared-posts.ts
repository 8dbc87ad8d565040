import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { reviewLinkPosts, reviewLinks } from '../schema.ts'

interface PostOfBrand {
  id: string
  brandId: string
}

/** The IDs of those posts that guests with an active link see, with their comments. */
export async function listSharedPosts(db: Database, posts: readonly PostOfBrand[]): Promise<Set<string>> {
  const brandIds = [...new Set(posts.map(({ brandId }) => brandId))]
  const rows = await db
    .selectDistinct({ postId: reviewLinkPosts.postId })
    .from(reviewLinkPosts)
    .innerJoin(
      reviewLinks,
      and(eq(reviewLinks.brandId, reviewLinkPosts.brandId), eq(reviewLinks.id, reviewLinkPosts.linkId)),
    )
    .where(
      and(
        inArray(reviewLinkPosts.brandId, brandIds),
        inArray(
          reviewLinkPosts.postId,
          posts.map(({ id }) => id),
        ),
        isNull(reviewLinks.revokedAt),
        sql`${reviewLinks.expiresAt} > clock_timestamp()`,
      ),
    )
  return new Set(rows.map(({ postId }) => postId))
}
