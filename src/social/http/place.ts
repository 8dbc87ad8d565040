import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { databaseTime } from '#lib/db.ts'
import type { Place } from '#views/social/posts/post-text.ts'
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
