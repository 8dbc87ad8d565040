import { z } from 'zod'
import { nullIfHidden } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { ignoreInvalid } from '#lib/text.ts'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import type { QueuePageProps } from '#views/social/queue/props.ts'
import { MoveInQueue } from '#views/social/queue/move-in-queue.tsx'
import { QueuePage } from '#views/social/queue/queue.tsx'
import { queueHref } from '#views/social/queue/queue-days.ts'
import { dayKey } from '#views/social/posts/post-text.ts'
import { getBrand } from '../brands/brands.operations.tsx'
import { CalendarDay, Provider } from '../contract.ts'
import { askCurrentBrand, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { refusalOf } from '../http/refusal.ts'
import { placeOf, placeOfPost } from '../http/place.ts'
import { getPost } from '../posts/post.operations.tsx'
import { getPostFilterOptions } from '../posts/posts.operations.tsx'
import { getQueue } from './queue.operations.tsx'

export const queuePage = page({
  path: '/workspace/queue',
  permission: 'calendar:read',
  query: z.object({
    brandId: ignoreInvalid(Id),
    date: ignoreInvalid(CalendarDay),
    provider: ignoreInvalid(Provider),
    accountId: ignoreInvalid(Id),
  }),
  screen: 'post-list calendar',
  title: 'Queue',
  icon: 'calendar-clock',
  keywords: 'slots next free schedule plan order',
  load: async (call): Promise<Reply<QueuePageProps | NoBrandProps>> => {
    const current = await askCurrentBrand(call, 'calendar:read')
    const { brand } = current
    if (!brand) return replyWithoutBrand(current)
    const { date, provider, accountId } = call.input
    const place = { brandId: brand.id, date, provider, accountId }
    const [at, queue, options, details] = await Promise.all([
      placeOf(call, brand),
      call.ask(getQueue, { brandId: brand.id, from: date, provider, accountId }),
      // Without permission to read posts, there is nothing to filter by.
      call.ask(getPostFilterOptions, { brandId: brand.id }).catch(nullIfHidden),
      call.ask(getBrand, { id: brand.id }).catch(nullIfHidden),
    ])
    const noOptions = { providers: [], accounts: [], tags: [], campaigns: [], authors: [] }
    return reply(
      200,
      { place, at, queue, options: options ?? noOptions, brand: details },
      rememberBrand(call, brand.id),
    )
  },
  view: (data) => ('queue' in data ? <QueuePage {...data} /> : <NoBrand {...data} />),
})

/** Days before the post, and days in all, of which the slots are offered. */
const offered = { before: 7, days: 28 }

export const moveInQueuePage = page({
  path: '/workspace/queue/:id/move',
  permission: 'calendar:write',
  query: z.object({ id: Id }),
  title: 'Move post to a slot',
  load: async (call) => {
    const post = await call.ask(getPost, { id: call.input.id })
    const place = await placeOfPost(call, post)
    const date = dayKey(post.scheduledAt ?? place.now, place.zone)
    const before = Temporal.PlainDate.from(date).subtract({ days: offered.before }).toString()
    // A post can be scheduled for a later year than the days of a calendar.
    const from = CalendarDay.safeParse(before).data
    const queue = await call.ask(getQueue, { brandId: post.brandId, from, days: offered.days })
    const backHref = queueHref({ brandId: post.brandId, date })
    return reply(200, { post, place, queue, backHref }, rememberBrand(call, post.brandId))
  },
  view: (data, { context }) => <MoveInQueue {...data} problem={refusalOf(context)} />,
})
