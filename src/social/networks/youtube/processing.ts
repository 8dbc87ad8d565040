import { Problem } from '#lib/errors.ts'
import { sanitizeText, truncate } from '#lib/text.ts'
import type { PublishCall, PublishedCall, PublishedCheck, PublishOutcome, Refusal } from '../network.ts'
import { interpretProblem, refuse, userOf } from './gateway.ts'
import { receiptOf } from './receipt.ts'

const pollMs = 1_000

/** At most until the call’s timeout: a long video takes YouTube longer, and has its page meanwhile. */
export async function waitUntilProcessed(call: PublishCall, platformPostId: string): Promise<PublishOutcome> {
  const published = { kind: 'published', ...receiptOf(platformPostId) } as const
  for (let wait = pollMs; ; wait *= 2) {
    const check = await checkPublished({ ...call, platformPostId })
    if (check.kind === 'refused') return check
    if (check.kind === 'shown') return { ...published, isShown: true }
    if (!call.signal.aborted) await Promise.race([Bun.sleep(wait), aborted(call.signal)])
    if (call.signal.aborted) return published
  }
}

const aborted = (signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}

/** A video that its owner has deleted has nothing left to process. */
export async function checkPublished(call: PublishedCall): Promise<PublishedCheck> {
  try {
    const { state, reason } = await call.video.client.getState(await userOf(call), call.platformPostId)
    if (state === 'failed' || state === 'rejected') return failedVideo(reason)
    return { kind: state === 'uploaded' ? 'processing' : 'shown' }
  } catch (error) {
    if (error instanceof Problem && error.code === 'not_found') return { kind: 'shown' }
    const outcome = interpretProblem(error)
    return outcome.kind === 'unauthorized' ? outcome : { kind: 'processing' }
  }
}

const failureSentences: Readonly<Record<string, string>> = {
  duplicate: 'The channel has this video already. Delete one of them, or choose another file.',
  length: 'It is longer than YouTube allows this channel. Verify the channel, or choose a shorter one.',
  uploaderAccountSuspended: 'The account is suspended. Check its status in YouTube Studio.',
  uploaderAccountClosed: 'The account was closed.',
  copyright: 'It claims a copyright in it. See YouTube Studio.',
  claim: 'It claims a copyright in it. See YouTube Studio.',
}

/** What YouTube says of a video that it took and doesn’t show. */
const failedVideo = (reason: string | null): Refusal =>
  refuse(
    'media_refused',
    `YouTube didn’t process the video. ${
      failureSentences[reason ?? ''] ??
      `Its reason: ${truncate(sanitizeText(reason ?? 'none'), 100)}. Replace the file, and delete the video in YouTube Studio.`
    }`,
  )
