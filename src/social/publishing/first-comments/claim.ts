import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { claimDue } from '#lib/db/due.ts'
import { firstComments } from '../../schema.ts'

export const dueComments = { table: firstComments, only: sql`${firstComments.state} in ('pending', 'sending')` }

const Claim = z.object({ postId: z.string(), brandId: z.string() })
/** A first comment that this process can write while its lease lasts. */
export type CommentClaim = z.output<typeof Claim>

/** Comments of an organization on one network that all processes write at the same time. */
const maxPerOrganization = 8

interface ClaimOptions {
  owner: string
  leaseMs: number
  limit: number
}

export const claimComments = (db: Database, options: ClaimOptions): Promise<CommentClaim[]> =>
  claimDue(db, { ...dueComments, row: Claim, candidates, ...options })

/** One of each account, and a few of each organization, so that a silent network delays no other. */
const candidates = sql`
  with open as (
    select c.id, c.brand_id, c.provider, c.external_account, c.due_at, b.platform_org_id as organization_id,
      c.lease_owner is not null and c.due_at > now() as is_held
    from social.first_comments c join social.brands b on b.id = c.brand_id
    where c.state in ('pending', 'sending') and (c.due_at <= now() or c.lease_owner is not null)
  ), ranked as (
    select o.*, row_number() over (
        partition by o.provider, o.external_account order by o.is_held desc, o.due_at, o.id) as of_account
    from open o
  ), placed as (
    select r.*, row_number() over (
        partition by r.provider, r.organization_id order by r.is_held desc, r.due_at, r.id) as of_organization
    from ranked r where r.of_account = 1
  )
  select id, id as "postId", brand_id as "brandId" from placed
  where not is_held and of_organization <= ${maxPerOrganization}`
