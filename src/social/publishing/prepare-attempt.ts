import { and, asc, desc, eq, gt, lt, sql } from 'drizzle-orm'
import { databaseTime, type Database } from '#lib/db.ts'
import type { ConnectionRow } from '../accounts/tokens/tokens.ts'
import { findMediaErrors } from '../media/in-posts.ts'
import { networkOf } from '../networks/index.ts'
import { appOf } from '../networks/app.ts'
import { limitsOf, describeExcessLength, describeReplyProblem, findVideoErrors } from '../networks/limits.ts'
import { describeLinkProblem } from '../networks/link-previews.ts'
import type { Network } from '../networks/network.ts'
import { chosenPlaceOf } from '../networks/places.ts'
import { isPaused } from '../pauses/find.ts'
import { describeMissing, findMissing, listUnapproved } from '../review/gate.ts'
import { connections, posts, publishAttempts, type Waiting } from '../schema.ts'
import type { Attempt, Failure, Outgoing, Post } from './attempt.ts'
import { chooseConnection } from './choose-connection.ts'
import { findPreparation, type SavedPreparation } from './preparation/preparations.ts'
import { checkRateLimit } from './rate-windows.ts'

export type PublishDecision =
  /** The attempt is committed: the provider can be called. */
  | { kind: 'send'; attempt: Attempt; network: Network; connection: ConnectionRow; due: Date | null; prepared: Sealed }
  /** Its files are uploaded first: nothing that readers see. */
  | { kind: 'prepare'; outgoing: Outgoing; network: Network; connection: ConnectionRow; prepared: Sealed }
  /** An earlier owner died during this attempt: ask the network whether the post arrived. */
  | { kind: 'reconcile'; attempt: Attempt; network: Network | null; connection: ConnectionRow; prepared: Sealed }
  | { kind: 'fail'; failure: Failure }
  | { kind: 'wait'; waiting: Waiting }
  /** Edited, moved, deleted or taken by another process in the meantime. */
  | { kind: 'gone' }

/** The progress of a preparation; null without one. */
type Sealed = string | null

export type Suspension = 'workspace_suspended' | 'identity_unavailable' | null

/**
 * An unsettled attempt goes on when suspended. Its own transaction: the provider is called after it (SOC-20,
 * SOC-24).
 */
export async function prepareAttempt(
  tx: Database,
  postId: string,
  owner: string,
  suspension: Suspension,
): Promise<PublishDecision> {
  const post = await lockClaimedPost(tx, postId, owner)
  if (!post) return { kind: 'gone' }
  const network = networkOf(post.provider)
  const unsettled = await takeOverAttempt(tx, postId, owner)
  if (unsettled) {
    const prepared = (await findPreparation(tx, unsettled))?.sealedProgress ?? null
    return { kind: 'reconcile', attempt: unsettled, network, connection: await getConnection(tx, unsettled), prepared }
  }
  if (suspension) return { kind: 'wait', waiting: { reason: suspension } }
  const before = await getPredecessor(tx, post)
  if (before && !before.platformPostId)
    return { kind: 'wait', waiting: { reason: 'thread_predecessor', postId: before.id } }
  if (!network) return failWith('network_unavailable', `Atrium can’t publish to ${post.provider} yet.`)
  const connection = await chooseConnection(tx, post.id)
  if (!connection)
    return failWith('connection_missing', 'The brand has no active account that can publish this post. Connect one.')
  if (!connection.works)
    return failWith('signed_out', `${network.name} signed the account out. Reconnect it, then retry.`)
  if (await isPaused(tx, { brandId: post.brandId, connectionId: connection.id }))
    return { kind: 'wait', waiting: { reason: 'paused' } }
  const unapproved = await decideOnApprovals(tx, post)
  if (unapproved) return unapproved
  const contentError = await findContentError(tx, post, network, connection)
  if (contentError) return failWith('invalid_content', contentError)
  const rateLimit = await checkRateLimit(tx, post.id, rateLimitScopeOf(post.provider, connection))
  if (rateLimit) return 'waiting' in rateLimit ? { kind: 'wait', ...rateLimit } : { kind: 'fail', ...rateLimit }
  const payload = payloadOf(post, before?.platformPostId ?? null)
  const payloadHash = new Bun.CryptoHasher('sha256').update(JSON.stringify(payload)).digest('hex')
  const preparation = await findPreparation(tx, { postId, connectionId: connection.id, payloadHash }, network)
  if (needsPreparing(network, payload) && (!preparation?.isReady || preparation.isLate))
    return decideToPrepare(tx, post, { network, connection, payload, payloadHash }, preparation)
  const attempt = await insertAttempt(tx, post, { owner, network, connection, payload, payloadHash })
  return attempt
    ? {
        kind: 'send',
        attempt,
        network,
        connection,
        due: post.scheduledAt,
        prepared: preparation?.sealedProgress ?? null,
      }
    : { kind: 'wait', waiting: { reason: 'account_busy' } }
}

