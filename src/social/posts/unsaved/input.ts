import { z } from 'zod'
import { optionalField } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { UnsavedContent } from '../../contract.ts'

export const UnsavedPostFilter = z.object({
  brandId: optionalField(Id),
  postId: optionalField(Id).describe('Lists the unsaved changes to this post.'),
})
export type UnsavedPostFilter = z.output<typeof UnsavedPostFilter>

export const UnsavedPostEdit = z
  .object({
    unsavedId: Id.describe('Chosen by the caller: a new UUID for new changes.'),
    brandId: Id,
    postId: Id.nullable().default(null),
    baseVersion: z.int32().min(1).nullable().default(null),
    content: UnsavedContent,
    version: z.int32().min(0).optional().describe('The version that the caller has read: 0 for new changes.'),
    personId: Id.optional().describe(
      'The person who typed it. The request is rejected if a different person is signed in.',
    ),
  })
  .refine(({ postId, baseVersion }) => postId === null || baseVersion !== null, {
    path: ['baseVersion'],
    message: 'Required with postId.',
  })
export type UnsavedPostEdit = z.output<typeof UnsavedPostEdit>
