import { desc, eq } from 'drizzle-orm'
import { recordChange } from '#lib/audit.ts'
import { databaseTime, brokenConstraint } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import * as brands from '../brands/brands.ts'
import { listCorrectors } from '../corrections/corrected.ts'
import { chooseMedia } from '../media/in-posts.ts'
import { requireNetworkAccess } from '../access.ts'
import { networkOf } from '../networks/index.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { moveToDeleted } from './restore.ts'
import { nextVersion } from './next-version.ts'
import {
  publishPostChanges,
  asDraft,
  asPlanned,
  asPublished,
  asScheduled,
  invalidTransition,
  requireMove,
} from './transitions.ts'
import {
  commentErrors,
  linkErrors,
  networkErrors,
  requireAccount,
  requirePublishable,
  requireVersion,
} from './checks.ts'
import { enqueueReviewActions } from '../review/actions.ts'
import { columnsAfterEdit, hasChangedContent, voidDecisions, voidDecisionsOfThread } from '../review/edits.ts'
import { requireApproved } from '../review/gate.ts'
import { writersOf, writersOfNew } from '../review/review-status.ts'
import { choosePlannedTime, chooseTime } from './choose-time.ts'
import { type PostAction, type PostChange, nextSecond, onlyYouTube, type When } from './input.ts'
import { auditedFields, get, lockPost, type PostRow } from './posts.ts'
import { planFirstComment } from '../publishing/first-comments/plan.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { posts, publishAttempts } from '../schema.ts'
import { closeGap, isFollowed, lockThread, wakeNextPart } from './threads.ts'
import { keepBase } from './unsaved/keep-base.ts'
import { discard } from './unsaved/unsaved-posts.ts'

type Changes = Partial<typeof posts.$inferInsert>

/** SOC-12, SOC-13. @throws {Problem} 404, 422, and 409 when the version or state doesn't allow it */
export async function edit(call: ChangeCall, input: PostChange): Promise<PostRow> {
  const post = await lockPost(call.db, call.actor, input.id)
  requireVersion(post, input.version, input.text)
  const state = await stateAfter(call, post, input)
  const { text, target, youtube, firstComment, linkPreview, tags, campaign, timeZone } = input
  const content = { text, target, youtube, firstComment, linkPreview, tags, campaign, timeZone }
  if (state.status === 'published') return settle(call, post, state)
  requireUnpublished(post)
  if (youtube && post.provider !== 'youtube') throw invalid([{ path: 'youtube', message: onlyYouTube }])
  const { provider } = post
  const untaken = [...commentErrors({ provider, firstComment }), ...linkErrors({ provider, linkPreview })]
  if (untaken.length > 0) throw invalid(untaken)
  await requireAccount(call.db, { ...post, target })
  const media = input.media ? await chooseMedia(call.db, post.brandId, input.media) : post.media
  if ((state.status ?? post.status) === 'scheduled') {
    const edited = withContent(post, { ...content, media })
    await requirePublishable(call, edited)
    if (isRescheduled(post, state)) await requireApproved(call.db, edited)
  }
  const saved = await save(call, post, { ...content, media, ...state })
  await discard(call, input.unsavedId)
  return saved
}

/** An edit that leaves the time as it is only voids approvals: the post then waits for new ones. */
const isRescheduled = (post: PostRow, { scheduledAt }: Changes): boolean =>
  post.status !== 'scheduled' || (scheduledAt?.getTime() ?? null) !== (post.scheduledAt?.getTime() ?? null)

/** The post as it would be with these columns, of which unset ones don’t change. */
const withContent = (post: PostRow, { text, media, target, youtube, firstComment, linkPreview }: Changes): PostRow => ({
  ...post,
  text: text ?? post.text,
  media: media ?? post.media,
  target: target === undefined ? post.target : target,
  youtube: youtube === undefined ? post.youtube : youtube,
  firstComment: firstComment === undefined ? post.firstComment : firstComment,
  linkPreview: linkPreview === undefined ? post.linkPreview : linkPreview,
})

async function stateAfter(call: ChangeCall, post: PostRow, input: PostChange): Promise<Changes> {
  const { status, scheduledAt } = input
  const staysDraft = status === 'draft' && post.status === 'draft'
  if (status !== undefined && !staysDraft) requireMove(post, status)
  if (status === 'published') return readSettlement(call, post, input.permalink)
  if (status === 'draft' && scheduledAt) return asPlanned(await plannedTimeOf(call, post, scheduledAt, input.timeZone))
  if (staysDraft && scheduledAt === undefined) return {}
  if (status === 'draft') return asDraft
  if (status === 'scheduled' || post.status === 'scheduled') return asScheduled(await timeOf(call, post, input))
  if (scheduledAt && post.status !== 'published')
    throw invalid([{ path: 'status', message: statusMissing[post.status] }])
  return post.status === 'draft' && scheduledAt === null ? asDraft : {}
}