const needsPreparing = (
  { prepare, preparesText, preparesLinkPreview }: Network,
  { media, linkPreview }: Attempt['payload'],
): boolean =>
  prepare !== undefined &&
  (media !== undefined || preparesText === true || (preparesLinkPreview === true && linkPreview !== undefined))

/** What is too old begins again, unless the network has been processing it all that time. */
async function decideToPrepare(
  tx: Database,
  post: Post,
  { network, connection, payload, payloadHash }: Omit<AttemptInput, 'owner'>,
  preparation: SavedPreparation | null,
): Promise<PublishDecision> {
  const { id: postId, brandId, provider } = post
  if (preparation?.isLate && post.waitingFor?.reason === 'media_processing')
    return failWith(
      'media_not_processed',
      `${network.name} didn’t finish processing the media within an hour. Retry, or replace the files.`,
    )
  const saved = preparation?.isLate ? null : preparation
  const startedAt = saved?.startedAt ?? (await databaseTime(tx))
  const { externalId: externalAccount } = connection
  const outgoing = { postId, brandId, provider, externalAccount, payload, payloadHash, startedAt, events: [] }
  return { kind: 'prepare', outgoing, network, connection, prepared: saved?.sealedProgress ?? null }
}

/** Rate limits count an account, its app, or all calls to the server that its calls go to. */
export const rateLimitScopeOf = (
  provider: Post['provider'],
  { host, externalId: account, metadata }: ConnectionRow,
) => ({
  provider,
  host,
  account,
  app: appOf(metadata),
})

/** How long after its time a post can still be approved: later, its content may no longer fit. */
const approvableMs = 24 * 3_600_000

/** The policy and the decisions as they are now: an edit or a stricter policy can have changed them since it was scheduled. */
async function decideOnApprovals(tx: Database, post: Post): Promise<PublishDecision | null> {
  const own = await findMissing(tx, post)
  const part = own ? undefined : await findUnapprovedPart(tx, post)
  const missing = own ?? part?.reviewStatus
  if (!missing) return null
  const lateMs = (await databaseTime(tx)).getTime() - (post.scheduledAt?.getTime() ?? 0)
  return lateMs > approvableMs
    ? failWith('approval_required', describeMissing(missing))
    : { kind: 'wait', waiting: { reason: 'approval_required', ...(part && { postId: part.id }) } }
}

/** A thread begins only when all of it can be published. */
async function findUnapprovedPart(tx: Database, { threadId, position }: Post) {
  if (!threadId || position > 0) return undefined
  const parts = await tx
    .select({ id: posts.id })
    .from(posts)
    .where(and(eq(posts.threadId, threadId), gt(posts.position, 0), eq(posts.status, 'scheduled')))
    .orderBy(asc(posts.position))
  const unapproved = await listUnapproved(
    tx,
    parts.map(({ id }) => id),
  )
  const [first] = unapproved
  return first && { id: first[0], reviewStatus: first[1] }
}

