import { and, eq, isNull } from 'drizzle-orm'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, Problem, retryLater } from '#lib/errors.ts'
import { countWithinQuota } from '#lib/limits.ts'
import { requireVersion } from '../posts/checks.ts'
import { requireNotSending } from '../posts/posts.ts'
import { addComment, countComments, countCommentsOfGuests, maxComments, maxGuestComments } from '../review/comments.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import { enqueueReviewActions } from '../review/actions.ts'
import { decide, requireReviewable } from '../review/decide.ts'
import { announceDecision } from '../review/notices.ts'
import type { Reviewer } from '../review/reviewer.ts'
import { reviewLinks } from '../schema.ts'
import type { GuestCommentInput, GuestDecisionInput } from './input.ts'
import { lockLinkedPosts } from './linked-posts.ts'
import { announceGuestComment } from './notices.ts'
import { type FoundLink, holdLink, openLink } from './open-link.ts'

/** What a guest sends: recorded in the log of the brand’s organization, without a principal. */
type Responding = Omit<Call, 'input'>

/** Asked once: the link is then this person's. @throws {Problem} 404, 410, 409 `name_already_given`, 429 */
export async function nameGuest(
  call: Responding,
  { token, name }: { token: string; name: string },
): Promise<FoundLink> {
  const link = await openLink(call, token)
  if (link.guestName === name) return link
  await requireQuota(call, link)
  return auditedTransaction(asGuest(call), async (tx) => {
    await holdLink(tx, link, call.now(), 'update')
    const [named] = await tx
      .update(reviewLinks)
      .set({ guestName: name })
      .where(and(eq(reviewLinks.id, link.id), isNull(reviewLinks.guestName)))
      .returning({ id: reviewLinks.id })
    if (!named) throw conflict('name_already_given', 'This link is for another person. Ask for a link of your own.')
    const { organizationId } = link.brand
    recordChange(tx, { object: 'review_link', id: link.id, organizationId, after: { guestName: name } })
    return { ...link, guestName: name }
  })
}

/**
 * All posts get the decision, or none.
 * @throws {Problem} 403 `decision_not_allowed`, 404, 409 `name_required`, `not_reviewable`, `publishing_in_progress` and
 *   `version_conflict`, 410, 429. A decision equal to the guest's open one isn't stored again
 */
export async function decideAsGuest(call: Responding, { token, posts: seen, decision, comment }: GuestDecisionInput) {
  const link = await openLink(call, token)
  if (!link.canDecide)
    throw new Problem(
      403,
      'decision_not_allowed',
      'With this link you can comment, but not approve or request changes.',
    )
  const guest = guestOf(link)
  const versions = new Map(seen.map(({ id, version }) => [id, version]))
  await requireQuota(call, link)
  await requireDecisionQuota(call, link, versions.size)
  return auditedTransaction(asGuest(call), async (tx) => {
    await holdLink(tx, link, call.now())
    const posts = await lockLinkedPosts(tx, link, [...versions.keys()])
    await requireNotSending(tx, [...versions.keys()])
    for (const post of posts) {
      requireReviewable(post)
      requireVersion(post, versions.get(post.id))
    }
    const decided = []
    for (const post of posts) {
      const result = await decide({ ...call, db: tx }, guest, post, { decision, comment })
      decided.push(result.review)
      if (result.isRepeated) continue
      recordChange(tx, {
        object: 'post',
        id: post.id,
        organizationId: link.brand.organizationId,
        after: { decision, reviewLinkId: link.id, guestName: guest.name },
      })
      await announceDecision(tx, result)
      await enqueueCheck(tx, call, result.post)
    }
    await enqueueReviewActions(tx, call, link.brandId)
    return decided
  })
}

/** @throws {Problem} 404, 409 `name_required` and `too_many_comments`, 410, 429 */
export async function commentAsGuest(call: Responding, { token, postId, text }: GuestCommentInput) {
  const link = await openLink(call, token)
  const guest = guestOf(link)
  await requireQuota(call, link)
  return auditedTransaction(asGuest(call), async (tx) => {
    await holdLink(tx, link, call.now())
    const [post] = await lockLinkedPosts(tx, link, [postId])
    if (!post) throw new Error('A linked post was not locked')
    if ((await countComments(tx, postId)) >= maxComments)
      throw conflict('too_many_comments', `A post can have at most ${maxComments} comments.`)
    if ((await countCommentsOfGuests(tx, postId)) >= maxGuestComments)
      throw conflict('too_many_comments', `Guests can write at most ${maxGuestComments} comments on a post.`)
    const comment = await addComment({ ...call, db: tx }, guest, post, { text })
    await announceGuestComment(tx, { link, comment, post })
    recordChange(tx, {
      object: 'post',
      id: post.id,
      organizationId: link.brand.organizationId,
      after: { comment: comment.id, reviewLinkId: link.id, guestName: guest.name },
    })
    return comment
  })
}

const asGuest = (call: Responding): Responding => ({ ...call, actor: null })

/** @throws {Problem} 409 `name_required` */
function guestOf({ id: linkId, guestName: name }: FoundLink): Reviewer & { kind: 'guest' } {
  if (name === null) throw conflict('name_required', 'Enter your name first.')
  return { kind: 'guest', linkId, name }
}

const minute = 60_000
const day = 24 * 60 * minute

/** Of one link: ten on each of the 100 posts that it can have. Each stores the content of its post. */
const maxDecisionsADay = 1_000

/** Of one link, from all addresses together. @throws {Problem} 429 `rate_limited` */
async function requireQuota({ db }: Pick<Call, 'db'>, { id }: FoundLink): Promise<void> {
  if (await countWithinQuota(db, { name: 'review-links', subject: id, max: 60, windowMs: 10 * minute })) return
  throw retryLater(429, 'rate_limited', 'Too many responses with this link. Try again in ten minutes.', {
    retryAfter: 600,
  })
}

/** @throws {Problem} 429 `rate_limited` */
async function requireDecisionQuota({ db }: Pick<Call, 'db'>, { id }: FoundLink, count: number): Promise<void> {
  const quota = { name: 'review-link-decisions', subject: id, max: maxDecisionsADay, windowMs: day, count }
  if (await countWithinQuota(db, quota)) return
  throw retryLater(429, 'rate_limited', 'Too many decisions with this link. Try again tomorrow.', {
    retryAfter: day / 1_000,
  })
}
