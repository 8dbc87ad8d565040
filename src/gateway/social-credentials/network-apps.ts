import { max, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { NetworkAppList, StoredNetworkApp } from '../contract/social.ts'
import { listCredentials } from '../credentials/credentials.ts'
import { isCheckable } from '../credentials/checks.ts'
import { socialApps } from '../schema.ts'
import { credentialSets } from './networks.ts'

type Reader = Pick<Call<unknown, Actor>, 'actor' | 'config' | 'db' | 'identity' | 'request'>

interface StoredList {
  items: StoredNetworkApp[]
  nextCursor: null
  can: NetworkAppList['can']
}

/** What each network needs from us, and whether we have it. */
export async function listNetworkApps(call: Reader): Promise<StoredList> {
  const [{ items: credentials, can }, registered] = await Promise.all([listCredentials(call), countRegistered(call.db)])
  const items = credentialSets(call.config).map((set): StoredNetworkApp => {
    const { provider, mode, credential } = set
    const redirectUri = credential === 'oauth_client' ? redirectUriOf(call, provider) : null
    const base = { ...set, ...nothingStored, redirectUri } as const
    const ready = { ...base, state: 'ready', health: 'unknown', checkedAt: null } as const
    if (credential === 'registered')
      return { ...ready, ...registered, can: { update: false, check: can.updatePlatform && registered.servers > 0 } }
    if (credential !== 'oauth_client') return { ...ready, can: { update: false, check: false } }
    // Those of the organization come first.
    const stored = credentials.find((known) => known.provider === provider && known.mode === mode)
    if (!stored) return { ...ready, state: 'missing', can: { update: can.update, check: false } }
    const { level, label, lastFour, health, lastError, checkedAt, rotatedAt } = stored
    return {
      ...ready,
      level,
      label,
      lastFour,
      health,
      lastError,
      checkedAt,
      rotatedAt,
      can: { update: stored.can.update, check: stored.can.update && isCheckable(provider) },
    }
  })
  return { items, nextCursor: null, can }
}

const nothingStored = {
  level: null,
  label: null,
  lastFour: null,
  lastError: null,
  rotatedAt: null,
  servers: null,
} as const

/** Where the consent page of a network returns to. */
const redirectUriOf = ({ config, request }: Reader, provider: string): string =>
  new URL(`/workspace/accounts/callback/${provider}`, config.PUBLIC_URL ?? request.url.origin).href

/** Host names are left out: they say where other organizations have accounts. */
async function countRegistered(db: Database) {
  const failing = sql`${socialApps.health} = 'unhealthy'`
  const [row] = await db
    .select({
      servers: sql<number>`count(DISTINCT ${socialApps.host})`.mapWith(Number),
      failing: sql<number>`count(DISTINCT ${socialApps.host}) FILTER (WHERE ${failing})`.mapWith(Number),
      unchecked: sql<number>`count(*) FILTER (WHERE ${socialApps.health} = 'unknown')`.mapWith(Number),
      checkedAt: max(socialApps.checkedAt),
    })
    .from(socialApps)
  const { servers = 0, failing: failed = 0, unchecked = 0, checkedAt = null } = row ?? {}
  if (failed > 0)
    return { servers, checkedAt, health: 'unhealthy', lastError: describeFailures(failed, servers) } as const
  return {
    servers,
    checkedAt,
    health: servers === 0 || unchecked > 0 ? 'unknown' : 'healthy',
    lastError: null,
  } as const
}

const describeFailures = (failed: number, servers: number): string =>
  `${failed} of ${servers} servers didn’t accept our registration. It is renewed when the next account there is connected.`
