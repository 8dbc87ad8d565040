import { createHash } from 'node:crypto'
import type { RequestKind } from '../contract.ts'
import type { VideoEndpoint } from '../endpoint.ts'
import { badContent, GoogleError } from '../google-error.ts'
import { isAudited } from '../token.ts'
import { maxThumbnailBytes } from '../upload/sizes.ts'
import { mediaTypeOf, readJson, readMedia } from './body.ts'
import { invalidParameter, missingParameter, readParts } from './query.ts'
import { thumbnailsOf, videoParts, videoResource } from './resources.ts'
import { deleteVideo, getOwnVideo, updateVideo } from './store.ts'
import { checkVideo, invalidMetadata, parseVideo, toInput } from './video-input.ts'

const write = { scope: 'manage', cost: { bucket: 'other', units: 50 }, kindOf: (): RequestKind => 'api' } as const

/** Replaces each part that `part` names: a property that is left out loses its value. */
export const changeVideo: VideoEndpoint = {
  ...write,
  method: 'PUT',
  path: '/youtube/v3/videos',
  query: ['part'],
  prepare: async ({ db, bearer, query, request, now }) => {
    const parts = readParts(query, videoParts)
    const body = parseVideo(await readJson(request))
    if (!body.id) throw missingParameter('id')
    if (parts.includes('snippet') && (!body.snippet?.title || !body.snippet.categoryId)) throw invalidMetadata()
    checkVideo(body, parts)
    const video = await getOwnVideo(db, body.id, bearer.account)
    const change = toInput(body)
    const { privacyStatus = video.metadata.status.privacyStatus } = change.status
    const status = { ...change.status, privacyStatus: isAudited(bearer.project) ? privacyStatus : 'private' }
    const metadata = {
      ...video.metadata,
      ...(parts.includes('snippet') && { snippet: change.snippet }),
      ...(parts.includes('status') && { status }),
      ...(parts.includes('recordingDetails') && { recordingDetails: change.recordingDetails }),
      ...(parts.includes('localizations') && { localizations: change.localizations }),
    }
    return async () => Response.json(videoResource(await updateVideo(db, video.id, { metadata }), parts, now()))
  },
}

export const removeVideo: VideoEndpoint = {
  ...write,
  method: 'DELETE',
  path: '/youtube/v3/videos',
  query: ['id'],
  prepare: async ({ db, bearer, query }) => {
    const { id } = await getOwnVideo(db, query.get('id') ?? '', bearer.account)
    return async () => {
      await deleteVideo(db, id)
      return new Response(null, { status: 204 })
    }
  },
}

const imageTypes = ['image/jpeg', 'image/png', 'application/octet-stream']

export const setThumbnail: VideoEndpoint = {
  ...write,
  scope: 'upload',
  method: 'POST',
  path: '/upload/youtube/v3/thumbnails/set',
  query: ['videoId', 'uploadType'],
  prepare: async ({ db, bearer, query, request }) => {
    const uploadType = query.get('uploadType') ?? ''
    if (uploadType !== 'media') throw invalidParameter('uploadType', uploadType)
    const type = mediaTypeOf(request.headers.get('content-type'))
    if (!imageTypes.includes(type)) throw badContent(type, imageTypes)
    const video = await getOwnVideo(db, query.get('videoId') ?? '', bearer.account)
    const bytes = await readMedia(request, maxThumbnailBytes)
    if (bytes.byteLength === 0) throw mediaBodyRequired()
    const thumbnail = { length: bytes.byteLength, sha256: createHash('sha256').update(bytes).digest('hex') }
    return async () => {
      await updateVideo(db, video.id, { thumbnail })
      return Response.json({ kind: 'youtube#thumbnailSetResponse', etag: '', items: [thumbnailsOf(video.id)] })
    }
  },
}

export const mediaBodyRequired = () =>
  new GoogleError(400, 'The request does not include the video content.', {
    reason: 'mediaBodyRequired',
    domain: 'youtube.video',
    location: 'body',
    locationType: 'other',
  })
