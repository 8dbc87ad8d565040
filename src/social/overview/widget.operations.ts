import { z } from 'zod'
import type { Actor, ServicePermission } from '#lib/actor.ts'
import { isPerson, limitActor } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { countMetric, pageAction, Widget, widgetText, type WidgetInput } from '#lib/widget.ts'
import { networkNames, postHref } from '#views/social/posts/post-text.ts'
import { decisionOn } from '../review/actions.ts'
import { countSentBack, countWaiting, listToReview, type PostToReview } from '../review/feed.ts'
import { readOverview, type OverviewPost } from './read-overview.ts'

const slug = 'platform-socialize'
const maxTitle = 120
const maxToReview = 2

export const getSocialWidget = operation({
  route: 'GET /api/widget',
  appTokens: true,
  summary: 'Get the social widget',
  permission: 'dashboard:read',
  input: z.object({}),
  output: Widget,
  problems: { not_found: 404 },
  run: async (call) => {
    const empty = { metrics: [], items: [], series: [], actions: [] }
    return {
      app: { slug, name: 'Social' },
      title: 'Social',
      generatedAt: call.now(),
      ...((await describePosts(call)) ?? empty),
    }
  },
})

/** Null without the permission to read posts. */
async function describePosts({ db, actor, identity, now }: Call<unknown, Actor>) {
  const serviceId = await identity.serviceId(slug)
  const reader = limitActor(actor, 'posts:read', serviceId)
  if (!reader) return null
  const reviewer = limitActor(actor, 'posts:review', serviceId)
  const writer = limitActor(reader, 'posts:write', serviceId)
  const [overview, waiting, toReview, sentBack] = await Promise.all([
    readOverview(db, reader, now()),
    reviewer ? countWaiting(db, reader) : 0,
    reviewer && isPerson(reviewer) ? listToReview(db, reviewer, maxToReview) : [],
    writer ? countSentBack(db, writer) : 0,
  ])
  const { brands, days, week, failed, published } = overview
  const [brand, ...others] = brands
  const only = brand && others.length === 0 ? brand.id : null
  const can = (permission: ServicePermission, action: WidgetInput['actions'][number]) =>
    limitActor(actor, permission, serviceId) ? [action] : []
  const list = (status: string) => `/workspace/posts?${only ? `brandId=${only}&` : ''}status=${status}`
  return {
    metrics: [
      countMetric('Due today', sum(week.filter(({ isToday }) => isToday)), list('scheduled')),
      countMetric('Published this week', published, list('published')),
      countMetric('Failed', failed, list('failed')),
      ...(waiting > 0 ? [countMetric('To review', waiting, `/workspace/feed${only ? `?brandId=${only}` : ''}`)] : []),
      ...(sentBack > 0
        ? [countMetric('Changes requested', sentBack, `/workspace/feed?${only ? `brandId=${only}&` : ''}show=all`)]
        : []),
    ],
    items: [...[...overview.failedPosts, ...overview.nextPosts].map(describePost), ...toReview.map(describeToReview)],
    series: [{ label: 'Scheduled', points: pointsOf(days, week) }],
    actions: brand
      ? can('posts:write', pageAction('New post', '/workspace/posts/new'))
      : can('brands:write', pageAction('Create your first brand', '/workspace/brands')),
  }
}

interface Day {
  day: string
  posts: number
}

const sum = (days: readonly Day[]): number => days.reduce((total, { posts }) => total + posts, 0)

type DescribedPost = Omit<OverviewPost, 'status' | 'at'> & { status: string; at: Date | null }

const describePost = (post: DescribedPost): WidgetInput['items'][number] => ({
  id: post.id,
  title: widgetText(post.text, maxTitle) || 'Post without text',
  subtitle: widgetText(`${networkNames[post.provider]} · ${post.brandName}`),
  at: post.at,
  status: post.status,
  href: postHref(post),
  icon: `net-${post.provider === 'linkedin-page' ? 'linkedin' : post.provider}`,
})

const describeToReview = (post: PostToReview): WidgetInput['items'][number] => ({
  ...describePost({ ...post, status: 'to_review' }),
  actions: [
    { label: 'Request changes', ...decisionOn(post.id, post.version, 'request_changes') },
    { label: 'Approve', ...decisionOn(post.id, post.version, 'approve') },
  ],
})

const pointsOf = (days: readonly string[], week: readonly Day[]) =>
  days.map((at) => ({ at, value: String(sum(week.filter(({ day }) => day === at))) }))