const statusMissing = {
  draft: 'Also send status: "scheduled" to publish it at this time, or "draft" to only plan it.',
  failed: 'Also send status "scheduled": a failed post has no schedule.',
}

async function plannedTimeOf({ db, actor }: ChangeCall, post: PostRow, scheduledAt: When, timeZone = post.timeZone) {
  const brand = await brands.get(db, actor, post.brandId)
  return choosePlannedTime(db, brand, { scheduledAt, timeZone: timeZone ?? brand.timeZone, postId: post.id })
}

async function timeOf({ db, actor }: ChangeCall, post: PostRow, input: PostChange): Promise<Date> {
  const { scheduledAt, timeZone = post.timeZone } = input
  if (scheduledAt) {
    const brand = await brands.get(db, actor, post.brandId)
    return chooseTime(db, brand, { scheduledAt, timeZone: timeZone ?? brand.timeZone, postId: post.id })
  }
  if (post.status === 'scheduled' && post.scheduledAt && scheduledAt === undefined) return post.scheduledAt
  if (post.status === 'draft' && post.scheduledAt && scheduledAt === undefined) {
    if (post.scheduledAt > (await databaseTime(db))) return post.scheduledAt
    throw invalid([{ path: 'scheduledAt', message: 'Its planned time has passed. Choose a new one.' }])
  }
  const message = post.status === 'scheduled' ? 'To remove the time, send status "draft".' : 'Choose a time to publish.'
  throw invalid([{ path: 'scheduledAt', message }])
}

/** A person found it on its network after an unknown outcome (SOC-24). @throws {Problem} 422 without its URL */
async function readSettlement(call: ChangeCall, post: PostRow, permalink: string | undefined): Promise<Changes> {
  if (!permalink) throw invalid([{ path: 'permalink', message: 'Enter the URL of the post on the network.' }])
  const platformPostId = networkOf(post.provider)?.postIdOf(permalink) ?? null
  if (!platformPostId && (await isFollowed(call, post)))
    throw invalid([{ path: 'permalink', message: `Must be the URL of a post on ${post.provider}.` }])
  const [attempt] = await call.db
    .select({ externalAccount: publishAttempts.externalAccount })
    .from(publishAttempts)
    .where(eq(publishAttempts.postId, post.id))
    .orderBy(desc(publishAttempts.number))
    .limit(1)
  return {
    ...asPublished(await databaseTime(call.db)),
    permalink,
    platformPostId,
    externalAccount: attempt?.externalAccount,
  }
}

async function settle(call: ChangeCall, post: PostRow, state: Changes): Promise<PostRow> {
  try {
    const settled = await save(call, post, state)
    await planFirstComment(call.db, call, settled)
    await publishPostChanges(call, await wakeNextPart(call.db, settled))
    return settled
  } catch (error) {
    if (brokenConstraint(error) !== 'posts_delivered') throw error
    throw conflict('permalink_taken', 'Another post already has this URL.')
  }
}

/** Moves a scheduled post to the drafts, and also returns the time that it had. @throws {Problem} 404 and 409 */
export async function unschedule(
  call: ChangeCall,
  { id, version }: PostAction,
): Promise<{ post: PostRow; scheduledAt: Date }> {
  const before = await lockPost(call.db, call.actor, id)
  requireVersion(before, version)
  if (before.status !== 'scheduled' || !before.scheduledAt) throw invalidTransition(before, 'be unscheduled')
  return {
    post: await save(call, before, { ...asDraft, formerScheduledAt: before.scheduledAt }),
    scheduledAt: before.scheduledAt,
  }
}

/** How long a draft can be scheduled again for the time that it had. */
const reschedulableMs = 10 * 60_000

/** Reverses `unschedule`. @throws {Problem} 404, and 409 `undo_expired` once the post was changed, or after ten minutes */
export async function scheduleAgain(call: ChangeCall, id: string): Promise<PostRow> {
  const post = await lockPost(call.db, call.actor, id)
  const { formerScheduledAt } = post
  const now = await databaseTime(call.db)
  if (!formerScheduledAt || now.getTime() - post.updatedAt.getTime() > reschedulableMs)
    throw conflict('undo_expired', 'The schedule can be restored for 10 minutes, unless the post was changed.')
  if (formerScheduledAt <= now) throw conflict('undo_expired', 'The scheduled time has passed. Choose another time.')
  await requirePublishable(call, post)
  await requireApproved(call.db, post)
  return save(call, post, asScheduled(formerScheduledAt))
}

export async function publishNow(call: ChangeCall, { id, version }: PostAction): Promise<PostRow> {
  const post = await lockPost(call.db, call.actor, id)
  requireVersion(post, version)
  requireMove(post, 'scheduled')
  await requirePublishable(call, post)
  await requireApproved(call.db, post)
  return save(call, post, asScheduled(nextSecond(await databaseTime(call.db))))
}

