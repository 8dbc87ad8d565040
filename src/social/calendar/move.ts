import { and, asc, eq, ne } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import { databaseTime, type Database } from '#lib/db.ts'
import { forbidden, invalid } from '#lib/errors.ts'
import { wallTime } from '#lib/time.ts'
import { readPermissions } from '../access.ts'
import * as brands from '../brands/brands.ts'
import type { ChangeCall } from '../change-call.ts'
import { requireVersion } from '../posts/checks.ts'
import { edit } from '../posts/changes.ts'
import { publishingTime } from '../posts/input.ts'
import { lockPost, type PostRow } from '../posts/posts.ts'
import { lockThread } from '../posts/threads.ts'
import { posts } from '../schema.ts'
import type { PostMove } from './input.ts'

type MoveCall = ChangeCall & Pick<Call, 'identity'>

interface Moved {
  before: PostRow
  post: PostRow
  /** Of its thread, with the post itself. */
  ids: string[]
  zone: string
}

/**
 * Schedules a post for another time, or moves the planned time of a draft that has one. The unpublished parts of its thread
 * move with it, by as much wall time.
 * @throws {Problem} as `edit`
 */
export async function move(call: MoveCall, input: PostMove): Promise<Moved> {
  await lockThread(call.db, call.actor, input.postId)
  const before = await lockPost(call.db, call.actor, input.postId)
  requireVersion(before, input.version)
  await requireScheduled(call, before)
  const zone = input.timeZone ?? (await brands.get(call.db, call.actor, before.brandId)).timeZone
  const at = newTime(before, input, zone, await databaseTime(call.db))
  const status = isPlannedDraft(before) ? 'draft' : 'scheduled'
  const post = await edit(call, { id: before.id, status, scheduledAt: at })
  const ids = [post.id]
  for (const part of await listParts(call.db, before)) {
    await edit(call, { id: part.id, status, scheduledAt: shifted(part, before, at, zone) })
    ids.push(part.id)
  }
  return { before, post, ids, zone }
}

const isPlannedDraft = ({ status, scheduledAt }: PostRow): boolean => status === 'draft' && scheduledAt !== null

/** Scheduling a draft, or a failed post again, is writing. @throws {Problem} 403 without `posts:write` */
async function requireScheduled(call: MoveCall, post: PostRow): Promise<void> {
  const { status, brandId } = post
  if (status === 'scheduled' || isPlannedDraft(post)) return
  const check = await readPermissions(call)
  if (!check('posts:write', brandId)) throw forbidden('posts:write')
}

function newTime({ scheduledAt: before }: PostRow, input: PostMove, zone: string, now: Date): Date {
  const { scheduledAt, localTime, date } = input
  if (scheduledAt) return publishingTime(scheduledAt, zone, now)
  if (localTime) return publishingTime(localTime, zone, now, 'localTime')
  if (!before) throw invalid([{ path: 'date', message: 'This draft has no time of day. Send localTime instead.' }])
  const time = inZone(before, zone).toPlainTime().toString()
  return publishingTime({ local: `${date}T${time}` }, zone, now, 'date')
}

const inZone = (at: Date, zone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime()

/** Parts in the same state, and after a failed one those that wait for it. With a planned draft only other planned ones. */
async function listParts(db: Database, post: PostRow): Promise<PostRow[]> {
  const { id, threadId, status } = post
  if (!threadId) return []
  const others = await db
    .select()
    .from(posts)
    .where(and(eq(posts.threadId, threadId), ne(posts.id, id)))
    .orderBy(asc(posts.position))
  const isAlike = isPlannedDraft(post) ? isPlannedDraft : (part: PostRow) => part.status === status
  return others.filter((part) => isAlike(part) || (status === 'failed' && part.status === 'scheduled'))
}

/** By the same wall time as the moved one, so that the parts stay apart as they were across daylight-saving changes. */
function shifted(part: PostRow, { scheduledAt: before }: PostRow, at: Date, zone: string): Date {
  if (!before || !part.scheduledAt) return at
  const by = inZone(before, zone).until(inZone(at, zone))
  return wallTime(inZone(part.scheduledAt, zone).add(by).toString(), zone)
}
