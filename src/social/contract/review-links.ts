import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'
import { LinkPreview, LinkPreviewImage } from './link-previews.ts'
import { Provider } from './networks.ts'
import { MediaKind } from './media.ts'
import { PostMedia, PostStatus, YouTubeOptions } from './posts.ts'
import { StoredZone } from './zones.ts'
import { ReviewChange, ReviewDecision } from './reviews.ts'

export const ReviewLinkState = z.enum(['active', 'expired', 'revoked'])
export type ReviewLinkState = z.output<typeof ReviewLinkState>

/** At its address, a guest without an account reviews these posts, and no others. */
export const ReviewLink = z.object({
  id: Id,
  brandId: Id,
  postIds: z.array(Id),
  guestName: z.string().nullable().describe('Null until the guest enters it.'),
  canDecide: z.boolean().describe('Whether the guest can approve and request changes, not only comment.'),
  state: ReviewLinkState,
  createdBy: Id.describe('The link works as long as this person can review posts of the brand.'),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  revokedAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable().describe('To the hour. Null before the first use.'),
  requestedAt: Timestamp.nullable().describe('When the guest requested a new link, until this one is extended.'),
})
export type ReviewLink = z.output<typeof ReviewLink>

export const ReviewLinkList = listOf(ReviewLink)
export type ReviewLinkList = z.output<typeof ReviewLinkList>

export const NewReviewLink = ReviewLink.extend({
  url: z.string().optional().describe('The secret address. Only in the first response.'),
})
export type NewReviewLink = z.output<typeof NewReviewLink>

const GuestComment = z.object({
  id: Id,
  by: z.object({
    kind: z.enum(['you', 'guest', 'member']),
    name: z.string().nullable().describe('Null when the person’s account was deleted.'),
  }),
  text: z.string(),
  createdAt: Timestamp,
})
export type GuestComment = z.output<typeof GuestComment>

/** What differs from the content on which the guest decided last. */
const ChangedSince = z.object({
  decision: ReviewDecision,
  decidedAt: Timestamp,
  changes: z.array(ReviewChange),
})
export type ChangedSince = z.output<typeof ChangedSince>

const GuestMedia = PostMedia.extend({
  kind: MediaKind.nullable().describe('Null when the file was deleted.'),
  playable: z.boolean().describe('Whether its rendition `web` can be played.'),
})
export type GuestMedia = z.output<typeof GuestMedia>

export const GuestPost = z.object({
  id: Id,
  groupId: Id.nullable(),
  threadId: Id.nullable(),
  position: z.int(),
  version: z.int(),
  provider: Provider,
  account: z.string().nullable(),
  author: z.string().nullable(),
  status: PostStatus,
  text: z.string(),
  media: z.array(GuestMedia),
  firstComment: z.string().nullable(),
  linkPreview: LinkPreview.nullable(),
  linkPreviewImage: LinkPreviewImage,
  youtube: YouTubeOptions.nullable(),
  scheduledAt: Timestamp.nullable(),
  publishedAt: Timestamp.nullable(),
  permalink: z.string().nullable(),
  decision: z
    .object({ decision: ReviewDecision, comment: z.string().nullable(), decidedAt: Timestamp })
    .nullable()
    .describe('The guest’s own decision on the present content.'),
  changed: ChangedSince.nullable(),
  comments: z.array(GuestComment),
})
export type GuestPost = z.output<typeof GuestPost>

const about = {
  brand: z.object({
    id: Id,
    name: z.string(),
    timeZone: StoredZone,
    logoUrl: z.string().nullable().describe('On this server, with the token of the link.'),
  }),
  guestName: z.string().nullable().describe('Null until the guest enters it.'),
  invitedBy: z.string().nullable(),
  expiresAt: Timestamp,
}

export const OpenReview = z.object({
  state: z.literal('open'),
  ...about,
  canDecide: z.boolean(),
  posts: z.array(GuestPost),
})
export type OpenReview = z.output<typeof OpenReview>

export const ExpiredReview = z.object({
  state: z.literal('expired'),
  ...about,
  waiting: z.int().describe('Posts without a decision of the guest.'),
  requestedAt: Timestamp.nullable().describe('When a new link was requested.'),
})
export type ExpiredReview = z.output<typeof ExpiredReview>

export const GuestReview = z.discriminatedUnion('state', [OpenReview, ExpiredReview])
export type GuestReview = z.output<typeof GuestReview>
