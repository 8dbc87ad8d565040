import { readJson, mediaTypeOf } from '../api/body.ts'
import { invalidParameter, readParts } from '../api/query.ts'
import { videoParts, videoResource } from '../api/resources.ts'
import { checkVideo, parseVideo, toInput } from '../api/video-input.ts'
import { mediaBodyRequired } from '../api/writes.ts'
import type { Incoming, Perform, VideoEndpoint } from '../endpoint.ts'
import { badContent, invalidArgument, signupRequired, tooLarge, uploadLimitExceeded } from '../google-error.ts'
import { hasChannel, hasReachedUploadLimit, type Bearer } from '../token.ts'
import { readRelated } from './multipart.ts'
import { receiveBytes } from './receive-bytes.ts'
import { createSession, deleteSession } from './sessions.ts'
import { maxVideoBytes } from './sizes.ts'

const videoTypes = ['application/octet-stream', 'video/*']

export const insertVideo: VideoEndpoint = {
  method: 'POST',
  path: '/upload/youtube/v3/videos',
  scope: 'upload',
  cost: { bucket: 'videos.insert', units: 1 },
  kindOf: () => 'start',
  query: ['part', 'uploadType', 'autoLevels', 'stabilize', 'notifySubscribers'],
  prepare: async (incoming) => {
    const { bearer, query } = incoming
    requireUploader(bearer)
    const parts = readParts(query, videoParts)
    const uploadType = query.get('uploadType') ?? ''
    if (uploadType === 'resumable') return prepareResumable(incoming, parts)
    if (uploadType === 'multipart') return prepareMultipart(incoming, parts)
    throw invalidParameter('uploadType', uploadType)
  },
}

/** @throws {GoogleError} 401, 400 */
function requireUploader(bearer: Bearer): void {
  if (!hasChannel(bearer)) throw signupRequired()
  if (hasReachedUploadLimit(bearer)) throw uploadLimitExceeded()
}

function readMetadata(json: string, parts: readonly string[]) {
  const video = parseVideo(json)
  // A title is required, also when no part names it.
  checkVideo(video, [...parts, ...(video.snippet ? [] : ['snippet'])])
  return toInput(video)
}

async function prepareResumable({ db, bearer, request, now }: Incoming, parts: string[]): Promise<Perform> {
  const { headers } = request
  const declaredType = headers.get('x-upload-content-type')
  if (declaredType !== null) requireVideoType(declaredType)
  const length = readDeclaredLength(headers)
  const metadata = readMetadata(await readJson(request), parts)
  return async () => {
    const session = await createSession(db, bearer, { parts, metadata, contentType: declaredType, length, now: now() })
    const location = new URL(request.url)
    location.searchParams.set('upload_id', session.id)
    return new Response(null, {
      status: 200,
      headers: { Location: location.href, 'X-GUploader-UploadID': session.id, 'Cache-Control': 'no-store' },
    })
  }
}

/** @throws {GoogleError} 400, 413 */
function readDeclaredLength(headers: Headers): number | null {
  const declared = headers.get('x-upload-content-length')
  if (declared === null) return null
  if (!/^\d{1,15}$/.test(declared)) throw invalidArgument('Invalid value of X-Upload-Content-Length.')
  const length = Number(declared)
  if (length === 0) throw mediaBodyRequired()
  if (length > maxVideoBytes) throw tooLarge()
  return length
}

async function prepareMultipart(incoming: Incoming, parts: string[]): Promise<Perform> {
  const { db, state, bearer, request, now } = incoming
  const contentType = request.headers.get('content-type') ?? ''
  if (mediaTypeOf(contentType) !== 'multipart/related') throw badContent(contentType, ['multipart/related'])
  if (!request.body) throw mediaBodyRequired()
  const related = await readRelated(request.body, contentType)
  requireVideoType(related.mediaType)
  const metadata = readMetadata(related.metadata, parts)
  return async ({ chunkDelayMs = 0 }) => {
    const { mediaType } = related
    const session = await createSession(db, bearer, {
      parts,
      metadata,
      contentType: mediaType,
      length: null,
      now: now(),
    })
    const body = { chunks: related.media, first: 0, length: null, endsFile: true }
    const { video } = await receiveBytes({ db, hashes: state.hashes, now, delayMs: chunkDelayMs }, session, body)
    if (video) return Response.json(videoResource(video, parts, now()))
    await deleteSession(db, session.id)
    throw mediaBodyRequired()
  }
}

/** @throws {GoogleError} 400 */
export function requireVideoType(contentType: string): void {
  const type = mediaTypeOf(contentType)
  if (!/^video\/[\w.+-]+$/.test(type) && type !== 'application/octet-stream') throw badContent(type, videoTypes)
}
