import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Id, newId } from '#lib/ids.ts'
import { job } from '#lib/job.ts'
import { listCauses, raiseAction, resolveAction } from '#lib/raised-actions.ts'
import type { ReviewDecision } from '../contract.ts'
import { timeText } from '#views/ui/time.tsx'
import { reviewRequestedKind } from '../notification-kinds.ts'
import { excerptOf } from '../raised/failed-post.ts'
import { causesOfBrand } from '../raised/subject.ts'
import { brands, posts } from '../schema.ts'

/** Posts that have an action each; more share one. */
const maxSingle = 10

const Input = z.object({ brandId: Id, key: Id.optional() })

/** What reviewers of a brand have to decide. A job, since posts of one transaction are locked one after the other. */
export const updateReviewActions = job({
  name: 'social.update-review-actions',
  input: Input,
  concurrency: 2,
  perTenant: { of: ({ brandId }) => brandId, concurrency: 1 },
  uniqueBy: ({ brandId, key = brandId }) => key,
  run: ({ input, database }) => database.transaction((tx) => updateActionsOf(tx, input.brandId)),
})

/**
 * On the transaction that requests a review, or after which none is needed any more. One job of a brand waits; beside a
 * transaction that is adding it a second one, since waiting for that transaction could be a deadlock.
 */
export async function enqueueReviewActions(
  db: Database,
  { queue }: Pick<Call, 'queue'>,
  brandId: string,
): Promise<void> {
  const name = `enqueue ${prefixOf(brandId)}`
  const [lock] = await db.execute(sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS held`)
  await queue.enqueue(db, updateReviewActions, lock?.['held'] ? { brandId } : { brandId, key: newId() })
}

const prefixOf = (brandId: string): string => `${causesOfBrand(brandId)}review:`

async function updateActionsOf(tx: Database, brandId: string): Promise<void> {
  const prefix = prefixOf(brandId)
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${prefix}, 0))`)
  // Until the end the brand stays in its organization.
  const [brand] = await tx.select().from(brands).where(eq(brands.id, brandId)).for('share')
  const wanted = brand ? await listWanted(tx, brand) : []
  for (const { key, ...action } of wanted)
    await raiseAction(tx, {
      ...action,
      kind: reviewRequestedKind,
      cause: `${prefix}${key}`,
      organizationId: brand?.organizationId ?? '',
      resource: { kind: 'brand', id: brandId },
    })
  const causes = new Set(wanted.map(({ key }) => `${prefix}${key}`))
  for (const cause of await listCauses(tx, prefix)) if (!causes.has(cause)) await resolveAction(tx, cause)
}

async function listWanted(tx: Database, brand: typeof brands.$inferSelect) {
  const waiting = await tx
    .select({ id: posts.id, text: posts.text, version: posts.version, scheduledAt: posts.scheduledAt })
    .from(posts)
    .where(and(eq(posts.brandId, brand.id), sql`${posts.reviewState} = 'requested'`, ne(posts.status, 'published')))
    .orderBy(asc(posts.reviewStateAt), asc(posts.id))
    .limit(maxSingle + 1)
  const feed = `/workspace/feed?brandId=${brand.id}`
  if (waiting.length > maxSingle)
    return [
      {
        key: 'many',
        title: `More than ${maxSingle} posts for ${brand.name} need a review`,
        reason: 'They need an approval before they can be published.',
        href: feed,
        actions: [{ label: 'Review', method: 'GET' as const, href: feed, style: 'primary' as const }],
      },
    ]
  return waiting.map(({ id, text, version, scheduledAt }) => ({
    key: id,
    title: `A post for ${brand.name} needs a review`,
    reason: `${excerptOf({ text })}${scheduledAt ? ` Planned for ${timeText(scheduledAt, brand.timeZone, 'full')}.` : ''}`,
    href: `/workspace/posts/${id}`,
    actions: [
      { label: 'Approve', ...decisionOn(id, version, 'approve'), style: 'primary' as const },
      {
        label: 'Request changes',
        ...decisionOn(id, version, 'request_changes'),
        fields: [{ name: 'comment', label: 'Comment', type: 'textarea' as const }],
      },
      { label: 'All posts to review', method: 'GET' as const, href: feed },
    ],
  }))
}

/** Refused once the post was changed, until the buttons have its new version. */
export const decisionOn = (id: string, version: number, decision: ReviewDecision) => ({
  method: 'POST' as const,
  href: `/api/posts/${id}/reviews`,
  body: { decision, version },
})
