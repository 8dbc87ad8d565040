import { sql, type SQL } from 'drizzle-orm'
import { containsPattern } from '#lib/db.ts'
import { posts } from '../schema.ts'
import type { PostFilter } from './filter.ts'

const { placeholder } = sql

/** Reads the account of the filter. It doesn't depend on a post, so PostgreSQL runs it once per query. */
const account = (what: SQL, where = sql`true`) => sql`(
  SELECT ${what} FROM social.connections AS account WHERE account.id = ${placeholder('accountId')}::uuid AND ${where})`

const activeBeside = sql`social.connections AS other
  WHERE other.brand_id = account.brand_id AND other.provider = account.provider AND other.active`

const isFirst = (among: SQL) =>
  sql`account.active AND NOT EXISTS (SELECT FROM ${activeBeside} AND other.id < account.id AND ${among})`

/** Posts without a target go to the first account of their author, or else to the first of the brand. */
const ofAuthor = sql`(
  posts.author_id = ${account(sql`account.owner_id`, isFirst(sql`other.owner_id = account.owner_id`))}
  OR (EXISTS ${account(sql`1`, isFirst(sql`true`))}
    AND posts.author_id <> ALL (${account(sql`ARRAY(SELECT other.owner_id FROM ${activeBeside})`)}::uuid[])))`

/** Raw names: drizzle leaves out the table's in queries of one table, where a subquery would find its own column first. */
const isBeside = sql`(
  posts.brand_id = ${account(sql`account.brand_id`)} AND posts.provider = ${account(sql`account.provider`)})`

/** Whether a post was published to this account, or would be published to it now (SOC-21). */
const ofAccount = sql`CASE
  WHEN posts.status = 'published' AND posts.external_account IS NOT NULL
    THEN ${isBeside} AND posts.external_account = ${account(sql`account.external_id`)}
  WHEN posts.target ->> 'connectionId' IS NOT NULL THEN posts.target ->> 'connectionId' = ${placeholder('accountId')}::text
  ELSE ${isBeside} AND ${ofAuthor}
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
  campaign: sql`${posts.campaign} = ${placeholder('campaign')}`,
  from: sql`${posts.sortAt} >= ${placeholder('from')}::timestamptz`,
  to: sql`${posts.sortAt} < ${placeholder('to')}::timestamptz`,
  q: sql`${posts.text} ilike ${placeholder('q')}`,
}
export type Condition = keyof typeof conditions
export type Values = Partial<Record<Condition, unknown>>

const isCondition = (name: string): name is Condition => name in conditions

export const namesOf = (values: Values): Condition[] => Object.keys(values).filter(isCondition)

export const conditionsOf = (names: readonly Condition[]): SQL[] => names.map((name) => conditions[name])

export function valuesOf(filter: Partial<PostFilter> & { campaign?: string }): Values {
  const { brandId, status, provider, authorId, accountId, tag, campaign, from, to, q } = filter
  const values = {
    brandId,
    status,
    provider,
    authorId,
    accountId,
    tag,
    campaign,
    from: from?.toISOString(),
    to: to?.toISOString(),
    q: q && containsPattern(q),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
