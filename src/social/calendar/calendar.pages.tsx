import { z } from 'zod'
import { cookieName } from '#lib/cookies.ts'
import { nullIfHidden } from '#lib/errors.ts'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { page } from '#lib/page.ts'
import { reply, type Reply } from '#lib/reply.ts'
import { ignoreInvalid, plainText } from '#lib/text.ts'
import { NoBrand, type NoBrandProps } from '#views/social/brands/no-brand.tsx'
import { CalendarPage, type CalendarPageProps } from '#views/social/calendar/calendar.tsx'
import { calendarHref, calendarViews, rangeOf } from '#views/social/calendar/calendar-days.ts'
import { MovePost } from '#views/social/calendar/move-post.tsx'
import { dayKey } from '#views/social/posts/post-text.ts'
import { CalendarDay, HolidayCountry, holidayCountries, Provider } from '../contract.ts'
import { askCurrentBrand, rememberBrand, replyWithoutBrand } from '../http/current-brand.ts'
import { refusalOf } from '../http/refusal.ts'
import { placeOf, placeOfPost } from '../http/place.ts'
import { getPost } from '../posts/post.operations.tsx'
import { getPostFilterOptions } from '../posts/posts.operations.tsx'
import { getCalendar } from './calendar.operations.tsx'
import { listCalendarFeeds } from './feeds/feeds.operations.tsx'

const Query = z.object({
  brandId: ignoreInvalid(Id),
  view: ignoreInvalid(z.enum(calendarViews)),
  date: ignoreInvalid(CalendarDay),
  provider: ignoreInvalid(Provider),
  accountId: ignoreInvalid(Id),
  tag: ignoreInvalid(plainText(100).trim().min(1)),
  campaign: ignoreInvalid(plainText(200).min(1)),
  authorId: ignoreInvalid(Id),
  status: ignoreInvalid(z.enum(['scheduled', 'published', 'failed'])),
  country: ignoreInvalid(HolidayCountry),
})

export const calendarPage = page({
  path: '/workspace/calendar',
  permission: 'calendar:read',
  query: Query,
  screen: 'post-list calendar',
  title: 'Calendar',
  icon: 'calendar',
  keywords: 'month week agenda schedule plan holidays',
  load: async (call): Promise<Reply<CalendarPageProps | NoBrandProps>> => {
    const current = await askCurrentBrand(call, 'calendar:read')
    const { brand } = current
    if (!brand) return replyWithoutBrand(current)
    const at = await placeOf(call, brand)
    const { view, date, country: chosen, ...filter } = call.input
    const place = { ...filter, view, date, brandId: brand.id }
    const { days } = rangeOf(view ?? 'month', date ?? dayKey(at.now, at.zone))
    const [from = '', to = ''] = [days[0], days.at(-1)]
    const [calendar, options, feeds] = await Promise.all([
      call.ask(getCalendar, { ...filter, brandId: brand.id, from, to, country: chosen ?? rememberedCountry(call) }),
      // Without permission to read posts, there is nothing to filter by.
      call.ask(getPostFilterOptions, { brandId: brand.id }).catch(nullIfHidden),
      call.ask(listCalendarFeeds, { brandId: brand.id }),
    ])
    const data = {
      place,
      at,
      calendar,
      options: options ?? { providers: [], accounts: [], tags: [], campaigns: [], authors: [] },
      feeds: feeds.items,
      countries: holidayCountries,
      address: calendarHref(place),
    }
    const { cookies = [], ...rest } = rememberBrand(call, brand.id)
    const country = chosen ? [{ name: countryCookie, value: chosen, maxAge: yearInSeconds }] : []
    return reply(200, data, { ...rest, cookies: [...cookies, ...country] })
  },
  view: (data) => ('calendar' in data ? <CalendarPage {...data} /> : <NoBrand {...data} />),
})

/** Whose holidays a browser showed last. */
const countryCookie = 'holidays'
const yearInSeconds = 365 * 24 * 3600

function rememberedCountry({ request, config }: Call<unknown, Actor>): string | undefined {
  const isHttps = config.PUBLIC_URL?.startsWith('https:') ?? false
  const remembered = HolidayCountry.safeParse(request.cookies.get(cookieName(countryCookie, isHttps)))
  return remembered.success ? remembered.data : undefined
}

export const movePostPage = page({
  path: '/workspace/calendar/:id/move',
  permission: 'calendar:write',
  query: z.object({ id: Id, view: ignoreInvalid(z.enum(calendarViews)) }),
  title: 'Move post',
  load: async (call) => {
    const { id, view } = call.input
    const post = await call.ask(getPost, { id })
    const place = await placeOfPost(call, post)
    const date = dayKey(post.scheduledAt ?? place.now, place.zone)
    const backHref = calendarHref({ brandId: post.brandId, view, date })
    return reply(200, { post, place, backHref }, rememberBrand(call, post.brandId))
  },
  view: (data, { context }) => <MovePost {...data} problem={refusalOf(context)} />,
})
