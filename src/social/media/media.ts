import { and, desc, eq, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { looseFiles, media, posts, uploads } from '../schema.ts'
import { explainAbsence, withinTenant } from '../access.ts'
import { keyOf, type MediaRow } from './files.ts'
import { sweepFiles } from './jobs/sweep-files.job.ts'

const brandOf = (db: Database, id: string) => db.select({ id: media.brandId }).from(media).where(eq(media.id, id))

const ownImage = (db: Database, actor: Actor, id: string) =>
  and(eq(media.id, id), withinTenant(db, actor, media.brandId))

/** @throws {Problem} 404 when it is absent or another organization's */
export async function get(db: Database, actor: Actor, id: string): Promise<MediaRow> {
  const [row] = await db
    .select()
    .from(media)
    .where(ownImage(db, actor, id))
  if (!row) throw await explainAbsence(db, actor, 'file', brandOf(db, id))
  return row
}

/** @throws {Problem} as `get` */
export async function lock(db: Database, actor: Actor, id: string): Promise<MediaRow> {
  const [row] = await db
    .select()
    .from(media)
    .where(ownImage(db, actor, id))
    .for('no key update')
  if (!row) throw await explainAbsence(db, actor, 'file', brandOf(db, id))
  return row
}

interface MediaChanges {
  id: string
  name?: string
  alt?: string
  tags?: string[]
}

/** Posts keep the alt texts that they have. @throws {Problem} 404 */
export async function edit(db: Database, actor: Actor, { id, ...changes }: MediaChanges): Promise<MediaRow> {
  const before = await get(db, actor, id)
  const [after] = await db
    .update(media)
    .set(changes)
    .where(ownImage(db, actor, id))
    .returning()
  if (!after) throw await explainAbsence(db, actor, 'file', brandOf(db, id))
  recordChange(db, { object: 'media', id, before, after })
  return after
}

/** A job deletes its files at once. @throws {Problem} 404, and 409 naming posts */
export async function remove(call: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now' | 'queue'>, id: string) {
  const { db, actor, now, queue } = call
  // Its upload is locked before it, as by what deletes both. Of these the file is locked first: attaching it to a post
  // locks it too.
  await db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.mediaId, id), withinTenant(db, actor, uploads.brandId)))
    .for('update')
  const [row] = await db
    .select()
    .from(media)
    .where(ownImage(db, actor, id))
    .for('update')
  if (!row) throw await explainAbsence(db, actor, 'file', brandOf(db, id))
  await requireUnused(db, row)
  await db.delete(media).where(eq(media.id, id))
  await db.insert(looseFiles).values({ key: keyOf(row), dueAt: now() })
  await queue.enqueue(db, sweepFiles, {})
  recordChange(db, { object: 'media', id, before: row })
}

const maxNamed = 10

async function requireUnused(db: Database, { id, brandId }: MediaRow): Promise<void> {
  const uses = sql`${posts.media} @> ${JSON.stringify([{ mediaId: id }])}::jsonb and ${posts.media} <> '[]'`
  const users = await db
    .select({ id: posts.id, status: posts.status })
    .from(posts)
    .where(and(eq(posts.brandId, brandId), uses))
    .orderBy(desc(posts.id))
    .limit(maxNamed)
  if (users.length === 0) return
  const which = users.map((post) => `${post.id} (${post.status})`).join(', ')
  throw conflict('media_in_use', `Posts use this file: ${which}. Remove it from them first.`, { posts: users })
}
