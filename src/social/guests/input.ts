import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { Flag, lineText, nullableField, optionalField, plainText } from '#lib/text.ts'
import { Instant } from '#lib/time.ts'
import { Version } from '../posts/input.ts'
import { Rendition, ReviewDecision, ReviewLinkState } from '../contract.ts'

export const defaultDays = 7
export const maxDays = 90
const maxPosts = 100
const maxName = 80
const maxComment = 5_000

const lifetime = {
  expiresAt: optionalField(Instant).describe(`At most ${maxDays} days ahead.`),
  expiresInDays: optionalField(z.coerce.number('Must be a number.').int().min(1).max(maxDays)).describe(
    'Instead of `expiresAt`.',
  ),
}

const PostIds = z
  .array(Id)
  .min(1, 'Choose a post.')
  .max(maxPosts)
  .transform((ids) => [...new Set(ids)])

const GuestName = lineText(maxName).min(1, 'Enter a name.')

function isOneTime({ expiresAt, expiresInDays }: { expiresAt?: Date; expiresInDays?: number }): boolean {
  return expiresAt === undefined || expiresInDays === undefined
}

const oneTime = { path: ['expiresInDays'], message: 'Must not be sent together with expiresAt.' }

export const ReviewLinkDraft = z
  .object({
    brandId: Id,
    postIds: PostIds.describe('Posts of the brand. The guest sees these and no others.'),
    guestName: nullableField(GuestName).default(null).describe('Without it, the guest is asked once.'),
    canDecide: Flag.default(false).describe('API keys can only create links that can’t.'),
    ...lifetime,
  })
  .refine(isOneTime, oneTime)
export type ReviewLinkDraft = z.output<typeof ReviewLinkDraft>

export const ReviewLinkEdit = z
  .object({ id: Id, ...lifetime })
  .refine(({ expiresAt, expiresInDays }) => expiresAt !== undefined || expiresInDays !== undefined, {
    path: ['expiresAt'],
    message: 'Required, unless expiresInDays is sent.',
  })
  .refine(isOneTime, oneTime)
export type ReviewLinkEdit = z.output<typeof ReviewLinkEdit>

export const ReviewLinkFilter = z.object({
  ...paging,
  brandId: Id,
  postId: optionalField(Id).describe('Only links to this post.'),
  postIds: PostIds.optional().describe('Only links to one of these posts or more. Instead of `postId`.'),
  state: optionalField(ReviewLinkState),
})
export type ReviewLinkFilter = z.output<typeof ReviewLinkFilter>

export const LinkToken = z.string().regex(/^[\w-]{43}$/)

const Reviewed = z.object({
  id: Id,
  version: Version,
})

const Comment = plainText(maxComment).trim()

export const GuestNameInput = z.object({ token: LinkToken, name: GuestName })

export const GuestCommentInput = z.object({
  token: LinkToken,
  postId: Id,
  text: Comment.min(1, 'Enter a comment.'),
})
export type GuestCommentInput = z.output<typeof GuestCommentInput>

export const GuestDecisionInput = z.object({
  token: LinkToken,
  decision: ReviewDecision,
  comment: nullableField(Comment).default(null),
  posts: z
    .array(Reviewed)
    .min(1, 'Choose a post.')
    .max(maxPosts)
    .describe('With the versions that the guest saw: 409 when one was changed since. All get the decision, or none.'),
})
export type GuestDecisionInput = z.output<typeof GuestDecisionInput>

export const GuestFile = z.object({
  token: LinkToken,
  mediaId: Id,
  rendition: Rendition,
})
