import { operation } from '#lib/operation.ts'
import { defaultLimit } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { FeedFragment } from '#views/social/review/feed.tsx'
import { ReviewPanel } from '#views/social/review/review-panel.tsx'
import { Feed, PostReviews, Review } from '../contract.ts'
import { placeOfList } from '../http/place.ts'
import { loadDiscussions, loadPanel } from '../http/review-panel.ts'
import { PostAction } from '../posts/input.ts'
import { readFeed } from './feed.ts'
import { DecisionBody, FeedFilter, ListOfPost } from './input.ts'
import { personOf } from './present.ts'
import { namesOf, readReviews } from './read.ts'
import { requestReview } from './request.ts'
import { restoreText } from './restore-text.ts'
import { decideOnPosts } from './review-post.ts'

const pageOf = (id: string): string => `/workspace/posts/${id}`

export const getFeed = operation({
  route: 'GET /api/feed',
  summary: 'List posts in review',
  permission: 'posts:read',
  machine: true,
  input: FeedFilter,
  output: Feed,
  run: (call) => readFeed(call, call.input),
  view: async (feed, call) => {
    const { brandId, state, mine, cursor, limit } = call.input
    const filter = {
      brandId,
      state,
      mine: mine === true ? 'true' : undefined,
      cursor,
      limit: limit === defaultLimit ? undefined : limit,
    }
    const discussions = await loadDiscussions(call, feed)
    return (
      <FeedFragment feed={feed} discussions={discussions} place={await placeOfList(call, brandId)} filter={filter} />
    )
  },
})

export const listPostReviews = operation({
  route: 'GET /api/posts/:id/reviews',
  summary: 'List reviews of a post',
  permission: 'posts:read',
  machine: true,
  input: ListOfPost,
  output: PostReviews,
  problems: { test_key_not_allowed: 403 },
  run: (call) => readReviews(call, call.input),
  view: async (reviews, call) => (
    <ReviewPanel {...await loadPanel(call, reviews, await placeOfList(call, reviews.post.brandId))} />
  ),
  gone: () => <></>,
})

export const createPostReview = operation({
  route: 'POST /api/posts/:id/reviews',
  summary: 'Create a review of a post',
  permission: 'posts:review',
  transaction: false,
  input: DecisionBody,
  output: Review,
  creates: true,
  example: { decision: 'approve', comment: 'Good to go' },
  problems: {
    session_required: 403,
    test_key_not_allowed: 403,
    second_person_needed: 403,
    second_factor_needed: 403,
    version_conflict: 409,
    not_reviewable: 409,
    publishing_in_progress: 409,
    too_many_codes: 429,
  },
  run: async (call) => {
    const { review, plan } = await decideOnPosts(call, call.input)
    const names = await namesOf(call, [review])
    const toast = review.decision === 'approve' ? approvalToasts[plan ?? 'none'] : 'Changes requested'
    return reply(201, { ...review, by: personOf(review, names) }, { next: pageOf(review.postId), toast })
  },
  view: () => <></>,
})

const approvalToasts = {
  none: 'Approved',
  scheduled: 'Approved and scheduled',
  incomplete: 'Approved, but not scheduled: some parts of its thread have no time.',
  passed: 'Approved. Its planned time has passed, so it needs a new one.',
  refused: 'Approved, but not scheduled: its network doesn’t take it as it is.',
}

export const requestPostReview = operation({
  route: 'POST /api/posts/:id/review-requests',
  summary: 'Request a review of a post',
  permission: 'posts:write',
  machine: true,
  input: PostAction.pick({ id: true }),
  output: PostReviews,
  creates: true,
  problems: { test_key_not_allowed: 403, not_reviewable: 409, changes_requested: 409, publishing_in_progress: 409 },
  run: async (call) => {
    const { id, status } = await requestReview(call, call.input.id)
    const reviews = await readReviews(call, { id, limit: 20 })
    return reply(201, reviews, {
      next: pageOf(id),
      toast: status === 'scheduled' ? 'Already approved: scheduled' : 'Review requested',
    })
  },
  view: () => <></>,
})

export const restoreApprovedText = operation({
  route: 'POST /api/posts/:id/restore-approved-text',
  summary: 'Restore the approved text of a post',
  permission: 'posts:write',
  transaction: false,
  input: PostAction,
  output: PostReviews,
  problems: {
    test_key_not_allowed: 403,
    version_conflict: 409,
    not_reviewable: 409,
    no_approved_text: 409,
    publishing_in_progress: 409,
  },
  run: async (call) => {
    const { id, reviewState } = await restoreText(call, call.input)
    const reviews = await readReviews(call, { id, limit: 20 })
    const toast = reviewState === 'approved' ? 'Approved text restored' : 'Text restored. The post needs a review.'
    return reply(200, reviews, { next: pageOf(id), toast })
  },
  view: () => <></>,
})
