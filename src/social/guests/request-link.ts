import { and, eq, isNull } from 'drizzle-orm'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { raiseAction } from '#lib/raised-actions.ts'
import { reviewLinkRequestedKind } from '../notification-kinds.ts'
import { reviewLinks } from '../schema.ts'
import { requestCause } from './cause.ts'
import { defaultDays } from './input.ts'
import { findLink, type FoundLink, hasExpired } from './open-link.ts'

/**
 * Asks the creator of an expired link for more time: once until they extend it. Repeatable; nothing happens while the
 * link works. @throws {Problem} 404
 */
export async function requestLink(call: Omit<Call, 'input'>, token: string): Promise<FoundLink> {
  const link = await findLink(call, token)
  if (!hasExpired(link, call.now()) || link.requestedAt) return link
  const requested = await auditedTransaction({ ...call, actor: null }, async (tx) => {
    const [updated] = await tx
      .update(reviewLinks)
      .set({ requestedAt: call.now() })
      .where(and(eq(reviewLinks.id, link.id), isNull(reviewLinks.requestedAt), isNull(reviewLinks.revokedAt)))
      .returning({ requestedAt: reviewLinks.requestedAt })
    if (!updated) return null
    const { organizationId } = link.brand
    recordChange(tx, {
      object: 'review_link',
      id: link.id,
      organizationId,
      before: { requestedAt: null },
      after: { ...updated, guestName: link.guestName },
    })
    const path = `/api/review-links/${link.id}`
    await raiseAction(tx, {
      kind: reviewLinkRequestedKind,
      organizationId,
      personId: link.createdBy,
      resource: { kind: 'brand', id: link.brandId },
      cause: requestCause(link),
      title: `${link.guestName ?? 'A guest'} needs a new review link`,
      reason: `The link to posts of ${link.brand.name} has expired. When you extend it, its address works again.`,
      href: `/workspace/posts?brandId=${link.brandId}`,
      actions: [
        {
          label: `Extend by ${defaultDays} days`,
          method: 'PATCH',
          href: path,
          body: { expiresInDays: defaultDays },
          style: 'primary',
        },
        { label: 'Revoke', method: 'DELETE', href: path, style: 'danger' },
      ],
    })
    return { ...link, ...updated }
  })
  return requested ?? findLink(call, token)
}
