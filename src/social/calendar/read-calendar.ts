import { and, asc, eq, isNotNull, sql, count, max } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { databaseTime, prepared, type Database } from '#lib/db.ts'
import { excerpt } from '#views/social/posts/post-text.ts'
import { readPermissions, testKeyNetwork } from '../access.ts'
import * as brands from '../brands/brands.ts'
import type { Calendar, CalendarPost } from '../contract.ts'
import { conditionsOf, namesOf, valuesOf, type Condition, type Values } from '../posts/conditions.ts'
import { firstCommentState } from '../posts/listed-columns.ts'
import { postChecks, posts } from '../schema.ts'
import { listSlotsUntil } from '../slots/free.ts'
import { readAccounts } from './accounts.ts'
import { firstInstant, localTimes } from './days.ts'
import { countryOf, listHolidays } from './holidays.ts'
import type { CalendarFilter } from './input.ts'

const { placeholder } = sql

const maxListed = 2_000
/** Posts of the range among which a filter looks. */
const maxSearched = 10_000
const maxCounted = 10_000
/** Of a text, for its excerpt. */
const maxRead = 400

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>

/** @throws {Problem} 404 for a brand of another organization */
export async function readCalendar(call: ReadCall, filter: CalendarFilter): Promise<z.input<typeof Calendar>> {
  const brand = await brands.get(call.db, call.actor, filter.brandId)
  const range = { from: firstInstant(filter.from, brand.timeZone), to: firstInstant(filter.to, brand.timeZone, 1) }
  const [planned, holidays, slots] = await Promise.all([
    readPosts(call, brand, { ...filter, ...range }),
    readHolidays(filter, brand.timeZone),
    readSlots(call, brand, range),
  ])
  const localTime = localTimes(brand.timeZone)
  const freeSlots = slots.filter((slot) => slot.posts === 0).map(({ at }) => ({ at, localTime: localTime(at) }))
  return { ...planned, ...holidays, freeSlots, nextCursor: null }
}

interface Range {
  from: Date
  /** The first instant after it. */
  to: Date
}

type PostsOfRange = Pick<z.input<typeof Calendar>, 'items' | 'omitted' | 'can'>

/** Posts of a range by time, with what the caller can do with them. */
export async function readPosts(
  call: ReadCall,
  brand: brands.BrandRow,
  filter: Omit<CalendarFilter, 'from' | 'to'> & Range,
): Promise<PostsOfRange> {
  const { db, actor } = call
  const values = { ...valuesOf(filter), ...(actor.credential.test && { reachedBy: testKeyNetwork }) }
  const searched = namesOf(values).every((name) => indexed.includes(name)) ? null : await findEnd(db, values)
  const within = searched ? { ...values, to: searched.toISOString() } : values
  const [rows, accountOf, can] = await Promise.all([
    queryOf(db, within).execute(within),
    readAccounts(db, brand.id),
    readPermissions(call),
  ])
  const canWrite = can('calendar:write', brand.id)
  const localTime = localTimes(brand.timeZone)
  const items = rows
    .slice(0, maxListed)
    .map(({ text, authorId, target, externalAccount, ...row }): z.input<typeof CalendarPost> => {
      const scheduledAt = row.scheduledAt ?? filter.from
      return {
        ...row,
        scheduledAt,
        localTime: localTime(scheduledAt),
        timeZone: brand.timeZone,
        account: accountOf({ ...row, authorId, target, externalAccount }),
        excerpt: excerpt(text),
        can: { move: canWrite && isMovable(row) },
      }
    })
  const omitted = await countOmitted(db, { values, within, listed: rows.length })
  return { items, omitted, can: { create: can('posts:write', brand.id) } }
}

/** From now on. */
async function readSlots({ db, actor }: Pick<ReadCall, 'db' | 'actor'>, brand: brands.BrandRow, { from, to }: Range) {
  if (brand.queueSlots.length === 0) return []
  const now = await databaseTime(db)
  // Slots are after `now`, and one can be at the beginning of the range.
  const start = from > now ? new Date(from.getTime() - 1) : now
  return listSlotsUntil(db, actor, brand, { now: start, end: to })
}

