import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { Flag, nullableField, optionalField, plainText } from '#lib/text.ts'
import { FeedState, ReviewDecision } from '../contract.ts'
import { maxPosts, Version } from '../posts/input.ts'

const Comment = plainText(5_000).trim()

export const DecisionBody = z.object({
  id: Id,
  decision: ReviewDecision,
  comment: optionalField(Comment).describe('Why. Shown in the history of the post.'),
  version: Version.describe('The version that you reviewed: 409 when the post was changed since.'),
  also: z
    .array(z.object({ id: Id, version: Version }))
    .max(maxPosts - 1)
    .default([])
    .describe('Other posts of the same submission or thread, which get the same decision.'),
  code: optionalField(plainText(64).trim()).describe(
    'From your authenticator app, or a recovery code: the owner confirms their own post when no one else can review it.',
  ),
})
export type DecisionBody = z.output<typeof DecisionBody>

export const CommentBody = z.object({
  id: Id,
  text: Comment.min(1, 'Enter a comment.').describe('Members are mentioned by `@` and their first name.'),
  quote: nullableField(plainText(1_000)).optional().describe('The part of the post that it is about.'),
  mentions: z.array(Id).max(10).default([]).describe('IDs of mentioned members, besides those named in the text.'),
})
export type CommentBody = z.output<typeof CommentBody>

export const CommentEdit = z.object({
  id: Id,
  commentId: Id,
  resolved: Flag,
})
export type CommentEdit = z.output<typeof CommentEdit>

export const MentionPrefix = z.object({
  id: Id,
  prefix: optionalField(plainText(100)).describe('How a name begins, with or without `@`.'),
})

export const ListOfPost = z.object({ id: Id, ...paging })

export const CommentFilter = ListOfPost.extend({
  order: optionalField(z.enum(['oldest', 'newest'])).describe('What comes first. Default: `oldest`.'),
  resolved: optionalField(Flag).describe('Only resolved comments, or only open ones.'),
})
export type CommentFilter = z.output<typeof CommentFilter>

export const FeedFilter = z.object({
  ...paging,
  brandId: optionalField(Id),
  state: optionalField(z.enum([...FeedState.options, 'all'])).describe('Default: `pending`.'),
  mine: optionalField(Flag).describe('Only posts that you can decide on and haven’t: not your own ones.'),
})
export type FeedFilter = z.output<typeof FeedFilter>
