import { asc, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { CalendarPost, Provider, Target } from '../contract.ts'
import { connections, type PostStatus } from '../schema.ts'

const Groups = z.array(z.object({ id: z.string(), name: z.string() })).catch([])

interface Addressed {
  provider: Provider
  status: PostStatus
  authorId: string
  externalAccount: string | null
  target: Target | null
}

/** Finds the account of many posts at once: the one that they were published to, else would be published to now (SOC-21). */
export async function readAccounts(
  db: Database,
  brandId: string,
): Promise<(post: Addressed) => CalendarPost['account']> {
  const rows = await db
    .select({
      id: connections.id,
      provider: connections.provider,
      externalId: connections.externalId,
      name: connections.name,
      ownerId: connections.ownerId,
      active: connections.active,
      groups: sql`${connections.metadata} -> 'groups'`,
    })
    .from(connections)
    .where(eq(connections.brandId, brandId))
    .orderBy(asc(connections.id))
  const accounts = rows.map((row) => ({ ...row, groups: Groups.parse(row.groups) }))
  return ({ provider, status, authorId, externalAccount, target }) => {
    const ofNetwork = accounts.filter((account) => account.provider === provider)
    const { connectionId, groupId } = target ?? {}
    const active = ofNetwork.filter((account) => account.active)
    const account =
      status === 'published' && externalAccount !== null
        ? ofNetwork.find(({ externalId }) => externalId === externalAccount)
        : connectionId
          ? ofNetwork.find(({ id }) => id === connectionId)
          : (active.find(({ ownerId }) => ownerId === authorId) ?? active[0])
    const group = groupId && ofNetwork.flatMap(({ groups }) => groups).find(({ id }) => id === groupId)
    const name = (group || null)?.name ?? account?.name ?? (status === 'published' ? externalAccount : null)
    return name === null ? null : { id: account?.id ?? null, name }
  }
}
