import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { mentionedKind, reviewDecidedKind } from '../notification-kinds.ts'
import { excerptOf } from '../raised/failed-post.ts'
import { causesOfBrand } from '../raised/subject.ts'
import { timeText } from '#views/ui/time.tsx'
import { brands, type postComments, type postReviews, type posts } from '../schema.ts'
import type { PlanOutcome } from './schedule-planned.ts'

type PostRow = typeof posts.$inferSelect
type ReviewRow = typeof postReviews.$inferSelect
type CommentRow = typeof postComments.$inferSelect

/** To the author, and to who requested the review. */
export async function announceDecision(
  tx: Database,
  { review, post, plan }: { review: ReviewRow; post: PostRow; plan: PlanOutcome },
): Promise<void> {
  const brand = await readBrand(tx, post.brandId)
  const needsTime = plan === 'incomplete' || plan === 'passed' || plan === 'refused'
  const people = new Set([post.authorId, ...(post.reviewRequestedBy ? [post.reviewRequestedBy] : [])])
  for (const personId of people)
    if (personId !== review.userId)
      await raiseAction(tx, {
        kind: reviewDecidedKind,
        surface: 'notice',
        organizationId: brand.organizationId,
        personId,
        resource: { kind: 'brand', id: brand.id },
        cause: `${causesOfBrand(brand.id)}decided:${review.id}:${personId}`,
        title: titleOf({ review, plan }, brand.name),
        reason: [plan === null ? '' : describePlan(post, plan, brand.timeZone), excerptOf(post), review.comment ?? '']
          .join(' ')
          .trim()
          .slice(0, 1_000),
        href: `/workspace/posts/${post.id}`,
        actions: [
          needsTime
            ? { label: 'Choose a time', method: 'GET', href: `/workspace/posts/${post.id}/edit`, style: 'primary' }
            : { label: 'See the post', method: 'GET', href: `/workspace/posts/${post.id}` },
        ],
      })
}

function titleOf({ review, plan }: { review: ReviewRow; plan: PlanOutcome }, brand: string): string {
  if (review.decision !== 'approve') return `Changes to a post for ${brand} were requested`
  if (plan === 'scheduled') return `A post for ${brand} was approved and scheduled`
  return plan === null ? `A post for ${brand} was approved` : `A post for ${brand} was approved, but not scheduled`
}

function describePlan({ scheduledAt }: PostRow, plan: NonNullable<PlanOutcome>, zone: string): string {
  if (plan === 'incomplete') return 'Some parts of its thread have no time: choose one for each.'
  if (plan === 'refused') return 'Its network doesn’t take it as it is: open the post, then schedule it.'
  if (!scheduledAt || plan === 'passed') return 'Its planned time has passed: choose a new one.'
  return `It will be published on ${timeText(scheduledAt, zone, 'full')}.`
}

/** Who can’t read the brand doesn’t see it. */
export async function announceMentions(
  tx: Database,
  { comment, post, authorName }: { comment: CommentRow; post: PostRow; authorName: string },
): Promise<void> {
  const brand = await readBrand(tx, post.brandId)
  for (const personId of comment.mentions)
    if (personId !== comment.userId)
      await raiseAction(tx, {
        kind: mentionedKind,
        surface: 'notice',
        organizationId: brand.organizationId,
        personId,
        resource: { kind: 'brand', id: brand.id },
        cause: `${causesOfBrand(brand.id)}mentioned:${comment.id}:${personId}`,
        title: `${authorName} mentioned you in a comment`.slice(0, 200),
        reason: comment.text.slice(0, 1_000),
        href: `/workspace/posts/${post.id}#review`,
        actions: [{ label: 'See the comment', method: 'GET', href: `/workspace/posts/${post.id}#review` }],
      })
}

async function readBrand(tx: Database, id: string): Promise<typeof brands.$inferSelect> {
  const [brand] = await tx.select().from(brands).where(eq(brands.id, id))
  if (!brand) throw new Error('A post without a brand')
  return brand
}
