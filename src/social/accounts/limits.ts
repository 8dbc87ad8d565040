import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Provider, Target } from '../contract.ts'
import { limitsOf } from '../networks/limits.ts'
import type { Limits, Network } from '../networks/network.ts'
import { connections } from '../schema.ts'

interface Placed {
  brandId: string
  provider: Provider
  authorId: string
  target?: Target | null
}

/** The limits of the account that would publish a post (SOC-14, SOC-21); the network's default limits without one. */
export async function limitsFor(db: Database, network: Network, post: Placed): Promise<Limits> {
  if (!network.limitsOf) return network.limits
  const { brandId, provider, authorId, target } = post
  const [row] = await db
    .select({ metadata: connections.metadata })
    .from(connections)
    .where(
      and(
        eq(connections.brandId, brandId),
        eq(connections.provider, provider),
        target?.connectionId ? eq(connections.id, target.connectionId) : eq(connections.active, true),
      ),
    )
    .orderBy(desc(sql`${connections.ownerId} = ${authorId}`), asc(connections.createdAt))
    .limit(1)
  return limitsOf(network, row?.metadata ?? null)
}