/** Later posts of its thread follow. */
export async function retry(call: ChangeCall, { id, version }: PostAction): Promise<PostRow> {
  const post = await lockPost(call.db, call.actor, id)
  requireVersion(post, version)
  if (post.status !== 'failed') throw invalidTransition(post, 'be sent again')
  await requirePublishable(call, post)
  await requireApproved(call.db, post)
  return save(call, post, asScheduled(nextSecond(await databaseTime(call.db))))
}

/** Later posts of the thread move up. */
export async function detach(call: ChangeCall, { id, version }: PostAction): Promise<PostRow> {
  await lockThread(call.db, call.actor, id)
  const post = await lockPost(call.db, call.actor, id)
  requireVersion(post, version)
  if (!post.threadId) throw conflict('not_in_thread', 'This post isn’t part of a thread.')
  if (post.status === 'published') throw invalidTransition(post, 'be removed from its thread')
  await voidDecisionsOfThread(call, post.threadId)
  const state = post.status === 'scheduled' && post.scheduledAt ? asScheduled(post.scheduledAt) : {}
  const alone = await save(call, post, { threadId: null, position: 0, ...state })
  await publishPostChanges(call, await closeGap(call.db, post.threadId, post.position))
  return alone
}

/** @throws {Problem} 403 for a test key on a real network */
export async function duplicate(call: ChangeCall, id: string): Promise<PostRow> {
  const { db, actor, config } = call
  const post = await get(db, actor, id)
  requireNetworkAccess(actor, post.provider)
  const absent = networkErrors(config, post.provider, 'provider')
  if (absent.length > 0) throw invalid(absent)
  const { brandId, provider, text, firstComment, linkPreview, tags, campaign, target, youtube, timeZone } = post
  const media = await chooseMedia(db, brandId, post.media)
  const shared = { brandId, provider, text, media, firstComment, linkPreview, tags, campaign }
  const content = { ...shared, target, youtube, timeZone }
  const writers = [...writersOf(post), ...(await listCorrectors(db, [id]))]
  const made = { ...content, authorId: actor.principal.id, contentWriters: writersOfNew(actor, writers) }
  const [copy] = await db.insert(posts).values(made).returning()
  if (!copy) throw new Error('A copy was not stored')
  recordChange(db, { object: 'post', id: copy.id, after: auditedFields(copy) })
  await publishPostChanges(call, [copy])
  return copy
}

/** `restore` can undo it. Later posts of its thread move up. */
export async function remove(call: ChangeCall, { id, version }: PostAction): Promise<PostRow> {
  await lockThread(call.db, call.actor, id)
  const post = await lockPost(call.db, call.actor, id)
  requireVersion(post, version)
  requireUnpublished(post)
  if (post.threadId) await voidDecisionsOfThread(call, post.threadId, id)
  await moveToDeleted(call.db, id)
  recordChange(call.db, { object: 'post', id, before: auditedFields(post) })
  const movedUp = post.threadId ? await closeGap(call.db, post.threadId, post.position) : []
  await publishPostChanges(call, [{ ...post, dueAt: null }, ...movedUp])
  await enqueueCheck(call.db, call, { ...post, status: 'deleted' }, post)
  if (post.status === 'failed') await enqueueActions(call.db, call, post)
  if (post.reviewState === 'requested') await enqueueReviewActions(call.db, call, post.brandId)
  return post
}

function requireUnpublished({ status }: PostRow): void {
  if (status !== 'published') return
  throw conflict('published_immutable', 'This post is already published, so it can’t be changed anymore.')
}

async function save(call: ChangeCall, post: PostRow, changes: Changes): Promise<PostRow> {
  const isEdited = hasChangedContent(post, withContent(post, changes))
  const review = isEdited ? await columnsAfterEdit(call, post) : {}
  const [saved] = await call.db
    .update(posts)
    .set({
      formerScheduledAt: null,
      ...changes,
      ...review,
      ...nextVersion(call.actor.principal.id),
    })
    .where(eq(posts.id, post.id))
    .returning()
  if (!saved) throw new Error('A held post was not found')
  if (isEdited) await voidDecisions(call, post, saved)
  // Their buttons have the version of the post.
  else if (saved.reviewState === 'requested') await enqueueReviewActions(call.db, call, saved.brandId)
  if (hasSameContent(post, saved)) await keepBase(call.db, post.id, post.version, saved.version)
  recordChange(call.db, { object: 'post', id: post.id, before: auditedFields(post), after: auditedFields(saved) })
  await publishPostChanges(call, [saved])
  await enqueueCheck(call.db, call, saved, post)
  if (post.status === 'failed') await enqueueActions(call.db, call, post)
  return saved
}

const hasSameContent = (one: PostRow, other: PostRow): boolean =>
  one.text === other.text &&
  Bun.deepEquals(
    [one.media, one.tags, one.youtube, one.firstComment, one.linkPreview],
    [other.media, other.tags, other.youtube, other.firstComment, other.linkPreview],
  )
