import { and, asc, eq } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import * as brands from '../brands/brands.ts'
import { providers, type PostTargetList } from '../contract.ts'
import { readPermissions, testKeyNetwork } from '../access.ts'
import { groupsWithin } from '../networks/account-places.ts'
import { isOffered, networkOf } from '../networks/index.ts'
import { commentsOf, limitsOf } from '../networks/limits.ts'
import type { Metadata } from '../networks/network.ts'
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
  const groupsListed = new Set<string>()
  const items = inOrder.flatMap((account) => {
    const { id, provider, name, metadata } = account
    const network = networkOf(provider)
    const inReach = isOffered(config, provider) && (!actor.credential.test || provider === testKeyNetwork)
    if (!network || !inReach) return []
    const limits = contractLimits(limitsOf(network, metadata), provider)
    const warn = (place: Metadata) => network.warningOf?.({ ...metadata, ...place }) ?? null
    // Several accounts of a person can list the same Group.
    const groups = groupsWithin(network, account).filter(({ id: groupId }) => !groupsListed.has(groupId))
    for (const { id: groupId } of groups) groupsListed.add(groupId)
    return [
      {
        provider,
        target: { connectionId: id },
        accountName: name,
        warning: warn({}),
        firstComments: commentsOf(network, account),
        limits,
      },
      ...groups.map(({ id: groupId, name: accountName }) => {
        const target = { connectionId: id, groupId }
        const firstComments = commentsOf(network, { ...account, target })
        return { provider, target, accountName, warning: warn({ groupId }), firstComments, limits }
      }),
    ]
  })
  return { items, can }
}
