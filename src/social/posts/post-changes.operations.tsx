import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import { conflict } from '#lib/errors.ts'
import { exampleId, Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { comesFrom } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { BulkProblems } from '#views/social/posts/posts-selection.tsx'
import { BulkResult, Post } from '../contract.ts'
import { showChangedPost } from '../http/changed-post.tsx'
import { copyProblems } from '../media/copies/copy-files.ts'
import { afterComposing } from './after-composing.ts'
import { changeAll } from './bulk.ts'
import * as changes from './changes.ts'
import { compose } from './compose.ts'
import { editTogether } from './edit-together.ts'
import { copyTo, isElsewhere } from './copy-to.ts'
import { PostAction, PostBulkChange, PostCopy, PostDraft, PostEdit } from './input.ts'
import { restore } from './restore.ts'
import { addressOf, expecting, versioned } from './versioned.ts'
import { withdraw } from './withdraw.ts'

const changing = {
  test_key_not_allowed: 403,
  version_conflict: 409,
  invalid_transition: 409,
  publishing_in_progress: 409,
  approval_required: 409,
}

const requesting = { not_reviewable: 409, changes_requested: 409 }

const Created = z.union([
  Post,
  z.object({ groupId: Id, items: z.array(Post) }),
  z.object({ threadId: Id, items: z.array(Post) }),
])

export const createPost = operation({
  route: 'POST /api/posts',
  summary: 'Create a post or thread',
  permission: 'posts:write',
  machine: true,
  input: PostDraft,
  output: Created,
  creates: true,
  example: { brandId: exampleId, provider: 'sandbox', text: 'Hello' },
  problems: { test_key_not_allowed: 403, approval_required: 409 },
  run: async (call) => {
    const created = await compose(call, call.input)
    const after = await afterComposing(call, 'items' in created ? created.items : [created])
    const requested = call.input.requestReview ? { toast: 'Review requested' } : {}
    return reply(201, created, { ...requested, ...after })
  },
})

export const updatePost = operation({
  route: 'PUT /api/posts/:id',
  summary: 'Update a post',
  permission: 'posts:write',
  machine: true,
  ifMatch: true,
  input: PostEdit,
  output: Post,
  problems: { ...changing, published_immutable: 409, permalink_taken: 409, other_post_conflict: 409, ...requesting },
  run: async (call) => {
    const post = await editTogether(call, await expecting(call, call.input.id))
    const leavesPage = comesFrom(call, `${addressOf(post)}/edit`)
    return versioned(post, {
      toast: leavesPage || call.input.also?.length ? savedText(call.input, post) : toastOf(call.input),
      leavesPage,
    })
  },
  view: (post, call) => showChangedPost(post, call),
})

export const deletePost = operation({
  route: 'DELETE /api/posts/:id',
  summary: 'Delete an unpublished post',
  permission: 'posts:write',
  machine: true,
  ifMatch: true,
  input: PostAction,
  output: z.null(),
  problems: { ...changing, published_immutable: 409 },
  run: async (call) => {
    const post = await changes.remove(call, await expecting(call, call.input.id))
    const next = `/workspace/posts?brandId=${post.brandId}`
    const undo = { method: 'POST', href: `/api/posts/${post.id}/restore`, body: {} } as const
    return reply(204, null, { toast: 'Post deleted', undo, next, leavesPage: comesFrom(call, addressOf(post)) })
  },
  view: () => <></>,
})

export const restorePost = operation({
  route: 'POST /api/posts/:id/restore',
  summary: 'Restore a deleted post',
  permission: 'posts:write',
  machine: true,
  input: z.object({ id: Id }),
  output: Post,
  problems: { test_key_not_allowed: 403, restore_expired: 409 },
  run: async (call) => {
    const { post, wasScheduled } = await restore(call, call.input.id)
    const isLate = wasScheduled && post.status === 'draft'
    return versioned(post, {
      toast: isLate
        ? 'Restored as a draft, because its time has passed, an image was deleted, or it isn’t approved'
        : 'Post restored',
    })
  },
})

export const unschedulePost = operation({
  route: 'POST /api/posts/:id/unschedule',
  summary: 'Cancel the schedule of a post',
  permission: 'posts:write',
  machine: true,
  ifMatch: true,
  input: PostAction,
  output: Post,
  problems: changing,
  run: async (call) => {
    const { post, scheduledAt } = await changes.unschedule(call, await expecting(call, call.input.id))
    const body = { status: 'scheduled', scheduledAt: scheduledAt.toISOString(), version: post.version }
    const leavesPage = comesFrom(call, `${addressOf(post)}/edit`)
    return versioned(post, {
      toast: 'Unscheduled and moved to drafts',
      undo: { method: 'PUT', href: `/api/posts/${post.id}`, body },
      leavesPage,
    })
  },
  view: (post, call) => showChangedPost(post, call),
})

export const publishPostNow = operation({
  route: 'POST /api/posts/:id/publish-now',
  summary: 'Publish a post now',
  permission: 'posts:write',
  machine: true,
  ifMatch: true,
  input: PostAction,
  output: Post,
  problems: { ...changing, published_immutable: 409 },
  run: async (call) =>
    versioned(await changes.publishNow(call, await expecting(call, call.input.id)), { toast: 'Publishing…' }),
  view: (post, call) => showChangedPost(post, call),
})

export const duplicatePost = operation({
  route: 'POST /api/posts/:id/duplicate',
  summary: 'Duplicate a post',
  permission: 'posts:write',
  machine: true,
  input: PostCopy,
  output: Created,
  creates: true,
  limit: 'uploads',
  // Files are copied to another brand's library first.
  transaction: false,
  timeout: 55_000,
  problems: { test_key_not_allowed: 403, ...copyProblems },
  run: async (call) => {
    const copy = isElsewhere(call.input)
      ? await copyTo(call)
      : await auditedTransaction(call, (tx) => changes.duplicate({ ...call, db: tx }, call.input.id))
    const [first] = 'items' in copy ? copy.items : [copy]
    return reply(201, copy, { next: first && `${addressOf(first)}/edit` })
  },
})

export const retryPost = operation({
  route: 'POST /api/posts/:id/retry',
  summary: 'Retry a failed post',
  permission: 'posts:write',
  machine: true,
  ifMatch: true,
  input: PostAction,
  output: Post,
  problems: changing,
  run: async (call) =>
    versioned(await changes.retry(call, await expecting(call, call.input.id)), { toast: 'Retrying…' }),
  view: (post, call) => showChangedPost(post, call),
})

export const withdrawPost = operation({
  route: 'DELETE /api/posts/:id/publication',
  summary: 'Delete a published post from its network',
  permission: 'posts:write',
  machine: true,
  ifMatch: true,
  input: PostAction,
  output: Post,
  transaction: false,
  problems: {
    ...changing,
    not_published: 409,
    not_deletable: 409,
    connection_missing: 409,
    signed_out: 409,
    provider_refused: 502,
  },
  run: async (call) =>
    versioned(await withdraw(call, await expecting(call, call.input.id)), { toast: 'Deleted from the network' }),
  view: (post, call) => showChangedPost(post, call),
})

export const detachPost = operation({
  route: 'POST /api/posts/:id/detach',
  summary: 'Remove a post from its thread',
  permission: 'posts:write',
  machine: true,
  ifMatch: true,
  input: PostAction,
  output: Post,
  problems: { ...changing, not_in_thread: 409 },
  run: async (call) =>
    versioned(await changes.detach(call, await expecting(call, call.input.id)), { toast: 'Removed from the thread' }),
  view: (post, call) => showChangedPost(post, call),
})

export const changePosts = operation({
  route: 'POST /api/posts/bulk',
  summary: 'Change several posts at once',
  permission: 'posts:write',
  machine: true,
  input: PostBulkChange,
  output: BulkResult,
  example: { action: 'delete', ids: [exampleId] },
  problems: { restore_expired: 409, undo_expired: 409, test_key_not_allowed: 403 },
  run: async (call) => {
    const result = await changeAll(call, call.input)
    const { action } = call.input
    const [first] = result.items
    if (action === 'undo-unschedule' && result.succeeded === 0 && first?.error)
      throw conflict('undo_expired', first.error.detail)
    const undoes = undoing[action]
    const ids = result.items.filter(({ error }) => error === null).map(({ id }) => id)
    return reply(200, result, {
      next: '/workspace/posts',
      toast: ids.length > 0 ? describeBulk(action, ids.length) + leftText(action, result) : undefined,
      undo:
        undoes && ids.length > 0
          ? { method: 'POST', href: '/api/posts/bulk', body: { action: undoes, ids } }
          : undefined,
    })
  },
  view: (result) => <BulkProblems {...result} />,
})

const bulkWords: Record<PostBulkChange['action'], string> = {
  reschedule: 'rescheduled',
  'publish-now': 'will be published now',
  unschedule: 'moved to drafts',
  'undo-unschedule': 'scheduled again',
  delete: 'deleted',
  restore: 'restored',
}

/** The actions that undo others. */
const undoing: Partial<Record<PostBulkChange['action'], PostBulkChange['action']>> = {
  delete: 'restore',
  unschedule: 'undo-unschedule',
}

/** A toast's undo shows no other part of its result. */
const leftText = (action: PostBulkChange['action'], { items, failed }: BulkResult): string =>
  action === 'undo-unschedule' && failed > 0
    ? `. ${failed} not: ${items.find(({ error }) => error)?.error?.detail}`
    : ''

const describeBulk = (action: PostBulkChange['action'], count: number): string =>
  `${count === 1 ? '1 post' : `${count} posts`} ${bulkWords[action]}`

/** An approved post that gets a time with its request is scheduled at once. */
function savedText({ also = [], requestReview }: PostEdit, { status }: { status: string }): string {
  const requested = status === 'scheduled' ? ', and scheduled as it is already approved' : ', review requested'
  return `${also.length > 0 ? `${also.length + 1} posts saved` : 'Saved'}${requestReview ? requested : ''}`
}

const toastOf = ({ status, text, scheduledAt }: PostEdit): string =>
  status === 'draft' && scheduledAt
    ? 'Planned'
    : text !== undefined
      ? 'Saved'
      : status === 'draft'
        ? 'Moved to drafts'
        : status === 'scheduled'
          ? 'Scheduled'
          : 'Saved'
