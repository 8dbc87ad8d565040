import { z } from 'zod'
import { invalid, notFound } from '#lib/errors.ts'
import { fileHeaders } from '#lib/file-headers.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply, stream } from '#lib/reply.ts'
import {
  chunkType,
  requireTus,
  tusHeaders,
  uploadLengthOf,
  uploadMetadataOf,
  uploadOffsetOf,
} from '#lib/request/tus.ts'
import { Upload } from '../contract.ts'
import { Alt, FileName } from '../media/input.ts'
import { append } from './append.ts'
import { maxUploadBytes } from './limits.ts'
import { fileName } from './parts.ts'
import * as uploads from './uploads.ts'

const headers = tusHeaders(maxUploadBytes)
const versions = { tus_version_unsupported: 412 } as const

const Bytes = z.union(
  [z.int().min(0), z.stringFormat('digits', /^\d{1,15}$/).transform(Number)],
  'Must be a number of bytes.',
)

const NewUpload = z.object({
  brandId: Id,
  length: Bytes.optional().describe('Length of the file in bytes. Required unless `Upload-Length` is sent.'),
  name: FileName.optional().describe('File name. Defaults to `filename` in `Upload-Metadata`.'),
  alt: Alt.optional(),
})

export const createUpload = operation({
  route: 'POST /api/uploads',
  summary: 'Create a resumable upload',
  permission: 'posts:write',
  input: NewUpload,
  output: Upload,
  creates: true,
  headers,
  limit: 'uploads',
  problems: { ...versions, upload_quota_exceeded: 409 },
  run: async (call) => {
    const { input, request } = call
    requireTus(request.headers)
    const length = uploadLengthOf(request.headers) ?? input.length
    if (length === undefined) throw invalid([{ path: 'Upload-Length', message: 'Send Upload-Length in bytes.' }])
    const metadata = request.headers.get('upload-metadata')
    const draft = { brandId: input.brandId, length, metadata, ...namesOf(request.headers, input) }
    const row = await uploads.create(call, draft)
    return reply(201, row, { headers: { Location: `/api/uploads/${row.id}`, ...progressOf(row) } })
  },
})

export const getUpload = operation({
  route: 'GET /api/uploads/:id',
  summary: 'Get an upload',
  permission: 'posts:read',
  input: z.object({ id: Id }),
  output: Upload,
  headers,
  problems: { ...versions, upload_expired: 410 },
  run: async ({ input, actor, db, request }) => {
    requireTus(request.headers)
    const row = await uploads.get(db, actor, input.id)
    const { metadata } = row
    return reply(200, row, { headers: { ...progressOf(row), ...(metadata && { 'Upload-Metadata': metadata }) } })
  },
})

export const appendToUpload = operation({
  route: 'PATCH /api/uploads/:id',
  summary: 'Append bytes to an upload',
  permission: 'posts:write',
  input: z.object({
    id: Id,
    offset: Bytes.optional().describe('Offset of the chunk in bytes. Required unless `Upload-Offset` is sent.'),
  }),
  output: z.null(),
  headers,
  body: { as: 'stream', limit: maxUploadBytes, type: chunkType },
  // The number of chunks is the client's choice.
  limit: 'ingestion',
  transaction: false,
  problems: {
    ...versions,
    upload_expired: 410,
    upload_complete: 409,
    upload_offset_mismatch: 409,
    too_many_upload_chunks: 409,
    upload_locked: 423,
    uploads_in_progress: 423,
    uploads_busy: 503,
    storage_unavailable: 503,
  },
  run: async (call) => {
    const { input, request, body } = call
    requireTus(request.headers)
    const offset = () => input.offset ?? uploadOffsetOf(request.headers)
    return reply(204, null, { headers: progressOf(await append(call, { id: input.id, offset, body })) })
  },
})

export const deleteUpload = operation({
  route: 'DELETE /api/uploads/:id',
  summary: 'Delete an upload',
  permission: 'posts:write',
  input: z.object({
    id: Id,
    media: z
      .union([z.boolean(), z.stringbool()], 'Must be true or false.')
      .default(false)
      .describe('Whether to delete the media file that a completed upload became, too.'),
  }),
  output: z.null(),
  headers,
  problems: { ...versions, upload_expired: 410, upload_locked: 423, media_in_use: 409 },
  run: async (call) => {
    requireTus(call.request.headers)
    await uploads.remove(call, call.input)
    return reply(204, null)
  },
})

export const getUploadFile = operation({
  route: 'GET /api/uploads/:id/file',
  summary: 'Download the file of a completed upload',
  permission: 'posts:read',
  input: z.object({ id: Id }),
  output: z.null(),
  streams: '*/*',
  ranges: true,
  problems: { upload_expired: 410, storage_unavailable: 503 },
  run: async ({ input, actor, db, storage }) => {
    const { brandId, fileId, mediaId, sha256, contentType } = await uploads.get(db, actor, input.id)
    const id = fileId ?? mediaId
    // An image in the library isn’t the file as it was sent.
    const file = id && !contentType?.startsWith('image/') && (await storage.read(fileName(brandId, id)))
    if (!file || !contentType) throw notFound('file')
    return stream({ ...file, etag: `"${sha256}"` }, contentType, { headers: fileHeaders })
  },
})

type Progress = Pick<uploads.UploadRow, 'received' | 'expiresAt'> & { length?: number }

/** The headers that tus defines. */
const progressOf = ({ received, length, expiresAt }: Progress): Record<string, string> => ({
  'Upload-Offset': String(received),
  ...(length !== undefined && { 'Upload-Length': String(length) }),
  ...(expiresAt && { 'Upload-Expires': expiresAt.toUTCString() }),
})

function namesOf(sent: Headers, input: z.output<typeof NewUpload>): { name: string; alt: string } {
  const metadata = uploadMetadataOf(sent)
  const Names = z.object({ filename: FileName.catch(''), alt: Alt.optional() })
  const parsed = Names.safeParse({
    filename: metadata.get('filename') ?? metadata.get('name'),
    alt: metadata.get('alt'),
  })
  if (!parsed.success)
    throw invalid(
      parsed.error.issues.map((issue) => ({ path: `Upload-Metadata.${issue.path.join('.')}`, message: issue.message })),
    )
  return { name: input.name ?? parsed.data.filename, alt: input.alt ?? parsed.data.alt ?? '' }
}
