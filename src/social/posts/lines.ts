import { count, eq, inArray } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import type { PostLine } from '#views/social/line.ts'
import { Post } from '../contract.ts'
import { connections, posts } from '../schema.ts'
import type { ListedPost } from './list.ts'

type Connection = Pick<
  typeof connections.$inferSelect,
  'id' | 'provider' | 'ownerId' | 'active' | 'externalId' | 'name'
>

/** Posts of one brand with what a list says beside them: account, author, length of the thread. */
export async function linesOf(
  { db, identity }: Pick<Call, 'db' | 'identity'>,
  brandId: string,
  rows: readonly ListedPost[],
): Promise<PostLine[]> {
  if (rows.length === 0) return []
  const [accounts, sentTo, parts, people] = await Promise.all([
    db.select().from(connections).where(eq(connections.brandId, brandId)).orderBy(connections.id),
    sentTos(db, rows),
    threadLengths(db, rows),
    identity.people([...new Set(rows.map(({ authorId }) => authorId))]),
  ])
  return rows.map((row) => ({
    post: Post.parse(row),
    account: accountOf(row, accounts, sentTo.get(row.id)),
    author: people.get(row.authorId)?.name ?? null,
    parts: row.threadId ? (parts.get(row.threadId) ?? 1) : null,
  }))
}

/** The account that a post went to, else the one that it would go to now (SOC-21). */
function accountOf(post: ListedPost, accounts: Connection[], sentTo: string | undefined): string | null {
  const ofNetwork = accounts.filter(({ provider }) => provider === post.provider)
  const asked = post.target?.connectionId
  const found = sentTo
    ? ofNetwork.find(({ externalId }) => externalId === sentTo)
    : asked
      ? ofNetwork.find(({ id }) => id === asked)
      : (ofNetwork.find(({ active, ownerId }) => active && ownerId === post.authorId) ??
        ofNetwork.find(({ active }) => active))
  return found?.name ?? sentTo ?? null
}

/** The external account of each post that was published, by post. */
async function sentTos(db: Database, rows: readonly ListedPost[]): Promise<Map<string, string>> {
  const sent = rows.filter(({ status }) => status === 'published').map(({ id }) => id)
  if (sent.length === 0) return new Map()
  const found = await db
    .select({ id: posts.id, account: posts.externalAccount })
    .from(posts)
    .where(inArray(posts.id, sent))
  return new Map(found.flatMap(({ id, account }) => (account ? [[id, account]] : [])))
}

/** How many posts each thread among these has, by thread. */
async function threadLengths(db: Database, rows: readonly ListedPost[]): Promise<Map<string, number>> {
  const threads = [...new Set(rows.flatMap(({ threadId }) => threadId ?? []))]
  if (threads.length === 0) return new Map()
  const found = await db
    .select({ threadId: posts.threadId, parts: count() })
    .from(posts)
    .where(inArray(posts.threadId, threads))
    .groupBy(posts.threadId)
  return new Map(found.flatMap(({ threadId, parts }) => (threadId ? [[threadId, parts]] : [])))
}
