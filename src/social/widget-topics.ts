import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { readPermissions } from './access.ts'
import { list } from './brands/brands.ts'

/** A live channel follows at most 50 topics. Posts of further brands are seen with the next refresh. */
const maxBrands = 40

/** Of the posts of the first brands by name. */
export async function widgetTopics({ db, identity }: Call, actor: Actor): Promise<string[]> {
  if (!actor.organization) return []
  const [brands, check] = await Promise.all([list(db, actor), readPermissions({ identity, actor })])
  return brands
    .filter(({ id }) => check('posts:read', id))
    .slice(0, maxBrands)
    .map(({ id }) => `posts:${id}`)
}
