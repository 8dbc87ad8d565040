import { and, desc, eq, ne, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { requirePerson } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound } from '#lib/errors.ts'
import type { ChangeCall } from '../../change-call.ts'
import { withinTenant } from '../../access.ts'
import * as brands from '../../brands/brands.ts'
import type { ListedUnsavedPost } from '../../contract.ts'
import { unsavedPosts } from '../../schema.ts'
import * as posts from '../posts.ts'
import type { UnsavedPostEdit, UnsavedPostFilter } from './input.ts'

type UnsavedPostRow = typeof unsavedPosts.$inferSelect

/** Per person and brand. */
const maxUnsaved = 100
const maxUnsavedBytes = 5 * 1024 * 1024

/**
 * The condition for what the caller typed, in brands that they reach.
 * @throws {Problem} 403 for an API key, which others can use too
 */
function ownUnsaved(db: Database, actor: Actor) {
  requirePerson(actor)
  return and(eq(unsavedPosts.personId, actor.principal.id), withinTenant(db, actor, unsavedPosts.brandId))
}

/**
 * The caller's unsaved posts, latest first, with the beginnings of their texts.
 * @throws {Problem} 404 for a brand or post that the caller doesn't reach
 */
export async function list(
  db: Database,
  actor: Actor,
  { brandId, postId }: UnsavedPostFilter,
): Promise<(Omit<ListedUnsavedPost, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date })[]> {
  if (brandId) await brands.get(db, actor, brandId)
  if (postId) await posts.get(db, actor, postId)
  const { id, baseVersion, version, createdAt, updatedAt } = unsavedPosts
  return db
    .select({
      id,
      brandId: unsavedPosts.brandId,
      postId: unsavedPosts.postId,
      baseVersion,
      version,
      createdAt,
      updatedAt,
      // A network can have a text before the others have one.
      text: sql<string>`left(coalesce(
        nullif(${unsavedPosts.content} -> 'texts' ->> 0, ''),
        ${unsavedPosts.content} -> 'ownTexts' -> 0 -> 'texts' ->> 0,
        ''
      ), 200)`,
    })
    .from(unsavedPosts)
    .where(
      and(
        ownUnsaved(db, actor),
        brandId ? eq(unsavedPosts.brandId, brandId) : undefined,
        postId ? eq(unsavedPosts.postId, postId) : undefined,
      ),
    )
    .orderBy(desc(updatedAt), desc(id))
    .limit(maxUnsaved)
}

/** @throws {Problem} 404 */
export async function get(db: Database, actor: Actor, id: string): Promise<UnsavedPostRow> {
  const [row] = await db
    .select()
    .from(unsavedPosts)
    .where(and(eq(unsavedPosts.id, id), ownUnsaved(db, actor)))
  if (!row) throw notFound('unsaved post')
  return row
}

/**
 * Stores what the caller typed. It doesn't change the post.
 * @throws {Problem} 404; 409 when another person is signed in, when another tab stored a newer version, or over a limit;
 * 422 for another brand or post than before
 */
