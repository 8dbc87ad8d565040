import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { claimDue } from '#lib/db/due.ts'
import type { Events } from '#lib/events.ts'
import { hasPlacesOf } from '../networks/places.ts'
import { posts } from '../schema.ts'

const Claim = z.object({
  postId: z.string(),
  brandId: z.string(),
  organizationId: z.string(),
  /** The external account, as `provider:account`; null when no connection was found: that needs no lane. */
  lane: z.string().nullable(),
  /** The server that its calls go to; null when no connection was found. */
  host: z.string().nullable(),
})
/** A post that this process can publish while its lease lasts, and the post's lane. */
export type Claim = z.output<typeof Claim>

interface ClaimLimits {
  busy: ReadonlySet<string>
  perHost: number
  perOrganization: number
  /** Slots of a host that one organization can take before all but this number are taken. */
  share: number
  freeByHost: Record<string, number>
  freeByOrganization: Record<string, number>
  takenByShare: Record<string, number>
}

interface ClaimOptions extends ClaimLimits {
  owner: string
  leaseMs: number
  limit: number
}

export const duePosts = { table: posts, only: sql`${posts.status} = 'scheduled'` }

export const claimPosts = (db: Database, { owner, leaseMs, limit, ...places }: ClaimOptions): Promise<Claim[]> =>
  claimDue(db, { ...duePosts, row: Claim, candidates: firstOfLanes(places), owner, leaseMs, limit })

/**
 * The first due post of each free lane. Posts of the same lane are grouped, so a long queue costs little; a post with an
 * attempt that a dead process left is on its own. The connection is only looked up here to find the lane; `prepareAttempt`
 * chooses the final one. Organizations take turns at each host, counting the slots that they have there already. Posts
 * that can't have a slot of their host or organization are left out before slots are assigned, since they would take
 * those of others.
 */
const firstOfLanes = ({ busy, perHost, perOrganization, share, ...places }: ClaimLimits) => sql`
  with due as (
    select distinct on (p.brand_id, p.provider, p.author_id, p.target, a.id)
      p.*, a.provider || ':' || a.external_account as sending, a.connection_id as sending_through
    from social.posts p left join social.publish_attempts a on a.post_id = p.id and a.state = 'sending'
    where p.status = 'scheduled' and p.due_at <= now()
    order by p.brand_id, p.provider, p.author_id, p.target, a.id, p.due_at, p.id
  ), laned as (
    select p.id, p.brand_id, p.due_at, coalesce(p.sending, c.provider || ':' || c.external_id) as lane,
      coalesce(s.host, c.host) as host
    from due p left join social.connections s on s.id = p.sending_through left join lateral (
      select c.provider, c.external_id, c.host from social.connections c
      where ${eligibleConnections()}
      order by ${isWorking} desc, c.owner_id = p.author_id desc, c.created_at, c.id limit 1
    ) c on true
  ), first as (
    select distinct on (coalesce(l.lane, l.id::text)) l.* from laned l
    where coalesce(l.lane, '') not in (${toSet(busy)}) and not exists (
      select from social.publish_attempts a
      where a.state = 'sending' and a.post_id <> l.id and a.provider || ':' || a.external_account = l.lane)
    order by coalesce(l.lane, l.id::text), l.due_at, l.id
  ), placed as (
    select f.*, b.platform_org_id as organization_id,
      ${count(places.freeByHost, sql`f.host`, perHost)} as host_places,
      ${count(places.freeByOrganization, sql`b.platform_org_id::text`, perOrganization)} as organization_places,
      ${count(places.takenByShare, sql`f.host || ' ' || b.platform_org_id`, 0)} as taken,
      row_number() over (partition by f.host, b.platform_org_id order by f.due_at, f.id) as rank
    from first f join social.brands b on b.id = f.brand_id
  ), possible as (
    select p.*, row_number() over (partition by p.organization_id order by p.taken + p.rank, p.due_at) as organization_place
    from placed p where p.host is null
      or p.host_places > 0 and (p.taken + p.rank <= ${share} or p.rank <= p.host_places - ${share})
  ), shared as (
    select p.*, row_number() over (partition by p.host order by p.taken + p.rank, p.due_at) as place from possible p
    where p.organization_place <= p.organization_places
  )
  select id, id as "postId", brand_id as "brandId", organization_id as "organizationId", lane, host
  from shared where host is null
    or place <= host_places and (taken + rank <= ${share} or place <= host_places - ${share})`

const count = (numbers: Record<string, number>, name: SQL, otherwise: number) =>
  sql`coalesce((${JSON.stringify(numbers)}::jsonb->>(${name}))::int, ${otherwise})`

const toSet = (words: ReadonlySet<string>) =>
  sql`select jsonb_array_elements_text(${JSON.stringify([...words])}::jsonb)`

/** Active ones of the post's brand and provider; with a target those with its external account and place (SOC-21). */
export const eligibleConnections = () => sql`
  c.brand_id = p.brand_id and c.provider = p.provider and c.active
  and (p.target->>'connectionId' is null or c.external_id = (
    select n.external_id from social.connections n
    where n.id = (p.target->>'connectionId')::uuid and n.brand_id = p.brand_id and n.provider = p.provider))
  and (p.target is null or ${hasPlacesOf(sql`p.target`)})`

export const isWorking = sql`c.health = 'ok'`

const Marked = z.array(z.object({ post_id: z.string(), brand_id: z.string() }))

/** Names the reason of due posts that have been queued behind others of their account for a while (SOC-23). */
export async function markQueuedPosts(db: Database, events: Events): Promise<void> {
  const rows = await db.execute(sql`
    with marked as (
      update social.posts set waiting_for = '{"reason":"account_busy"}'
      where status = 'scheduled' and due_at < now() - interval '5 seconds'
        and (waiting_for is null or waiting_for->>'reason' = 'rate_window')
      returning id, brand_id
    )
    select distinct on (brand_id) id as post_id, brand_id from marked order by brand_id`)
  for (const { post_id: postId, brand_id: brandId } of Marked.parse([...rows]))
    await events.publish(db, 'social.post', { brandId, postId })
}
