import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { ConnectionRow } from '../accounts/tokens.ts'
import { unfitMedia } from '../media/in-posts.ts'
import { networkOf } from '../networks/index.ts'
import { limitsOf, tooLong } from '../networks/limits.ts'
import type { Network } from '../networks/network.ts'
import { connections, posts, publishAttempts, type Waiting } from '../schema.ts'
import type { Attempt, Failure, Post } from './attempt.ts'
import { chooseConnection } from './choose-connection.ts'
import { rateLimited } from './rate-windows.ts'

export type Fence =
  /** The attempt stands committed: the provider may be called. */
  | { kind: 'send'; attempt: Attempt; network: Network; connection: ConnectionRow; due: Date | null }
  /** An earlier owner died with this attempt under way: ask the network what became of it. */
  | { kind: 'reconcile'; attempt: Attempt; network: Network | null; connection: ConnectionRow }
  | { kind: 'fail'; failure: Failure }
  | { kind: 'wait'; waiting: Waiting }
  /** Edited, moved, deleted or taken by another process in the meantime. */
  | { kind: 'gone' }

/** Why the posts of an organization wait, if they do. */
export type Suspension = 'workspace_suspended' | 'identity_unavailable' | null

/**
 * Decides on a claimed post from its row as it is now, locked, and writes the attempt for the call to come. An attempt
 * that is under way is followed to its end whatever the `suspension`. Must be the whole of one transaction: the provider
 * is called after it is committed (SOC-20, SOC-24).
 */
export async function fence(tx: Database, postId: string, owner: string, suspension: Suspension): Promise<Fence> {
  const post = await lockOwn(tx, postId, owner)
  if (!post) return { kind: 'gone' }
  const network = networkOf(post.provider)
  const unsettled = await takeOver(tx, postId, owner)
  if (unsettled)
    return { kind: 'reconcile', attempt: unsettled, network, connection: await connectionOf(tx, unsettled) }
  if (suspension) return { kind: 'wait', waiting: { reason: suspension } }
  const before = await predecessor(tx, post)
  if (before && !before.platformPostId)
    return { kind: 'wait', waiting: { reason: 'thread_predecessor', postId: before.id } }
  if (!network) return refuse('network_unavailable', `Atrium can’t publish to ${post.provider} yet.`)
  const connection = await chooseConnection(tx, post.id)
  if (!connection)
    return refuse('connection_missing', 'The brand has no active account that can publish this post. Connect one.')
  if (!connection.works)
    return refuse('signed_out', `${network.name} signed the account out. Reconnect it, then retry.`)
  const flaw = await flawOf(tx, post, network, connection)
  if (flaw) return refuse('invalid_content', flaw)
  const limited = await rateLimited(tx, post.id, placeOf(post.provider, connection))
  if (limited) return 'waiting' in limited ? { kind: 'wait', ...limited } : { kind: 'fail', ...limited }
  const payload = payloadOf(post, before?.platformPostId ?? null)
  const attempt = await begin(tx, post, { owner, network, connection, payload })
  return attempt
    ? { kind: 'send', attempt, network, connection, due: post.scheduledAt }
    : { kind: 'wait', waiting: { reason: 'account_busy' } }
}

/** What rate limits count: an account, at the server that its calls go to. */
export const placeOf = (provider: Post['provider'], { host, externalId: account }: ConnectionRow) => ({
  provider,
  host,
  account,
})

const refuse = (code: string, message: string): Fence => ({ kind: 'fail', failure: { code, message, retryable: true } })

async function lockOwn(tx: Database, postId: string, owner: string): Promise<Post | undefined> {
  const due = sql<boolean>`${posts.scheduledAt} <= clock_timestamp() and ${posts.dueAt} > clock_timestamp()`
  const [row] = await tx.select({ post: posts, due }).from(posts).where(eq(posts.id, postId)).for('update')
  if (!row?.due || row.post.status !== 'scheduled' || row.post.leaseOwner !== owner) return undefined
  return row.post
}

/** Takes over the unsettled attempt of a dead process, so that a stalled owner can't settle it any more. */
async function takeOver(tx: Database, postId: string, owner: string): Promise<Attempt | undefined> {
  const [attempt] = await tx
    .update(publishAttempts)
    .set({ leaseOwner: owner })
    .where(and(eq(publishAttempts.postId, postId), eq(publishAttempts.state, 'sending')))
    .returning()
  return attempt
}

/** The part of its thread that this post replies to. */
async function predecessor(tx: Database, { threadId, position }: Post) {
  if (!threadId || position === 0) return undefined
  const [before] = await tx
    .select({ id: posts.id, platformPostId: posts.platformPostId })
    .from(posts)
    .where(and(eq(posts.threadId, threadId), lt(posts.position, position)))
    .orderBy(desc(posts.position))
    .limit(1)
  return before
}

/** What the network would not take from this account, in words. */
async function flawOf(tx: Database, post: Post, network: Network, { metadata }: ConnectionRow): Promise<string | null> {
  if (post.text.trim() === '') return `${network.name} doesn’t accept empty posts.`
  const limits = limitsOf(network, metadata)
  const [unfit] = await unfitMedia(tx, post, network, limits)
  return tooLong(network, post.text, limits) ?? unfit?.message ?? null
}

/** What is sent. A post without images has the payload, and so the key, that it had before there were any. */
const payloadOf = ({ text, media }: Post, replyTo: string | null): Attempt['payload'] => ({
  text,
  replyTo,
  ...(media.length > 0 && { media }),
})

/** The connection that an attempt began with. */
async function connectionOf(tx: Database, { connectionId }: Attempt): Promise<ConnectionRow> {
  const [row] = await tx.select().from(connections).where(eq(connections.id, connectionId))
  if (!row) throw new Error('The connection of an attempt was deleted')
  return row
}

interface Beginning {
  owner: string
  network: Network
  connection: ConnectionRow
  payload: Attempt['payload']
}

/** Undefined when another post of the same external account is being sent. */
async function begin(tx: Database, post: Post, { owner, network, connection, payload }: Beginning) {
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
      payloadHash: new Bun.CryptoHasher('sha256').update(JSON.stringify(payload)).digest('hex'),
      leaseOwner: owner,
      startedAt: sql`date_trunc('milliseconds', clock_timestamp())`,
    })
    .onConflictDoNothing()
    .returning()
  if (attempt) await tx.update(posts).set({ waitingFor: null }).where(eq(posts.id, post.id))
  return attempt
}
