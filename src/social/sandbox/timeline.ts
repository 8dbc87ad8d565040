import { and, asc, eq, gte } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { sandboxReceipts } from '../schema.ts'
import { behaviorOf, takeBehavior } from './behavior.ts'
import type { Behavior, Incoming, SandboxPost } from './contract.ts'
import { requireFiles } from './files.ts'

const { handle, receivedAt, id } = sandboxReceipts

/** What the account received, oldest first; `since` is inclusive. Throws 501 when it was told not to be readable. */
export async function timeline(db: Database, account: string, since?: Date): Promise<SandboxPost[]> {
  if ((await behaviorOf(db, account)).readBack === false)
    throw new Problem(501, 'read_back_off', 'Reading this account is turned off in the sandbox.')
  return received(db, account, since)
}

/** The same for the timeline's own page, which always shows. */
export const received = (db: Database, account: string, since?: Date): Promise<SandboxPost[]> =>
  db
    .select()
    .from(sandboxReceipts)
    .where(and(eq(handle, account), since && gte(receivedAt, since)))
    .orderBy(asc(receivedAt), asc(id))

/** What became of a post, and how: each transport answers it in its own way. */
export type Reception =
  | { kind: 'accepted' | 'cut'; post: SandboxPost; latencyMs: number }
  | { kind: 'refused'; problem: Problem; latencyMs: number }
  | { kind: 'silent' }

/** Takes a post in as the account was told to. The receipt is committed before this returns. Throws 422. */
export async function receive(db: Database, account: string, post: Incoming): Promise<Reception> {
  await requireFiles(db, account, post.media)
  const behavior = await takeBehavior(db, account)
  const latencyMs = behavior.latencyMs ?? 0
  if (behavior.mode === 'timeout') return { kind: 'silent' }
  const problem = refusalOf(behavior)
  if (problem) return { kind: 'refused', problem, latencyMs }
  const [row] = await db
    .insert(sandboxReceipts)
    .values({ handle: account, ...post })
    .returning()
  if (!row) throw new Error('The receipt was not written')
  return { kind: behavior.mode === 'lose_answer' ? 'cut' : 'accepted', post: row, latencyMs }
}

function refusalOf({ mode, status = 500, retryAfter = 1 }: Behavior): Problem | null {
  if (mode === 'fail') return new Problem(status, 'sandbox_told_to_fail', 'The sandbox is set to fail.')
  if (mode !== 'rate_limit') return null
  return new Problem(429, 'rate_limited', 'The sandbox is set to rate-limit requests.', {
    headers: { 'Retry-After': String(retryAfter) },
  })
}

/** A post's address on the network's page. */
export const addressOf = (origin: string, account: string, post: SandboxPost): string =>
  `${origin}/dev/sandbox/${account}#post-${post.id}`

/** Deletes a post of an account; one that isn't there is gone as well. */
export const forget = (db: Database, account: string, postId: string) =>
  db.delete(sandboxReceipts).where(and(eq(handle, account), eq(id, postId)))
