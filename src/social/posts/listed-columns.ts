import { getTableColumns, sql } from 'drizzle-orm'
import { posts, type FirstCommentState } from '../schema.ts'

const { dueAt: _, leaseOwner: __, externalAccount: ___, sortAt: ____, ...columns } = getTableColumns(posts)

export const storedColumns = columns

/** `table` is raw text: drizzle leaves out the only table's name, and a subquery would find its own column first. */
export const firstCommentState = (table: string) => {
  const post = sql.raw(`"${table}"`)
  return sql<FirstCommentState | null>`CASE WHEN ${post}.status = 'published' AND ${post}.first_comment IS NOT NULL THEN
    (SELECT comment.state FROM social.first_comments AS comment WHERE comment.id = ${post}.id) END`.as(
    'first_comment_state',
  )
}

/** `table` as in `firstCommentState`. */
export function computedColumns(table: string) {
  const post = sql.raw(`"${table}"`)
  const account = sql`
    SELECT name FROM social.connections
    WHERE connections.brand_id = ${post}.brand_id AND connections.provider = ${post}.provider`
  // Of a Group within an account.
  const group = sql`CASE WHEN ${post}.target ->> 'groupId' IS NOT NULL THEN (
    SELECT place ->> 'name' FROM social.connections, jsonb_path_query(metadata, '$.groups[*]') AS place
    WHERE connections.brand_id = ${post}.brand_id AND connections.provider = ${post}.provider
      AND place ->> 'id' = ${post}.target ->> 'groupId' LIMIT 1) END`
  return {
    /** The account that it was published to, else the one that it would be published to now (SOC-21). */
    accountName: sql<string | null>`coalesce(${group}, CASE
      WHEN ${post}.status = 'published' AND ${post}.external_account IS NOT NULL THEN coalesce(
        (${account} AND external_id = ${post}.external_account ORDER BY connections.id LIMIT 1), ${post}.external_account)
      WHEN ${post}.target ->> 'connectionId' IS NOT NULL THEN
        (${account} AND connections.id = (${post}.target ->> 'connectionId')::uuid)
      ELSE (${account} AND active ORDER BY owner_id = ${post}.author_id DESC, connections.id LIMIT 1)
    END)`.as('account_name'),
    threadSize: sql<number | null>`CASE WHEN ${post}.thread_id IS NOT NULL THEN
      (SELECT count(*)::int FROM social.posts AS part WHERE part.thread_id = ${post}.thread_id) END`.as('thread_size'),
    firstCommentState: firstCommentState(table),
    isDue: sql<boolean>`(${post}.status = 'scheduled' AND ${post}.scheduled_at <= now())`.as('is_due'),
  }
}

export const listedColumns = { ...storedColumns, ...computedColumns('posts') }

export type PostListRow = Omit<typeof posts.$inferSelect, 'dueAt' | 'leaseOwner' | 'externalAccount' | 'sortAt'> & {
  brandName: string
  accountName: string | null
  threadSize: number | null
  isDue: boolean
  firstCommentState: FirstCommentState | null
}
