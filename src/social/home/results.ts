import { and, eq, gte, lt, or, sql, type Column } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { localDay, wallTime } from '#lib/time.ts'
import { testKeyNetwork } from '../access.ts'
import type { BrandRow } from '../brands/brands.ts'
import type { Provider, RecentResults } from '../contract.ts'
import { posts } from '../schema.ts'

type ResultBrand = Pick<BrandRow, 'id' | 'timeZone'>

const periodDays = 7

interface Counted {
  /** From 1: the days before, then those of the period. */
  nth: number
  provider: Provider
  posts: number
}

type Outcome = 'published' | 'failed'
type Outcomes = Record<Outcome, number>

/** What became of the posts of a week, and of the one before, in the days of the brand’s time zone. */
export async function readResults(db: Database, actor: Actor, brand: ResultBrand, now: Date): Promise<RecentResults> {
  const today = Temporal.PlainDate.from(localDay(now, brand.timeZone))
  const first = today.subtract({ days: 2 * periodDays - 1 })
  const dates = Array.from({ length: 2 * periodDays }, (_, days) => first.add({ days }))
  const starts = dates.map((date) => wallTime(`${date.toString()}T00:00`, brand.timeZone))
  const range = { starts, now, aWeekAgo: aWeekBefore(now, brand.timeZone) }
  const [published, failed] = await Promise.all([
    countByDay(db, actor, brand, { ...range, status: 'published', at: posts.publishedAt }),
    countByDay(db, actor, brand, { ...range, status: 'failed', at: posts.sortAt }),
  ])
  const outcomesOf = (isWanted: (each: Counted) => boolean): Outcomes => ({
    published: sum(published.filter(isWanted)),
    failed: sum(failed.filter(isWanted)),
  })
  const isRecent = ({ nth }: Counted) => nth > periodDays
  const providers = [...new Set([...published, ...failed].map(({ provider }) => provider))].toSorted()
  return {
    ...outcomesOf(isRecent),
    before: outcomesOf((each) => !isRecent(each)),
    days: dates.slice(periodDays).map((date, at) => ({
      day: date.toString(),
      ...outcomesOf(({ nth }) => nth === periodDays + at + 1),
    })),
    networks: providers.map((provider) => ({
      provider,
      ...outcomesOf((each) => each.provider === provider && isRecent(each)),
      before: outcomesOf((each) => each.provider === provider && !isRecent(each)),
    })),
  }
}

const sum = (counted: readonly Counted[]): number => counted.reduce((total, each) => total + each.posts, 0)

/** The same wall time, so that the part of today is compared with the same part of a day. */
const aWeekBefore = (now: Date, timeZone: string): Date =>
  new Date(
    Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).subtract({ weeks: 1 })
      .epochMilliseconds,
  )

interface Range {
  starts: readonly Date[]
  now: Date
  aWeekAgo: Date
  status: Outcome
  at: Column
}

/** A query, by network and the place of the day. */
export function countByDay(db: Database, { credential }: Pick<Actor, 'credential'>, brand: ResultBrand, range: Range) {
  const { starts, now, aWeekAgo, status, at } = range
  const bounds = sql.join(
    starts.map((start) => sql`${start.toISOString()}::timestamptz`),
    sql`, `,
  )
  const nth = sql<number>`width_bucket(${at}, ARRAY[${bounds}])`.as('nth')
  return db
    .select({ nth, provider: posts.provider, posts: sql<number>`count(*)::int` })
    .from(posts)
    .where(
      and(
        eq(posts.brandId, brand.id),
        // A literal, by which PostgreSQL recognizes the partial index.
        sql`${posts.status} = ${sql.raw(`'${status}'`)}`,
        gte(at, starts[0]),
        lt(at, now),
        or(lt(at, aWeekAgo), gte(at, starts[periodDays])),
        credential.test ? eq(posts.provider, testKeyNetwork) : undefined,
      ),
    )
    .groupBy(sql`nth`, posts.provider)
}
