import { z } from 'zod'
import { exampleId, Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { counted } from '#lib/text.ts'
import { StorageMeter } from '#views/social/media/storage-meter.tsx'
import { KnownTags, MediaBulkProblems } from '#views/social/media/media-selection.tsx'
import * as brands from '../../brands/brands.ts'
import { BulkResult, MediaFit, MediaStorage, MediaTag, MediaUse } from '../../contract.ts'
import { MediaBulkChange } from '../input.ts'
import * as media from '../media.ts'
import { changeAll } from './bulk.ts'
import { listTags } from './tags.ts'
import { listFits } from './fits.ts'
import { readStorage } from './storage.ts'
import { listUses } from './usage.ts'

export const listMediaTags = operation({
  route: 'GET /api/media/tags',
  summary: 'List tags of media',
  permission: 'posts:read',
  machine: true,
  input: z.object({ brandId: Id }),
  output: listOf(MediaTag),
  run: async ({ input, actor, db }) => ({ items: await listTags(db, actor, input.brandId), nextCursor: null }),
  view: ({ items }) => <KnownTags tags={items} />,
})

export const listMediaUses = operation({
  route: 'GET /api/media/:id/posts',
  summary: 'List posts that use a file',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id, ...paging }),
  output: listOf(MediaUse),
  run: async ({ input, actor, db }) => {
    await media.get(db, actor, input.id)
    return listUses(db, actor, input)
  },
})

export const listMediaFits = operation({
  route: 'GET /api/media/:id/networks',
  summary: 'List whether networks accept a file',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id }),
  output: listOf(MediaFit),
  run: async ({ input, actor, db, config }) => {
    const row = await media.get(db, actor, input.id)
    return { items: await listFits(db, actor, config, row), nextCursor: null }
  },
})

export const getMediaStorage = operation({
  route: 'GET /api/media/storage',
  summary: 'Get the media storage of an organization',
  permission: 'posts:read',
  machine: true,
  input: z.object({ brandId: Id.describe('A brand of the organization.') }),
  output: MediaStorage,
  run: async ({ input, actor, db, config }) => {
    const { organizationId } = await brands.get(db, actor, input.brandId)
    return readStorage(db, config, organizationId)
  },
  view: (storage) => <StorageMeter {...storage} />,
})

export const changeMedia = operation({
  route: 'POST /api/media/bulk',
  summary: 'Change several files at once',
  permission: 'posts:write',
  machine: true,
  input: MediaBulkChange,
  output: BulkResult,
  example: { action: 'delete', ids: [exampleId] },
  run: async (call) => {
    const result = await changeAll(call, call.input)
    const { succeeded } = result
    const toast = succeeded > 0 ? `${counted(succeeded, 'file')} ${doneBy[call.input.action]}` : undefined
    return reply(200, result, { next: '/workspace/media', toast })
  },
  view: (result) => <MediaBulkProblems {...result} />,
})

const doneBy: Record<MediaBulkChange['action'], string> = { tag: 'tagged', untag: 'changed', delete: 'deleted' }
