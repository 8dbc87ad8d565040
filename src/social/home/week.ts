import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { localDay, wallTime } from '#lib/time.ts'
import { testKeyNetwork } from '../access.ts'
import type { BrandRow } from '../brands/brands.ts'
import type { DayAhead } from '../contract.ts'
import { posts } from '../schema.ts'
import { listSlotsUntil } from '../slots/free.ts'

type HomeBrand = Pick<BrandRow, 'id' | 'name' | 'timeZone' | 'queueSlots'>

const weekDays = 7

/** The 7 days after today, as the time zone of the brand has them. */
export async function readWeek(db: Database, actor: Actor, brand: HomeBrand, now: Date): Promise<DayAhead[]> {
  const { timeZone } = brand
  const today = Temporal.PlainDate.from(localDay(now, timeZone))
  const days = Array.from({ length: weekDays }, (_, at) => today.add({ days: at + 1 }).toString())
  const bounds = Array.from({ length: weekDays + 1 }, (_, at) =>
    wallTime(`${today.add({ days: at + 1 }).toString()}T00:00`, timeZone),
  )
  const [start = now, end = now] = [bounds.at(0), bounds.at(-1)]
  const [counted, slots] = await Promise.all([
    countByDay(db, actor, brand, bounds),
    listSlotsUntil(db, actor, brand, { now: new Date(start.getTime() - 1), end }),
  ])
  return days.map((day, at) => {
    const ofDay = counted.filter((each) => each.nth === at + 1)
    return {
      day,
      posts: ofDay.reduce((sum, each) => sum + each.posts, 0),
      providers: ofDay.map(({ provider }) => provider),
      freeSlots: slots.filter((slot) => slot.posts === 0 && localDay(slot.at, timeZone) === day).length,
    }
  })
}

/** Scheduled posts by network and the place of their day. PostgreSQL can lack a time zone that we know. */
function countByDay(db: Database, { credential }: Actor, brand: HomeBrand, bounds: readonly Date[]) {
  const starts = sql.join(
    bounds.map((at) => sql`${at.toISOString()}::timestamptz`),
    sql`, `,
  )
  const nth = sql<number>`width_bucket(${posts.sortAt}, ARRAY[${starts}])`.as('nth')
  const [start = new Date(0), end = new Date(0)] = [bounds.at(0), bounds.at(-1)]
  return db
    .select({ nth, provider: posts.provider, posts: sql<number>`count(*)::int` })
    .from(posts)
    .where(
      and(
        eq(posts.brandId, brand.id),
        eq(posts.status, 'scheduled'),
        gte(posts.sortAt, start),
        lt(posts.sortAt, end),
        credential.test ? eq(posts.provider, testKeyNetwork) : undefined,
      ),
    )
    .groupBy(sql`nth`, posts.provider)
    .orderBy(asc(posts.provider))
}
