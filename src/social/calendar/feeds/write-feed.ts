import { and, asc, desc, eq, gte, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
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
  const planned = await listPlanned(db, brand.id, now)
  const past = await listPast(db, brand.id, now, maxEvents - planned.length)
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

const listPlanned = (db: Database, brandId: string, now: Date) =>
  selectEvents(db, brandId, { from: now, to: new Date(now.getTime() + after) })
    .orderBy(asc(posts.sortAt), asc(posts.id))
    .limit(maxPlanned)

/** The latest first. */
const listPast = (db: Database, brandId: string, now: Date, limit: number) =>
  selectEvents(db, brandId, { from: new Date(now.getTime() - before), to: now })
    .orderBy(desc(posts.sortAt), desc(posts.id))
    .limit(limit)

const selectEvents = (db: Database, brandId: string, { from, to }: { from: Date; to: Date }) =>
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
    .where(
      and(
        eq(posts.brandId, brandId),
        gte(posts.sortAt, from),
        lt(posts.sortAt, to),
        isNotNull(posts.scheduledAt),
        isNull(posts.withdrawnAt),
        eq(posts.position, 0),
      ),
    )

type EventPost = Awaited<ReturnType<typeof listPlanned>>[number]

const states = { draft: 'Draft', scheduled: 'Scheduled', published: 'Published', failed: 'Failed' } as const

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
    `SUMMARY:${icalText(post.status === 'failed' ? `Failed: ${summary}` : summary)}`,
    `DESCRIPTION:${icalText(`${states[post.status]} on ${network}\n\n${post.text}`)}`,
    `CATEGORIES:${icalText(network)}`,
    `URL:${linkTo(postHref(post))}`,
    // The reader stays free at its time.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}
