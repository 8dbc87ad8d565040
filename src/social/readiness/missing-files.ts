import { beforeAbort } from '#lib/before-abort.ts'
import { forEachSettled } from '#lib/each.ts'
import type { Work } from '#lib/job.ts'
import { logFault } from '#lib/log/fault.ts'
import { keyOf, variantKey, type MediaRow } from '../media/files.ts'
import { variantFor } from '../media/in-posts.ts'
import { networkOf } from '../networks/index.ts'
import { limitsOf } from '../networks/limits.ts'
import type { PostFacts } from './facts.ts'
import { readMedia } from './read.ts'

/** Files that the storage is asked for at a time. */
const concurrency = 4
/** For the files of all posts of a check. */
const maxMs = 10_000

/**
 * IDs of files that publishing won’t find, by post. What the storage doesn’t say, such as while it is unavailable, stays
 * as the last check found it. Without a transaction: storages take their time.
 */
export async function findMissingFiles(
  work: Pick<Work, 'database' | 'storage' | 'log'>,
  all: readonly PostFacts[],
): Promise<Map<string, string[]>> {
  const rows = await readMedia(work.database.db, all)
  const files = all.map((facts) => ({ facts, keys: keysOf(facts, rows) }))
  const exist = await askStorage(work, [...new Set(files.flatMap(({ keys }) => [...keys.values()]))])
  return new Map(
    files.map(({ facts: { id, missingFiles }, keys }) => [
      id,
      [...keys].flatMap(([mediaId, key]) => ((exist.get(key) ?? !missingFiles.includes(mediaId)) ? [] : [mediaId])),
    ]),
  )
}

/** Of the copies that would be sent, by ID; without files that the network doesn’t accept. */
function keysOf({ account, media, provider }: PostFacts, rows: ReadonlyMap<string, MediaRow>): Map<string, string> {
  const network = networkOf(provider)
  const limits = network && limitsOf(network, account?.metadata ?? null)
  return new Map(
    media.flatMap(({ mediaId }) => {
      const row = rows.get(mediaId)
      const variant = row && limits && variantFor(row, limits)
      return variant ? [[mediaId, variantKey(keyOf(row), variant)] as const] : []
    }),
  )
}

async function askStorage(
  { storage, log }: Pick<Work, 'storage' | 'log'>,
  keys: readonly string[],
): Promise<Map<string, boolean>> {
  const exist = new Map<string, boolean>()
  const late = AbortSignal.timeout(maxMs)
  let isAvailable = true
  const ask = async (key: string): Promise<void> => {
    if (!isAvailable) return
    try {
      exist.set(key, await beforeAbort(late, storage.exists(key)))
    } catch (error) {
      if (isAvailable) logFault(log, 'checking the files of posts failed', error)
      isAvailable = false
    }
  }
  await forEachSettled(keys, ask, concurrency)
  return exist
}
