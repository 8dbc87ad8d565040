import type { Database } from '#lib/db.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { guestCommentedKind } from '../notification-kinds.ts'
import { excerptOf } from '../raised/failed-post.ts'
import { causesOfBrand } from '../raised/subject.ts'
import type { postComments, posts } from '../schema.ts'
import type { FoundLink } from './open-link.ts'

interface GuestComment {
  link: FoundLink
  comment: typeof postComments.$inferSelect
  post: typeof posts.$inferSelect
}

/** To the author of the post, and to who invited the guest. */
export async function announceGuestComment(tx: Database, { link, comment, post }: GuestComment): Promise<void> {
  const href = `/workspace/posts/${post.id}#review`
  for (const personId of new Set([post.authorId, link.createdBy]))
    await raiseAction(tx, {
      kind: guestCommentedKind,
      surface: 'notice',
      organizationId: link.brand.organizationId,
      personId,
      resource: { kind: 'brand', id: link.brandId },
      cause: `${causesOfBrand(link.brandId)}guest-comment:${comment.id}:${personId}`,
      title: `${comment.guestName ?? 'A guest'} commented on a post of ${link.brand.name}`.slice(0, 200),
      reason: `${excerptOf(post)} ${comment.text}`.slice(0, 1_000),
      href,
      actions: [{ label: 'See the comment', method: 'GET', href }],
    })
}
