import { z } from 'zod'
import type { Actor, ServicePermission } from '#lib/actor.ts'
import { limitActor } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { operation } from '#lib/operation.ts'
import { countMetric, pageAction, Widget, widgetText, type WidgetInput } from '#lib/widget.ts'
import { networkNames, postHref } from '#views/social/posts/post-text.ts'
import { readOverview, type OverviewPost } from './read-overview.ts'

const slug = 'platform-socialize'
const maxTitle = 120

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
  const overview = await readOverview(db, reader, now())
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
    ],
    items: [...overview.failedPosts, ...overview.nextPosts].map(describePost),
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

const describePost = (post: OverviewPost): WidgetInput['items'][number] => ({
  id: post.id,
  title: widgetText(post.text, maxTitle) || 'Post without text',
  subtitle: widgetText(`${networkNames[post.provider]} · ${post.brandName}`),
  at: post.at,
  status: post.status,
  href: postHref(post),
  icon: `net-${post.provider === 'linkedin-page' ? 'linkedin' : post.provider}`,
})

const pointsOf = (days: readonly string[], week: readonly Day[]) =>
  days.map((at) => ({ at, value: String(sum(week.filter(({ day }) => day === at))) }))
