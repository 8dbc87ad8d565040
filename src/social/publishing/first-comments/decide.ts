import { and, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { findPublisher } from '../../accounts/find-publisher.ts'
import { readPublishedText } from '../../corrections/corrected.ts'
import type { ConnectionRow } from '../../accounts/tokens/tokens.ts'
import { networkOf } from '../../networks/index.ts'
import { allowsComments, describeCommentProblem, describeMissingScope, limitsOf } from '../../networks/limits.ts'
import type { FirstComments, Network } from '../../networks/network.ts'
import { chosenPlaceOf } from '../../networks/places.ts'
import { isPaused } from '../../pauses/find.ts'
import { findMissing } from '../../review/gate.ts'
import { firstComments, posts, type Waiting } from '../../schema.ts'
import type { Failure, Outgoing, Post } from '../attempt.ts'
import type { Suspension } from '../prepare-attempt.ts'
import { checkRateLimit } from '../rate-windows.ts'
import { limitScopeOf } from './limit-scope.ts'

export type CommentRow = typeof firstComments.$inferSelect

/** The comment is committed as `sending`: the network can be called. */
export interface CommentCall {
  kind: 'send' | 'reconcile'
  comment: CommentRow
  outgoing: Outgoing
  /** Publishes and reads comments instead of posts. */
  network: Network
  connection: ConnectionRow
}

export type CommentDecision =
  | CommentCall
  | { kind: 'fail'; failure: Failure }
  /** An earlier request may have arrived, and the network can’t be asked. */
  | { kind: 'unknown'; message: string }
  | { kind: 'wait'; waiting: Waiting }
  /** Settled or taken by another process in the meantime. */
  | { kind: 'gone' }

const failWith = (code: string, message: string, retryable = true): CommentDecision => ({
  kind: 'fail',
  failure: { code, message, retryable },
})

/** Its own transaction: the network is called after it (SOC-24). A request that a dead process left is reconciled. */
export async function decideOnComment(
  tx: Database,
  postId: string,
  owner: string,
  suspension: Suspension,
): Promise<CommentDecision> {
  const comment = await lockClaimed(tx, postId, owner)
  if (!comment) return { kind: 'gone' }
  const [post] = await tx.select().from(posts).where(eq(posts.id, postId))
  if (!post) return { kind: 'gone' }
  const isLeft = comment.state === 'sending'
  const stop = (code: string, message: string, retryable?: boolean): CommentDecision =>
    isLeft ? { kind: 'unknown', message } : failWith(code, message, retryable)
  if (!post.firstComment) return stop('comment_missing', 'The post no longer has a first comment.', false)
  // It can be changed while the outcome of its post is unknown, which a person then settles.
  const published = { ...post, text: await readPublishedText(tx, post) }
  if (!isLeft && (await findMissing(tx, published)))
    return failWith(
      'approval_required',
      'The first comment isn’t approved, and a published post can’t be reviewed. Write it on the network.',
    )
  const network = networkOf(post.provider)
  if (!network?.firstComments)
    return stop(
      'comments_unavailable',
      `Atrium can’t write first comments on ${network?.name ?? post.provider}.`,
      false,
    )
  if (!post.platformPostId)
    return stop('post_id_unknown', 'Atrium doesn’t know the ID of the post. Write the comment on the network.', false)
  if (post.withdrawnAt) return stop('post_withdrawn', `The post was deleted from ${network.name}.`, false)
  const connection = await findPublisher(tx, comment)
  if (!connection)
    return stop('connection_missing', `The ${network.name} account that published the post is no longer connected.`)
  if (connection.health !== 'ok')
    return stop('signed_out', `${network.name} signed the account out. Reconnect it, then retry.`)
  const call = { comment, connection, network: asCommenter(network, network.firstComments) }
  if (isLeft) return { kind: 'reconcile', ...call, outgoing: outgoingOf(comment, post, post.platformPostId) }
  if (suspension) return { kind: 'wait', waiting: { reason: suspension } }
  if (await isPaused(tx, { brandId: post.brandId, connectionId: connection.id }))
    return { kind: 'wait', waiting: { reason: 'paused' } }
  if (!allowsComments(network, connection.scopes))
    return failWith('permission_missing', describeMissingScope(network.name))
  const problem = describeCommentProblem(network, post, limitsOf(network, connection.metadata))
  if (problem) return failWith('invalid_content', problem, false)
  const limit = await checkRateLimit(tx, postId, limitScopeOf(network, connection), firstComments)
  if (limit) return 'waiting' in limit ? { kind: 'wait', ...limit } : { kind: 'fail', ...limit }
  const sent = await markAsSending(tx, postId)
  return { kind: 'send', ...call, comment: sent, outgoing: outgoingOf(sent, post, post.platformPostId) }
}

async function lockClaimed(tx: Database, postId: string, owner: string): Promise<CommentRow | undefined> {
  const [row] = await tx
    .select()
    .from(firstComments)
    .where(
      and(
        eq(firstComments.id, postId),
        eq(firstComments.leaseOwner, owner),
        sql`${firstComments.dueAt} > clock_timestamp()`,
      ),
    )
    .for('update')
  return row
}

async function markAsSending(tx: Database, postId: string): Promise<CommentRow> {
  const [row] = await tx
    .update(firstComments)
    .set({
      state: 'sending',
      attempts: sql`${firstComments.attempts} + 1`,
      startedAt: sql`coalesce(${firstComments.startedAt}, date_trunc('milliseconds', clock_timestamp()))`,
      waitingFor: null,
    })
    .where(eq(firstComments.id, postId))
    .returning()
  if (!row) throw new Error('A locked first comment was not found')
  return row
}

const asCommenter = (network: Network, { publish, readBack }: FirstComments): Network => ({
  ...network,
  publish,
  readBack,
})

function outgoingOf({ startedAt, events, externalAccount }: CommentRow, post: Post, replyTo: string): Outgoing {
  const place = chosenPlaceOf(post.target)
  const payload = { text: post.firstComment ?? '', replyTo, ...(place && { place }) }
  const payloadHash = new Bun.CryptoHasher('sha256').update(JSON.stringify(payload)).digest('hex')
  const { id: postId, brandId, provider } = post
  if (!startedAt) throw new Error('A first comment was sent without a start')
  return { postId, brandId, provider, externalAccount, payload, payloadHash, startedAt, events }
}
