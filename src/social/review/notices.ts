import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { mentionedKind, reviewDecidedKind } from '../notification-kinds.ts'
import { excerptOf } from '../raised/failed-post.ts'
import { causesOfBrand } from '../raised/subject.ts'
import { brands, type postComments, type postReviews, type posts } from '../schema.ts'

type PostRow = typeof posts.$inferSelect
type ReviewRow = typeof postReviews.$inferSelect
type CommentRow = typeof postComments.$inferSelect

/** To the author, and to who requested the review. */
export async function announceDecision(
  tx: Database,
  { review, post }: { review: ReviewRow; post: PostRow },
): Promise<void> {
  const brand = await readBrand(tx, post.brandId)
  const isApproval = review.decision === 'approve'
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
        title: isApproval
          ? `A post for ${brand.name} was approved`
          : `Changes to a post for ${brand.name} were requested`,
        reason: [excerptOf(post), review.comment ?? ''].join(' ').trim().slice(0, 1_000),
        href: `/workspace/posts/${post.id}`,
        actions: [{ label: 'See the post', method: 'GET', href: `/workspace/posts/${post.id}` }],
      })
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
