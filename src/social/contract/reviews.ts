import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { ReviewPolicy } from './brands.ts'
import { LinkPreview } from './link-previews.ts'
import { ListedPost, PostMedia, Target, YouTubeOptions } from './posts.ts'

export { PostReviewState } from './review-state.ts'

export const ReviewDecision = z.enum(['approve', 'request_changes'], 'Must be approve or request_changes.')
export type ReviewDecision = z.output<typeof ReviewDecision>

export const ReviewVoidReason = z.enum(['edited', 'thread_changed', 'decided_again', 'revoked'])
export type ReviewVoidReason = z.output<typeof ReviewVoidReason>

/** The reviewed post. */
const ReviewedPost = z.object({ id: Id, brandId: Id, version: z.int() })

/** Who decided or wrote a comment. */
export const ReviewPerson = z.object({
  kind: z.enum(['user', 'guest']),
  userId: Id.nullable().describe('Null for a guest.'),
  name: z.string().nullable().describe('Null when the person’s account was deleted.'),
})
export type ReviewPerson = z.output<typeof ReviewPerson>

const ReviewedContent = z.object({
  provider: z.string(),
  text: z.string(),
  media: z.array(PostMedia),
  firstComment: z.string().nullable(),
  linkPreview: LinkPreview.nullable(),
  target: Target.nullable(),
  youtube: YouTubeOptions.nullable(),
})

export const Review = z.object({
  id: Id,
  postId: Id,
  by: ReviewPerson,
  decision: ReviewDecision,
  comment: z.string().nullable(),
  content: ReviewedContent.describe('What the post contained then.'),
  postVersion: z.int(),
  confirmedAlone: z
    .boolean()
    .describe('The owner approved their own post with a second factor, since no one else could.'),
  createdAt: Timestamp,
  voidedAt: Timestamp.nullable(),
  voidReason: ReviewVoidReason.nullable().describe(
    '`edited`: the content changed. `thread_changed`: a part of the thread was removed or restored. `decided_again`: by the same reviewer. `revoked`: the link of the guest was revoked, or the brand moved.',
  ),
})
export type Review = z.output<typeof Review>

export const FeedState = z.enum(['pending', 'approved', 'changes_requested'])
export type FeedState = z.output<typeof FeedState>

export const ReviewStatus = z.object({
  state: FeedState.nullable().describe(
    'Null when no review was requested and no one decided, and for a post that was published without a decision.',
  ),
  approvals: z.int().describe('Approvals of the present content that count.'),
  needed: z.int().describe('Approvals that the brand requires; 0 once the post is published.'),
  missing: z.int().describe('Approvals without which the post can’t be scheduled or published.'),
  since: Timestamp.nullable().describe('When it got this state.'),
  requestedBy: Id.nullable(),
  voidedAt: Timestamp.nullable().describe(
    'When a change of the post or its thread voided its latest approval; null when none was voided since.',
  ),
})
export type ReviewStatus = z.output<typeof ReviewStatus>

/** A part of a text, in the order of both texts. */
const ReviewedPart = z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() })

/** What differs from the content that was approved last. */
export const ReviewChange = z.object({
  field: z.enum(['text', 'media', 'firstComment', 'linkPreview', 'target', 'youtube']),
  before: z.string().nullable(),
  after: z.string().nullable(),
  parts: z.array(ReviewedPart).describe('The difference by words.'),
})
export type ReviewChange = z.output<typeof ReviewChange>

const ReviewAbilities = z.object({
  decide: z.boolean(),
  confirmAlone: z
    .boolean()
    .describe(
      'You own the organization and wrote or changed the post. Send `code` with your decision, which is refused while another member can review the post.',
    ),
  request: z.boolean(),
  restoreText: z.boolean().describe('Whether an edit changed texts that were approved, which you can restore.'),
  comment: z.boolean(),
})
export type ReviewAbilities = z.output<typeof ReviewAbilities>

const SharedWithGuests = z.boolean().describe('Whether guests with a link see the post and its comments.')

export const PostReviews = listOf(Review).extend({
  post: ReviewedPost,
  review: ReviewStatus,
  changes: z.array(ReviewChange),
  lastApproval: z.object({ by: ReviewPerson, at: Timestamp }).nullable(),
  sharedWithGuests: SharedWithGuests,
  can: ReviewAbilities,
})
export type PostReviews = z.output<typeof PostReviews>

export const PostComment = z.object({
  id: Id,
  postId: Id,
  by: ReviewPerson,
  text: z.string(),
  quote: z.string().nullable(),
  mentions: z.array(z.object({ userId: Id, name: z.string().nullable() })),
  createdAt: Timestamp,
  resolvedAt: Timestamp.nullable(),
})
export type PostComment = z.output<typeof PostComment>

export const PostCommentList = listOf(PostComment).extend({
  post: ReviewedPost,
  sharedWithGuests: SharedWithGuests,
  can: z.object({ comment: z.boolean() }),
})
export type PostCommentList = z.output<typeof PostCommentList>

const MentionSuggestion = z.object({
  userId: Id,
  name: z.string(),
  text: z.string().describe('What mentions the person in a comment, with its `@`.'),
})
export type MentionSuggestion = z.output<typeof MentionSuggestion>

export const MentionSuggestionList = z.object({ items: z.array(MentionSuggestion) })

export const FeedItem = z.object({
  post: ListedPost,
  review: ReviewStatus,
  changes: z.array(ReviewChange),
  lastApproval: z.object({ by: ReviewPerson, at: Timestamp }).nullable(),
  comments: z.int().describe('Comments that aren’t resolved.'),
  sharedWithGuests: SharedWithGuests,
  can: ReviewAbilities,
})
export type FeedItem = z.output<typeof FeedItem>

export const Feed = listOf(FeedItem).extend({
  policy: ReviewPolicy.nullable().describe('Of the brand; null without `brandId`.'),
  can: z.object({ updatePolicy: z.boolean() }),
  waiting: z.int().describe('Posts that need a review. Up to 1,000: 1001 means that there are more.'),
})
export type Feed = z.output<typeof Feed>
