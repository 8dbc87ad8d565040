import type { PublishCall, ReadBack } from '../network.ts'
import { hasEnded, interpretProblem, mayBeComplete, userOf } from './gateway.ts'
import { receiptOf } from './receipt.ts'
import { uploadOf } from './upload.ts'
import { wordsOf } from './words.ts'

/** YouTube’s clock can be behind ours. */
const clockMs = 5 * 60_000

/** The upload says what became of it. When YouTube no longer has it, the channel’s newest videos do. */
export async function readBack(call: PublishCall): Promise<ReadBack> {
  const upload = uploadOf(call.prepared)
  // A preparation expires, but its upload can have become a video before.
  if (!upload) return searchChannel(call)
  try {
    const { video, isReceiving } = await call.video.client.getUpload(await userOf(call), upload.uploadId)
    if (video) return { kind: 'read', candidates: [receiptOf(video.id)] }
    if (isReceiving) return { kind: 'unreadable', message: 'YouTube is still receiving the video.', final: false }
    return { kind: 'read', candidates: [] }
  } catch (error) {
    if (!hasEnded(error)) return unreadable(error)
    return mayBeComplete(error) ? searchChannel(call) : { kind: 'read', candidates: [] }
  }
}

async function searchChannel(call: PublishCall): Promise<ReadBack> {
  const { title, description } = wordsOf(call)
  const since = call.startedAt.getTime() - clockMs
  try {
    const videos = await call.video.client.listRecent(await userOf(call))
    const same = videos.filter(
      (video) =>
        video.title === title &&
        video.description.trim() === description.trim() &&
        Date.parse(video.publishedAt) >= since,
    )
    return { kind: 'read', candidates: same.map(({ id }) => receiptOf(id)).toReversed() }
  } catch (error) {
    return unreadable(error)
  }
}

function unreadable(error: unknown): ReadBack {
  const outcome = interpretProblem(error)
  if (outcome.kind === 'waiting')
    return { kind: 'unreadable', message: 'The provider gateway isn’t available.', final: false }
  return { kind: 'unreadable', message: outcome.message, final: outcome.kind === 'unauthorized' }
}
