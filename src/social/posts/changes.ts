import { desc, eq, sql } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import { databaseTime } from '#lib/db/time.ts'
import { brokenConstraint } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import * as brands from '../brands/brands.ts'
import { chooseMedia } from '../media/in-posts.ts'
import { requireNetworkAccess } from '../access/test-keys.ts'
import { networkOf } from '../networks/index.ts'
import { publishPostChanges } from './publish-changes.ts'
import { notOffered, requireAccount, requireSendable, requireVersion } from './checks.ts'
import type { PostAction, PostEdit } from './input.ts'
import { nextSecond, publishingTime } from './time.ts'
import { get, hold, recorded, type PostRow } from './posts.ts'
import { posts, publishAttempts } from '../schema.ts'
import { closeGap, holdThread, isFollowed, wakeAfter } from './threads.ts'
import { asDraft, asPublished, asScheduled, invalidTransition, requireMove } from './transitions.ts'

type Changes = Partial<typeof posts.$inferInsert>

/**
 * Changes what the edit names, and moves the post when it names a status (SOC-12, SOC-13).
 * Throws 404, 409 for a version, a move or a moment that doesn't allow it, and 422.
 */
export async function edit(act: ChangeCall, input: PostEdit): Promise<PostRow> {
  const post = await hold(act.db, act.actor, input.id)
  requireVersion(post, input.version, input.text)
  const state = await stateAfter(act, post, input)
  const { text, target, firstComment, linkPreview, tags, campaign, timeZone } = input
  const content = { text, target, firstComment, linkPreview, tags, campaign, timeZone }
  if (state.status === 'published') return settle(act, post, state)
  requireUnpublished(post)
  await requireAccount(act.db, { ...post, target })
  const media = input.media ? await chooseMedia(act.db, post.brandId, input.media) : post.media
  if ((state.status ?? post.status) === 'scheduled')
    await requireSendable(act, {
      ...post,
      text: text ?? post.text,
      media,
      target: target === undefined ? post.target : target,
    })
  return save(act, post, { ...content, media, ...state })
}

/** The state that an edit asks for; nothing when it asks for none. */
async function stateAfter(act: ChangeCall, post: PostRow, input: PostEdit): Promise<Changes> {
  const { status, scheduledAt } = input
  const staysDraft = status === 'draft' && post.status === 'draft'
  if (status !== undefined && !staysDraft) requireMove(post, status)
  if (status === 'published') return settlement(act, post, input.permalink)
  if (status === 'draft') return asDraft
  if (status === 'scheduled' || post.status === 'scheduled') return asScheduled(await timeOf(act, post, input))
  if (scheduledAt && post.status !== 'published')
    throw invalid([{ path: 'status', message: `Also send status "scheduled": a ${post.status} post has no schedule.` }])
  return {}
}

/** The time that an edit names, else the one that the post has. */
async function timeOf({ db, actor }: ChangeCall, post: PostRow, input: PostEdit): Promise<Date> {
  const { scheduledAt, timeZone = post.timeZone } = input
  if (scheduledAt) {
    const zone = timeZone ?? (await brands.get(db, actor, post.brandId)).timeZone
    return publishingTime(scheduledAt, zone, await databaseTime(db))
  }
  if (post.status === 'scheduled' && post.scheduledAt && scheduledAt === undefined) return post.scheduledAt
  const message = post.status === 'scheduled' ? 'To remove the time, send status "draft".' : 'Choose a time to publish.'
  throw invalid([{ path: 'scheduledAt', message }])
}

/** What a person found out about a post whose outcome was unknown (SOC-24). Throws 422 without the post's address. */
async function settlement(act: ChangeCall, post: PostRow, permalink: string | undefined): Promise<Changes> {
  if (!permalink) throw invalid([{ path: 'permalink', message: 'Enter the URL of the post on the network.' }])
  const platformPostId = networkOf(post.provider)?.postIdOf(permalink) ?? null
  if (!platformPostId && (await isFollowed(act, post)))
    throw invalid([{ path: 'permalink', message: `Must be the URL of a post on ${post.provider}.` }])
  const [attempt] = await act.db
    .select({ externalAccount: publishAttempts.externalAccount })
    .from(publishAttempts)
    .where(eq(publishAttempts.postId, post.id))
    .orderBy(desc(publishAttempts.number))
    .limit(1)
  return {
    ...asPublished(await databaseTime(act.db)),
    permalink,
    platformPostId,
    externalAccount: attempt?.externalAccount,
  }
}

