import { z } from 'zod'
import type {
  OutgoingMedia,
  Preparation,
  PrepareCall,
  PublishCall,
  PublishOutcome,
  Refusal,
  Unclear,
} from '../network.ts'
import { hasEnded, interpretProblem, mayBeComplete, offsetIn, refuse, userOf } from './gateway.ts'
import { waitUntilProcessed } from './processing.ts'
import { wordsOf } from './words.ts'

/** What the gateway passes on at a time. */
const chunkBytes = 4 * 1024 * 1024

const Progress = z.object({ uploadId: z.string(), received: z.int() })
const Prepared = z.object({ uploadId: z.string() })
export const uploadOf = (prepared: unknown): z.output<typeof Prepared> | null =>
  Prepared.safeParse(prepared).data ?? null

/** A video is there as soon as YouTube has all of it: everything but the last part is sent before. */
export async function prepare(call: PrepareCall): Promise<Preparation> {
  const [file] = call.media
  if (!file) return refuse('media_missing', 'YouTube needs a video. Add one.')
  try {
    const progress = call.progress === null ? await start(call, file) : Progress.parse(call.progress)
    while (file.size - progress.received > chunkBytes) {
      const received = await sendPart(call, file, progress)
      if (received === progress.received) return noProgress
      progress.received = received
      await call.save(progress, (100 * progress.received) / file.size)
    }
    return { kind: 'ready', prepared: { uploadId: progress.uploadId } }
  } catch (error) {
    if (!hasEnded(error)) return interpretProblem(error)
    await call.save(null)
    return { kind: 'refused', code: 'provider_error', message: 'YouTube ended the upload.', transient: true }
  }
}

const noProgress: Refusal = {
  kind: 'refused',
  code: 'provider_error',
  message: 'YouTube takes no more of the video.',
  transient: true,
}

async function start(call: PrepareCall, { contentType, size: length }: OutgoingMedia) {
  const { id: uploadId } = await call.video.client.startUpload(await userOf(call), {
    ...wordsOf(call),
    contentType,
    length,
  })
  const progress = { uploadId, received: 0 }
  await call.save(progress, 0)
  return progress
}

/** @returns how much YouTube has then */
async function sendPart(
  call: PrepareCall,
  file: OutgoingMedia,
  { uploadId: id, received: offset }: z.output<typeof Progress>,
): Promise<number> {
  const bytes = await file.slice(offset, offset + chunkBytes)
  try {
    return (await call.video.client.sendContent(await userOf(call), { id, offset, bytes })).received
  } catch (error) {
    const received = offsetIn(error)
    // What is beyond can only be the last part, which publishes.
    if (received === null || file.size - received <= 0) throw error
    return received
  }
}

/** Sends what YouTube doesn’t have yet. */
export async function publish(call: PublishCall): Promise<PublishOutcome> {
  const [file] = call.media
  const upload = uploadOf(call.prepared)
  if (!file || !upload) return refuse('media_missing', 'YouTube needs a video. Add one.')
  const found = await askUpload(call, upload.uploadId)
  if ('kind' in found) return found
  const sent = found.video ? found : await sendRest(call, file, { id: upload.uploadId, received: found.received })
  if ('kind' in sent) return sent
  return sent.video ? waitUntilProcessed(call, sent.video.id) : unclear('YouTube is still receiving the video.')
}

async function askUpload(call: PublishCall, id: string) {
  try {
    const upload = await call.video.client.getUpload(await userOf(call), id)
    return upload.isReceiving ? unclear('YouTube is still receiving the video.') : upload
  } catch (error) {
    return hasEnded(error) ? endedUpload(mayBeComplete(error)) : interpretProblem(error)
  }
}

async function sendRest(call: PublishCall, file: OutgoingMedia, { id, received }: { id: string; received: number }) {
  try {
    for (let offset = received; ;) {
      const bytes = await file.slice(offset, offset + chunkBytes)
      const sent = await call.video.client.sendContent(await userOf(call), { id, offset, bytes })
      if (sent.video || sent.received <= offset) return sent
      offset = sent.received
    }
  } catch (error) {
    if (hasEnded(error)) return endedUpload(mayBeComplete(error))
    const outcome = interpretProblem(error)
    const isUnclear = outcome.kind === 'waiting' || (outcome.kind === 'refused' && outcome.code === 'provider_error')
    return isUnclear ? unclear('The connection to YouTube was lost before it responded.') : outcome
  }
}

const unclear = (message: string): Unclear => ({ kind: 'unclear', code: 'answer_lost', message })

const endedUpload = (isPerhapsComplete: boolean): Unclear | Refusal =>
  isPerhapsComplete
    ? unclear('YouTube no longer has the upload.')
    : refuse('upload_expired', 'YouTube ended the upload before it was complete. Retry: it begins again.')
