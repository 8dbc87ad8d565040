import { z } from 'zod'
import { truncate } from '#lib/text.ts'
import { classifyStepFailure, uploadTimeoutMs } from '../http.ts'
import type { OutgoingMedia, PrepareCall, Preparation } from '../network.ts'
import { NotCreatedError, unexpectedResponse } from '../not-created.ts'
import { step } from './api.ts'

/** X takes 5 MB per request. */
const chunkBytes = 4 * 1024 * 1024
const maxAltCharacters = 1000

const Id = z.string().regex(/^\d{1,20}$/)
const Upload = z.object({
  data: z.object({
    id: Id,
    processing_info: z
      .object({
        state: z.string(),
        check_after_secs: z.number().min(0).max(600).catch(1),
        error: z.object({ message: z.string() }).optional().catch(undefined),
      })
      .optional(),
  }),
})

/** The files that X has, and the one that it is receiving. */
const Progress = z.object({
  ids: z.array(Id),
  current: z.object({ id: Id, sent: z.int(), isFinal: z.boolean() }).nullable(),
})
type Progress = z.output<typeof Progress>

const Prepared = z.object({ ids: z.array(Id) }).nullable()
export const readMediaIds = (prepared: unknown): string[] => Prepared.parse(prepared)?.ids ?? []

/** One file at a time, in chunks, of which only one is in memory. */
export async function prepare(call: PrepareCall): Promise<Preparation> {
  const progress: Progress = call.progress === null ? { ids: [], current: null } : Progress.parse(call.progress)
  const isContinued = progress.current !== null && !progress.current.isFinal
  try {
    for (const media of call.media.slice(progress.ids.length)) {
      const waitMs = await upload(call, media, progress)
      if (waitMs !== null) return { kind: 'processing', retryAfterMs: waitMs }
    }
    return { kind: 'ready', prepared: { ids: progress.ids } }
  } catch (error) {
    if (!(error instanceof NotCreatedError)) return classifyStepFailure('X', error)
    if (!isContinued || error.outcome.kind !== 'refused' || error.outcome.transient) return error.outcome
    // X no longer has the beginning of the file, or has received all of it.
    await call.save({ ...progress, current: null })
    return { ...error.outcome, transient: true }
  }
}

/** @returns null when it is done, or the time until X can be asked again. @throws NotCreatedError */
async function upload(call: PrepareCall, media: OutgoingMedia, progress: Progress): Promise<number | null> {
  progress.current ??= await initialize(call, media)
  const { current } = progress
  while (current.sent < media.size) {
    await append(call, media, current)
    current.sent = Math.min(current.sent + chunkBytes, media.size)
    if (media.size > chunkBytes) await call.save(progress, percentOf(call, progress))
  }
  const response = current.isFinal
    ? await step(call, `/2/media/upload?command=STATUS&media_id=${current.id}`, {})
    : await step(call, `/2/media/upload/${current.id}/finalize`, { method: 'POST' })
  const waitMs = readWait(await readUpload(response))
  if (waitMs !== null && !current.isFinal) {
    current.isFinal = true
    await call.save(progress, percentOf(call, progress))
  }
  if (waitMs !== null) return waitMs
  if (media.alt)
    await step(call, '/2/media/metadata', {
      method: 'POST',
      json: { id: current.id, metadata: { alt_text: { text: truncate(media.alt, maxAltCharacters) } } },
    })
  Object.assign(progress, { ids: [...progress.ids, current.id], current: null })
  return null
}

async function initialize(call: PrepareCall, { contentType, size }: OutgoingMedia) {
  const started = await step(call, '/2/media/upload/initialize', {
    method: 'POST',
    json: { media_type: contentType, media_category: categoryOf(contentType), total_bytes: size },
  })
  return { id: (await readUpload(started)).id, sent: 0, isFinal: false }
}

async function append(call: PrepareCall, media: OutgoingMedia, { id, sent }: { id: string; sent: number }) {
  const body = new FormData()
  body.set('segment_index', String(sent / chunkBytes))
  body.set('media', new Blob([await media.slice(sent, sent + chunkBytes)]), 'media')
  await step(call, `/2/media/upload/${id}/append`, { method: 'POST', body, timeoutMs: uploadTimeoutMs })
}

function percentOf({ media }: PrepareCall, { ids, current }: Progress): number {
  const sizes = media.map(({ size }) => size)
  const sum = (some: number[]) => some.reduce((total, size) => total + size, 0)
  return (100 * (sum(sizes.slice(0, ids.length)) + (current?.sent ?? 0))) / sum(sizes)
}

function categoryOf(contentType: string): string {
  if (contentType === 'image/gif') return 'tweet_gif'
  return contentType.startsWith('video/') ? 'tweet_video' : 'tweet_image'
}

/** Null when X has processed the file. @throws NotCreatedError */
function readWait({ processing_info: processing }: z.output<typeof Upload>['data']): number | null {
  if (!processing || processing.state === 'succeeded') return null
  if (processing.state === 'failed')
    throw new NotCreatedError({
      kind: 'refused',
      code: 'media_refused',
      message: `X couldn’t process a file of the post (${processing.error?.message ?? 'without a reason'}). Replace it.`,
      transient: false,
    })
  return processing.check_after_secs * 1000
}

async function readUpload(response: Response): Promise<z.output<typeof Upload>['data']> {
  const parsed = Upload.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw unexpectedResponse('X')
  return parsed.data.data
}
