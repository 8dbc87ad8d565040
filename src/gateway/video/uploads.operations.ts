import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { VideoUpload } from '../contract/video.ts'
import { receiveContent } from './content.ts'
import { NewVideo } from './input.ts'
import { videoProblems } from './problems.ts'
import { videoProvider } from './provider.ts'
import { describeUpload, getUpload, refreshUpload, startUpload } from './uploads.ts'

const callers = ['platform-socialize']

export const createVideoUpload = operation({
  route: 'POST /platform/youtube/videos',
  summary: 'Start the upload of a video',
  permission: 'service',
  callers,
  input: NewVideo,
  output: VideoUpload,
  creates: true,
  transaction: false,
  limit: null,
  timeout: 40_000,
  problems: videoProblems,
  run: async (call) => {
    const row = await startUpload(call, await videoProvider(call), call.input)
    return reply(201, describeUpload(row), { headers: { Location: `/platform/youtube/videos/${row.id}` } })
  },
})

export const getVideoUpload = operation({
  route: 'GET /platform/youtube/videos/:id',
  summary: 'Get where to continue an upload',
  permission: 'service',
  callers,
  input: z.object({ id: Id }),
  output: VideoUpload,
  transaction: false,
  limit: null,
  timeout: 40_000,
  problems: { ...videoProblems, upload_expired: 410 },
  run: async (call) => describeUpload(await refreshUpload(call, await videoProvider(call), call.input.id)),
})

/** A server accepts no longer body; a longer video is sent in several requests. */
const maxBodyBytes = 16 * 1024 ** 3

const Bytes = z.union(
  [z.int().min(0), z.stringFormat('digits', /^\d{1,15}$/).transform(Number)],
  'Must be a number of bytes.',
)

export const sendVideoContent = operation({
  route: 'PUT /platform/youtube/videos/:id/content',
  summary: 'Send bytes of a video',
  permission: 'service',
  callers,
  input: z.object({
    id: Id,
    offset: Bytes.default(0).describe('Where the bytes begin in the file: `received` of the upload.'),
  }),
  output: VideoUpload,
  body: { as: 'stream', limit: maxBodyBytes },
  transaction: false,
  audit: false,
  limit: null,
  problems: {
    ...videoProblems,
    upload_complete: 409,
    upload_offset_mismatch: 409,
    upload_expired: 410,
    upload_locked: 423,
    uploads_busy: 503,
  },
  run: async (call) => {
    const { input, request, body, db, context } = call
    // A chunk can take the provider longer than a silent connection is kept; a sender that is silent itself gets 408.
    context.keepOpen?.()
    const provider = await videoProvider(call)
    const length = request.headers.get('content-length')
    await receiveContent(call, provider, { ...input, body, announced: length === null ? null : Number(length) })
    return describeUpload(await getUpload(db, { organizationId: provider.attribution.organizationId, id: input.id }))
  },
})
