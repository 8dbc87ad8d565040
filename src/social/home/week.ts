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
  const start = wallTime(`${days[0]}T00:00`, timeZone)
  const end = wallTime(`${today.add({ days: weekDays + 1 }).toString()}T00:00`, timeZone)
  const [counted, slots] = await Promise.all([
    countByDay(db, actor, brand, { start, end }),
    listSlotsUntil(db, brand, { now: new Date(start.getTime() - 1), end }),
  ])
  return days.map((day) => {
    const ofDay = counted.filter((each) => each.day === day)
    return {
      day,
      posts: ofDay.reduce((sum, each) => sum + each.posts, 0),
      providers: ofDay.map(({ provider }) => provider),
      freeSlots: slots.filter((slot) => slot.posts === 0 && localDay(slot.at, timeZone) === day).length,
    }
  })
}

/** Scheduled posts by day and network. */
function countByDay(db: Database, { credential }: Actor, brand: HomeBrand, { start, end }: { start: Date; end: Date }) {
  const day = sql<string>`to_char(${posts.sortAt} AT TIME ZONE ${brand.timeZone}, 'YYYY-MM-DD')`.as('day')
  return db
    .select({ day, provider: posts.provider, posts: sql<number>`count(*)::int` })
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
    .groupBy(sql`day`, posts.provider)
    .orderBy(asc(posts.provider))
}
