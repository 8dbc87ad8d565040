import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { withSpan } from '#lib/telemetry.ts'
import { posts } from '../../schema.ts'
import { rateLimitScopeOf, type PublishDecision } from '../prepare-attempt.ts'
import { LostLeaseError, prepareMedia, type PreparationEnding } from './prepare-media.ts'
import { deletePreparation, savePreparation } from './preparations.ts'
import { createSendContext, withMedia, type Publishing } from '../send-context.ts'
import { fail, postpone, release, throttle } from '../settle.ts'
import type { Slot } from '../slots.ts'

type Unprepared = Extract<PublishDecision, { kind: 'prepare' }>

/** The shortest and longest time between two questions whether a network has processed the files. */
const pollMs = { least: 1_000, most: 60_000 }

/** @returns whether the post can be sent now; if not, it waits, has failed, or another process continues */
export async function preparePost(publishing: Publishing, decision: Unprepared, slot: Slot): Promise<boolean> {
  const { database, secrets, stopping } = publishing
  const { outgoing, connection } = decision
  const { postId, provider } = outgoing
  const context = createSendContext(publishing, decision, slot)
  const preparing = { ...context, progress: context.prepared, save: createSave(publishing, decision) }
  const ending = await withSpan({ name: 'prepare post', facts: { provider, post: postId } }, () =>
    withMedia(publishing, preparing, connection, prepareMedia),
  )
  if (ending.kind === 'lost' && !stopping.aborted) return false
  return database.transaction(async (tx) => {
    if (!(await lockOwn(tx, publishing, postId))) return false
    if (ending.kind === 'ready')
      await savePreparation(tx, outgoing, {
        secrets,
        connectionId: connection.id,
        progress: ending.prepared,
        isReady: true,
      })
    else await apply(tx, publishing, decision, ending)
    return ending.kind === 'ready'
  })
}

async function apply(
  tx: Database,
  publishing: Publishing,
  { outgoing: { postId, provider }, connection }: Unprepared,
  ending: Exclude<PreparationEnding, { kind: 'ready' }>,
): Promise<void> {
  if (ending.kind === 'lost') await release(tx, publishing, postId)
  else if (ending.kind === 'waiting') await postpone(tx, publishing, postId, { reason: ending.reason })
  else if (ending.kind === 'throttled')
    await throttle(tx, publishing, { postId, place: rateLimitScopeOf(provider, connection) }, ending)
  else if (ending.kind === 'failed') {
    await deletePreparation(tx, postId)
    await fail(tx, publishing, postId, ending.failure)
  } else {
    const ms = Math.min(Math.max(ending.retryAfterMs, pollMs.least), pollMs.most)
    const until = new Date(publishing.now().getTime() + ms).toISOString()
    await postpone(tx, publishing, postId, { reason: 'media_processing', until })
  }
}

const ownPost = ({ owner }: Publishing, postId: string) =>
  and(eq(posts.id, postId), eq(posts.leaseOwner, owner), eq(posts.status, 'scheduled'))

const lockOwn = async (tx: Database, publishing: Publishing, postId: string): Promise<boolean> =>
  (await tx.select({ id: posts.id }).from(posts).where(ownPost(publishing, postId)).for('update')).length > 0

/** Viewers see whole tenths, so that a large file doesn’t redraw their pages with each part. */
function createSave(publishing: Publishing, { outgoing, connection }: Unprepared) {
  const { database, events, observe, secrets } = publishing
  const { brandId, postId } = outgoing
  let shown: number | null = null
  return (progress: unknown, exact = 0): Promise<void> => {
    const percent = Math.floor(exact / 10) * 10
    return database.transaction(async (tx) => {
      const [post] = await tx
        .update(posts)
        .set({ waitingFor: { reason: 'media_uploading', percent } })
        .where(ownPost(publishing, postId))
        .returning({ id: posts.id })
      if (!post) throw new LostLeaseError('Another process continues')
      await savePreparation(tx, outgoing, { secrets, connectionId: connection.id, progress, isReady: false })
      if (percent !== shown) await events.publish(tx, 'social.post', { brandId, postId })
      shown = percent
      observe('uploaded', postId)
    })
  }
}
