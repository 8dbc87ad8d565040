import { and, eq, isNull, sql } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { findPublisher } from '../accounts/find-publisher.ts'
import type { ConnectionRow } from '../accounts/tokens/tokens.ts'
import type { ChangeCall } from '../change-call.ts'
import { requireNetworkAccess } from '../access.ts'
import { networkOf } from '../networks/index.ts'
import type { Network, Removal } from '../networks/network.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { posts } from '../schema.ts'
import { askNetwork, type AskingCall } from '../accounts/tokens/ask-network.ts'
import { requireVersion } from './checks.ts'
import type { PostAction } from './input.ts'
import { nextVersion } from './next-version.ts'
import { publishPostChanges } from './transitions.ts'
import { auditedFields, get, type PostRow } from './posts.ts'

type WithdrawCall = ChangeCall & AskingCall & Pick<Call, 'operation'>

/** SOC-48. Repeatable. @throws {Problem} 404; 409 when not on its network or without a connected account; 502 */
export async function withdraw(call: WithdrawCall, { id, version }: PostAction): Promise<PostRow> {
  const post = await get(call.db, call.actor, id)
  requireNetworkAccess(call.actor, post.provider)
  requireVersion(post, version)
  if (post.status !== 'published' || post.withdrawnAt)
    throw conflict('not_published', 'Only a published post can be deleted from its network.')
  const network = networkOf(post.provider)
  const { platformPostId } = post
  if (!network?.remove) {
    const name = network?.name ?? post.provider
    throw conflict('not_deletable', `Atrium can’t delete posts on ${name}. Delete it in the ${name} app.`)
  }
  if (!platformPostId)
    throw conflict('not_deletable', 'Atrium doesn’t know the ID of this post on the network. Delete it there.')
  const connection = await findPublisher(call.db, post)
  if (!connection)
    throw conflict('connection_missing', `The ${network.name} account that published this post is no longer connected.`)
  const { name, remove } = network
  const removal = await removeFromNetwork(call, { network, remove, connection, platformPostId })
  if (removal.kind !== 'removed') throw new Problem(502, 'provider_refused', describeFailure(removal, name))
  return auditedTransaction(call, (tx) => markWithdrawn({ ...call, db: tx }, post))
}

/** Only what can change is worth another attempt. */
function describeFailure(failure: Exclude<Removal, { kind: 'removed' }>, name: string): string {
  const isFinal = failure.kind === 'refused' && !failure.transient
  return `${failure.message} ${isFinal ? `The post is still on ${name}.` : 'The post may still be there. Try again.'}`
}

interface RemovalCall {
  network: Network
  remove: NonNullable<Network['remove']>
  connection: ConnectionRow & { brandId: string }
  platformPostId: string
}

async function removeFromNetwork(
  call: WithdrawCall,
  { network, remove, connection, platformPostId }: RemovalCall,
): Promise<Removal> {
  const removal = await askNetwork(call, { network, connection }, (asking) => remove({ ...asking, platformPostId }))
  if (removal !== 'signed_out') return removal
  throw conflict('signed_out', `${network.name} signed the account out. Reconnect it, then delete the post.`)
}

async function markWithdrawn(call: ChangeCall, post: PostRow): Promise<PostRow> {
  const [saved] = await call.db
    .update(posts)
    .set({ withdrawnAt: sql`clock_timestamp()`, ...nextVersion(call.actor.principal.id) })
    .where(and(eq(posts.id, post.id), isNull(posts.withdrawnAt)))
    .returning()
  if (!saved) return get(call.db, call.actor, post.id)
  recordChange(call.db, { object: 'post', id: post.id, before: auditedFields(post), after: auditedFields(saved) })
  await publishPostChanges(call, [saved])
  await enqueueActions(call.db, call, saved)
  return saved
}
