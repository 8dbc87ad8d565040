import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { isPerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { CheckPermission } from '../access.ts'
import type { FeedItem, ReviewAbilities, ReviewChange, ReviewPerson, ReviewStatus } from '../contract.ts'
import { brands, postComments, postReviews, type posts } from '../schema.ts'
import { listChanges, startComparing } from './changes-since.ts'
import { contentOf } from './content.ts'
import { type Policy, policyOf } from './policy.ts'
import { reviewerOf, type ReviewerColumns } from './reviewer.ts'
import { listSharedPosts } from './shared-posts.ts'
import { isOwn, listOpen, type OpenDecision, type ReviewedPost, reviewStatusOf } from './review-status.ts'

type PostRow = ReviewedPost &
  Pick<typeof posts.$inferSelect, 'id' | 'brandId' | 'status' | 'reviewState' | 'reviewStateAt' | 'reviewRequestedBy'>
type ReviewRow = typeof postReviews.$inferSelect
/** As operations return it. */
type Described = Omit<FeedItem, 'post' | 'review' | 'lastApproval'> & {
  review: Omit<ReviewStatus, 'since' | 'voidedAt'> & { since: Date | null; voidedAt: Date | null }
  lastApproval: { by: ReviewPerson; at: Date } | null
}

export type Names = ReadonlyMap<string, { name: string }>

export function personOf(columns: ReviewerColumns, names: Names): ReviewPerson {
  const reviewer = reviewerOf(columns)
  return reviewer.kind === 'user'
    ? { kind: 'user', userId: reviewer.id, name: names.get(reviewer.id)?.name ?? null }
    : { kind: 'guest', userId: null, name: reviewer.name }
}

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity'>

/** The reviews of posts that the caller can read, by the IDs of the posts. */
export async function describeReviews(
  { db, actor, identity }: ReadCall,
  rows: readonly PostRow[],
  can: CheckPermission,
): Promise<Map<string, Described>> {
  if (rows.length === 0) return new Map()
  const ids = rows.map(({ id }) => id)
  const [open, approvals, comments, policies, shared] = await Promise.all([
    listOpen(db, ids),
    listLastApprovals(db, ids),
    countComments(db, ids),
    readPolicies(db, rows),
    listSharedPosts(db, rows),
  ])
  const names = await identity.people([...new Set([...approvals.values()].flatMap(({ userId }) => userId ?? []))])
  const comparing = startComparing()
  return new Map(
    rows.map((post) => {
      const policy = policyOf(policies.get(post.brandId))
      const decisions = open.filter(({ postId }) => postId === post.id)
      const approval = approvals.get(post.id)
      const changes = approval ? listChanges(approval.content, contentOf(post), comparing) : []
      const isVoided = isVoidedByChange(approval) && !decisions.some(({ decision }) => decision === 'approve')
      return [
        post.id,
        {
          review: {
            ...describeStatus(policy, post, decisions),
            since: post.reviewStateAt,
            requestedBy: post.reviewRequestedBy,
            voidedAt: isVoided ? (approval?.voidedAt ?? null) : null,
          },
          changes,
          lastApproval: approval ? { by: personOf(approval, names), at: approval.createdAt } : null,
          comments: comments.get(post.id) ?? 0,
          sharedWithGuests: shared.has(post.id),
          can: abilitiesOf(post, { actor, can, allowAuthor: policy.allowAuthor, changes: isVoided ? changes : [] }),
        },
      ]
    }),
  )
}

/** By the present policy, which can have changed since the state was stored; of a published post as it was then. */
function describeStatus(policy: Policy, post: PostRow, decisions: readonly OpenDecision[]) {
  if (post.status !== 'published') {
    const { state, ...numbers } = reviewStatusOf(policy, post, decisions)
    return { ...numbers, state: post.reviewState === 'none' ? null : stateNames[state] }
  }
  const { reviewState: state } = post
  const isDecided = state === 'approved' || state === 'changes_requested'
  const approvals = decisions.filter(({ decision }) => decision === 'approve').length
  return { state: isDecided ? stateNames[state] : null, approvals, needed: 0, missing: 0 }
}

const isVoidedByChange = (approval: ReviewRow | undefined): boolean =>
  approval?.voidReason === 'edited' || approval?.voidReason === 'thread_changed'

/** What `restoreApprovedText` restores. */
const isText = (field: ReviewChange['field']): boolean => field === 'text' || field === 'firstComment'

const stateNames = { requested: 'pending', approved: 'approved', changes_requested: 'changes_requested' } as const

interface Judged {
  actor: Actor
  can: CheckPermission
  allowAuthor: boolean
  /** Since the approval that they voided. */
  changes: readonly ReviewChange[]
}

/** Whether no one else could approve is only known when the owner decides. */
function abilitiesOf(post: PostRow, { actor, can, allowAuthor, changes }: Judged): ReviewAbilities {
  const isOpen = post.status !== 'published'
  const canComment = isPerson(actor) && can('posts:review', post.brandId)
  const canReview = isOpen && canComment
  const isBarred = !allowAuthor && isOwn(post, actor.principal.id)
  const isOwner = actor.organization?.role === 'owner'
  return {
    decide: canReview && (!isBarred || isOwner),
    confirmAlone: canReview && isBarred && isOwner,
    restoreText: isOpen && can('posts:write', post.brandId) && changes.some(({ field }) => isText(field)),
    comment: canComment,
    request: isOpen && can('posts:write', post.brandId) && ['none', 'changes_requested'].includes(post.reviewState),
  }
}

/** Of each post, also when it was voided. */
async function listLastApprovals(db: Database, ids: readonly string[]): Promise<Map<string, ReviewRow>> {
  const rows = await db
    .selectDistinctOn([postReviews.postId])
    .from(postReviews)
    .where(and(inArray(postReviews.postId, [...ids]), eq(postReviews.decision, 'approve')))
    .orderBy(postReviews.postId, desc(postReviews.createdAt), desc(postReviews.id))
  return new Map(rows.map((row) => [row.postId, row]))
}

async function countComments(db: Database, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ postId: postComments.postId, count: sql<number>`count(*)::int` })
    .from(postComments)
    .where(and(inArray(postComments.postId, [...ids]), isNull(postComments.resolvedAt)))
    .groupBy(postComments.postId)
  return new Map(rows.map(({ postId, count }) => [postId, count]))
}

async function readPolicies(db: Database, rows: readonly PostRow[]) {
  const ids = [...new Set(rows.map(({ brandId }) => brandId))]
  const found = await db
    .select({ id: brands.id, policy: brands.reviewPolicy })
    .from(brands)
    .where(inArray(brands.id, ids))
  return new Map(found.map(({ id, policy }) => [id, policy]))
}
