import { and, asc, eq, getTableColumns, inArray, isNull } from 'drizzle-orm'
import { type Actor, responsibleOf } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import type { PostReviewState } from '../contract.ts'
import { brands, postReviews, reviewLinks, type posts } from '../schema.ts'
import { type Content, fingerprintOfPost } from './content.ts'
import { type Policy, policyOf } from './policy.ts'

type PostRow = typeof posts.$inferSelect
export type Writers = Pick<PostRow, 'authorId' | 'contentBy' | 'contentWriters'>
/** The columns on which its review depends. */
export type ReviewedPost = Content & Writers
type ReviewRow = typeof postReviews.$inferSelect

export interface OpenDecision extends ReviewRow {
  /** Who created the link of a guest. Null for people, and when the link was deleted. */
  invitedBy: string | null
}

/** How far the review of a post's present content is. */
export interface ReviewStatus {
  state: Exclude<PostReviewState, 'none'>
  /** Approvals that count. */
  approvals: number
  needed: number
  /** Approvals without which the post can't be published. */
  missing: number
}

type Decision = Pick<OpenDecision, 'userId' | 'linkId' | 'invitedBy' | 'decision' | 'fingerprint' | 'confirmedAlone'>

/** `decisions` are those that weren't voided. */
export function reviewStatusOf(policy: Policy, post: ReviewedPost, decisions: readonly Decision[]): ReviewStatus {
  const fingerprint = fingerprintOfPost(post)
  const present = decisions.filter((one) => one.fingerprint === fingerprint)
  const approving = present.filter((one) => one.decision === 'approve' && isCounted(policy, post, one))
  const approvals = new Set(approving.map(reviewerKey)).size
  const isConfirmed = present.some(({ decision, confirmedAlone }) => decision === 'approve' && confirmedAlone)
  const refusals = present.filter(({ decision }) => decision === 'request_changes')
  const isRefused = refusals.some((one) => isCounted(policy, post, one))
  const needed = policy.approvals
  const left = isConfirmed ? 0 : Math.max(0, needed - approvals)
  const isApproved = isConfirmed || approvals >= Math.max(1, needed)
  return {
    // Of people who don’t count, requested changes are shown, but block nothing.
    state: isRefused ? 'changes_requested' : isApproved ? 'approved' : refusals[0] ? 'changes_requested' : 'requested',
    approvals,
    needed,
    // Who requested changes has to decide again, or the content has to change.
    missing: isRefused && needed > 0 ? Math.max(1, left) : left,
  }
}

/** A person and the guests with links of that person are one reviewer: a link can be opened by its creator. */
const reviewerKey = ({ userId, invitedBy, linkId }: Decision): string | null => userId ?? invitedBy ?? linkId

/** Where approvals are required, guests of the author count as little as the author: a link can be opened by its creator. */
function isCounted(policy: Policy, post: ReviewedPost, { userId, invitedBy, confirmedAlone }: Decision): boolean {
  if (userId === null && !policy.countGuests) return false
  if (userId === null && policy.approvals === 0) return true
  const responsible = userId ?? invitedBy
  // Of a deleted link no one knows whether the author created it.
  return confirmedAlone || policy.allowAuthor || (responsible !== null && !isOwn(post, responsible))
}

/** Its author, and all who changed it since others last approved it. */
export const writersOf = ({ authorId, contentBy, contentWriters }: Writers): string[] => [
  ...new Set([authorId, ...(contentBy ? [contentBy] : []), ...(contentWriters ?? [])]),
]

/** Of a new post: the people who wrote what it copies, and the person who is responsible for an agent's key. */
export const writersOfNew = (actor: Actor, copied: readonly string[] = []): string[] => [
  ...new Set([...copied, actor.principal.id, responsibleOf(actor)]),
]

/** Whether the person wrote some of what is reviewed. */
export const isOwn = (post: Writers, userId: string): boolean => writersOf(post).includes(userId)

/** Whether people who wrote none of it approved it, whatever the policy allows its writers. */
export async function isApprovedByOthers(db: Database, post: PostRow): Promise<boolean> {
  const { approvals, countGuests } = await readPolicy(db, post)
  const strict = { approvals: Math.max(1, approvals), countGuests, allowAuthor: false }
  const { state } = reviewStatusOf(strict, post, await listOpen(db, [post.id]))
  return state === 'approved'
}

/** On a transaction that holds the post: decisions and edits wait for its end. */
export async function readReviewStatus(db: Database, post: PostRow): Promise<ReviewStatus> {
  return reviewStatusOf(await readPolicy(db, post), post, await listOpen(db, [post.id]))
}

async function readPolicy(db: Database, { brandId }: Pick<PostRow, 'brandId'>): Promise<Policy> {
  const [brand] = await db.select({ policy: brands.reviewPolicy }).from(brands).where(eq(brands.id, brandId))
  return policyOf(brand?.policy)
}

/** The decisions that weren't voided, oldest first. */
export const listOpen = (db: Database, postIds: readonly string[]): Promise<OpenDecision[]> =>
  db
    .select({ ...getTableColumns(postReviews), invitedBy: reviewLinks.createdBy })
    .from(postReviews)
    .leftJoin(reviewLinks, eq(reviewLinks.id, postReviews.linkId))
    .where(and(inArray(postReviews.postId, [...postIds]), isNull(postReviews.voidedAt)))
    .orderBy(asc(postReviews.createdAt), asc(postReviews.id))
