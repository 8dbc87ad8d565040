import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { FirstCommentStatus } from '../contract.ts'
import { showChangedPost } from '../http/changed-post.tsx'
import { confirmComment, presentComment, retryComment } from './first-comments.ts'

const OfPost = z.object({ id: Id })

const shared = {
  permission: 'posts:write',
  machine: true,
  input: OfPost,
  output: FirstCommentStatus,
  problems: { test_key_not_allowed: 403, publishing_in_progress: 409, invalid_transition: 409, post_withdrawn: 409 },
} as const

export const retryFirstComment = operation({
  ...shared,
  route: 'POST /api/posts/:id/first-comment/retry',
  summary: 'Retry the first comment of a post',
  run: async (call) => {
    const comment = presentComment(await retryComment(call, call.input.id), { canWrite: true })
    return reply(200, comment, { next: `/workspace/posts/${call.input.id}`, toast: 'Retrying…' })
  },
  view: (_, call) => showChangedPost(call.input, call),
})

export const confirmFirstComment = operation({
  ...shared,
  route: 'POST /api/posts/:id/first-comment/confirm',
  summary: 'Mark a first comment as written',
  run: async (call) => {
    const comment = presentComment(await confirmComment(call, call.input.id), { canWrite: true })
    return reply(200, comment, { next: `/workspace/posts/${call.input.id}`, toast: 'Marked as written' })
  },
  view: (_, call) => showChangedPost(call.input, call),
})
