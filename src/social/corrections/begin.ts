import { eq } from 'drizzle-orm'
import { isPerson } from '#lib/authorize.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { findPublisher } from '../accounts/find-publisher.ts'
import { readPermissions, type CheckPermission } from '../access.ts'
import type { AskingCall } from '../accounts/tokens/ask-network.ts'
import { findTextErrors, requireVersion } from '../posts/checks.ts'
import { lockPost, type PostRow } from '../posts/posts.ts'
import type { ChangeCall } from '../change-call.ts'
import { networkOf } from '../networks/index.ts'
import { limitsOf } from '../networks/limits.ts'
import type { Corrections, Network } from '../networks/network.ts'
import { chosenPlaceOf } from '../networks/places.ts'
import { policyOf } from '../review/policy.ts'
import { isOwn } from '../review/review-status.ts'
import { brands, postCorrections } from '../schema.ts'
import { newestFirst } from './list.ts'
import type { CorrectionInput } from './input.ts'
import { secondsUntilForgotten } from './lease.ts'
import type { CorrectionRow } from './row.ts'
import { settleForgotten } from './settle.job.ts'

export type CorrectionCall = ChangeCall & AskingCall & Parameters<typeof readPermissions>[0]

type Connection = NonNullable<Awaited<ReturnType<typeof findPublisher>>>

/** A correction whose sending was committed. */
export interface StoredCorrection {
  kind: 'stored'
  correction: CorrectionRow
  network: Network
  corrections: Corrections
  connection: Connection
  place: ReturnType<typeof chosenPlaceOf>
  platformPostId: string
}

/** The same correction was made before. */
interface Repeated {
  kind: 'repeated'
  correction: CorrectionRow
}

/** Per post. */
const maxCorrections = 100

/** @throws {Problem} 404; 409 unless it is on its network and Atrium can correct posts there; 422 for a text that the network refuses */
export async function begin(
  tx: Database,
  call: CorrectionCall,
  { id, text, reason = null, version }: CorrectionInput,
): Promise<StoredCorrection | Repeated> {
  const post = await lockPost(tx, call.actor, id)
  const [last] = await newestFirst(tx, id).limit(1)
  if (last?.state === 'corrected' && last.text === text && post.text === text)
    return { kind: 'repeated', correction: last }
  requireVersion(post, version, text)
  if (post.status !== 'published' || post.withdrawnAt)
    throw conflict('not_published', 'Only a post that is on its network can be corrected.')
  const { network, corrections } = requireCorrections(post)
  const { platformPostId } = post
  if (!platformPostId)
    throw conflict('not_correctable', 'Atrium doesn’t know the ID of this post on the network. Correct it there.')
  if (last?.state === 'sending')
    throw conflict('correction_in_progress', 'This post is being corrected right now. Try again in a moment.')
  await requireApproved(tx, post, call, await readPermissions(call))
  const connection = await findPublisher(tx, post)
  if (!connection)
    throw conflict('connection_missing', `The ${network.name} account that published this post is no longer connected.`)
  if (corrections.scope !== undefined && !connection.scopes.includes(corrections.scope))
    throw conflict(
      'permission_missing',
      `${network.name} didn’t give Atrium the permission to change posts. Reconnect the account with first comments, then correct the post.`,
    )
  const errors = findTextErrors(network, { ...post, text }, limitsOf(network, connection.metadata))
  if (post.text === text) errors.push({ path: 'text', message: 'The published post already has this text.' })
  if (errors.length > 0) throw invalid(errors)
  await requireRoom(tx, id)
  const values = { brandId: post.brandId, postId: id, authorId: call.actor.principal.id, formerText: post.text }
  const [correction] = await tx
    .insert(postCorrections)
    .values({ ...values, text, reason: reason || null })
    .returning()
  if (!correction) throw new Error('The correction was not stored')
  const startAfter = secondsUntilForgotten(call.config.PROVIDER_TIMEOUT_MS)
  await call.queue.enqueue(tx, settleForgotten, { id: correction.id }, { startAfter })
  return {
    kind: 'stored',
    correction,
    network,
    corrections,
    connection,
    place: chosenPlaceOf(post.target),
    platformPostId,
  }
}

/** @throws {Problem} 409 `correction_not_supported` */
function requireCorrections({ provider }: PostRow): { network: Network; corrections: Corrections } {
  const network = networkOf(provider)
  if (network?.corrections) return { network, corrections: network.corrections }
  const name = network?.name ?? provider
  throw conflict(
    'correction_not_supported',
    `Atrium can’t correct published posts on ${name}. Delete the post there and publish a corrected copy.`,
  )
}

/**
 * Where the brand's policy requires an approval, a reviewer who didn't write the post corrects it, which approves the text.
 * @throws {Problem} 409 `approval_required`
 */
async function requireApproved(
  tx: Database,
  post: PostRow,
  { actor }: CorrectionCall,
  check: CheckPermission,
): Promise<void> {
  const [brand] = await tx.select({ policy: brands.reviewPolicy }).from(brands).where(eq(brands.id, post.brandId))
  const { approvals, allowAuthor } = policyOf(brand?.policy)
  if (approvals === 0) return
  if (approvals > 1)
    throw conflict(
      'approval_required',
      'Posts of this brand need several approvals, which a correction can’t have. Delete the post and publish a corrected copy.',
    )
  const isReviewer = isPerson(actor) && check('posts:review', post.brandId)
  if (isReviewer && (allowAuthor || !isOwn(post, actor.principal.id))) return
  throw conflict(
    'approval_required',
    'Posts of this brand need an approval. Ask a reviewer who didn’t write the post to correct it. Their correction counts as the approval.',
  )
}

async function requireRoom(tx: Database, postId: string): Promise<void> {
  if ((await tx.$count(postCorrections, eq(postCorrections.postId, postId))) >= maxCorrections)
    throw conflict('too_many_corrections', `A post can be corrected at most ${maxCorrections} times.`)
}
