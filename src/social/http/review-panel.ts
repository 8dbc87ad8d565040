import type { Call } from '#lib/call.ts'
import type { Place } from '#views/social/posts/post-text.ts'
import type { ReviewPanelProps } from '#views/social/review/review-panel.tsx'
import { discussionOf, pageOfComments, type Discussion } from '#views/social/review/discussion.ts'
import type { Feed, PostReviews } from '../contract.ts'
import { listPostComments } from '../review/comments.operations.tsx'

/** What is shown of the review of a post. */
export async function loadPanel(
  { ask, request }: Pick<Call, 'ask' | 'request'>,
  reviews: PostReviews,
  place: Place,
): Promise<ReviewPanelProps> {
  const { post } = reviews
  const discussion = discussionOf(await ask(listPostComments, { id: post.id, order: 'newest', limit: pageOfComments }))
  const isComposer = URL.parse(request.headers.get('hx-current-url') ?? '')?.pathname.endsWith('/edit') ?? false
  return { post, reviews, discussion, place, withStyles: isComposer }
}

/** The comments that aren’t resolved, by post. */
export async function loadDiscussions({ ask }: Pick<Call, 'ask'>, { items }: Feed): Promise<Map<string, Discussion>> {
  const commented = items.filter(({ comments }) => comments > 0)
  const open = { order: 'newest', resolved: false, limit: pageOfComments } as const
  const lists = await Promise.all(commented.map(({ post: { id } }) => ask(listPostComments, { id, ...open })))
  return new Map(lists.map((list) => [list.post.id, discussionOf(list, false)]))
}
