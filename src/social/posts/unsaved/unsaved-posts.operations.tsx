import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { UnsavedPosts } from '#views/social/posts/unsaved-posts.tsx'
import { UnsavedPost, UnsavedPostList } from '../../contract.ts'
import { UnsavedPostEdit, UnsavedPostFilter } from './input.ts'
import * as unsaved from './unsaved-posts.ts'

const OfUnsavedPost = z.object({ unsavedId: Id })

export const listUnsavedPosts = operation({
  route: 'GET /api/unsaved-posts',
  summary: 'List unsaved posts',
  permission: 'posts:read',
  input: UnsavedPostFilter,
  output: UnsavedPostList,
  problems: { session_required: 403 },
  run: async ({ input, actor, db }) => ({ items: await unsaved.list(db, actor, input), nextCursor: null }),
  view: ({ items }) => <UnsavedPosts items={items} />,
})

export const getUnsavedPost = operation({
  route: 'GET /api/unsaved-posts/:unsavedId',
  summary: 'Get an unsaved post',
  permission: 'posts:read',
  input: OfUnsavedPost,
  output: UnsavedPost,
  problems: { session_required: 403 },
  run: ({ input, actor, db }) => unsaved.get(db, actor, input.unsavedId),
})

export const saveUnsavedPost = operation({
  route: 'PUT /api/unsaved-posts/:unsavedId',
  summary: 'Replace an unsaved post',
  permission: 'posts:write',
  input: UnsavedPostEdit,
  output: UnsavedPost,
  // Composers send it every few seconds, and only its author sees it.
  audit: false,
  problems: {
    session_required: 403,
    version_conflict: 409,
    other_person: 409,
    too_many_unsaved_posts: 409,
    unsaved_posts_too_large: 409,
  },
  run: (call) => unsaved.put(call, call.input),
})

export const deleteUnsavedPost = operation({
  route: 'DELETE /api/unsaved-posts/:unsavedId',
  summary: 'Delete an unsaved post',
  permission: 'posts:write',
  input: OfUnsavedPost,
  output: z.null(),
  audit: false,
  problems: { session_required: 403 },
  run: async (call) => {
    await unsaved.remove(call, call.input.unsavedId)
    return reply(204, null, { toast: 'Discarded', next: '/workspace/posts/new' })
  },
  view: () => <></>,
})
