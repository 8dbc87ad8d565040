import { isGatewayUnavailable, mayHaveReachedGateway } from '#gateway'
import { Problem } from '#lib/errors.ts'
import type {
  CorrectCall,
  CorrectionCheck,
  CorrectionOutcome,
  Corrections,
  Refusal,
  Removal,
  RemoveCall,
  Unauthorized,
  Unclear,
} from '../network.ts'
import { commentScope } from './comments.ts'
import { interpretProblem, name, reasonOf, refuse, userOf } from './gateway.ts'

// Both need `youtube.force-ssl`, which people grant when they let Atrium write first comments.

export const corrections: Corrections = {
  scope: commentScope,
  note: 'Readers see the new description. The title stays as it is.',
  correct,
  check,
}

async function correct(call: CorrectCall): Promise<CorrectionOutcome> {
  const { platformPostId: videoId, text: description, video } = call
  try {
    await video.client.updateDescription(await userOf(call), { videoId, description })
    return { kind: 'corrected' }
  } catch (error) {
    return interpretFailure(error)
  }
}

async function check(call: CorrectCall): Promise<CorrectionCheck> {
  try {
    const { description } = await call.video.client.getDescription(await userOf(call), call.platformPostId)
    return { kind: description.trim() === call.text.trim() ? 'corrected' : 'not_corrected' }
  } catch (error) {
    const outcome = interpretFailure(error)
    return outcome.kind === 'unauthorized' ? outcome : { kind: 'unreadable', message: outcome.message }
  }
}

/** A video that is gone is deleted. */
export async function remove(call: RemoveCall): Promise<Removal> {
  try {
    await call.video.client.deleteVideo(await userOf(call), call.platformPostId)
    return { kind: 'removed' }
  } catch (error) {
    return error instanceof Problem && error.code === 'not_found' ? { kind: 'removed' } : interpretFailure(error)
  }
}

const missingPermission = `${name} didn’t give Atrium the permission to change videos. Reconnect the account with first comments, or change the video in YouTube Studio.`

function interpretFailure(error: unknown): Refusal | Unauthorized | Unclear {
  if (!(error instanceof Problem)) return lost(`The connection to ${name} was lost before it responded.`)
  if (isGatewayUnavailable(error)) {
    const message = 'The provider gateway isn’t available.'
    return mayHaveReachedGateway(error) ? lost(message) : { ...refuse('provider_error', message), transient: true }
  }
  if (error.code === 'provider_permission_missing') return refuse('permission_missing', missingPermission)
  if (error.code === 'not_found') return refuse('post_missing', 'The video is no longer on YouTube.')
  if (reasonOf(error) === 'forbidden')
    return refuse('action_blocked', 'YouTube doesn’t let this channel change the video. Check it in YouTube Studio.')
  if (error.status >= 500) return lost(`${name} has a temporary fault.`)
  const outcome = interpretProblem(error)
  return outcome.kind === 'waiting' ? lost('The provider gateway isn’t available.') : outcome
}

const lost = (message: string): Unclear => ({ kind: 'unclear', code: 'answer_lost', message })
