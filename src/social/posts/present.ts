import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { readPermissions, type CheckPermission, requireNetworkAccess, explainAbsence } from '../access.ts'
import { linkPreviewsOf, type PostLimits, type Post, type PostAbilities, type Provider } from '../contract.ts'
import { publishesImageOf } from '../link-previews/publishes-images.ts'
import { networkOf } from '../networks/index.ts'
import { commentsOf, countGraphemes, findAccount, limitsOf } from '../networks/limits.ts'
import type { Limits } from '../networks/network.ts'
import { readReadiness } from '../readiness/read.ts'
import { findUnapproved } from '../review/gate.ts'
import { type Policy, policyOf } from '../review/policy.ts'
import { listOpen, reviewStatusOf } from '../review/review-status.ts'
import { brands, posts } from '../schema.ts'
import type { PostFilter } from './filter.ts'
import { list } from './list.ts'
import { listedColumns, type PostListRow } from './listed-columns.ts'
import { findComment, presentComment } from './first-comments.ts'
import { brandOf, ownPost } from './posts.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'now' | 'signal'>

export async function readPostList(call: ReadCall, filter: PostFilter) {
  const [page, can] = await Promise.all([list(call.db, call.actor, filter, call.signal), readPermissions(call)])
  return {
    items: await addNames(call, page.items, can),
    nextCursor: page.nextCursor,
    can: { create: can('posts:write', filter.brandId) },
  }
}

/** @throws {Problem} 404 when it is absent or another organization's, 403 as `requireNetworkAccess` */
export async function readPostDetails(call: ReadCall, id: string) {
  const { db, actor } = call
  const [[row], can] = await Promise.all([
    db
      .select({ ...listedColumns, brandName: brands.name, brandTimeZone: brands.timeZone, policy: brands.reviewPolicy })
      .from(posts)
      .innerJoin(brands, eq(brands.id, posts.brandId))
      .where(ownPost(db, actor, id)),
    readPermissions(call),
  ])
  if (!row) throw await explainAbsence(db, actor, 'post', brandOf(db, id))
  const { policy, ...post } = row
  requireNetworkAccess(actor, post.provider)
  const network = networkOf(post.provider)
  const [account, [named], comment, approvals] = await Promise.all([
    findAccount(db, post),
    addNames(call, [post], can),
    findComment(db, id),
    countApprovals(db, policyOf(policy), post),
  ])
  const limits = network ? limitsOf(network, account?.metadata ?? null) : null
  if (!named) throw new Error('A post has no names')
  return {
    ...named,
    approvals,
    characters: network ? network.count(post.text, limits ?? undefined) : countGraphemes(post.text),
    limits: limits && limitsAt(contractLimits(limits, post.provider), post.position),
    firstComments: commentsOf(network, { scopes: [], metadata: {}, ...account, target: post.target }),
    linkPreviewImage: publishesImageOf(post, policy),
    correctionNote: network?.corrections?.note ?? null,
    firstCommentStatus:
      comment && presentComment(comment, { canWrite: can('posts:write', post.brandId) && !post.withdrawnAt }),
  }
}

async function countApprovals(db: Database, policy: Policy, post: PostListRow) {
  if (policy.approvals === 0 || post.status === 'published') return { needed: 0, missing: 0 }
  const { needed, missing } = reviewStatusOf(policy, post, await listOpen(db, [post.id]))
  return { needed, missing }
}

/** Later posts of a thread can have limits of their own. */
const limitsAt = (limits: PostLimits, position: number): PostLimits =>
  position === 0
    ? limits
    : {
        ...limits,
        ...limits.replies,
        firstComment: null,
        linkPreview: limits.replies?.media === 0 ? null : limits.linkPreview,
      }

export const contractLimits = (
  {
    characters,
    media,
    replies = { characters, media },
    firstComment,
    urlCharacters,
    counting,
    title,
    videoTags,
    refusedCharacters,
    images,
    videos,
    documents,
    singleAnimation,
  }: Limits,
  provider: Provider,
): PostLimits => ({
  characters,
  media,
  title: title ?? null,
  videoTags: videoTags ?? null,
  refusedCharacters: refusedCharacters ?? null,
  replies,
  firstComment: firstComment ?? null,
  linkPreview: linkPreviewsOf[provider] ?? null,
  urlCharacters: urlCharacters ?? null,
  counting: counting ?? 'graphemes',
  images: images ? { types: [...images.types], bytes: images.bytes } : null,
  videos: videos
    ? { minDurationMs: 0, mixed: false, ...videos, types: [...videos.types], codecs: [...videos.codecs] }
    : null,
  documents: documents ?? null,
  singleAnimation: singleAnimation ?? false,
})

/** Changes the rows, since copies cost as much as reading them. */
export async function addNames<Row extends PostListRow>(call: ReadCall, items: readonly Row[], can: CheckPermission) {
  const { db, identity, now } = call
  const ahead = items.flatMap(({ id, status, isDue }) => (status === 'scheduled' && !isDue ? [id] : []))
  const [people, checked, unapproved] = await Promise.all([
    identity.people([...new Set(items.map(({ authorId }) => authorId))]),
    readReadiness(db, ahead, now()),
    findUnapproved(db, items),
  ])
  return items.map((post) =>
    Object.assign(post, {
      authorName: people.get(post.authorId)?.name ?? null,
      readiness: checked.get(post.id)?.readiness ?? null,
      can: abilitiesOf(post, can('posts:write', post.brandId), unapproved.has(post.id)),
    }),
  )
}

type State = Pick<Post, 'provider' | 'status' | 'platformPostId'> & {
  isDue: boolean
  waitingFor: { reason: string } | null
  withdrawnAt: unknown
}

function abilitiesOf(
  { provider, status, isDue, waitingFor, platformPostId, withdrawnAt }: State,
  canWrite: boolean,
  isUnapproved: boolean,
): PostAbilities {
  const isSending = status === 'scheduled' && isDue && !waitingFor
  const isShown = canWrite && status === 'published' && platformPostId !== null && withdrawnAt === null
  const isEditable = canWrite && status !== 'published' && !isSending
  const network = networkOf(provider)
  return {
    update: isEditable,
    delete: isEditable,
    publishNow: isEditable && !isUnapproved && (status === 'draft' || (status === 'scheduled' && !waitingFor)),
    retry: isEditable && !isUnapproved && status === 'failed',
    duplicate: canWrite,
    detach: isEditable && waitingFor?.reason === 'thread_predecessor',
    withdraw: isShown && network?.remove !== undefined,
    correct: isShown && network?.corrections !== undefined,
  }
}
