import { sql, type SQL } from 'drizzle-orm'
import { containsPattern } from '#lib/db.ts'
import { posts } from '../schema.ts'
import type { PostFilter } from './input.ts'

const { placeholder } = sql

/**
 * Whether a post was published to this account, or would be published to it now (SOC-21). Raw names, because drizzle leaves
 * out the table's name in queries of one table, where a subquery would find its own column first.
 */
const ofAccount = sql`CASE
  WHEN posts.status = 'published' AND posts.external_account IS NOT NULL THEN EXISTS (
    SELECT FROM social.connections AS account WHERE account.id = ${placeholder('accountId')}::uuid
      AND account.brand_id = posts.brand_id AND account.provider = posts.provider
      AND account.external_id = posts.external_account)
  WHEN posts.target ->> 'connectionId' IS NOT NULL THEN posts.target ->> 'connectionId' = ${placeholder('accountId')}::text
  ELSE ${placeholder('accountId')}::uuid = (
    SELECT account.id FROM social.connections AS account
    WHERE account.brand_id = posts.brand_id AND account.provider = posts.provider AND account.active
    ORDER BY account.owner_id = posts.author_id DESC, account.id LIMIT 1)
END`

/** What a filter adds to the query; each value is a parameter of the prepared statement. */
const conditions = {
  brandId: sql`${posts.brandId} = ${placeholder('brandId')}`,
  status: sql`${posts.status} = ${placeholder('status')}`,
  provider: sql`${posts.provider} = ${placeholder('provider')}`,
  reachedBy: sql`${posts.provider} = ${placeholder('reachedBy')}`,
  authorId: sql`${posts.authorId} = ${placeholder('authorId')}`,
  accountId: ofAccount,
  tag: sql`${placeholder('tag')} = any(${posts.tags})`,
  from: sql`${posts.sortAt} >= ${placeholder('from')}::timestamptz`,
  to: sql`${posts.sortAt} < ${placeholder('to')}::timestamptz`,
  q: sql`${posts.text} ilike ${placeholder('q')}`,
}
export type Condition = keyof typeof conditions
export type Values = Partial<Record<Condition, unknown>>

const isCondition = (name: string): name is Condition => name in conditions

export const namesOf = (values: Values): Condition[] => Object.keys(values).filter(isCondition)

export const conditionsOf = (names: readonly Condition[]): SQL[] => names.map((name) => conditions[name])

export function valuesOf(filter: Partial<PostFilter>): Values {
  const { brandId, status, provider, authorId, accountId, tag, from, to, q } = filter
  const values = {
    brandId,
    status,
    provider,
    authorId,
    accountId,
    tag,
    from: from?.toISOString(),
    to: to?.toISOString(),
    q: q && containsPattern(q),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
