import { eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { Connection, ConnectionDetails } from '../contract.ts'
import { canUseNetwork, readPermissions } from '../access.ts'
import { PlacesOfAccount, warningOf } from '../networks/account-places.ts'
import { modeOf } from '../networks/app.ts'
import { catalog, networkOf } from '../networks/index.ts'
import { commentsOf, limitsOf } from '../networks/limits.ts'
import { listPausedAccounts, listPauses } from '../pauses/find.ts'
import { contractLimits } from '../posts/present.ts'
import { brands, connections } from '../schema.ts'
import type { Account } from './connections.ts'
import { needsSignIn } from './needs-sign-in.ts'
import { readUsage, type AccountUsage } from './quotas.ts'

type Reading = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'config' | 'identity'>
type Details = Pick<
  Connection,
  'brandName' | 'brandTimeZone' | 'sandbox' | 'warning' | 'scheduledPosts' | 'isPaused' | 'can'
>
export type AccountDetails = Account & Details

/** Adds the brand of each account, its scheduled posts, and what the caller can do with it. */
export async function describeAll(call: Reading, accounts: readonly Account[]): Promise<AccountDetails[]> {
  const [facts, check, paused] = await Promise.all([
    readFacts(call, accounts),
    readPermissions(call),
    listPausedAccounts(
      call.db,
      accounts.map(({ id }) => id),
    ),
  ])
  const connectable = new Set(catalog(call.config).flatMap((entry) => (entry.connect === 'none' ? [] : entry.provider)))
  return accounts.flatMap((account) => {
    const found = facts.get(account.id)
    if (!found) return []
    const { scheduledPosts, ...brand } = found
    const { brandId, provider, active } = account
    const network = networkOf(provider)
    const canWrite = check('accounts:write', brandId)
    const isIdle = !active || account.health !== 'ok'
    const can = {
      pause: canWrite && active && canUseNetwork(call.actor, provider),
      deactivate: canWrite && active,
      reconnect: canWrite && isIdle && !needsSignIn(account),
      connect: canWrite && connectable.has(provider) && canUseNetwork(call.actor, provider),
    }
    return [
      {
        ...account,
        ...brand,
        sandbox: provider === 'sandbox' || modeOf(account.metadata) === 'test',
        warning: network ? warningOf(network, account) : null,
        scheduledPosts: check('posts:read', brandId) ? scheduledPosts : null,
        isPaused: paused.has(account.id),
        can,
      },
    ]
  })
}

/** Adds the same to one account. */
export async function describe(call: Reading, account: Account): Promise<AccountDetails> {
  const [details] = await describeAll(call, [account])
  if (!details) throw new Error(`Account ${account.id} no longer exists`)
  return details
}

type AccountInFull = AccountDetails &
  Pick<
    ConnectionDetails,
    'ownerName' | 'firstComments' | 'limits' | 'pausedWith' | 'pages' | 'groups' | 'organizations'
  > &
  AccountUsage

/** Adds what only the page of one account shows. */
export async function describeInFull(call: Reading & Pick<Call, 'now'>, account: Account): Promise<AccountInFull> {
  const { brandId, provider, metadata, ownerId } = account
  const network = networkOf(provider)
  const [described, people, pauses] = await Promise.all([
    describe(call, account),
    call.identity.people([ownerId]),
    listPauses(call.db, call.actor, [brandId]),
  ])
  const check = await readPermissions(call)
  const usage = await readUsage(call, account, (counted) => check('posts:read', counted))
  const wider = pauses.filter(({ connectionId }) => connectionId === null)
  return {
    ...described,
    ...usage,
    ...PlacesOfAccount.parse(metadata),
    ownerName: people.get(ownerId)?.name ?? null,
    pausedWith: wider.some((pause) => pause.brandId === null) ? 'organization' : wider.length > 0 ? 'brand' : null,
    firstComments: commentsOf(network, account),
    limits: network ? contractLimits(limitsOf(network, metadata), provider) : null,
  }
}

/** The scheduled posts of a brand that are counted. */
const maxCounted = 1_001

/** The account that publishes a post: its target, else an active one that works, first of its author (SOC-21). */
const publisher = sql`coalesce(post.target, (
  SELECT other.id FROM social.connections AS other
  WHERE other.brand_id = post.brand_id AND other.provider = post.provider AND other.active
  ORDER BY other.health = 'ok' DESC, other.owner_id = post.author_id DESC, other.created_at, other.id LIMIT 1))`

async function readFacts({ db }: Reading, accounts: readonly Account[]) {
  const ids = accounts.map(({ id }) => id)
  const brandIds = [...new Set(accounts.map(({ brandId }) => brandId))]
  const [rows, scheduled] = await Promise.all([
    db
      .select({ id: connections.id, brandName: brands.name, brandTimeZone: brands.timeZone })
      .from(connections)
      .innerJoin(brands, eq(brands.id, connections.brandId))
      .where(inArray(connections.id, ids)),
    countScheduledPosts(db, brandIds),
  ])
  return new Map(rows.map(({ id, ...facts }) => [id, { ...facts, scheduledPosts: scheduled.get(id) ?? 0 }]))
}

/** By account. The publisher is looked up once for all posts with the same author and target. */
async function countScheduledPosts(db: Database, brandIds: string[]): Promise<Map<string, number>> {
  const rows = await db.execute<{ id: string | null; posts: number }>(sql`
    SELECT ${publisher} AS id, sum(post.count)::int AS posts
    FROM (
      SELECT due.*, count(*)
      FROM unnest(${sql.param(brandIds)}::uuid[]) AS brand (id)
      CROSS JOIN LATERAL (
        SELECT brand_id, provider, author_id, (target ->> 'connectionId')::uuid AS target FROM social.posts
        WHERE posts.brand_id = brand.id AND status = 'scheduled'
        ORDER BY sort_at, posts.id LIMIT ${maxCounted}
      ) AS due
      GROUP BY 1, 2, 3, 4
    ) AS post
    GROUP BY 1`)
  return new Map(rows.flatMap(({ id, posts }) => (id === null ? [] : [[id, posts] as const])))
}
