import type { Database } from '#lib/db.ts'
import { withSpan } from '#lib/telemetry.ts'
import type { Suspension } from '../prepare-attempt.ts'
import { createSendContext, type Publishing } from '../send-context.ts'
import { createPublishCall, reconcile, recordEvent, renewAhead, send, type Ending, type SendContext } from '../send.ts'
import type { Slot } from '../slots.ts'
import { getSuspension } from '../suspension.ts'
import type { CommentClaim } from './claim.ts'
import { mayHaveArrived } from './events.ts'
import { decideOnComment, type CommentCall, type CommentDecision } from './decide.ts'
import { failComment, leaveUnknown, postponeComment, settleComment } from './settle.ts'

/** Afterwards the claimed comment is written, failed, unknown or waiting, or another process continues. */
export async function writeComment(
  publishing: Publishing,
  { postId, brandId }: CommentClaim,
  slot: Slot,
): Promise<void> {
  const { database, observe } = publishing
  const suspension = await getSuspension(publishing, brandId)
  const decision = await database.transaction((tx) => decide(tx, publishing, postId, suspension))
  if (decision.kind !== 'send' && decision.kind !== 'reconcile') return
  if (decision.kind === 'send') observe('prepared', postId)
  const facts = { provider: decision.outgoing.provider, post: postId, attempt: decision.comment.attempts }
  const ending = await withSpan({ name: `${decision.kind} first comment`, facts }, () =>
    callNetwork(publishing, decision, slot),
  )
  if (ending.kind === 'lost') return
  observe('settling', postId)
  await database.transaction((tx) => settleComment(tx, publishing, decision, ending))
  observe('settled', postId)
}

/** Decides on a comment and applies the decision, in one transaction. */
async function decide(
  tx: Database,
  publishing: Publishing,
  postId: string,
  suspension: Suspension,
): Promise<CommentDecision> {
  const decision = await decideOnComment(tx, postId, publishing.owner, suspension)
  if (decision.kind === 'fail') await failComment(tx, publishing, postId, decision.failure)
  if (decision.kind === 'unknown') await leaveUnknown(tx, publishing, postId, decision.message)
  if (decision.kind === 'wait') await postponeComment(tx, publishing, postId, decision.waiting)
  if (decision.kind === 'send')
    await publishing.events.publish(tx, 'social.post', { brandId: decision.comment.brandId, postId })
  return decision
}

async function callNetwork(publishing: Publishing, decision: CommentCall, slot: Slot): Promise<Ending> {
  const { outgoing, network, connection, comment } = decision
  const sending = createSendContext(publishing, { outgoing, network, connection, prepared: null }, slot)
  if (decision.kind === 'send') {
    const written = comment.attempts > 1 ? await findWritten(sending) : null
    return written ?? send(sending)
  }
  recordEvent(sending, 'taken_over', 'The server that sent it stopped before it could record the result.')
  if (connection.sealedTokens === null && network.connect.by === 'authorize')
    return { kind: 'unknown', message: `${network.name} signed the account out.` }
  return reconcile(sending)
}

/** Before it is sent again: one that arrived although the network didn’t list it at first. */
async function findWritten(sending: SendContext): Promise<Ending | null> {
  const { attempt, network } = sending
  // Its comments can never be read: a person has looked at the post.
  if (network.retrySafety === 'never') return null
  if (attempt.events.some(mayHaveArrived)) {
    const ending = await reconcile(sending)
    return ending.kind === 'not_arrived' ? null : ending
  }
  await renewAhead(sending)
  if (!(await sending.hasLease())) return { kind: 'lost' }
  const answer = await network.readBack(createPublishCall(sending))
  if (answer.kind === 'unreadable') return answer.listsSame ? { kind: 'unknown', message: answer.message } : null
  const [receipt] = await sending.filterUnclaimed(answer.candidates)
  if (!receipt) return null
  recordEvent(sending, 'read_back', `Found: ${receipt.permalink}`)
  return { kind: 'published', receipt }
}
