import { brokenConstraint, type Database } from '#lib/db.ts'
import { withSpan } from '#lib/telemetry.ts'
import type { Claim } from './claim.ts'
import { prepareAttempt, type PublishDecision, type Suspension } from './prepare-attempt.ts'
import type { Slot } from './slots.ts'
import { preparePost } from './preparation/prepare-post.ts'
import { createSendContext, linkImageMissing, withMedia, type Publishing } from './send-context.ts'
import { reconcile, recordEvent, send, type Ending, type SendContext } from './send.ts'
import { fail, postpone, release, settle } from './settle.ts'
import type { AttemptEvent } from '../schema.ts'
import { getSuspension } from './suspension.ts'
import { watchPublished } from './watch-published.ts'

/** Publishes a claimed post: afterwards it is published, failed, waiting, or another process continues. */
export async function publish(publishing: Publishing, { postId, brandId }: Claim, slot: Slot): Promise<void> {
  const { database, observe, stopping } = publishing
  const missing: AttemptEvent[] = []
  for (;;) {
    const suspension = await getSuspension(publishing, brandId)
    const decision = await database.transaction((tx) => decide(tx, publishing, postId, suspension))
    if (decision.kind === 'prepare') {
      if (!(await preparePost(publishing, decision, slot))) return
      // Other events of a preparation aren’t recorded.
      missing.push(...decision.outgoing.events.filter(({ what }) => what === linkImageMissing))
      continue
    }
    if (decision.kind !== 'send' && decision.kind !== 'reconcile') return
    if (decision.kind === 'send') {
      observe('prepared', postId)
      recordLateness(publishing, decision)
    }
    const { attempt } = decision
    attempt.events = [...attempt.events, ...missing.splice(0)]
    const facts = { provider: attempt.provider, post: postId, attempt: attempt.number }
    const ending = await withSpan({ name: `${decision.kind} post`, facts }, () =>
      runAttempt(publishing, decision, slot),
    )
    if (ending.kind === 'lost') return
    observe('settling', postId)
    const settled = await settleAttempt(publishing, decision, ending)
    observe('settled', postId)
    if (!settled || ending.kind !== 'not_arrived') return
    if (stopping.aborted) return void (await database.transaction((tx) => release(tx, publishing, postId)))
  }
}

/** When the network responded with the ID of another post of the brand, the outcome is unknown. */
async function settleAttempt(
  publishing: Publishing,
  decision: Extract<PublishDecision, { kind: 'send' | 'reconcile' }>,
  ending: Exclude<Ending, { kind: 'lost' }>,
): Promise<boolean> {
  const { database } = publishing
  try {
    return await database.transaction(async (tx) => {
      const settled = await settle(tx, publishing, decision, ending)
      const canRefuse = ending.kind === 'published' && !ending.isShown && decision.network?.checkPublished !== undefined
      if (settled && canRefuse) await watchPublished(tx, publishing, decision.attempt.postId)
      return settled
    })
  } catch (error) {
    if (ending.kind !== 'published' || brokenConstraint(error) !== 'posts_delivered') throw error
    const message = `The network responded with the ID of another post: ${ending.receipt.platformPostId}`
    return database.transaction((tx) => settle(tx, publishing, decision, { kind: 'unknown', message }))
  }
}

function recordLateness(
  { onLateness }: Publishing,
  { attempt, due }: Extract<PublishDecision, { kind: 'send' }>,
): void {
  if (due && attempt.number === 1) onLateness?.(attempt.provider, (attempt.startedAt.getTime() - due.getTime()) / 1000)
}

/** Decides on a post and applies the decision, in one transaction. */
async function decide(
  tx: Database,
  publishing: Publishing,
  postId: string,
  suspension: Suspension,
): Promise<PublishDecision> {
  const { events, owner } = publishing
  const decision = await prepareAttempt(tx, postId, owner, suspension)
  if (decision.kind === 'fail') await fail(tx, publishing, postId, decision.failure)
  if (decision.kind === 'wait') await postpone(tx, publishing, postId, decision.waiting)
  if (decision.kind === 'send') await events.publish(tx, 'social.post', { brandId: decision.attempt.brandId, postId })
  return decision
}

async function runAttempt(
  publishing: Publishing,
  decision: Extract<PublishDecision, { kind: 'send' | 'reconcile' }>,
  slot: Slot,
): Promise<Ending> {
  const { attempt, network, connection, prepared } = decision
  if (!network) return { kind: 'unknown', message: `${attempt.provider} is no longer supported.` }
  const sending = createSendContext(publishing, { outgoing: attempt, network, connection, prepared }, slot)
  if (decision.kind === 'send') {
    // Outside the time limit of the call that publishes.
    if (!network.prepare && !(await loadLinkImage(sending))) return { kind: 'not_arrived' }
    return withMedia(publishing, sending, connection, send)
  }
  recordEvent(sending, 'taken_over', 'The server that sent it stopped before it could record the result.')
  // Its owner removed the app at the network since then (SOC-09), which can’t be asked any more.
  if (network.connect.by === 'authorize' && connection.sealedTokens === null)
    return { kind: 'unknown', message: `${network.name} signed the account out.` }
  // A network that lists posts is asked for one with these files.
  const ending = await withMedia(publishing, sending, connection, (loaded) => reconcile(loaded))
  if (ending.kind !== 'failed') return ending
  const { code, message } = ending.failure
  return code === 'storage_unavailable' ? { kind: 'lost' } : { kind: 'unknown', message }
}

/** @returns false when the server stops meanwhile */
async function loadLinkImage({ linkPreview, stopping }: SendContext): Promise<boolean> {
  try {
    await linkPreview?.loadImage()
    return true
  } catch (error) {
    if (stopping.aborted) return false
    throw error
  }
}
