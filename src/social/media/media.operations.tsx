import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { notFound } from '#lib/errors.ts'
import { fileHeaders } from '#lib/file-headers.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream, type Stream } from '#lib/reply.ts'
import type { Actor } from '#lib/actor.ts'
import { FileTile } from '#views/social/media/files.tsx'
import { mediaHref } from '#views/social/media/media-filters.tsx'
import { Shots, shotsOfMedia } from '#views/social/posts/shots.tsx'
import { ListedMedia, Media, MediaList, type MediaType, type Rendition } from '../contract.ts'
import { cacheControlOf, extensionOf, propertiesOf, readFile } from './files.ts'
import { MediaCopy, MediaEdit, MediaFilter, MediaUpload, maxBytes } from './input.ts'
import { describeOne, list } from './library/list.ts'
import * as media from './media.ts'
import { processAgain } from './jobs/process-again.ts'
import { kindOf } from './signature.ts'
import { upload } from './upload.ts'

const fileHref = ({ brandId, id }: Pick<Media, 'brandId' | 'id'>): string => mediaHref({ brandId }, { file: id })

/** On the page that sent the request, with its filters. */
function openedHref({ request }: Pick<Call, 'request'>, file: Pick<Media, 'brandId' | 'id'>): string {
  const page = URL.parse(request.headers.get('hx-current-url') ?? '')
  if (page?.pathname !== '/workspace/media') return fileHref(file)
  page.searchParams.set('file', file.id)
  return page.pathname + page.search
}

export const uploadMedia = operation({
  route: 'POST /api/media',
  summary: 'Upload an image for posts',
  permission: 'posts:write',
  machine: true,
  input: MediaUpload,
  output: Media,
  creates: true,
  body: { as: 'file', limit: maxBytes },
  limit: 'uploads',
  // Files are written between its steps.
  transaction: false,
  // Below the 60 s after which a silent connection is closed.
  timeout: ({ config }) => config.IMAGE_WAIT_MS + 25_000,
  problems: {
    upload_quota_exceeded: 409,
    too_many_uploads: 429,
    uploads_busy: 503,
    upload_interrupted: 503,
    storage_unavailable: 503,
  },
  run: async (call) => {
    const row = await upload(call)
    return reply(201, row, { next: fileHref(row), toast: 'File added' })
  },
})

export const listMedia = operation({
  route: 'GET /api/media',
  summary: 'List media files',
  permission: 'posts:read',
  machine: true,
  input: MediaFilter,
  output: MediaList,
  problems: { too_many_searches: 429, search_busy: 503 },
  run: (call) => list(call, call.input),
  view: ({ items }) => <Shots images={shotsOfMedia(items)} />,
})

export const getMedia = operation({
  route: 'GET /api/media/:id',
  summary: 'Get a media file',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: ListedMedia,
  run: async (call) => describeOne(call, await media.get(call.db, call.actor, call.input.id)),
})

export const updateMedia = operation({
  route: 'PUT /api/media/:id',
  summary: 'Update a media file',
  permission: 'posts:write',
  machine: true,
  input: MediaEdit,
  output: ListedMedia,
  run: async (call) => {
    const file = await describeOne(call, await media.edit(call.db, call.actor, call.input))
    return reply(200, file, { next: fileHref(file), toast: 'Saved' })
  },
  view: (file, call) => <FileTile file={file} href={openedHref(call, file)} isOpened canSelect />,
})

/** For files that could not be read, videos that were uploaded while this server had no ffmpeg, and PDFs of older releases. */
export const retryMediaProcessing = operation({
  route: 'POST /api/media/:id/process',
  summary: 'Retry the processing of a media file',
  permission: 'posts:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Media,
  limit: 'uploads',
  run: async (call) => {
    const row = await processAgain(call, call.input.id)
    return reply(200, row, {
      next: fileHref(row),
      toast: row.status === 'processing' ? 'Processing started' : 'Already processed',
    })
  },
})

export const deleteMedia = operation({
  route: 'DELETE /api/media/:id',
  summary: 'Delete an unused media file',
  permission: 'posts:write',
  machine: true,
  input: z.object({ id: Id }),
  output: z.null(),
  problems: { media_in_use: 409, storage_unavailable: 503 },
  run: async (call) => {
    const { brandId } = await media.get(call.db, call.actor, call.input.id)
    await media.remove(call, call.input.id)
    return reply(204, null, { next: mediaHref({ brandId }), toast: 'File deleted' })
  },
})

export const getMediaFile = operation({
  route: 'GET /api/media/:id/file',
  summary: 'Download a media file',
  permission: 'posts:read',
  input: z.object({ id: Id }),
  output: z.null(),
  streams: '*/*',
  ranges: true,
  problems: { storage_unavailable: 503 },
  run: (call) => streamFile(call),
})

export const getMediaRendition = operation({
  route: 'GET /api/media/:id/file/:rendition',
  summary: 'Download a smaller copy of a media file',
  permission: 'posts:read',
  input: MediaCopy,
  output: z.null(),
  streams: '*/*',
  ranges: true,
  problems: { storage_unavailable: 503 },
  run: (call) => streamFile(call),
})

async function streamFile({
  db,
  actor,
  input,
  storage,
}: Call<{ id: string; rendition?: Rendition; sha256?: string }, Actor>): Promise<Stream> {
  const row = await media.get(db, actor, input.id)
  const variant = input.rendition ?? 'original'
  const facts = propertiesOf(row, variant)
  const file = facts && (await readFile(storage, row, variant))
  if (!file) throw notFound('file')
  const name = `${row.id}-${variant}.${extensionOf(facts.contentType)}`
  const body = { ...file, etag: `"${facts.sha256}-${variant}"` }
  const caching = { 'Cache-Control': cacheControlOf(row, variant, input.sha256 === facts.sha256) }
  return stream(body, facts.contentType, {
    headers: { ...fileHeaders, ...caching, 'Content-Disposition': `${placeOf(facts.contentType)}; filename="${name}"` },
  })
}

/** A browser shows no document in the sandbox that the headers of files ask for. */
const placeOf = (contentType: MediaType): string => (kindOf(contentType) === 'document' ? 'attachment' : 'inline')
