import { eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { limitsFor } from '../accounts/limits.ts'
import type { PostLimits } from '../contract.ts'
import { requireNetworkAccess } from '../access/test-keys.ts'
import { networkOf, plannedLimits } from '../networks/index.ts'
import type { Limits } from '../networks/network.ts'
import { brands, posts } from '../schema.ts'
import { explainAbsence } from '../access/tenant.ts'
import { countGraphemes } from '../networks/limits.ts'
import { abilitiesOf, type Abilities } from './abilities.ts'
import type { PostFilter } from './input.ts'
import { list } from './list.ts'
import { listedColumns, type PostListRow } from './listed-columns.ts'
import { brandOf, ownPost } from './posts.ts'

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'signal'>

/** One page of posts as `list` reads it, with names and what the caller can do. */
export async function listPresented(call: ReadCall, filter: PostFilter) {
  const [page, abilities] = await Promise.all([list(call.db, call.actor, filter, call.signal), abilitiesOf(call)])
  return {
    items: await withNames(call, page.items, abilities),
    nextCursor: page.nextCursor,
    can: { create: abilities.canWrite(filter.brandId) },
  }
}

/**
 * One post with names, its limits, and what the caller can do.
 * @throws {Problem} 404 when it is absent or another organization's, 403 as `requireReach`
 */
export async function getPresented(call: ReadCall, id: string) {
  const { db, actor } = call
  const [[post], abilities] = await Promise.all([
    db
      .select({ ...listedColumns, brandName: brands.name, brandTimeZone: brands.timeZone })
      .from(posts)
      .innerJoin(brands, eq(brands.id, posts.brandId))
      .where(ownPost(db, actor, id)),
    abilitiesOf(call),
  ])
  if (!post) throw await explainAbsence(db, actor, 'post', brandOf(db, id))
  requireNetworkAccess(actor, post.provider)
  const network = networkOf(post.provider)
  const [limits, [named]] = await Promise.all([
    network ? limitsFor(db, network, post) : plannedLimits(post.provider),
    withNames(call, [post], abilities),
  ])
  if (!named) throw new Error('A post has no names')
  return {
    ...named,
    characters: network ? network.count(post.text, limits ?? undefined) : countGraphemes(post.text),
    limits: limits && contractLimits(limits),
  }
}

/** Limits as the contract has them. */
export const contractLimits = ({ characters, media, urlCharacters, images }: Limits): PostLimits => ({
  characters,
  media,
  urlCharacters: urlCharacters ?? null,
  images: images ? { types: [...images.types], bytes: images.bytes } : null,
})

async function withNames<Row extends PostListRow>({ identity }: ReadCall, items: readonly Row[], abilities: Abilities) {
  const people = await identity.people([...new Set(items.map(({ authorId }) => authorId))])
  // Copies of rows cost as much as reading them.
  return items.map((post) =>
    Object.assign(post, { authorName: people.get(post.authorId)?.name ?? null, can: abilities.of(post) }),
  )
}