const failWith = (code: string, message: string): PublishDecision => ({
  kind: 'fail',
  failure: { code, message, retryable: true },
})

async function lockClaimedPost(tx: Database, postId: string, owner: string): Promise<Post | undefined> {
  const due = sql<boolean>`${posts.scheduledAt} <= clock_timestamp() and ${posts.dueAt} > clock_timestamp()`
  const [row] = await tx.select({ post: posts, due }).from(posts).where(eq(posts.id, postId)).for('update')
  if (!row?.due || row.post.status !== 'scheduled' || row.post.leaseOwner !== owner) return undefined
  return row.post
}

/** Takes over the unsettled attempt of a dead process, so that a stalled owner can no longer settle it. */
async function takeOverAttempt(tx: Database, postId: string, owner: string): Promise<Attempt | undefined> {
  const [attempt] = await tx
    .update(publishAttempts)
    .set({ leaseOwner: owner })
    .where(and(eq(publishAttempts.postId, postId), eq(publishAttempts.state, 'sending')))
    .returning()
  return attempt
}

async function getPredecessor(tx: Database, { threadId, position }: Post) {
  if (!threadId || position === 0) return undefined
  const [before] = await tx
    .select({ id: posts.id, platformPostId: posts.platformPostId })
    .from(posts)
    .where(and(eq(posts.threadId, threadId), lt(posts.position, position)))
    .orderBy(desc(posts.position))
    .limit(1)
  return before
}

async function findContentError(
  tx: Database,
  post: Post,
  network: Network,
  { metadata }: ConnectionRow,
): Promise<string | null> {
  if (post.text.trim() === '') return `${network.name} doesn’t accept empty posts.`
  const limits = limitsOf(network, metadata)
  const [unfit] = await findMediaErrors(tx, post, network, limits)
  const reply = describeReplyProblem(network, post, limits)
  const [wrong] = findVideoErrors(network, post, limits)
  return (
    reply?.message ??
    describeExcessLength(network, post.text, limits) ??
    wrong?.message ??
    unfit?.message ??
    describeLinkProblem(post, limits)
  )
}

/** A post without images has the same payload, and thus the same key, as before images existed. */
function payloadOf({ text, media, target, youtube, linkPreview }: Post, replyTo: string | null): Attempt['payload'] {
  const place = chosenPlaceOf(target)
  return {
    text,
    replyTo,
    ...(media.length > 0 && { media }),
    ...(place && { place }),
    ...(youtube && { youtube }),
    ...(linkPreview && { linkPreview }),
  }
}

async function getConnection(tx: Database, { connectionId }: Attempt): Promise<ConnectionRow> {
  const [row] = await tx.select().from(connections).where(eq(connections.id, connectionId))
  if (!row) throw new Error('The connection of an attempt was deleted')
  return row
}

interface AttemptInput {
  owner: string
  network: Network
  connection: ConnectionRow
  payload: Attempt['payload']
  payloadHash: string
}

/** Undefined when another post of the same external account is being sent. */
async function insertAttempt(
  tx: Database,
  post: Post,
  { owner, network, connection, payload, payloadHash }: AttemptInput,
) {
  const number = sql<number>`(select coalesce(max(number), 0) + 1 from social.publish_attempts where post_id = ${post.id})`
  const [attempt] = await tx
    .insert(publishAttempts)
    .values({
      brandId: post.brandId,
      postId: post.id,
      number,
      connectionId: connection.id,
      provider: post.provider,
      externalAccount: connection.externalId,
      retrySafety: network.retrySafety,
      payload,
      payloadHash,
      leaseOwner: owner,
      startedAt: sql`date_trunc('milliseconds', clock_timestamp())`,
    })
    .onConflictDoNothing()
    .returning()
  if (attempt) await tx.update(posts).set({ waitingFor: null }).where(eq(posts.id, post.id))
  return attempt
}
