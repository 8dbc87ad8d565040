import { and, asc, eq, gte, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { notFound, Problem, retryLater } from '#lib/errors.ts'
import { sandboxReceipts } from '../schema.ts'
import { getBehavior, takeBehavior } from './behavior.ts'
import type { Behavior, Edited, Incoming, StoredPost } from './contract.ts'
import { requireFiles } from './files.ts'

const { handle, receivedAt, id } = sandboxReceipts

/** `since` is inclusive. @throws {Problem} 501 when its behavior is not to be readable */
export async function listReadable(db: Database, account: string, since?: Date): Promise<StoredPost[]> {
  if ((await getBehavior(db, account)).readBack === false)
    throw new Problem(501, 'read_back_off', 'Reading this account is turned off in the sandbox.')
  return listPosts(db, account, since)
}

export const listPosts = (db: Database, account: string, since?: Date): Promise<StoredPost[]> =>
  db
    .select()
    .from(sandboxReceipts)
    .where(and(eq(handle, account), since && gte(receivedAt, since)))
    .orderBy(asc(receivedAt), asc(id))

export type Reception =
  | { kind: 'accepted' | 'cut'; post: StoredPost; latencyMs: number }
  | { kind: 'refused'; problem: Problem; latencyMs: number }
  | { kind: 'silent' }

/** The receipt is committed before this returns. @throws {Problem} 422 */
export async function receivePost(db: Database, account: string, post: Incoming): Promise<Reception> {
  await requireFiles(db, account, post.media)
  return receive(db, account, async () => {
    const [row] = await db
      .insert(sandboxReceipts)
      .values({ handle: account, ...post })
      .returning()
    if (!row) throw new Error('The receipt was not written')
    return row
  })
}

/** The change is committed before this returns. @throws {Problem} 404 */
export const editPost = (db: Database, account: string, postId: string, { text }: Edited): Promise<Reception> =>
  receive(db, account, async () => {
    const [row] = await db
      .update(sandboxReceipts)
      .set({ text, editedAt: sql`clock_timestamp()` })
      .where(and(eq(handle, account), eq(id, postId)))
      .returning()
    if (!row) throw notFound('post')
    return row
  })

async function receive(db: Database, account: string, store: () => Promise<StoredPost>): Promise<Reception> {
  const behavior = await takeBehavior(db, account)
  const latencyMs = behavior.latencyMs ?? 0
  if (behavior.mode === 'timeout') return { kind: 'silent' }
  const problem = createRefusal(behavior)
  if (problem) return { kind: 'refused', problem, latencyMs }
  return { kind: behavior.mode === 'lose_answer' ? 'cut' : 'accepted', post: await store(), latencyMs }
}

function createRefusal({ mode, status = 500, retryAfter = 1 }: Behavior): Problem | null {
  if (mode === 'fail') return new Problem(status, 'sandbox_failure', 'The sandbox is set to fail.')
  if (mode !== 'rate_limit') return null
  return retryLater(429, 'rate_limited', 'The sandbox is set to rate-limit requests.', { retryAfter })
}

export const postUrl = (origin: string, account: string, post: StoredPost): string =>
  `${origin}/dev/sandbox/${account}#post-${post.id}`

export const deletePost = (db: Database, account: string, postId: string) =>
  db.delete(sandboxReceipts).where(and(eq(handle, account), eq(id, postId)))
