import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import * as brands from '../brands/brands.ts'
import { providers, type PostTargetList } from '../contract.ts'
import { readPermissions, testKeyNetwork } from '../access.ts'
import { isOffered, networkOf } from '../networks/index.ts'
import { limitsOf } from '../networks/limits.ts'
import { connections } from '../schema.ts'
import { contractLimits } from './present.ts'

/** @throws {Problem} 404 for a brand of another organization */
export async function listTargets(
  call: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'identity' | 'config'>,
  brandId: string,
): Promise<Omit<PostTargetList, 'nextCursor'>> {
  const { db, actor, config } = call
  await brands.get(db, actor, brandId)
  const check = await readPermissions(call)
  const can = { connect: check('accounts:write', brandId) }
  if (!check('posts:write', brandId)) return { items: [], can }
  const rows = await db
    .select()
    .from(connections)
    .where(and(eq(connections.brandId, brandId), eq(connections.active, true)))
    .orderBy(asc(connections.id))
  const inOrder = rows.toSorted((one, other) => providers.indexOf(one.provider) - providers.indexOf(other.provider))
  const items = inOrder.flatMap(({ id, provider, name, metadata }) => {
    const network = networkOf(provider)
    const inReach = isOffered(config, provider) && (!actor.credential.test || provider === testKeyNetwork)
    if (!network || !inReach) return []
    return [
      {
        provider,
        target: { connectionId: id },
        accountName: name,
        warning: network.warningOf?.(metadata) ?? null,
        limits: contractLimits(limitsOf(network, metadata)),
      },
    ]
  })
  return { items, can }
}
