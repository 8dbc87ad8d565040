import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { limitActor } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { databaseTime } from '#lib/db.ts'
import { forbidden } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { localDay, wallTime } from '#lib/time.ts'
import { HomeFragment } from '#views/social/home/home.tsx'
import { readPermissions } from '../access.ts'
import { listTroubled } from '../accounts/connections.ts'
import { describeAll } from '../accounts/details.ts'
import * as brands from '../brands/brands.ts'
import type { BrandRow } from '../brands/brands.ts'
import { SocialDashboard } from '../contract.ts'
import { placeOf } from '../http/place.ts'
import { readPostList } from '../posts/present.ts'
import { listRequestedChanges } from './requested-changes.ts'
import { readResults } from './results.ts'
import { readWeek } from './week.ts'

const slug = 'platform-socialize'
const shown = 5
/** Posts of a day, and of those that are looked at for problems. */
const looked = 50

export const getSocialDashboard = operation({
  route: 'GET /api/dashboard',
  summary: 'Get the dashboard of a brand',
  permission: 'dashboard:read',
  machine: true,
  input: z.object({ brandId: Id }),
  output: SocialDashboard,
  run: async (given) => {
    const serviceId = await given.identity.serviceId(slug)
    const reader = limitActor(given.actor, 'posts:read', serviceId)
    if (!reader) throw forbidden('posts:read')
    const call = { ...given, actor: reader }
    const brand = await brands.get(call.db, reader, call.input.brandId)
    const now = await databaseTime(call.db)
    const day = localDay(now, brand.timeZone)
    const [failed, scheduled, accounts, requestedChanges, today, published, week, results] = await Promise.all([
      readPostList(call, { brandId: brand.id, status: 'failed', limit: shown }),
      readPostList(call, { brandId: brand.id, status: 'scheduled', order: 'soonest', limit: looked }),
      listAccounts(call, brand),
      listRequestedChanges(call, { brandId: brand.id, limit: shown }),
      listToday(call, brand, day),
      readPostList(call, { brandId: brand.id, status: 'published', limit: shown }),
      readWeek(call.db, reader, brand, now),
      readResults(call.db, reader, brand, now),
    ])
    return {
      brandId: brand.id,
      timeZone: brand.timeZone,
      day,
      attention: {
        failedPosts: failed.items,
        accounts,
        unreadyPosts: scheduled.items.filter(({ readiness }) => readiness?.state === 'problem').slice(0, shown),
        requestedChanges,
      },
      today,
      week,
      results,
      published: published.items,
    }
  },
  view: async (dashboard, call) => {
    const brand = await brands.get(call.db, call.actor, dashboard.brandId)
    return <HomeFragment dashboard={dashboard} place={await placeOf(call, brand)} />
  },
})

/** By time. Drafts have none. */
async function listToday(call: Call<unknown, Actor>, brand: BrandRow, day: string) {
  const lists = await Promise.all(
    (['scheduled', 'published', 'failed'] as const).map((status) =>
      readPostList(call, { brandId: brand.id, status, order: 'soonest', limit: looked, ...rangeOf(day, brand) }),
    ),
  )
  return lists
    .flatMap(({ items }) => items)
    .toSorted((one, other) => timeOf(one) - timeOf(other))
    .slice(0, looked)
}

const timeOf = ({ scheduledAt, createdAt }: { scheduledAt: Date | null; createdAt: Date }): number =>
  (scheduledAt ?? createdAt).getTime()

/** Those that need a person; null without permission to read accounts. */
async function listAccounts(call: Call<unknown, Actor>, { id: brandId }: BrandRow) {
  const check = await readPermissions(call)
  if (!check('accounts:read', brandId)) return null
  const described = await describeAll(call, await listTroubled(call.db, call.actor, { brandId, limit: shown }))
  return described.filter(({ health, warning }) => health !== 'ok' || warning !== null)
}

function rangeOf(day: string, { timeZone }: BrandRow) {
  const startOf = (date: Temporal.PlainDate) => wallTime(`${date.toString()}T00:00`, timeZone)
  const today = Temporal.PlainDate.from(day)
  return { from: startOf(today), to: startOf(today.add({ days: 1 })) }
}