export async function put({ db, actor }: ChangeCall, input: UnsavedPostEdit): Promise<UnsavedPostRow> {
  const { unsavedId: id, brandId, postId, baseVersion, content, version } = input
  const personId = actor.principal.id
  if (input.personId && input.personId !== personId)
    throw conflict('other_person', 'Another person is signed in now. Sign in again to keep your changes.')
  // One at a time, so that concurrent requests can't exceed the limits.
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`unsaved posts ${personId} ${brandId}`}, 0))`)
  const [before] = await db
    .select()
    .from(unsavedPosts)
    .where(and(eq(unsavedPosts.id, id), ownUnsaved(db, actor)))
    .for('update')
  if (before) {
    requireSame(before, input)
    if (isStored(before, input)) return before
    requireVersion(before, version)
  }
  // The post of stored text can have been deleted, and restored since.
  if (!before || before.postId !== postId) await requireOwner(db, actor, input)
  await requireRoom(db, personId, input)
  return before
    ? update(db, before, { content, postId, baseVersion: baseVersion ?? before.baseVersion })
    : insert(db, { id, brandId, personId, postId, baseVersion, content })
}

/** A repetition of a request whose response was lost, such as that of a closed page. */
const isStored = (before: UnsavedPostRow, { postId, baseVersion, content }: UnsavedPostEdit): boolean =>
  before.postId === (postId ?? null) &&
  before.baseVersion === (baseVersion ?? before.baseVersion) &&
  Bun.deepEquals(before.content, content)

/** @throws {Problem} 422 */
function requireSame(before: UnsavedPostRow, { brandId, postId }: UnsavedPostEdit): void {
  if (before.brandId !== brandId)
    throw invalid([{ path: 'brandId', message: 'Must be the brand it was stored with. Use a new unsavedId.' }])
  if (before.postId !== null && before.postId !== postId)
    throw invalid([{ path: 'postId', message: 'Must be the post it was stored with. Use a new unsavedId.' }])
}

/** @throws {Problem} 409 */
async function requireRoom(
  db: Database,
  personId: string,
  { unsavedId, brandId, content }: UnsavedPostEdit,
): Promise<void> {
  const [others] = await db
    .select({
      count: sql<number>`count(*)::int`,
      bytes: sql<number>`coalesce(sum(octet_length(${unsavedPosts.content}::text)), 0)::int`,
    })
    .from(unsavedPosts)
    .where(and(eq(unsavedPosts.personId, personId), eq(unsavedPosts.brandId, brandId), ne(unsavedPosts.id, unsavedId)))
  const { count = 0, bytes = 0 } = others ?? {}
  if (count >= maxUnsaved)
    throw conflict('too_many_unsaved_posts', `You have ${maxUnsaved} unsaved posts in this brand. Delete or save some.`)
  if (bytes + Buffer.byteLength(JSON.stringify(content)) > maxUnsavedBytes)
    throw conflict(
      'unsaved_posts_too_large',
      'Your unsaved posts in this brand would exceed 5 MiB. Delete or save some, or shorten this one.',
    )
}

/** @throws {Problem} 404 for a brand or post that the caller doesn't reach, 422 for a post of another brand */
async function requireOwner(db: Database, actor: Actor, { brandId, postId }: UnsavedPostEdit): Promise<void> {
  await brands.get(db, actor, brandId)
  if (!postId) return
  if ((await posts.get(db, actor, postId)).brandId !== brandId)
    throw invalid([{ path: 'postId', message: 'Must be a post of this brand.' }])
  await posts.keepUntilCommit(db, postId)
}

function requireVersion(before: UnsavedPostRow, expected: number | undefined): void {
  if (expected !== undefined && expected !== before.version) throw changedElsewhere(before)
}

const changedElsewhere = ({ id, version }: Pick<UnsavedPostRow, 'id' | 'version'>) =>
  conflict(
    'version_conflict',
    'You also edited this in another tab. Load that text, or send its version to replace it.',
    { current: { id, version } },
  )

async function update(
  db: Database,
  { id, personId }: UnsavedPostRow,
  changes: Pick<UnsavedPostRow, 'content' | 'postId' | 'baseVersion'>,
): Promise<UnsavedPostRow> {
  const [row] = await db
    .update(unsavedPosts)
    .set({ ...changes, version: sql`${unsavedPosts.version} + 1`, updatedAt: sql`clock_timestamp()` })
    .where(and(eq(unsavedPosts.id, id), eq(unsavedPosts.personId, personId)))
    .returning()
  if (!row) throw new Error('A locked unsaved post was not found')
  return row
}

async function insert(db: Database, values: typeof unsavedPosts.$inferInsert): Promise<UnsavedPostRow> {
  const [row] = await db.insert(unsavedPosts).values(values).onConflictDoNothing().returning()
  // A concurrent request was first.
  if (!row) throw changedElsewhere({ id: values.id, version: 1 })
  return row
}

/** @throws {Problem} 404 */
export async function remove(call: ChangeCall, id: string): Promise<void> {
  const { db, actor } = call
  await get(db, actor, id)
  await discard(call, id)
}

/** Deletes the unsaved post that was saved now, if the caller has it. */
export async function discard({ db, actor }: Pick<ChangeCall, 'db' | 'actor'>, id: string | undefined): Promise<void> {
  if (id) await db.delete(unsavedPosts).where(and(eq(unsavedPosts.id, id), ownUnsaved(db, actor)))
}
