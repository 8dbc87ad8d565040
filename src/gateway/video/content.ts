import { conflict, Problem, retryLater } from '#lib/errors.ts'
import { logFault } from '#lib/log/fault.ts'
import { takeLease, type Lease } from './lease.ts'
import type { VideoCall, VideoProvider } from './provider.ts'
import type { Progress, UploadSession } from './session.ts'
import { getUpload, progressColumns, sessionOf } from './uploads.ts'

/** Google’s chunks are multiples of it, except the last. */
const granule = 256 * 1024
/** What a request holds in memory. */
const chunkBytes = 16 * granule
/** Requests with bytes on one server, and of one organization. */
const maxSenders = { total: 32, perOrganization: 8 }
const pausesMs = [250, 1_000, 4_000]

const senders = new Map<string, number>()

interface Content {
  id: string
  /** Of the first byte in the file. */
  offset: number
  body: ReadableStream<Uint8Array>
  /** Of the body, when it was announced. */
  announced: number | null
}

/**
 * Passes the bytes on as they arrive. What the provider received before an interruption is kept. @throws {Problem} 404,
 * 409 for a wrong offset or a completed upload, 410, 413, 423, 429, 502, 503
 */
export async function receiveContent(call: VideoCall, provider: VideoProvider, content: Content): Promise<void> {
  const { id, offset, announced } = content
  const { organizationId } = provider.attribution
  const { state, length, videoId } = await getUpload(call.db, { organizationId, id })
  if (state === 'completed')
    throw conflict('upload_complete', 'This upload is complete. Get it to see its video.', { videoId })
  if (announced !== null && offset + announced > length) throw tooLong(length)
  const leave = enter(organizationId)
  try {
    const lease = await takeLease(call, id)
    try {
      await passOn(sessionOf(call, provider, lease.upload), lease, content)
    } finally {
      // It ends by itself.
      await lease.release().catch((error: unknown) => logFault(call.log, 'releasing an upload', error, { upload: id }))
    }
  } finally {
    leave()
  }
}

function enter(organizationId: string): () => void {
  const own = senders.get(organizationId) ?? 0
  const all = [...senders.values()].reduce((sum, count) => sum + count, 0)
  if (own >= maxSenders.perOrganization || all >= maxSenders.total)
    throw retryLater(503, 'uploads_busy', 'Too many videos are being uploaded. Continue this upload in 5 s.')
  senders.set(organizationId, own + 1)
  return () => {
    const left = (senders.get(organizationId) ?? 1) - 1
    if (left > 0) senders.set(organizationId, left)
    else senders.delete(organizationId)
  }
}

async function passOn(session: UploadSession, lease: Lease, { offset, body }: Content): Promise<void> {
  const { upload, record } = lease
  const { length } = upload
  if (upload.sentAt !== null || upload.state === 'finishing') {
    // A server that was killed can have sent more than it recorded.
    const progress = await session.probe()
    await record({ state: 'uploading', ...progressColumns(progress) })
    Object.assign(upload, progress)
    if (progress.video) return
  }
  if (offset !== upload.received) throw wrongOffset(upload.received)
  const buffer = new Uint8Array(Math.min(chunkBytes, length - offset))
  let at = offset
  let filled = 0
  /** @throws {Problem} when the provider has less than what it confirmed before */
  const flush = async (count: number) => {
    if (count === 0) return
    if (at + count === length) await record({ state: 'finishing' })
    const progress = await sendReliably(session, buffer.subarray(0, count), at)
    await record(progressColumns(progress))
    if (progress.received < at + count) throw wrongOffset(progress.received)
    buffer.copyWithin(0, count, filled)
    at += count
    filled -= count
  }
  const isLast = () => at + filled === length
  try {
    for await (const chunk of body) {
      if (at + filled + chunk.byteLength > length) throw tooLong(length)
      for (let from = 0; from < chunk.byteLength;) {
        const taken = chunk.subarray(from, from + buffer.byteLength - filled)
        buffer.set(taken, filled)
        filled += taken.byteLength
        from += taken.byteLength
        // The last chunk waits for the end of the body: a longer one would be wrong.
        if (filled === buffer.byteLength && !isLast()) await flush(filled)
      }
    }
  } catch (error) {
    if (!isLast() && !(error instanceof Problem && sentByProvider.has(error.code))) await flush(wholeGranules(filled))
    throw error
  }
  await flush(isLast() ? filled : wholeGranules(filled))
}

const wholeGranules = (bytes: number): number => bytes - (bytes % granule)

/** After these there is no use in sending the rest. */
const sentByProvider = new Set([
  'provider_failed',
  'provider_limited',
  'provider_refused',
  'provider_token_rejected',
  'provider_permission_missing',
  'upload_expired',
  'upload_locked',
  'upload_offset_mismatch',
  'body_too_large',
])

/** After a lost response, the provider is asked what it has, and gets the rest: never the same bytes as another video. */
async function sendReliably(session: UploadSession, bytes: Uint8Array<ArrayBuffer>, from: number): Promise<Progress> {
  const end = from + bytes.byteLength
  let at = from
  for (let failures = 0; ;) {
    const progress = await (
      failures === 0 ? session.send(bytes.subarray(at - from), at) : resend(session, bytes, from)
    ).catch((error: unknown) => {
      if (failures >= pausesMs.length || !isPassing(error)) throw error
      return null
    })
    if (progress && (progress.video || progress.received >= end || progress.received < from)) return progress
    if (progress && progress.received > at) {
      at = progress.received
      failures = 0
      continue
    }
    if (failures >= pausesMs.length) return progress ?? session.probe()
    await Bun.sleep(pausesMs[failures] ?? 0)
    failures += 1
  }
}

async function resend(session: UploadSession, bytes: Uint8Array<ArrayBuffer>, from: number): Promise<Progress> {
  const progress = await session.probe()
  const { received, video } = progress
  if (video || received < from || received >= from + bytes.byteLength) return progress
  return session.send(bytes.subarray(received - from), received)
}

const isPassing = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'provider_failed' || error.code === 'provider_limited')

const wrongOffset = (received: number): Problem =>
  conflict('upload_offset_mismatch', `The next byte is ${received}. Continue with offset=${received}.`, { received })

const tooLong = (length: number): Problem =>
  new Problem(
    413,
    'body_too_large',
    `This upload was started with a length of ${length} bytes. Send no more than that.`,
  )
