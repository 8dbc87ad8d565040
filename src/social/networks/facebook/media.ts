import { z } from 'zod'
import { truncate } from '#lib/text.ts'
import { step } from '../graph/api.ts'
import { GraphId } from '../graph/containers.ts'
import { interpretRefusal } from '../graph/refusal.ts'
import { classifyStepFailure, uploadTimeoutMs } from '../http.ts'
import type { OutgoingMedia, PrepareCall, Preparation } from '../network.ts'
import { NotCreatedError, requestStep, unexpectedResponse } from '../not-created.ts'
import { accessTokenOf } from '../oauth.ts'
import { api, placeOf } from './api.ts'
import { nameWithdrawal } from './groups.ts'

const chunkBytes = 8 * 1024 * 1024
const maxAltCharacters = 1000

const UploadId = z.string().regex(/^upload:[\w=.?&%:-]{1,500}$/)
const Progress = z.object({
  photos: z.array(z.string().regex(/^\d{1,30}$/)),
  upload: z.object({ id: UploadId, sent: z.int() }).nullable(),
  handle: z.string().nullable(),
})
type Progress = z.output<typeof Progress>
const Prepared = z.object({ photos: z.array(z.string()), handle: z.string().nullable() }).nullable()

/** Unpublished photos, or the handle of an uploaded video. */
export const readFiles = (prepared: unknown) => Prepared.parse(prepared) ?? { photos: [], handle: null }

export async function prepare(call: PrepareCall): Promise<Preparation> {
  const progress: Progress =
    call.progress === null ? { photos: [], upload: null, handle: null } : Progress.parse(call.progress)
  try {
    const [first] = call.media
    if (first?.contentType.startsWith('video/')) await uploadVideo(call, first, progress)
    else
      for (const photo of call.media.slice(progress.photos.length)) {
        progress.photos.push(await uploadPhoto(call, photo))
        await call.save(progress, (100 * progress.photos.length) / call.media.length)
      }
    return { kind: 'ready', prepared: { photos: progress.photos, handle: progress.handle } }
  } catch (error) {
    return error instanceof NotCreatedError
      ? nameWithdrawal(call.account.metadata, error.outcome)
      : classifyStepFailure(api.name, error)
  }
}

async function uploadPhoto(call: PrepareCall, { url, alt }: OutgoingMedia): Promise<string> {
  const form = {
    url,
    published: 'false',
    ...(alt && { alt_text_custom: truncate(alt, maxAltCharacters) }),
  }
  const path = `/${placeOf(call.account.metadata).id}/photos`
  const photo = GraphId.safeParse(await step(api, call, path, { method: 'POST', form }))
  if (!photo.success) throw unexpectedResponse(api.name)
  return photo.data.id
}

const Started = z.object({ id: UploadId })
const Offset = z.object({ file_offset: z.int() })
const Appended = z.union([z.object({ h: z.string().max(4000) }), Offset])
const StoredApp = z.object({ clientId: z.string() })

/** After an interruption it continues where Facebook is. @throws NotCreatedError */
async function uploadVideo(call: PrepareCall, file: OutgoingMedia, progress: Progress): Promise<void> {
  const isContinued = progress.upload !== null
  progress.upload ??= await startUpload(call, file)
  if (isContinued) progress.upload.sent = await readOffset(call, progress.upload.id)
  while (progress.handle === null) {
    const end = Math.min(progress.upload.sent + chunkBytes, file.size)
    const appended = await append(call, file, progress.upload, end)
    if ('h' in appended) progress.handle = appended.h
    else if (appended.file_offset <= progress.upload.sent) throw unexpectedResponse(api.name)
    else progress.upload.sent = appended.file_offset
    await call.save(progress, (100 * end) / file.size)
  }
}

async function startUpload(call: PrepareCall, { contentType, size }: OutgoingMedia) {
  const { clientId } = StoredApp.parse(call.account.tokens)
  const form = { file_name: 'video.mp4', file_length: String(size), file_type: typeOf(contentType) }
  const started = Started.safeParse(await step(api, call, `/${clientId}/uploads`, { method: 'POST', form }))
  if (!started.success) throw unexpectedResponse(api.name)
  return { id: started.data.id, sent: 0 }
}

/** The upload takes no other type; Facebook recognizes the file by itself. */
const typeOf = (contentType: string): string => (contentType === 'video/quicktime' ? 'video/mp4' : contentType)

async function readOffset(call: PrepareCall, id: string): Promise<number> {
  const offset = Offset.safeParse(await step(api, call, `/${id}`))
  if (!offset.success) throw unexpectedResponse(api.name)
  return offset.data.file_offset
}

async function append(
  { account, outside, signal }: PrepareCall,
  file: OutgoingMedia,
  { id, sent }: { id: string; sent: number },
  end: number,
): Promise<z.output<typeof Appended>> {
  const body = await file.slice(sent, end)
  const headers = { authorization: `OAuth ${accessTokenOf(account.tokens)}`, file_offset: String(sent) }
  const response = await requestStep(api.name, () =>
    outside.fetch(outside.at(`${api.origin}/${id}`), {
      method: 'POST',
      headers,
      body,
      signal,
      timeoutMs: uploadTimeoutMs,
    }),
  )
  if (response.ok) {
    const appended = Appended.safeParse(await response.json().catch(() => null))
    if (appended.success) return appended.data
    throw unexpectedResponse(api.name)
  }
  const outcome = await interpretRefusal(api.name, response)
  throw new NotCreatedError(outcome.kind === 'unclear' ? { ...outcome, kind: 'refused', transient: true } : outcome)
}
