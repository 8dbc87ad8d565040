import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { counted, optionalField } from '#lib/text.ts'
import { mediaHref } from '#views/social/media/media-filters.tsx'
import { copyHref } from '#views/social/posts/composer-origin.tsx'
import { Media } from '../../contract.ts'
import { copyProblems, maxFilesAtOnce, withFileCopies } from './copy-files.ts'

export const copyMedia = operation({
  route: 'POST /api/media/copies',
  summary: 'Copy media files to another brand',
  permission: 'posts:write',
  machine: true,
  input: z.object({
    brandId: Id.describe('The brand whose library gets the copies.'),
    mediaIds: z.preprocess(
      (value) => (typeof value === 'string' ? value.split(',') : value),
      z
        .array(Id.toLowerCase())
        .min(1, 'Choose at least one file.')
        .max(maxFilesAtOnce, `Choose at most ${maxFilesAtOnce} files.`),
    ),
    postId: optionalField(Id).describe('A post that is copied with these files: a form continues in the composer.'),
  }),
  output: z.object({ items: z.array(Media) }).describe('In the order of `mediaIds`, each file once.'),
  creates: true,
  limit: 'uploads',
  // Files are read and written between its steps.
  transaction: false,
  // Below the 60 s after which a silent connection is closed.
  timeout: 55_000,
  problems: copyProblems,
  run: async (call) => {
    const { brandId, mediaIds, postId } = call.input
    const chosen = { brandId, ids: mediaIds, path: 'mediaIds' }
    const items = await withFileCopies(call, chosen, async (_, copies) => [...copies.values()])
    const next = postId
      ? `${copyHref(postId, brandId)}&files=${items.map(({ id }) => id).join(',')}`
      : mediaHref({ brandId })
    return reply(201, { items }, { next, toast: `${counted(items.length, 'file')} copied` })
  },
})
