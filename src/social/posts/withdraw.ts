import { and, asc, desc, eq, isNull, sql } from 'drizzle-orm'
import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, Problem } from '#lib/errors.ts'
import { openAccount, renewTokens, type ConnectionRow } from '../accounts/tokens.ts'
import type { ChangeCall } from '../change-call.ts'
import { requireNetworkAccess } from '../access/test-keys.ts'
import { networkOf } from '../networks/index.ts'
import type { Account, Network, Removal } from '../networks/network.ts'
import { outsideOf, type Outside } from '../networks/outside.ts'
import { connections, posts } from '../schema.ts'
import { requireVersion } from './checks.ts'
import type { PostAction } from './input.ts'
import { publishPostChanges } from './publish-changes.ts'
import { get, recorded, type PostRow } from './posts.ts'

type Withdrawing = ChangeCall & Pick<Call, 'secrets' | 'config' | 'outbound' | 'queue' | 'request' | 'operation'>

/**
 * Deletes a published post from its network (SOC-48). It stays here as what was published, and says when it was taken
 * back. Throws 404; 409 when it isn't there or nothing can act for its account; 502 when the network doesn't do it,
 * which can be tried again: deleting twice is deleting once.
 */
export async function withdraw(act: Withdrawing, { id, version }: PostAction): Promise<PostRow> {
  const post = await get(act.db, act.actor, id)
  requireNetworkAccess(act.actor, post.provider)
  requireVersion(post, version)
  if (post.status !== 'published' || post.withdrawnAt)
    throw conflict('not_published', 'Only a published post can be deleted from its network.')
  const network = networkOf(post.provider)
  const { platformPostId } = post
  if (!network || !platformPostId)
    throw conflict('not_deletable', 'Atrium doesn’t know the ID of this post on the network. Delete it there.')
  const connection = await connectionOf(act, post)
  if (!connection)
    throw conflict('connection_missing', `The ${network.name} account that published this post is no longer connected.`)
  const removal = await removed(act, { network, connection, platformPostId })
  if (removal.kind !== 'removed')
    throw new Problem(502, 'provider_refused', `${removal.message} The post may still be there. Try again.`)
  return auditedTransaction(act, (tx) => mark({ ...act, db: tx }, post))
}

/** A connection to the account that the post stands on: a working one first. */
async function connectionOf({ db }: ChangeCall, { brandId, provider, externalAccount }: PostRow) {
  const [row] = await db
    .select()
    .from(connections)
    .where(
      and(
        eq(connections.brandId, brandId),
        eq(connections.provider, provider),
        eq(connections.externalId, externalAccount ?? ''),
        eq(connections.active, true),
      ),
    )
    .orderBy(desc(sql`${connections.health} = 'ok'`), asc(connections.createdAt))
    .limit(1)
  return row
}

interface Removing {
  network: Network
  connection: ConnectionRow
  platformPostId: string
}

/** Asks the network; once more with new tokens when it no longer took the first. */
async function removed(act: Withdrawing, { network, connection, platformPostId }: Removing): Promise<Removal> {
  const { config, request, secrets } = act
  const outside: Outside = outsideOf(config, request.url.origin, act.outbound)
  const timeoutMs = config.PROVIDER_TIMEOUT_MS
  const ask = (account: Account) =>
    network.remove({ account, outside, platformPostId, signal: AbortSignal.timeout(timeoutMs) })
  const account = openAccount(secrets, connection)
  const first = await ask(account)
  if (first.kind !== 'unauthorized') return first
  const renewing = {
    emitting: act,
    secrets,
    outside,
    network,
    connectionId: connection.id,
    refused: account,
    timeoutMs,
  }
  const renewal = await renewTokens({ ...renewing, database: act.db, message: first.message })
  if (renewal.kind === 'renewed') return ask({ ...account, tokens: renewal.tokens })
  if (renewal.kind === 'later') return { ...first, message: renewal.message }
  throw conflict('signed_out', `${network.name} signed the account out. Reconnect it, then delete the post.`)
}

async function mark(act: ChangeCall, post: PostRow): Promise<PostRow> {
  const [saved] = await act.db
    .update(posts)
    .set({
      withdrawnAt: sql`clock_timestamp()`,
      version: sql`${posts.version} + 1`,
      updatedAt: sql`clock_timestamp()`,
    })
    .where(and(eq(posts.id, post.id), isNull(posts.withdrawnAt)))
    .returning()
  if (!saved) return get(act.db, act.actor, post.id)
  recordChange(act.db, { object: 'post', id: post.id, before: recorded(post), after: recorded(saved) })
  await publishPostChanges(act, [saved])
  return saved
}
