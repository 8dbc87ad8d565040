import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Actor } from '#lib/actor.ts'
import { requirePerson } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { forEachSettled } from '#lib/each.ts'
import { invalid, nullFor404, Problem } from '#lib/errors.ts'
import { memberCan } from '../access.ts'
import * as brands from '../brands/brands.ts'
import { requireVersion } from '../posts/checks.ts'
import { get, lockPost, requireNotSending, type PostRow } from '../posts/posts.ts'
import { enqueueCheck } from '../readiness/jobs.ts'
import type { ReviewPolicy } from '../schema.ts'
import { enqueueReviewActions } from './actions.ts'
import { decide, requireReviewable } from './decide.ts'
import type { DecisionBody } from './input.ts'
import { lockWithThreads } from './lock-posts.ts'
import { announceDecision } from './notices.ts'
import { policyOf } from './policy.ts'
import { isOwn } from './review-status.ts'

type DecideCall = Call<unknown, Actor>

/**
 * The decision of a member on a post, and on others of its submission or thread: all or none.
 * @throws {Problem} 403 for keys and for authors, 404, 409 `version_conflict`, `not_reviewable` and
 *   `publishing_in_progress`, 422
 */
export async function decideOnPosts(call: DecideCall, { id, also, decision, comment, version, code }: DecisionBody) {
  requirePerson(call.actor)
  const wanted = [{ id, version }, ...also.filter((one) => one.id !== id)]
  const seen = await readDecidable(call, wanted)
  const isConfirmed = await confirmOwn(call, seen, code)
  return auditedTransaction(call, async (tx) => {
    await lockWithThreads(tx, seen.posts)
    const { reviewPolicy } = await brands.hold(tx, call.actor, seen.brandId)
    const held = []
    for (const one of wanted) {
      const post = await lockPost(tx, call.actor, one.id)
      requireVersion(post, one.version)
      held.push(post)
    }
    const decided = []
    for (const post of held) {
      const confirmedAlone = isBarred(reviewPolicy, call.actor, post)
      if (confirmedAlone && !isConfirmed) throw secondPersonNeeded()
      const result = await decide({ ...call, db: tx }, { kind: 'user', id: call.actor.principal.id }, post, {
        decision,
        comment: comment ?? null,
        confirmedAlone,
      })
      decided.push(result)
      if (result.isRepeated) continue
      recordChange(tx, {
        object: 'post',
        id: post.id,
        before: stateOf(post),
        after: { ...stateOf(result.post), decision },
      })
      await announceDecision(tx, result)
      await enqueueCheck(tx, call, result.post)
    }
    await enqueueReviewActions(tx, call, seen.brandId)
    const [first] = decided
    if (!first) throw new Error('A decision without a post')
    return { review: first.review, plan: decided.flatMap(({ plan }) => plan ?? [])[0] ?? null }
  })
}

const stateOf = ({ reviewState }: PostRow) => ({ reviewState })

interface Decidable {
  brandId: string
  posts: PostRow[]
}

/** What the transaction checks again, so that no code is used up in vain. @throws {Problem} as `decideOnPosts` */
async function readDecidable({ db, actor }: DecideCall, wanted: readonly Wanted[]): Promise<Decidable> {
  const posts: PostRow[] = []
  for (const [at, { id, version }] of wanted.entries()) {
    const post = await get(db, actor, id)
    if (!isTogether(posts[0] ?? post, post)) throw invalid([{ path: `also.${at - 1}.id`, message: notTogether }])
    requireVersion(post, version)
    requireReviewable(post)
    posts.push(post)
  }
  const [first] = posts
  if (!first) throw new Error('A decision without a post')
  await requireNotSending(
    db,
    wanted.map(({ id }) => id),
  )
  return { brandId: first.brandId, posts }
}

type Wanted = Pick<DecisionBody, 'id' | 'version'>

const isTogether = (one: PostRow, other: PostRow): boolean =>
  one.id === other.id ||
  (one.brandId === other.brandId &&
    ((one.threadId !== null && one.threadId === other.threadId) ||
      (one.groupId !== null && one.groupId === other.groupId)))

const notTogether = 'This post isn’t in the submission or thread of the first one. Send another request for it.'

/** Whether the policy of the brand doesn’t count this person’s approval. */
const isBarred = (policy: ReviewPolicy, { principal }: Actor, post: PostRow): boolean =>
  isOwn(post, principal.id) && !policyOf(policy).allowAuthor

/**
 * Whether the owner proved a second factor for their own posts, which no one else could approve. Before the transaction,
 * since identity is asked. @throws {Problem} 403 `second_person_needed`, `second_factor_needed`; 422, 429
 */
async function confirmOwn(call: DecideCall, { brandId, posts }: Decidable, code: string | undefined): Promise<boolean> {
  const { reviewPolicy } = await brands.get(call.db, call.actor, brandId)
  const own = posts.filter((post) => isBarred(reviewPolicy, call.actor, post))
  const [first] = own
  if (!first) return false
  if (call.actor.organization?.role !== 'owner') throw secondPersonNeeded()
  if (await hasOtherReviewer(call, own)) throw secondPersonNeeded()
  if (code === undefined)
    throw new Problem(
      403,
      'second_factor_needed',
      'No one else in the organization can approve this post. Enter a code from your authenticator app, or a recovery code. An app is set up in the security settings.',
      { next: `/workspace/posts/${first.id}` },
    )
  await call.identity.proveSecondFactor(call.actor.principal.id, code)
  return true
}

const secondPersonNeeded = (): Problem =>
  new Problem(
    403,
    'second_person_needed',
    'You wrote or changed this post, so another person has to review it. When no one else can, the owner approves it with a second factor.',
  )

/** Of one post, a person with the permission who neither wrote nor last changed it, and whose role reaches its brand. */
async function hasOtherReviewer({ actor, identity }: DecideCall, own: readonly PostRow[]): Promise<boolean> {
  const organizationId = actor.organization?.id ?? ''
  const [holders, serviceId] = await Promise.all([
    identity.permissionHolders(organizationId, 'platform-socialize', 'posts:review'),
    identity.serviceId('platform-socialize'),
  ])
  const others = holders.filter(({ id }) => own.some((post) => !isOwn(post, id)))
  let isFound = false
  await forEachSettled(
    others,
    async ({ id }) => {
      if (isFound) return
      // Null for a member who was removed meanwhile.
      const member = await identity.memberActor(organizationId, id).catch(nullFor404)
      const posts = own.filter((post) => !isOwn(post, id))
      if (member && posts.some(({ brandId }) => memberCan(member, `${serviceId}.posts:review`, brandId))) isFound = true
    },
    atOnce,
  )
  return isFound
}

/** Requests to identity. */
const atOnce = 8
