import type { PublishCall, PublishOutcome } from '../network.ts'
import { publish } from './publish.ts'

/** Later posts of a thread are comments, too, and are refused in words about threads. */
export async function publishFirstComment(call: PublishCall): Promise<PublishOutcome> {
  const outcome = await publish(call)
  return outcome.kind === 'refused' && outcome.code === 'reply_target_missing'
    ? { ...outcome, code: 'post_missing', message: 'The post is no longer on LinkedIn.' }
    : outcome
}