async function settle(act: ChangeCall, post: PostRow, state: Changes): Promise<PostRow> {
  try {
    const settled = await save(act, post, state)
    await publishPostChanges(act, await wakeAfter(act.db, settled))
    return settled
  } catch (error) {
    if (brokenConstraint(error) !== 'posts_delivered') throw error
    throw conflict('permalink_taken', 'Another post already has this URL.')
  }
}

/** Schedules a post for the next second. */
export async function publishNow(act: ChangeCall, { id, version }: PostAction): Promise<PostRow> {
  const post = await hold(act.db, act.actor, id)
  requireVersion(post, version)
  requireMove(post, 'scheduled')
  await requireSendable(act, post)
  return save(act, post, asScheduled(nextSecond(await databaseTime(act.db))))
}

/** Sends a failed post again, in the next second; the parts of a thread behind it go on by themselves. */
export async function retry(act: ChangeCall, { id, version }: PostAction): Promise<PostRow> {
  const post = await hold(act.db, act.actor, id)
  requireVersion(post, version)
  if (post.status !== 'failed') throw invalidTransition(post, 'be sent again')
  await requireSendable(act, post)
  return save(act, post, asScheduled(nextSecond(await databaseTime(act.db))))
}

/** Takes a waiting post out of its thread: it goes out by itself, and the parts behind it move up. */
export async function detach(act: ChangeCall, { id, version }: PostAction): Promise<PostRow> {
  await holdThread(act.db, id)
  const post = await hold(act.db, act.actor, id)
  requireVersion(post, version)
  if (!post.threadId) throw conflict('not_in_thread', 'This post isn’t part of a thread.')
  if (post.status === 'published') throw invalidTransition(post, 'be removed from its thread')
  const state = post.status === 'scheduled' && post.scheduledAt ? asScheduled(post.scheduledAt) : {}
  const alone = await save(act, post, { threadId: null, position: 0, ...state })
  await publishPostChanges(act, await closeGap(act.db, post.threadId, post.position))
  return alone
}

/** Copies a post as a draft of its own. Throws 403 for a test key on a real network. */
export async function duplicate(act: ChangeCall, id: string): Promise<PostRow> {
  const { db, actor, config } = act
  const post = await get(db, actor, id)
  requireNetworkAccess(actor, post.provider)
  const absent = notOffered(config, post.provider, 'provider')
  if (absent.length > 0) throw invalid(absent)
  const { brandId, provider, text, firstComment, linkPreview, tags, campaign, target, timeZone } = post
  const media = await chooseMedia(db, brandId, post.media)
  const content = { brandId, provider, text, media, firstComment, linkPreview, tags, campaign, target, timeZone }
  const made = { ...content, authorId: actor.principal.id }
  const [copy] = await db.insert(posts).values(made).returning()
  if (!copy) throw new Error('A copy was not stored')
  recordChange(db, { object: 'post', id: copy.id, after: recorded(copy) })
  await publishPostChanges(act, [copy])
  return copy
}

/** Deletes a post that is not published; the parts of its thread move up. Gives back what it was. */
export async function remove(act: ChangeCall, { id, version }: PostAction): Promise<PostRow> {
  await holdThread(act.db, id)
  const post = await hold(act.db, act.actor, id)
  requireVersion(post, version)
  requireUnpublished(post)
  await act.db.delete(posts).where(eq(posts.id, id))
  recordChange(act.db, { object: 'post', id, before: recorded(post) })
  const movedUp = post.threadId ? await closeGap(act.db, post.threadId, post.position) : []
  await publishPostChanges(act, [{ ...post, dueAt: null }, ...movedUp])
  return post
}

function requireUnpublished({ status }: PostRow): void {
  if (status !== 'published') return
  throw conflict('published_immutable', 'This post is already published, so it can’t be changed anymore.')
}

async function save(act: ChangeCall, post: PostRow, changes: Changes): Promise<PostRow> {
  const [saved] = await act.db
    .update(posts)
    .set({ ...changes, version: sql`${posts.version} + 1`, updatedAt: sql`clock_timestamp()` })
    .where(eq(posts.id, post.id))
    .returning()
  if (!saved) throw new Error('A held post was not found')
  recordChange(act.db, { object: 'post', id: post.id, before: recorded(post), after: recorded(saved) })
  await publishPostChanges(act, [saved])
  return saved
}
