import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

/** A person who has a post open in the composer. */
export const PostEditor = z.object({ personId: Id, name: z.string().nullable(), seenAt: Timestamp })
export type PostEditor = z.output<typeof PostEditor>

export const PostEditorList = listOf(PostEditor).extend({
  version: z.int().describe('The saved version of the post.'),
  savedAt: Timestamp,
  savedBy: z
    .object({ personId: Id, name: z.string().nullable() })
    .nullable()
    .describe('Who saved that version; null when the server did, for example by publishing it.'),
})
export type PostEditorList = z.output<typeof PostEditorList>
