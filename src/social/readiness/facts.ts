import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { LinkPreview, PostMedia, Provider, Target, YouTubeOptions } from '../contract.ts'
import { eligibleConnections, isWorking } from '../publishing/claim.ts'

const Account = z.object({
  id: z.string(),
  name: z.string(),
  externalId: z.string(),
  host: z.string(),
  metadata: z.record(z.string(), z.unknown()),
  scopes: z.array(z.string()),
  expiresAt: z.coerce.date().nullable(),
  signInEndsAt: z.coerce.date().nullable(),
  works: z.boolean(),
})

const AccountCheck = z.object({
  checkedAt: z.coerce.date(),
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
  quotaLeft: z.number().nullable(),
  quotaTotal: z.number().nullable(),
  isRefreshable: z.boolean().nullable(),
  hasApp: z.boolean().nullable(),
})

const Facts = z.object({
  id: z.string(),
  brandId: z.string(),
  provider: Provider,
  scheduledAt: z.coerce.date(),
  text: z.string(),
  media: z.array(PostMedia),
  target: Target.nullable(),
  youtube: YouTubeOptions.nullable(),
  firstComment: z.string().nullable(),
  linkPreview: LinkPreview.nullable(),
  position: z.number(),
  /** Of the previous part of its thread. */
  before: z.enum(['draft', 'scheduled', 'published', 'failed']).nullable(),
  /** The one that would publish it now. */
  account: Account.nullable(),
  accountCheck: AccountCheck.nullable(),
  pause: z.enum(['organization', 'brand', 'account']).nullable(),
  checkedAt: z.coerce.date().nullable(),
  checkedFor: z.coerce.date().nullable(),
  /** IDs of files that weren’t in the storage at the last check. */
  missingFiles: z.array(z.string()),
})
export type PostFacts = z.output<typeof Facts>

/** What the readiness of these posts depends on; nothing of those that aren’t scheduled any more, or are due. */
export async function readFacts(db: Database, ids: readonly string[]): Promise<PostFacts[]> {
  if (ids.length === 0) return []
  const rows = await db.execute(sql`
    select p.id, p.brand_id as "brandId", p.provider, p.scheduled_at as "scheduledAt", p.text, p.media, p.target,
      p.youtube, p.first_comment as "firstComment", p.link_preview as "linkPreview", p.position,
      before.status as before, k.checked_at as "checkedAt", k.checked_for as "checkedFor",
      coalesce(k.missing_files, '[]') as "missingFiles", pause.scope as pause,
      case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name, 'externalId', c.external_id,
        'host', c.host, 'metadata', c.metadata, 'scopes', c.scopes, 'expiresAt', c.expires_at,
        'signInEndsAt', c.sign_in_ends_at,
        'works', ${isWorking}) end as account,
      case when a.connection_id is not null then jsonb_build_object('checkedAt', a.checked_at, 'problem', a.problem,
        'quotaLeft', a.quota_left, 'quotaTotal', a.quota_total, 'isRefreshable', a.is_refreshable,
        'hasApp', a.has_app) end as "accountCheck"
    from social.posts p
    left join lateral (
      select c.* from social.connections c where ${eligibleConnections()}
      order by ${isWorking} desc, c.owner_id = p.author_id desc, c.created_at, c.id limit 1
    ) c on true
    left join social.account_checks a on a.connection_id = c.id
    left join social.post_checks k on k.post_id = p.id
    left join lateral (
      select x.status from social.posts x where x.thread_id = p.thread_id and x.position < p.position
      order by x.position desc limit 1
    ) before on true
    left join lateral (
      select case when u.connection_id is not null then 'account' when u.brand_id is not null then 'brand'
        else 'organization' end as scope
      from social.brands b join social.pauses u on u.organization_id = b.platform_org_id or u.brand_id = b.id
      where b.id = p.brand_id and (u.connection_id is null or u.connection_id = c.id)
      order by u.brand_id is not null, u.connection_id is not null limit 1
    ) pause on true
    where p.id = any(${sql.param([...ids])}::uuid[]) and p.status = 'scheduled' and p.scheduled_at > now()`)
  return z.array(Facts).parse([...rows])
}
