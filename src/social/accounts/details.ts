import { eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Connection } from '../contract.ts'
import { canUseNetwork, readPermissions } from '../access.ts'
import { catalog } from '../networks/index.ts'
import { brands, connections } from '../schema.ts'
import { needsSignIn, type Account } from './connections.ts'

type Reading = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'config' | 'identity'>
type Details = Pick<Connection, 'brandName' | 'brandTimeZone' | 'scheduledPosts' | 'can'>
export type AccountDetails = Account & Details

/** Adds the brand of each account, its scheduled posts, and what the caller can do with it. */
export async function describeAll(call: Reading, accounts: readonly Account[]): Promise<AccountDetails[]> {
  const [facts, check] = await Promise.all([readFacts(call, accounts), readPermissions(call)])
  const connectable = new Set(catalog(call.config).flatMap((entry) => (entry.connect === 'none' ? [] : entry.provider)))
  return accounts.flatMap((account) => {
    const found = facts.get(account.id)
    if (!found) return []
    const { scheduledPosts, ...brand } = found
    const { brandId, provider, active } = account
    const canWrite = check('accounts:write', brandId)
    const isIdle = !active || account.health !== 'ok'
    const can = {
      deactivate: canWrite && active,
      reconnect: canWrite && isIdle && !needsSignIn(account),
      connect: canWrite && connectable.has(provider) && canUseNetwork(call.actor, provider),
    }
    return [{ ...account, ...brand, scheduledPosts: check('posts:read', brandId) ? scheduledPosts : null, can }]
  })
}

/** Adds the same to one account. */
export async function describe(call: Reading, account: Account): Promise<AccountDetails> {
  const [details] = await describeAll(call, [account])
  if (!details) throw new Error(`Account ${account.id} no longer exists`)
  return details
}

/** The scheduled posts of a brand that are counted. */
const maxCounted = 1_001

/** The account that publishes a post: its target, else an active one that works, first of its author (SOC-21). */
const publisher = sql`coalesce((post.target ->> 'connectionId')::uuid, (
  SELECT other.id FROM social.connections AS other
  WHERE other.brand_id = post.brand_id AND other.provider = post.provider AND other.active
  ORDER BY other.health = 'ok' DESC, other.owner_id = post.author_id DESC, other.created_at, other.id LIMIT 1))`

async function readFacts({ db }: Reading, accounts: readonly Account[]) {
  const ids = accounts.map(({ id }) => id)
  const rows = await db
    .select({
      id: connections.id,
      brandName: brands.name,
      brandTimeZone: brands.timeZone,
      scheduledPosts: sql<number>`(
        SELECT count(*) FILTER (WHERE post.provider = connections.provider AND ${publisher} = connections.id)::int
        FROM (SELECT brand_id, provider, author_id, target FROM social.posts
          WHERE posts.brand_id = connections.brand_id AND status = 'scheduled'
          ORDER BY sort_at, posts.id LIMIT ${maxCounted}) AS post)`,
    })
    .from(connections)
    .innerJoin(brands, eq(brands.id, connections.brandId))
    .where(inArray(connections.id, ids))
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}
