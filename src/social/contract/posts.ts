import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'
import { LinkPreview, LinkPreviewImage } from './link-previews.ts'
import { PostLimits, Provider } from './networks.ts'
import { PostReviewState } from './review-state.ts'
import { Readiness } from './readiness.ts'
import { StoredZone } from './zones.ts'

export const PostStatus = z.enum(['draft', 'scheduled', 'published', 'failed'])
export type PostStatus = z.infer<typeof PostStatus>

export const PostMedia = z.object({ mediaId: Id, alt: z.string() })
export type PostMedia = z.output<typeof PostMedia>

/** The destination on the network: an account of the brand, a Page, a Group, an organization. */
export const Target = z
  .object({
    connectionId: Id.optional(),
    pageId: plainText(200).optional(),
    groupId: plainText(200).optional(),
    organizationId: plainText(200)
      .optional()
      .describe('A new post to `linkedin` with it becomes one to the connected `linkedin-page` of the organization.'),
    accountId: plainText(200).optional(),
    threadAccountId: plainText(200).optional(),
  })
  .strict()
export type Target = z.output<typeof Target>

export const VideoPrivacy = z.enum(['private', 'unlisted', 'public'], 'Must be private, unlisted or public.')

/** What a video on YouTube has besides its description, which is the text of the post. */
export const YouTubeOptions = z.object({
  title: z.string().nullable().describe('Null: the first line of the text.'),
  privacy: VideoPrivacy,
  tags: z.array(z.string()).describe('Shown to YouTube, unlike `tags` of the post.'),
  madeForKids: z.boolean(),
})
export type YouTubeOptions = z.output<typeof YouTubeOptions>

const Waiting = z.object({
  reason: z.enum([
    'thread_predecessor',
    'account_busy',
    'workspace_suspended',
    'identity_unavailable',
    'gateway_unavailable',
    'rate_window',
    'media_uploading',
    'media_processing',
    'paused',
    'approval_required',
  ]),
  /** The previous part of the thread. */
  postId: Id.optional(),
  /** When the rate limit of the network opens again, or the network is asked again. */
  until: z.iso.datetime().optional(),
  /** Of the files that were uploaded. */
  percent: z.int().min(0).max(100).optional(),
})

