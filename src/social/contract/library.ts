import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { Media } from './media.ts'
import { Provider } from './networks.ts'
import { PostStatus } from './posts.ts'

/** A file in the media library. */
export const ListedMedia = Media.extend({
  usedIn: z.int().describe('The number of posts that use it, up to 1,000.'),
  createdByName: z.string().nullable().describe('Null for a person whose account was deleted.'),
  unfit: z.array(Provider).describe('The networks of the brand’s accounts that don’t accept it.'),
})
export type ListedMedia = z.output<typeof ListedMedia>

export const MediaList = listOf(ListedMedia).extend({
  can: z.object({ upload: z.boolean() }).describe('The actions that you can perform on the listed media.'),
})
export type MediaList = z.output<typeof MediaList>

/** Whether a network accepts a file. */
export const MediaFit = z.object({
  provider: Provider,
  name: z.string(),
  connected: z.boolean().describe('Whether the brand has an account there.'),
  fits: z.boolean(),
  copy: z
    .object({ contentType: z.string(), bytes: z.int() })
    .nullable()
    .describe('The smaller copy that is published instead of the original.'),
  problem: z.string().nullable(),
})
export type MediaFit = z.output<typeof MediaFit>

export const MediaStorage = z.object({
  files: z.int().describe('The number of files of the organization.'),
  bytes: z.int().describe('Their size, with uploads in progress.'),
  limit: z.int().describe('Bytes that the organization can store.'),
})
export type MediaStorage = z.output<typeof MediaStorage>

/** A post that uses a file. */
export const MediaUse = z.object({
  id: Id,
  provider: Provider,
  status: PostStatus,
  text: z.string(),
  scheduledAt: Timestamp.nullable(),
  publishedAt: Timestamp.nullable(),
})
export type MediaUse = z.output<typeof MediaUse>

export const MediaTag = z.object({ tag: z.string(), files: z.int() })
export type MediaTag = z.output<typeof MediaTag>
