import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { computedColumns } from '../posts/listed-columns.ts'
import { lockWithThreads } from '../review/lock-posts.ts'
import { media, posts, reviewLinkPosts } from '../schema.ts'
import type { FoundLink } from './open-link.ts'

type Link = Pick<FoundLink, 'id' | 'brandId'>

/** All parts of threads and submissions are next to each other, by their times. */
export const listLinkedPosts = (db: Database, link: Link) =>
  db
    .select({ ...getTableColumns(posts), ...computedColumns('posts') })
    .from(posts)
    .where(isLinked(db, link))
    .orderBy(asc(posts.sortAt), asc(posts.id))

export type LinkedPost = Awaited<ReturnType<typeof listLinkedPosts>>[number]

const isLinked = (db: Database, { id, brandId }: Link) =>
  and(
    eq(posts.brandId, brandId),
    inArray(
      posts.id,
      db
        .select({ id: reviewLinkPosts.postId })
        .from(reviewLinkPosts)
        .where(and(eq(reviewLinkPosts.brandId, brandId), eq(reviewLinkPosts.linkId, id))),
    ),
  )

/** @throws {Problem} 404 for a post that isn't the link's */
export async function lockLinkedPosts(tx: Database, link: Link, ids: readonly string[]) {
  const linked = await tx
    .select({ id: posts.id, threadId: posts.threadId })
    .from(posts)
    .where(and(isLinked(tx, link), inArray(posts.id, [...ids])))
  const rows = (await lockWithThreads(tx, linked)).filter(({ id }) => ids.includes(id))
  if (rows.length < new Set(ids).size) throw notFound('post')
  return rows
}

/** @throws {Problem} 404 for a file that none of the link's posts has */
export async function findLinkedMedia(db: Database, link: Link, mediaId: string) {
  const [shown] = await db
    .select({ id: posts.id })
    .from(posts)
    .where(and(isLinked(db, link), sql`${posts.media} @> ${JSON.stringify([{ mediaId }])}::jsonb`))
    .limit(1)
  const [row] = shown
    ? await db
        .select()
        .from(media)
        .where(and(eq(media.id, mediaId), eq(media.brandId, link.brandId)))
    : []
  if (!row) throw notFound('file')
  return row
}
