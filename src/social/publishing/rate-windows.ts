import { lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import type { LimitOf } from '../networks/network.ts'
import { posts, rateWindows, type firstComments, type Waiting } from '../schema.ts'
import type { Attempt, Failure } from './attempt.ts'

/** How long a post waits for its network's rate limits before it fails (SOC-25). */
export const maxWaitMs = 3_600_000

export interface RateLimitScope {
  provider: Attempt['provider']
  host: string
  account: string
  /** The app that it was connected with; null for none, or when it isn’t known. */
  app: string | null
}

export async function closeWindow(
  tx: Database,
  { provider, host, ...scope }: RateLimitScope,
  { waitMs, limitOf }: { waitMs: number; limitOf: LimitOf },
): Promise<void> {
  const opensAt = sql`clock_timestamp() + ${waitMs} * interval '1 millisecond'`
  await tx
    .insert(rateWindows)
    .values({ provider, host, account: countedBy(scope, limitOf), opensAt })
    .onConflictDoUpdate({
      target: [rateWindows.provider, rateWindows.host, rateWindows.account],
      set: { opensAt: sql`greatest(${rateWindows.opensAt}, excluded.opens_at)` },
    })
  await tx.delete(rateWindows).where(lt(rateWindows.opensAt, sql`clock_timestamp() - interval '1 day'`))
}

/** An account’s ID has no space. */
export function countedBy({ account, app }: Pick<RateLimitScope, 'account' | 'app'>, limitOf: LimitOf): string {
  if (limitOf === 'host') return ''
  return limitOf === 'app' && app !== null ? `app ${app}` : account
}

const ClosedWindow = z.object({ until: z.coerce.date(), wait_ms: z.number(), waited_ms: z.number() })

/**
 * The post, or its first comment, waits, or fails when that would be more than an hour altogether. Null when the network
 * accepts posts.
 */
export async function checkRateLimit(
  tx: Database,
  postId: string,
  { provider, host, ...scope }: RateLimitScope,
  waiting: typeof posts | typeof firstComments = posts,
): Promise<{ waiting: Waiting } | { failure: Failure } | null> {
  const [row] = z.array(ClosedWindow).parse([
    ...(await tx.execute(sql`
      select w.opens_at as until,
        (extract(epoch from w.opens_at - clock_timestamp()) * 1000)::float8 as wait_ms,
        coalesce(extract(epoch from clock_timestamp() - p.rate_limited_since) * 1000, 0)::float8 as waited_ms
      from ${waiting} p, social.rate_windows w
      where p.id = ${postId} and w.opens_at > clock_timestamp()
        and w.provider = ${provider} and w.host = ${host} and w.account in ('', ${scope.account}, ${countedBy(scope, 'app')})
      order by w.opens_at desc limit 1`)),
  ])
  if (!row) return null
  const until = row.until.toISOString()
  if (row.waited_ms + row.wait_ms <= maxWaitMs) return { waiting: { reason: 'rate_window', until } }
  const opensAt = formatUtc(row.until)
  const message =
    waiting === posts
      ? `The network’s rate limit is exceeded: it accepts no posts from this account until ${opensAt}. Schedule this post for later.`
      : `The network’s rate limit is exceeded: it accepts no comments from this account until ${opensAt}. Retry then.`
  return { failure: { code: 'rate_limited', message, retryable: true } }
}

/** `23 Nov 14:05 UTC`. */
export const formatUtc = (at: Date): string =>
  `${new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  })
    .format(at)
    .replace(',', '')} UTC`

/** Milliseconds, doubled each time up to a minute: some networks say "in 0 seconds" each time. */
export async function getMinWait(tx: Database, postId: string): Promise<number> {
  const [row] = z.array(z.object({ times: z.number() })).parse([
    ...(await tx.execute(sql`
      select count(*)::int as times from social.posts p join social.publish_attempts a on a.post_id = p.id
      where p.id = ${postId} and a.state = 'not_arrived' and a.started_at >= p.rate_limited_since`)),
  ])
  return Math.min(2 ** (row?.times ?? 0), 60) * 1000
}
