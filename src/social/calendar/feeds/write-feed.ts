import { and, asc, desc, eq, gte, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { digest } from '#lib/ids.ts'
import { icalFile, icalText, icalTime } from '#lib/ical.ts'
import { excerpt, networkNames, postHref } from '#views/social/posts/post-text.ts'
import type { BrandRow } from '../../brands/brands.ts'
import { posts } from '../../schema.ts'

const day = 24 * 60 * 60_000
const before = 31 * day
const after = 366 * day
/** Planned events come first: those of the past get what they leave. */
const maxEvents = 1_000
const maxPlanned = 800
/** Of a text, in characters. */
const maxText = 300

interface Feed {
  brand: BrandRow
  now: Date
  linkTo(path: string): string
}

/** A month back and a year ahead. Parts of a thread are one event, that of its first. */
export async function writeFeed(db: Database, { brand, now, linkTo }: Feed): Promise<string> {
  const planned = await listEvents(db, plannedOf(brand.id, now))
  const past = await listEvents(db, pastOf(brand.id, now, maxEvents - planned.length))
  return icalFile([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Atrium//Posts//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${icalText(brand.name)}`,
    `X-WR-CALNAME:${icalText(brand.name)}`,
    `X-WR-TIMEZONE:${brand.timeZone}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...[...past.toReversed(), ...planned].flatMap((post) => eventOf(post, linkTo)),
    'END:VCALENDAR',
  ])
}

/** Changes with how events are written. */
const format = 2

/** Of the versions of the events' posts: their texts aren't read. */
export async function feedEtag(db: Database, { brand, now, linkTo }: Feed): Promise<string> {
  const planned = await listVersions(db, plannedOf(brand.id, now))
  const past = await listVersions(db, pastOf(brand.id, now, maxEvents - planned.length))
  const { name, timeZone } = brand
  return `"${digest(JSON.stringify([format, name, timeZone, linkTo('/'), past, planned]))}"`
}

interface Range {
  where: SQL | undefined
  order: SQL[]
  limit: number
}

const plannedOf = (brandId: string, now: Date): Range => ({
  where: areEvents(brandId, now, new Date(now.getTime() + after)),
  order: [asc(posts.sortAt), asc(posts.id)],
  limit: maxPlanned,
})

/** The latest first. */
const pastOf = (brandId: string, now: Date, limit: number): Range => ({
  where: areEvents(brandId, new Date(now.getTime() - before), now),
  order: [desc(posts.sortAt), desc(posts.id)],
  limit,
})

const areEvents = (brandId: string, from: Date, to: Date) =>
  and(
    eq(posts.brandId, brandId),
    gte(posts.sortAt, from),
    lt(posts.sortAt, to),
    isNotNull(posts.scheduledAt),
    isNull(posts.withdrawnAt),
    eq(posts.position, 0),
  )

const listVersions = (db: Database, { where, order, limit }: Range) =>
  db
    .select({ id: posts.id, version: posts.version, status: posts.status, updatedAt: posts.updatedAt })
    .from(posts)
    .where(where)
    .orderBy(...order)
    .limit(limit)

const listEvents = (db: Database, { where, order, limit }: Range) =>
  db
    .select({
      id: posts.id,
      brandId: posts.brandId,
      provider: posts.provider,
      status: posts.status,
      text: sql<string>`left(${posts.text}, ${sql.raw(String(maxText))})`.as('text'),
      scheduledAt: posts.scheduledAt,
      version: posts.version,
      createdAt: posts.createdAt,
      updatedAt: posts.updatedAt,
    })
    .from(posts)
    .where(where)
    .orderBy(...order)
    .limit(limit)

type EventPost = Awaited<ReturnType<typeof listEvents>>[number]

const states = { draft: 'Draft', scheduled: 'Scheduled', published: 'Published', failed: 'Failed' } as const

const prefixes: Partial<Record<EventPost['status'], string>> = { draft: 'Draft: ', failed: 'Failed: ' }

function eventOf(post: EventPost, linkTo: Feed['linkTo']): string[] {
  if (!post.scheduledAt) return []
  const network = networkNames[post.provider]
  const summary = `${network}: ${excerpt(post.text, 80) || 'Post without text'}`
  return [
    'BEGIN:VEVENT',
    `UID:post-${post.id}@atrium`,
    `SEQUENCE:${post.version - 1}`,
    `DTSTAMP:${icalTime(post.updatedAt)}`,
    `CREATED:${icalTime(post.createdAt)}`,
    `LAST-MODIFIED:${icalTime(post.updatedAt)}`,
    `DTSTART:${icalTime(post.scheduledAt)}`,
    'DURATION:PT15M',
    `STATUS:${post.status === 'draft' ? 'TENTATIVE' : 'CONFIRMED'}`,
    `SUMMARY:${icalText(`${prefixes[post.status] ?? ''}${summary}`)}`,
    `DESCRIPTION:${icalText(`${states[post.status]} on ${network}\n\n${post.text}`)}`,
    `CATEGORIES:${icalText(network)}`,
    `URL:${linkTo(postHref(post))}`,
    // The reader stays free at its time.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}