async function readHolidays({ country: chosen, from, to }: CalendarFilter, timeZone: string) {
  const country = chosen === 'none' ? null : (chosen ?? (await countryOf(timeZone)))
  return { country, holidays: country ? await listHolidays({ country, from, to }) : [] }
}

/** Conditions that an index finds posts by, in the order of the list. */
const indexed: readonly Condition[] = ['brandId', 'status', 'from', 'to']

const dated = isNotNull(posts.scheduledAt)

const queryOf = (db: Database, values: Values) =>
  prepared(db, ['calendar', ...namesOf(values)].join('_'), () => calendarQuery(db, namesOf(values)))

/** Exported for its plan. */
export const calendarQuery = (db: Database, conditions: readonly Condition[]) =>
  db
    .select({
      id: posts.id,
      brandId: posts.brandId,
      authorId: posts.authorId,
      provider: posts.provider,
      status: posts.status,
      text: sql<string>`left(${posts.text}, ${sql.raw(String(maxRead))})`.as('text'),
      scheduledAt: posts.scheduledAt,
      threadId: posts.threadId,
      position: posts.position,
      target: posts.target,
      externalAccount: posts.externalAccount,
      waitingFor: posts.waitingFor,
      failureCode: posts.failureCode,
      withdrawnAt: posts.withdrawnAt,
      version: posts.version,
      reviewState: posts.reviewState,
      isDue: sql<boolean>`(${posts.status} = 'scheduled' AND ${posts.scheduledAt} <= now())`.as('is_due'),
      firstCommentState: firstCommentState('posts'),
      readiness: sql<
        CalendarPost['readiness']
      >`CASE WHEN ${posts.status} = 'scheduled' THEN ${postChecks.state} END`.as('readiness'),
    })
    .from(posts)
    .leftJoin(postChecks, eq(postChecks.postId, posts.id))
    .where(and(...conditionsOf(conditions), dated))
    .orderBy(asc(posts.sortAt), asc(posts.id))
    .limit(maxListed + 1)

/** Of the range without its filters: the time of the first post after those that are searched. */
async function findEnd(db: Database, values: Values): Promise<Date | null> {
  const { brandId, from, to } = values
  const [found] = await prepared(db, 'calendar_end', () => {
    const searched = db
      .select({ at: posts.sortAt })
      .from(posts)
      .where(and(...conditionsOf(['brandId', 'from', 'to'])))
      .orderBy(asc(posts.sortAt), asc(posts.id))
      .limit(maxSearched + 1)
      .as('searched')
    return db.select({ count: count(), last: max(searched.at) }).from(searched)
  }).execute({ brandId, from, to })
  return found && found.count > maxSearched ? found.last : null
}

interface Listed {
  values: Values
  within: Values
  listed: number
}

async function countOmitted(db: Database, { values, within, listed }: Listed): Promise<number> {
  const beyond = listed > maxListed ? await countAfter(db, within, maxListed) : 0
  const { brandId, to } = values
  const unsearched = within.to === to ? 0 : await countAfter(db, { brandId, from: within.to, to }, 0)
  return Math.min(beyond + unsearched, maxCounted)
}

/** Of the posts beyond the first `skipped`, up to `maxCounted`. */
async function countAfter(db: Database, values: Values, skipped: number): Promise<number> {
  const names = namesOf(values)
  const [found] = await prepared(db, ['calendar_count', ...names].join('_'), () => {
    const rest = db
      .select({ id: posts.id })
      .from(posts)
      .where(and(...conditionsOf(names), dated))
      .orderBy(asc(posts.sortAt), asc(posts.id))
      .limit(placeholder('limit'))
      .as('rest')
    return db.select({ count: sql<number>`count(*)::int`.as('count') }).from(rest)
  }).execute({ ...values, limit: skipped + maxCounted })
  return Math.max(0, (found?.count ?? 0) - skipped)
}

type State = Pick<CalendarPost, 'status' | 'isDue' | 'waitingFor'>

/** Not while it is being published. */
const isMovable = ({ status, isDue, waitingFor }: State): boolean =>
  status === 'failed' || status === 'draft' || (status === 'scheduled' && (!isDue || waitingFor !== null))
