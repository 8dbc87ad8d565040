import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { requirePerson } from '#lib/authorize.ts'
import { conflict } from '#lib/errors.ts'
import { exampleId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { Comments, OlderComments } from '#views/social/review/comments.tsx'
import { discussionOf } from '#views/social/review/discussion.ts'
import { readPermissions } from '../access.ts'
import { MentionSuggestionList, PostComment, PostCommentList } from '../contract.ts'
import { placeOfList } from '../http/place.ts'
import { get } from '../posts/posts.ts'
import * as comments from './comments.ts'
import { CommentBody, CommentEdit, CommentFilter, MentionPrefix } from './input.ts'
import { findMentioned, suggestMentions } from './mentions.ts'
import { announceMentions } from './notices.ts'
import { presentComments, readComments } from './read.ts'

const pageOf = (id: string): string => `/workspace/posts/${id}`

export const listPostComments = operation({
  route: 'GET /api/posts/:id/comments',
  summary: 'List comments on a post',
  permission: 'posts:read',
  machine: true,
  input: CommentFilter,
  output: PostCommentList,
  problems: { test_key_not_allowed: 403 },
  run: (call) => readComments(call, call.input),
  view: async (list, call) => {
    const { post, sharedWithGuests, can } = list
    const { order, resolved, cursor } = call.input
    const place = await placeOfList(call, post.brandId)
    const shown = { postId: post.id, place, canComment: can.comment, sharedWithGuests }
    const discussion = order === 'newest' ? discussionOf(list, resolved) : { comments: list.items, older: null }
    return cursor && order === 'newest' ? (
      <OlderComments {...shown} {...discussion} />
    ) : (
      <Comments {...shown} {...discussion} />
    )
  },
})

export const listMentionSuggestions = operation({
  route: 'GET /api/posts/:id/mention-suggestions',
  summary: 'List members to mention in a comment',
  permission: 'posts:read',
  input: MentionPrefix,
  output: MentionSuggestionList,
  problems: { session_required: 403 },
  run: async (call) => {
    requirePerson(call.actor)
    const { id, prefix = '' } = call.input
    const { brandId } = await get(call.db, call.actor, id)
    const can = await readPermissions(call)
    // Who can't comment mentions no one.
    return { items: can('posts:review', brandId) ? await suggestMentions(call, { prefix, brandId }) : [] }
  },
})

export const createPostComment = operation({
  route: 'POST /api/posts/:id/comments',
  summary: 'Create a comment on a post',
  permission: 'posts:review',
  transaction: false,
  input: CommentBody,
  output: PostComment,
  creates: true,
  example: { id: exampleId, text: 'Please check the price @ben' },
  problems: { session_required: 403, test_key_not_allowed: 403, too_many_comments: 409 },
  run: async (call) => {
    requirePerson(call.actor)
    const { id, text, quote, mentions: ids } = call.input
    const { brandId } = await get(call.db, call.actor, id)
    const mentions = await findMentioned(call, { text, ids, brandId })
    const userId = call.actor.principal.id
    const authorName = (await call.identity.people([userId])).get(userId)?.name ?? 'A member'
    const comment = await auditedTransaction(call, async (tx) => {
      const post = await get(tx, call.actor, id)
      if ((await comments.countComments(tx, id)) >= comments.maxComments)
        throw conflict('too_many_comments', `A post can have at most ${comments.maxComments} comments.`)
      const added = await comments.addComment({ ...call, db: tx }, { kind: 'user', id: userId }, post, {
        text,
        quote: quote ?? null,
        mentions,
      })
      recordChange(tx, { object: 'comment', id: added.id, after: { postId: id, text, mentions } })
      await announceMentions(tx, { comment: added, post, authorName })
      return added
    })
    const [presented] = await presentComments(call, [comment])
    if (!presented) throw new Error('A comment was not presented')
    return reply(201, presented, { next: `${pageOf(id)}#review`, toast: 'Comment added' })
  },
  view: () => <></>,
})

export const updatePostComment = operation({
  route: 'PUT /api/posts/:id/comments/:commentId',
  summary: 'Update a comment on a post',
  permission: 'posts:review',
  input: CommentEdit,
  output: PostComment,
  example: { resolved: true },
  problems: { session_required: 403, test_key_not_allowed: 403 },
  run: async (call) => {
    requirePerson(call.actor)
    const { id, commentId, resolved } = call.input
    const post = await get(call.db, call.actor, id)
    const userId = call.actor.principal.id
    const { before, after } = await comments.resolveComment(call, post, { commentId, userId, resolved })
    const stateOf = ({ resolvedAt }: typeof after) => ({ postId: id, resolved: resolvedAt !== null })
    recordChange(call.db, { object: 'comment', id: commentId, before: stateOf(before), after: stateOf(after) })
    const [presented] = await presentComments(call, [after])
    if (!presented) throw new Error('A comment was not presented')
    return reply(200, presented, { next: `${pageOf(id)}#review`, toast: resolved ? 'Resolved' : 'Reopened' })
  },
  view: () => <></>,
})
