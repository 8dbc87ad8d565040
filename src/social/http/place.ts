import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { databaseTime } from '#lib/db.ts'
import { dayKey, type Place } from '#views/social/posts/post-text.ts'
import type { PostsFilter } from '#views/social/posts/posts-filters.tsx'
import * as brands from '../brands/brands.ts'
import type { PostDetails } from '../contract.ts'

interface Brand {
  id: string
  name: string
  timeZone: string
}

/** By the database's clock: a server's own can be wrong. */
export async function placeOf({ db }: Pick<Call, 'db'>, { id, name, timeZone }: Brand): Promise<Place> {
  return { brand: { id, name }, zone: timeZone, now: await databaseTime(db) }
}

export const placeOfPost = (
  call: Pick<Call, 'db'>,
  {
    brandId: id,
    brandName: name,
    brandTimeZone: timeZone,
  }: Pick<PostDetails, 'brandId' | 'brandName' | 'brandTimeZone'>,
): Promise<Place> => placeOf(call, { id, name, timeZone })

/** UTC when the list is of no single brand. */
export const placeOfList = async (
  call: Pick<Call<unknown, Actor>, 'actor' | 'db'>,
  brandId: string | undefined,
): Promise<Place> =>
  placeOf(call, brandId ? await brands.get(call.db, call.actor, brandId) : { id: '', name: '', timeZone: 'UTC' })

interface InstantFilter extends Omit<PostsFilter, 'from' | 'to'> {
  from?: Date
  to?: Date
}

/** The filter of an operation as the page of posts has it: with days of the brand, both included. */
export async function pageFilterOf(
  call: Pick<Call<unknown, Actor>, 'actor' | 'db'>,
  { from, to, ...filter }: InstantFilter,
): Promise<PostsFilter> {
  if (!from && !to) return filter
  const { zone } = await placeOfList(call, filter.brandId)
  return {
    ...filter,
    from: from && dayKey(from, zone),
    to: to && dayKey(new Date(to.getTime() - 1), zone),
  }
}
