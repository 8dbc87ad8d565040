import { and, eq, isNull, sql } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { findPublisher } from '../accounts/find-publisher.ts'
import { openAccount, renewTokens, type ConnectionRow } from '../accounts/tokens/tokens.ts'
import type { ChangeCall } from '../change-call.ts'
import { requireNetworkAccess } from '../access.ts'
import { networkOf } from '../networks/index.ts'
import type { Account, Network, Removal } from '../networks/network.ts'
import { outsideOf, type Outside } from '../networks/outside.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { posts } from '../schema.ts'
import { requireVersion } from './checks.ts'
import type { PostAction } from './input.ts'
import { publishPostChanges } from './transitions.ts'
import { auditedFields, get, type PostRow } from './posts.ts'

type WithdrawCall = ChangeCall &
  Pick<Call, 'secrets' | 'config' | 'gateway' | 'outbound' | 'queue' | 'request' | 'operation'>

/** SOC-48. Repeatable. @throws {Problem} 404; 409 when not on its network or without a connected account; 502 */
export async function withdraw(call: WithdrawCall, { id, version }: PostAction): Promise<PostRow> {
  const post = await get(call.db, call.actor, id)
  requireNetworkAccess(call.actor, post.provider)
  requireVersion(post, version)
  if (post.status !== 'published' || post.withdrawnAt)
    throw conflict('not_published', 'Only a published post can be deleted from its network.')
  const network = networkOf(post.provider)
  const { platformPostId } = post
  if (!network || !platformPostId)
    throw conflict('not_deletable', 'Atrium doesn’t know the ID of this post on the network. Delete it there.')
  const connection = await findPublisher(call.db, post)
  if (!connection)
    throw conflict('connection_missing', `The ${network.name} account that published this post is no longer connected.`)
  const removal = await removeFromNetwork(call, { network, connection, platformPostId })
  if (removal.kind !== 'removed')
    throw new Problem(502, 'provider_refused', `${removal.message} The post may still be there. Try again.`)
  return auditedTransaction(call, (tx) => markWithdrawn({ ...call, db: tx }, post))
}

interface RemovalCall {
  network: Network
  connection: ConnectionRow
  platformPostId: string
}

async function removeFromNetwork(
  call: WithdrawCall,
  { network, connection, platformPostId }: RemovalCall,
): Promise<Removal> {
  const { config, request, secrets } = call
  const outside: Outside = outsideOf(config, request.url.origin, call.outbound)
  const timeoutMs = config.PROVIDER_TIMEOUT_MS
  const ask = (account: Account) =>
    network.remove({ account, outside, platformPostId, signal: AbortSignal.timeout(timeoutMs) })
  const account = openAccount(secrets, connection)
  const first = await ask(account)
  if (first.kind !== 'unauthorized') return first
  const renewing = {
    emitting: call,
    secrets,
    credentials: call.gateway.social,
    outside,
    network,
    connectionId: connection.id,
    refused: account,
    timeoutMs,
  }
  const renewal = await renewTokens({ ...renewing, database: call.db, message: first.message })
  if (renewal.kind === 'renewed') return ask({ ...account, tokens: renewal.tokens })
  if (renewal.kind === 'later') return { ...first, message: renewal.message }
  throw conflict('signed_out', `${network.name} signed the account out. Reconnect it, then delete the post.`)
}

async function markWithdrawn(call: ChangeCall, post: PostRow): Promise<PostRow> {
  const [saved] = await call.db
    .update(posts)
    .set({
      withdrawnAt: sql`clock_timestamp()`,
      version: sql`${posts.version} + 1`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(posts.id, post.id), isNull(posts.withdrawnAt)))
    .returning()
  if (!saved) return get(call.db, call.actor, post.id)
  recordChange(call.db, { object: 'post', id: post.id, before: auditedFields(post), after: auditedFields(saved) })
  await publishPostChanges(call, [saved])
  await enqueueActions(call.db, call, saved)
  return saved
}
