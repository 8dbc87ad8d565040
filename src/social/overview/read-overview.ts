import { and, asc, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { Instant } from '#lib/time.ts'
import { reachedBrand, testKeyNetwork } from '../access.ts'
import { Provider } from '../contract.ts'
import { brands } from '../schema.ts'
import { daysFrom, daysIn } from './days.ts'

const maxFailed = 3
const maxNext = 5
const maxText = 200

const Post = z.object({
  id: z.string(),
  brandId: z.string(),
  provider: Provider,
  status: z.enum(['failed', 'scheduled']),
  text: z.string(),
  at: Instant,
})
export type OverviewPost = z.output<typeof Post> & { brandName: string }

const Row = z.object({
  failed: z.number(),
  published: z.number(),
  week: z.array(z.object({ day: z.iso.date(), isToday: z.boolean(), posts: z.number() })),
  posts: z.array(Post),
})

/** Of the brands that the actor reaches. Days and weeks are those of each brand’s time zone. */
export async function readOverview(db: Database, actor: Actor, now: Date) {
  const reached = await db
    .select({ id: brands.id, name: brands.name, timeZone: brands.timeZone })
    .from(brands)
    .where(reachedBrand(actor))
    .orderBy(asc(brands.id))
  const zones = new Map([...new Set(reached.map(({ timeZone }) => timeZone))].map((zone) => [zone, daysIn(zone, now)]))
  const days = reached.map(({ id, timeZone }) => ({ id, ...zones.get(timeZone) }))
  const [row] = await db.execute(overviewOf(JSON.stringify(days), actor))
  const { posts, ...counts } = Row.parse(row)
  const names = new Map(reached.map(({ id, name }) => [id, name]))
  const named = posts.map((post) => ({ ...post, brandName: names.get(post.brandId) ?? '' }))
  return {
    ...counts,
    brands: reached,
    days: daysFrom([...zones.values()].map(({ today }) => today).toSorted(), now),
    failedPosts: named.filter(({ status }) => status === 'failed').toSorted((one, other) => +other.at - +one.at),
    nextPosts: named.filter(({ status }) => status === 'scheduled').toSorted((one, other) => +one.at - +other.at),
  }
}

/** Each brand gives its own part of an index, so that it reads only what it counts and lists. */
function overviewOf(days: string, { credential }: Actor) {
  const isOf = (status: 'failed' | 'published' | 'scheduled') =>
    and(
      sql`posts.brand_id = reached.id AND posts.status = ${sql.raw(`'${status}'`)}`,
      credential.test ? sql`posts.provider = ${testKeyNetwork}` : undefined,
    )
  const columns = sql`posts.id, posts.brand_id AS "brandId", posts.provider, posts.status,
    left(posts.text, ${maxText}) AS text`
  return sql`
    WITH reached AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${days}::text::jsonb)
        AS brand (id uuid, today date, bounds timestamptz[], monday timestamptz)
    ), week AS (
      SELECT reached.today + due.nth - 1 AS day, due.nth = 1 AS "isToday", sum(due.posts)::int AS posts
      FROM reached CROSS JOIN LATERAL (
        SELECT greatest(width_bucket(posts.sort_at, reached.bounds), 1) AS nth, count(*) AS posts
        FROM social.posts WHERE ${isOf('scheduled')} AND posts.sort_at < reached.bounds[array_upper(reached.bounds, 1)]
        GROUP BY 1) AS due
      GROUP BY 1, 2
    ), failed AS (
      SELECT post.* FROM reached CROSS JOIN LATERAL (
        SELECT ${columns}, posts.failed_at AS at FROM social.posts WHERE ${isOf('failed')}
        ORDER BY posts.sort_at DESC, posts.id DESC LIMIT ${maxFailed}) AS post
      ORDER BY post.at DESC, post.id LIMIT ${maxFailed}
    ), next AS (
      SELECT post.* FROM reached CROSS JOIN LATERAL (
        SELECT ${columns}, posts.sort_at AS at FROM social.posts WHERE ${isOf('scheduled')} AND posts.position = 0
        ORDER BY posts.sort_at, posts.id LIMIT ${maxNext}) AS post
      ORDER BY post.at, post.id LIMIT ${maxNext}
    ), listed AS (SELECT * FROM failed UNION ALL SELECT * FROM next)
    SELECT
      (SELECT coalesce(sum(found.posts), 0)::int FROM reached CROSS JOIN LATERAL (
        SELECT count(*) AS posts FROM social.posts WHERE ${isOf('failed')}) AS found) AS failed,
      (SELECT coalesce(sum(found.posts), 0)::int FROM reached CROSS JOIN LATERAL (
        SELECT count(*) AS posts FROM social.posts
        WHERE ${isOf('published')} AND posts.published_at >= reached.monday) AS found) AS published,
      (SELECT coalesce(json_agg(week ORDER BY week.day), '[]') FROM week) AS week,
      (SELECT coalesce(json_agg(listed), '[]') FROM listed) AS posts`
}
