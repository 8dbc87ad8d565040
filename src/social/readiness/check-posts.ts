import { asc, inArray, sql } from 'drizzle-orm'
import { forEachSettled } from '#lib/each.ts'
import type { Database } from '#lib/db.ts'
import type { Work } from '#lib/job.ts'
import { logFault } from '#lib/log/fault.ts'
import type { Provider } from '../contract.ts'
import { enqueueActions } from '../raised/update-actions.ts'
import { postChecks, posts } from '../schema.ts'
import { checkAccount } from './check-account.ts'
import { findMissingFiles } from './missing-files.ts'
import { readReadiness, type ReadyPost } from './read.ts'

/** Posts of one account share what its network said for so long. */
const freshMs = 10 * 60_000
/** Accounts that are asked about at a time. */
const concurrency = 8

interface PostsToCheck {
  ids: readonly string[]
  /** An hour before they are due. */
  isFinal: boolean
  /** How old an answer of a network can be. */
  maxAgeMs?: number
}

/**
 * Asks the networks what is too old, and the storage for the files, then stores how ready the posts are, and raises or resolves their actions.
 * @returns how many of them are still scheduled
 */
export async function checkPosts(work: Work, { ids, isFinal, maxAgeMs = freshMs }: PostsToCheck): Promise<number> {
  const { database, events, now } = work
  const known = [...(await readReadiness(database.db, ids, now())).values()]
  await checkAccounts(work, known, maxAgeMs)
  const missing = await findMissingFiles(
    work,
    known.map(({ facts }) => facts),
  )
  return database.transaction(async (tx) => {
    // One check of a post at a time. Until it is stored, the post can’t be edited or deleted.
    await tx
      .select({ id: posts.id })
      .from(posts)
      .where(inArray(posts.id, [...ids]))
      .orderBy(asc(posts.id))
      .for('no key update')
    const found = await readReadiness(tx, ids, now(), missing)
    const before = await tx
      .select()
      .from(postChecks)
      .where(inArray(postChecks.postId, [...ids]))
    await store(tx, [...found.values()], isFinal)
    const states = new Map(before.map(({ postId, state }) => [postId, state]))
    for (const { facts, readiness } of found.values())
      if (states.get(facts.id) !== readiness.state)
        await events.publish(tx, 'social.post', { brandId: facts.brandId, postId: facts.id })
    const gone = before.filter(({ postId }) => !found.has(postId)).map(({ postId }) => postId)
    if (gone.length > 0) await tx.delete(postChecks).where(inArray(postChecks.postId, gone))
    const subjects = [
      ...before.filter(({ state }) => state === 'problem'),
      ...[...found.values()].flatMap(({ facts, readiness }) => (readiness.state === 'problem' ? [facts] : [])),
    ]
    await raise(tx, work, subjects)
    return found.size
  })
}

async function checkAccounts(work: Work, found: Iterable<ReadyPost>, maxAgeMs: number): Promise<void> {
  const stale = new Set<string>()
  for (const { facts } of found) {
    const { account, accountCheck } = facts
    const age = accountCheck ? work.now().getTime() - accountCheck.checkedAt.getTime() : Infinity
    if (account?.works && age > maxAgeMs) stale.add(account.id)
  }
  await forEachSettled(
    [...stale],
    (id) => checkAccount(work, id).catch((error: unknown) => logFault(work.log, 'account check failed', error)),
    concurrency,
  )
}

async function store(tx: Database, all: readonly ReadyPost[], isFinal: boolean): Promise<void> {
  if (all.length === 0) return
  await tx
    .insert(postChecks)
    .values(
      all.map(({ facts: { id, brandId, provider, scheduledAt, missingFiles }, readiness: { state } }) => ({
        postId: id,
        brandId,
        provider,
        state,
        checkedAt: sql`clock_timestamp()`,
        checkedFor: isFinal ? scheduledAt : null,
        missingFiles,
      })),
    )
    .onConflictDoUpdate({
      target: postChecks.postId,
      set: {
        state: sql`excluded.state`,
        checkedAt: sql`excluded.checked_at`,
        missingFiles: sql`excluded.missing_files`,
        ...(isFinal && { checkedFor: sql`excluded.checked_for` }),
      },
    })
}

async function raise(
  tx: Database,
  work: Work,
  subjects: readonly { brandId: string; provider: Provider }[],
): Promise<void> {
  const each = new Map(subjects.map(({ brandId, provider }) => [`${brandId} ${provider}`, { brandId, provider }]))
  for (const subject of each.values()) await enqueueActions(tx, work, subject)
}
