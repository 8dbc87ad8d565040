import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { quotasOf, windowOf, type Quota } from '../networks/quotas.ts'
import { eligibleConnections, isWorking } from '../publishing/claim.ts'
import type { PostFacts } from './facts.ts'

/** A quota that the posts planned before this one and this one itself exceed. */
export interface ExceededQuota {
  quota: Quota
  total: number
  /** Posts that the network takes in the window of this post, besides those that were published in it. */
  left: number
  planned: number
}

/** Planned posts of a window that are counted. */
const maxCounted = 1_001
const dayMs = 24 * 3_600_000

const Counts = z.array(z.object({ at: z.number(), planned: z.number(), used: z.number(), used_since: z.number() }))

interface Window {
  facts: PostFacts
  account: NonNullable<PostFacts['account']>
  quota: Quota
  total: number
  countsReplies: boolean
}

/** By post, by what is stored: what the network said last, and what was published and is planned by the brand. */
export async function findExceededQuotas(db: Database, all: readonly PostFacts[]): Promise<Map<string, ExceededQuota>> {
  const windows = all.flatMap(windowsOf)
  if (windows.length === 0) return new Map()
  const counts = await countWindows(db, windows)
  return new Map(
    windows.flatMap((window, at) => {
      const { used = 0, used_since: usedSince = 0, planned = 0 } = counts.get(at) ?? {}
      const reported = reportedLeft(window)
      const left = Math.max(0, Math.min(window.total - used, reported === null ? Infinity : reported - usedSince))
      if (planned < left) return []
      return [[window.facts.id, { quota: window.quota, total: window.total, left, planned }] as const]
    }),
  )
}

/** Where networks count replies apart, a later part of a thread is one. */
function windowsOf(facts: PostFacts): Window[] {
  const { account, provider, position, accountCheck } = facts
  if (!account) return []
  const quotas = quotasOf({ provider, host: account.host, metadata: account.metadata })
  const countsReplies = quotas.some(({ counts }) => counts === 'replies')
  const own = quotas.filter(({ counts }) => !countsReplies || (counts === 'replies') === position > 0)
  return own.flatMap((quota) => {
    const total = (isReported(quota) ? accountCheck?.quotaTotal : null) ?? quota.total
    return total === null ? [] : [{ facts, account, quota, total, countsReplies }]
  })
}

const isReported = ({ counts, per, window }: Quota): boolean =>
  counts === 'posts' && per === 'account' && 'hours' in window && window.hours === 24

/** What the network said counts for a day. */
function reportedLeft({ quota, facts: { accountCheck, scheduledAt } }: Window): number | null {
  if (!accountCheck || !isReported(quota)) return null
  return scheduledAt.getTime() > accountCheck.checkedAt.getTime() + dayMs ? null : accountCheck.quotaLeft
}

/** By place in the list. Posts of an app’s other accounts are those of the brand. */
async function countWindows(db: Database, windows: readonly Window[]) {
  const questions = windows.map(({ facts, account, quota, countsReplies }, at) => ({
    at,
    post: facts.id,
    brand: facts.brandId,
    provider: facts.provider,
    account: quota.per === 'app' ? null : account.externalId,
    kind: countsReplies ? quota.counts : null,
    since: windowOf(quota, facts.scheduledAt).from.toISOString(),
    due: facts.scheduledAt.toISOString(),
    checked: facts.accountCheck?.checkedAt.toISOString() ?? null,
  }))
  const rows = await db.execute(sql`
    select q.at, planned.count as planned, attempts.used, attempts.used_since
    from jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) as q (at int, post uuid, brand uuid, provider text,
      account text, kind text, since timestamptz, due timestamptz, checked timestamptz)
    cross join lateral (
      select coalesce(sum(p.count), 0)::int as count
      from (
        select x.brand_id, x.provider, x.author_id, x.target, count(*)
        from (
          select brand_id, provider, author_id, target from social.posts x
          where x.brand_id = q.brand and x.provider = q.provider and x.status = 'scheduled'
            and x.scheduled_at > q.since and (x.scheduled_at, x.id) < (q.due, q.post)
            and (q.kind is null or (x.position > 0) = (q.kind = 'replies'))
          order by x.scheduled_at desc, x.id desc limit ${maxCounted}
        ) x group by 1, 2, 3, 4
      ) p
      left join lateral (
        select c.external_id from social.connections c where ${eligibleConnections()}
        order by ${isWorking} desc, c.owner_id = p.author_id desc, c.created_at, c.id limit 1
      ) c on true
      where q.account is null or c.external_id = q.account
    ) planned
    cross join lateral (
      select count(*)::int as used, (count(*) filter (where a.started_at > q.checked))::int as used_since
      from social.publish_attempts a
      where a.provider = q.provider and a.started_at > q.since and a.state in ('sending', 'published', 'unknown')
        and a.external_account = any (array(
          select n.external_id from social.connections n
          where n.brand_id = q.brand and n.provider = q.provider and (q.account is null or n.external_id = q.account)))
        and (q.account is not null or a.brand_id = q.brand)
        and (q.kind is null or (a.payload ->> 'replyTo' is not null) = (q.kind = 'replies'))
    ) attempts`)
  return new Map(Counts.parse([...rows]).map((row) => [row.at, row]))
}
