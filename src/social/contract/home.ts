import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { Connection } from './accounts.ts'
import { Provider } from './networks.ts'
import { ListedPost } from './posts.ts'
import { ReviewPerson } from './reviews.ts'
import { StoredZone } from './zones.ts'

const DayAhead = z.object({
  day: z.iso.date(),
  posts: z.int().describe('Scheduled posts.'),
  providers: z.array(Provider).describe('Of these posts.'),
  freeSlots: z.int().describe('Queue slots without a scheduled post.'),
})
export type DayAhead = z.output<typeof DayAhead>

const RequestedChange = z.object({
  post: ListedPost,
  by: ReviewPerson,
  comment: z.string().nullable(),
  at: Timestamp,
})
export type RequestedChange = z.output<typeof RequestedChange>

const outcomes = { published: z.int(), failed: z.int() }

const RecentResults = z.object({
  ...outcomes,
  before: z.object(outcomes).describe('Of the 7 days before, until the same time of the day.'),
  days: z.array(z.object({ day: z.iso.date(), ...outcomes })).describe('The 7 days, today last.'),
  networks: z
    .array(z.object({ provider: Provider, ...outcomes, before: z.object(outcomes) }))
    .describe('Those with posts in one of the two periods.'),
})
export type RecentResults = z.output<typeof RecentResults>

/** How a brand is doing: its days are those of its time zone. */
export const SocialDashboard = z.object({
  brandId: Id,
  timeZone: StoredZone,
  day: z.iso.date().describe('Today.'),
  attention: z.object({
    failedPosts: z.array(ListedPost).describe('The newest 5.'),
    accounts: z
      .array(Connection)
      .nullable()
      .describe(
        'Up to 5 active accounts that have to be connected again or have a warning; null without `accounts:read`.',
      ),
    unreadyPosts: z
      .array(ListedPost)
      .describe('Up to 5 of the next 50 scheduled posts that won’t be published as they are.'),
    requestedChanges: z
      .array(RequestedChange)
      .nullable()
      .describe('The last 5 unpublished posts that a reviewer sent back; null without `posts:write`.'),
  }),
  today: z.array(ListedPost).describe('Up to 50 posts of today, by their time.'),
  week: z.array(DayAhead).describe('The 7 days after today.'),
  results: RecentResults.describe(
    'Posts of today and the 6 days before: published ones by when they were published, failed ones by when they were due.',
  ),
  published: z.array(ListedPost).describe('The 5 posts with the latest times that were published.'),
})
export type SocialDashboard = z.output<typeof SocialDashboard>