export const Post = z.object({
  id: Id,
  brandId: Id,
  provider: Provider,
  authorId: Id,
  text: z.string(),
  status: PostStatus,
  scheduledAt: Timestamp.nullable().describe(
    'Of a draft, the time that it is planned for: it isn’t published then unless it is scheduled.',
  ),
  timeZone: StoredZone.nullable(),
  groupId: Id.nullable(),
  threadId: Id.nullable(),
  position: z.int(),
  media: z.array(PostMedia),
  firstComment: z.string().nullable(),
  linkPreview: LinkPreview.nullable(),
  tags: z.array(z.string()),
  campaign: z.string().nullable(),
  target: Target.nullable(),
  youtube: YouTubeOptions.nullable().describe(
    'Of posts to YouTube. Null: a private video with the first line as its title.',
  ),
  platformPostId: z.string().nullable(),
  permalink: z.string().nullable(),
  publishedAt: Timestamp.nullable(),
  withdrawnAt: Timestamp.nullable(),
  failureCode: z.string().nullable(),
  failureMessage: z.string().nullable(),
  failedAt: Timestamp.nullable(),
  failureRetryable: z.boolean().nullable(),
  reviewState: PostReviewState,
  waitingFor: Waiting.nullable(),
  version: z.int(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Post = z.output<typeof Post>

/** Whether an account takes first comments. */
export const FirstComments = z
  .enum(['allowed', 'permission_missing', 'unavailable'])
  .describe(
    '`permission_missing`: connect the account again, with first comments. `unavailable`: Atrium can’t write any there.',
  )
export type FirstComments = z.output<typeof FirstComments>

export const FirstCommentState = z
  .enum(['pending', 'sending', 'published', 'failed', 'unknown'])
  .describe('`unknown`: we couldn’t confirm that it was written. Look at the post, then retry or confirm it.')

/** What became of the first comment of a published post. */
export const FirstCommentStatus = z.object({
  state: FirstCommentState,
  attempts: z.int().describe('Number of times it was sent.'),
  waitingFor: Waiting.nullable(),
  platformCommentId: z.string().nullable(),
  failureCode: z.string().nullable(),
  failureMessage: z.string().nullable(),
  failureRetryable: z.boolean().nullable(),
  settledAt: Timestamp.nullable().describe('When it was published or failed.'),
  can: z.object({ retry: z.boolean(), confirm: z.boolean() }),
})
export type FirstCommentStatus = z.output<typeof FirstCommentStatus>

/** What the caller can do with a post in its present state, by the names of the operations. */
const PostAbilities = z.object({
  update: z.boolean(),
  delete: z.boolean(),
  publishNow: z.boolean().describe('False while approvals are missing, as is `retry`.'),
  retry: z.boolean(),
  duplicate: z.boolean(),
  detach: z.boolean(),
  withdraw: z.boolean(),
  correct: z.boolean(),
})
export type PostAbilities = z.output<typeof PostAbilities>

export const ListedPost = Post.extend({
  brandName: z.string(),
  accountName: z
    .string()
    .nullable()
    .describe('The account that the post was published to, or would be published to. Null when none is connected.'),
  authorName: z.string().nullable().describe('Null when the author’s account was deleted.'),
  threadSize: z.int().nullable().describe('Number of posts in its thread.'),
  isDue: z
    .boolean()
    .describe(
      'Whether the scheduled time has passed. The post is then being published, unless `waitingFor` gives a reason.',
    ),
  firstCommentState: FirstCommentState.nullable().describe(
    'What became of its first comment. Null until the post is published, and without one.',
  ),
  readiness: Readiness.nullable().describe(
    'Whether it will be published at its time, by what is known now. Null unless the post is scheduled for later.',
  ),
  can: PostAbilities,
})
export type ListedPost = z.output<typeof ListedPost>

export const PostList = listOf(ListedPost).extend({ can: z.object({ create: z.boolean() }) })
export type PostList = z.output<typeof PostList>

const Count = z.int().describe('Up to 1,000: 1001 means that there are more.')

/** Posts by status. With a filter other than `from` and `to`, of the newest 10,000 posts; with `q`, of the newest 2,000. */
export const PostCounts = z.object({ draft: Count, scheduled: Count, published: Count, failed: Count })
export type PostCounts = z.output<typeof PostCounts>

/** What the posts of a brand can be filtered by: values of its newest 1,000 posts, and its accounts. */
export const PostFilterOptions = z.object({
  providers: z.array(Provider),
  accounts: z.array(z.object({ id: Id, provider: Provider, name: z.string() })),
  tags: z.array(z.string()),
  campaigns: z.array(z.string()),
  authors: z.array(z.object({ id: Id, name: z.string() })),
})
export type PostFilterOptions = z.output<typeof PostFilterOptions>

export const PostDetails = ListedPost.extend({
  approvals: z
    .object({ needed: z.int(), missing: z.int() })
    .describe('Approvals that the brand requires, and how many of them the post lacks before it can be scheduled.'),
  brandTimeZone: StoredZone,
  characters: z.int().describe('The length of the text, as counted by its network.'),
  limits: PostLimits.nullable(),
  firstComments: FirstComments,
  linkPreviewImage: LinkPreviewImage,
  correctionNote: z
    .string()
    .nullable()
    .describe('What readers see when the published post is corrected. Null where Atrium can’t correct posts.'),
  firstCommentStatus: FirstCommentStatus.nullable().describe(
    'Null until the post is published, and without a first comment.',
  ),
})
export type PostDetails = z.output<typeof PostDetails>

/** An account that a post can be published to: `provider` and `target` are those of a new post. */
export const PostTarget = z.object({
  provider: Provider,
  target: z.object({
    connectionId: Id,
    groupId: z.string().optional().describe('A Group within the account.'),
  }),
  accountName: z.string().describe('Of the account, or of the Group.'),
  warning: z.string().nullable().describe('Why posts to it are likely to fail, whatever they contain.'),
  firstComments: FirstComments,
  limits: PostLimits,
})
export type PostTarget = z.output<typeof PostTarget>

export const PostTargetList = listOf(PostTarget).extend({
  can: z.object({ connect: z.boolean().describe('Whether you can connect more accounts to the brand.') }),
})
export type PostTargetList = z.output<typeof PostTargetList>

/** One attempt to publish a post. */
export const Attempt = z.object({
  id: Id,
  number: z.int(),
  state: z.enum(['sending', 'published', 'failed', 'unknown', 'not_arrived']),
  events: z.array(z.object({ at: z.string(), what: z.string(), detail: z.string().optional() })),
  startedAt: Timestamp,
  settledAt: Timestamp.nullable(),
})
export type Attempt = z.output<typeof Attempt>

/** What became of one of several posts. */
export const BulkChange = z.object({
  id: Id,
  error: z
    .object({ code: z.string(), detail: z.string() })
    .nullable()
    .describe('Why the post didn’t change; null when it did.'),
})
export type BulkChange = z.output<typeof BulkChange>

export const BulkResult = z.object({ items: z.array(BulkChange), succeeded: z.int(), failed: z.int() })
export type BulkResult = z.output<typeof BulkResult>
