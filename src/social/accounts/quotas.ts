import { and, eq, gt, inArray, max, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { AccountQuota } from '../contract.ts'
import { appOf } from '../networks/app.ts'
import { quotasOf, windowOf, type Quota } from '../networks/quotas.ts'
import { countedBy } from '../publishing/rate-windows.ts'
import { accountChecks, brands, connections, publishAttempts, rateWindows } from '../schema.ts'
import type { Account } from './connections.ts'

type Reading = Pick<Call, 'db' | 'now'>

/** The longest window. What a network said before it no longer counts. */
const reportedForMs = 24 * 3_600_000

export interface AccountUsage {
  /** As operations return it. */
  quotas: z.input<typeof AccountQuota>[]
  /** Until when its rate limits keep posts waiting; null when they don’t. */
  throttledUntil: Date | null
}

/**
 * How much of the network’s limits its organization used, by the network’s last word and the attempts since.
 * @param canCount Whether the caller can read the posts of a brand
 */
export async function readUsage(
  { db, now }: Reading,
  account: Account,
  canCount: (brandId: string) => boolean,
): Promise<AccountUsage> {
  const at = now()
  const all = quotasOf(account)
  const countsReplies = all.some(({ counts }) => counts === 'replies')
  const [reported, throttledUntil, ...quotas] = await Promise.all([
    readReported(db, account.id, at),
    readThrottle(db, account, at),
    ...all.map((quota) => countUsed(db, account, { quota, at, countsReplies })),
  ])
  return {
    throttledUntil,
    quotas: all.map(({ counts, per, total, window }, index) => {
      const { used = 0, sinceReport = 0, resetsAt = null, brandIds = [] } = quotas[index] ?? {}
      const isShown = [account.brandId, ...brandIds].every(canCount)
      const said = counts === 'posts' && per === 'account' && isDay(window) ? reported : null
      return {
        counts,
        per,
        used: isShown ? Math.max(used, said ? said.used + sinceReport : 0) : null,
        total: said?.total ?? total,
        windowSeconds: 'hours' in window ? window.hours * 3_600 : null,
        timeZone: 'hours' in window ? null : window.timeZone,
        resetsAt: isShown || !('hours' in window) ? resetsAt : null,
        reportedAt: said?.at ?? null,
      }
    }),
  }
}

/** What networks report is of 24 hours. */
const isDay = (window: Quota['window']): boolean => 'hours' in window && window.hours === 24

async function readReported(db: Database, connectionId: string, now: Date) {
  const [row] = await db
    .select({ at: accountChecks.checkedAt, left: accountChecks.quotaLeft, total: accountChecks.quotaTotal })
    .from(accountChecks)
    .where(
      and(
        eq(accountChecks.connectionId, connectionId),
        gt(accountChecks.checkedAt, new Date(now.getTime() - reportedForMs)),
      ),
    )
  const { at, left = null, total = null } = row ?? {}
  return at && left !== null && total !== null ? { at, total, used: total - left } : null
}

async function readThrottle(db: Database, { provider, host, externalId, metadata }: Account, now: Date) {
  const scope = { account: externalId, app: appOf(metadata) }
  const [row] = await db
    .select({ until: max(rateWindows.opensAt) })
    .from(rateWindows)
    .where(
      and(
        eq(rateWindows.provider, provider),
        eq(rateWindows.host, host),
        inArray(rateWindows.account, ['', externalId, countedBy(scope, 'app')]),
        gt(rateWindows.opensAt, now),
      ),
    )
  return row?.until ?? null
}

interface Counting {
  quota: Quota
  at: Date
  countsReplies: boolean
}

const Counted = z.tuple([
  z.object({
    used: z.number(),
    since_report: z.number(),
    oldest: z.coerce.date().nullable(),
    brand_ids: z.array(z.string()).nullable(),
  }),
])

/** Attempts that arrived, and those of which we don’t know it. Other organizations’ aren’t counted. */
async function countUsed(db: Database, account: Account, { quota, at, countsReplies }: Counting) {
  const { from, resetsAt } = windowOf(quota, at)
  const isReply = sql`${publishAttempts.payload} ->> 'replyTo' is not null`
  const ofKind = quota.counts === 'replies' ? isReply : sql`not ${isReply}`
  const organization = db.select({ id: brands.organizationId }).from(brands).where(eq(brands.id, account.brandId))
  const ownBrands = db.select({ id: brands.id }).from(brands).where(inArray(brands.organizationId, organization))
  const sameApp = sql`${connections.metadata} #>> '{app,clientId}' = ${appIdOf(account)}`
  const accounts = db
    .select({ id: connections.externalId })
    .from(connections)
    .where(
      and(
        inArray(connections.brandId, ownBrands),
        eq(connections.provider, account.provider),
        or(eq(connections.externalId, account.externalId), quota.per === 'app' ? sameApp : undefined),
      ),
    )
  const rows = await db.execute(sql`
    select count(*)::int as used, min(${publishAttempts.startedAt}) as oldest,
      array_agg(distinct ${publishAttempts.brandId}::text) as brand_ids,
      (count(*) filter (where ${publishAttempts.startedAt} > (
        select checked_at from social.account_checks where connection_id = ${account.id})))::int as since_report
    from ${publishAttempts}
    where ${and(
      eq(publishAttempts.provider, account.provider),
      inArray(publishAttempts.externalAccount, accounts),
      inArray(publishAttempts.brandId, ownBrands),
      gt(publishAttempts.startedAt, from),
      inArray(publishAttempts.state, ['sending', 'published', 'unknown']),
      countsReplies ? ofKind : undefined,
    )}`)
  const [{ used, since_report: sinceReport, oldest, brand_ids: brandIds }] = Counted.parse([...rows])
  return { used, sinceReport, resetsAt: resetsAt(oldest), brandIds: brandIds ?? [] }
}

const WithApp = z.object({ app: z.object({ clientId: z.string() }) })

const appIdOf = ({ metadata }: Account): string | null => WithApp.safeParse(metadata).data?.app.clientId ?? null
