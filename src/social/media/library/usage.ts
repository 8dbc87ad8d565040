import { and, desc, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { byId, type PageOf } from '#lib/paginate.ts'
import { testKeyNetwork } from '../../access.ts'
import { posts } from '../../schema.ts'
import type { MediaRow } from '../files.ts'

/** Uses of a file are counted up to here: a logo can be in every post. */
const maxUses = 1_000

/** Whether a post has the file with this ID. As PostgreSQL's index of posts' media is defined. */
const hasFile = (table: string, id: string) => sql`
  ${sql.raw(table)}.media @> jsonb_build_array(jsonb_build_object('mediaId', ${sql.raw(id)}))
  AND ${sql.raw(table)}.media <> '[]'`

/** Without its brand, which would let PostgreSQL read all posts of the brand for each file. */
export const isUsed = sql`EXISTS (SELECT FROM social.posts AS post WHERE ${hasFile('post', '"media"."id"')})`

const Count = z.object({ id: z.string(), uses: z.number() })

/** The number of posts with each file. A test key counts posts of the sandbox network. */
export async function countUses(
  db: Database,
  actor: Actor,
  files: readonly Pick<MediaRow, 'id'>[],
): Promise<Map<string, number>> {
  if (files.length === 0) return new Map()
  const reach = actor.credential.test ? sql`AND post.provider = ${testKeyNetwork}` : sql``
  const ids = sql.join(
    files.map(({ id }) => sql`${id}::uuid`),
    sql`, `,
  )
  const rows = await db.execute(sql`
    SELECT file.id, (SELECT count(*) FROM (
      SELECT FROM social.posts AS post WHERE ${hasFile('post', 'file.id')} ${reach} LIMIT ${maxUses}
    ) AS uses)::int AS uses
    FROM unnest(ARRAY[${ids}]) AS file(id)`)
  return new Map(
    rows.map((row) => {
      const { id, uses } = Count.parse(row)
      return [id, uses]
    }),
  )
}

export interface UseRow extends Pick<
  typeof posts.$inferSelect,
  'id' | 'provider' | 'status' | 'text' | 'scheduledAt' | 'publishedAt'
> {}

/** Newest first. */
export async function listUses(
  db: Database,
  actor: Actor,
  { id, ...page }: { id: string; limit: number; cursor?: string },
): Promise<PageOf<UseRow>> {
  const slice = byId(posts.id, 'desc').slice(page)
  const { provider, status, text, scheduledAt, publishedAt } = posts
  const rows = await db
    .select({ id: posts.id, provider, status, text, scheduledAt, publishedAt })
    .from(posts)
    .where(
      and(
        sql`${posts.media} @> ${JSON.stringify([{ mediaId: id }])}::jsonb and ${posts.media} <> '[]'`,
        actor.credential.test ? inArray(posts.provider, [testKeyNetwork]) : undefined,
        slice.where,
      ),
    )
    .orderBy(desc(posts.id))
    .limit(slice.limit)
  return slice.page(rows)
}
