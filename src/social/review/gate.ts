import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { brands, posts } from '../schema.ts'
import { type Policy, policyOf } from './policy.ts'
import { listOpen, readReviewStatus, type ReviewedPost, type ReviewStatus, reviewStatusOf } from './review-status.ts'

type PostRow = typeof posts.$inferSelect
type Missing = Pick<ReviewStatus, 'approvals' | 'needed' | 'missing' | 'state'>

/** SOC-49, on a transaction that holds the post: `post` as it would be scheduled. @throws {Problem} 409 `approval_required` */
export async function requireApproved(db: Database, post: PostRow): Promise<void> {
  const reviewStatus = await findMissing(db, post)
  if (reviewStatus) throw approvalRequired(reviewStatus)
}

/** For posts that don’t exist yet, which no one can have approved. @throws {Problem} 409 `approval_required` */
export function requireNoApprovals({ approvals }: Policy): void {
  if (approvals === 0) return
  throw approvalRequired({ approvals: 0, needed: approvals, missing: approvals, state: 'requested' })
}

/** Null when the post can go out. */
export async function findMissing(db: Database, post: PostRow): Promise<ReviewStatus | null> {
  const [brand] = await db.select({ policy: brands.reviewPolicy }).from(brands).where(eq(brands.id, post.brandId))
  if (policyOf(brand?.policy).approvals === 0) return null
  const reviewStatus = await readReviewStatus(db, post)
  return reviewStatus.missing > 0 ? reviewStatus : null
}

/** Of these scheduled posts those that can’t go out, by ID. */
export async function listUnapproved(db: Database, ids: readonly string[]): Promise<Map<string, ReviewStatus>> {
  if (ids.length === 0) return new Map()
  const gated = sql`(${brands.reviewPolicy} ->> 'approvals')::int > 0`
  const rows = await db
    .select({ post: posts, policy: brands.reviewPolicy })
    .from(posts)
    .innerJoin(brands, eq(brands.id, posts.brandId))
    .where(and(inArray(posts.id, [...ids]), gated))
  if (rows.length === 0) return new Map()
  const open = Map.groupBy(
    await listOpen(
      db,
      rows.map(({ post }) => post.id),
    ),
    ({ postId }) => postId,
  )
  const statuses = rows.map(({ post, policy }) => ({
    id: post.id,
    reviewStatus: reviewStatusOf(policyOf(policy), post, open.get(post.id) ?? []),
  }))
  return new Map(
    statuses.flatMap(({ id, reviewStatus }) => (reviewStatus.missing > 0 ? [[id, reviewStatus] as const] : [])),
  )
}

type GatedPost = ReviewedPost & Pick<PostRow, 'id' | 'brandId' | 'status'>

/** Of these posts the unpublished ones that can't be scheduled yet. */
export async function findUnapproved(db: Database, rows: readonly GatedPost[]): Promise<Set<string>> {
  const open = rows.filter(({ status }) => status !== 'published')
  const brandIds = [...new Set(open.map(({ brandId }) => brandId))]
  if (brandIds.length === 0) return new Set()
  const gated = await db
    .select({ id: brands.id, policy: brands.reviewPolicy })
    .from(brands)
    .where(and(inArray(brands.id, brandIds), sql`(${brands.reviewPolicy} ->> 'approvals')::int > 0`))
  const policies = new Map(gated.map(({ id, policy }) => [id, policyOf(policy)]))
  const judged = open.filter(({ brandId }) => policies.has(brandId))
  if (judged.length === 0) return new Set()
  const ids = judged.map(({ id }) => id)
  const decisions = Map.groupBy(await listOpen(db, ids), ({ postId }) => postId)
  const isMissing = (post: GatedPost) =>
    reviewStatusOf(policyOf(policies.get(post.brandId)), post, decisions.get(post.id) ?? []).missing > 0
  return new Set(judged.filter(isMissing).map(({ id }) => id))
}

const approvalRequired = ({ approvals, needed, missing, state }: Missing): Problem =>
  new Problem(409, 'approval_required', describeMissing({ missing, state }), {
    members: { approvals, needed, missing },
  })

export function describeMissing({ missing, state }: Pick<Missing, 'missing' | 'state'>): string {
  if (state === 'changes_requested')
    return 'A reviewer requested changes to this post. Change it, or ask them to approve it.'
  return `This post needs ${missing === 1 ? 'an approval' : `${missing} approvals`} before it can be published. Save it as a draft and request a review.`
}
