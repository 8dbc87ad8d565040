import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { mediaHref } from '#views/social/media/media-filters.tsx'
import { Media } from '../../contract.ts'
import { cropImage } from './crop.ts'
import { MediaCrop } from './input.ts'

export const cropMedia = operation({
  route: 'POST /api/media/:id/crop',
  summary: 'Create a cropped or rotated copy of an image',
  permission: 'posts:write',
  machine: true,
  input: MediaCrop,
  output: Media,
  creates: true,
  limit: 'uploads',
  // Files are read and written between its steps.
  transaction: false,
  timeout: ({ config }) => config.IMAGE_WAIT_MS + 25_000,
  problems: {
    not_an_image: 409,
    upload_quota_exceeded: 409,
    too_many_uploads: 429,
    uploads_busy: 503,
    upload_interrupted: 503,
    storage_unavailable: 503,
  },
  run: async (call) => {
    const copy = await cropImage(call)
    const next = mediaHref({ brandId: copy.brandId }, { file: copy.id })
    return reply(201, copy, { next, toast: 'Copy saved' })
  },
})
