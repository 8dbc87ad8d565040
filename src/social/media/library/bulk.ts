import { notFound, Problem } from '#lib/errors.ts'
import type { BulkResult } from '../../contract.ts'
import { withoutRepeats, type MediaBulkChange } from '../input.ts'
import * as media from '../media.ts'

const maxTags = 30

/**
 * Changes each file that allows it. The result says why one was not changed.
 * @throws {Problem} 404 when none of them exists
 */
export async function changeAll(
  call: Parameters<typeof media.remove>[0],
  { ids, ...change }: MediaBulkChange,
): Promise<BulkResult> {
  const items: BulkResult['items'] = []
  // Always in the same order, so that concurrent calls don't deadlock.
  for (const id of [...new Set(ids)].toSorted()) items.push({ id, error: await tryChange(call, id, change) })
  if (items.every(({ error }) => error?.code === 'not_found')) throw notFound('file')
  const failed = items.filter(({ error }) => error !== null).length
  return { items, succeeded: items.length - failed, failed }
}

type Change = Omit<MediaBulkChange, 'ids'>

async function tryChange(
  call: Parameters<typeof media.remove>[0],
  id: string,
  change: Change,
): Promise<BulkResult['items'][number]['error']> {
  try {
    if (change.action === 'delete') await media.remove(call, id)
    else await changeTags(call, id, change)
    return null
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    return { code: error.code, detail: error.message }
  }
}

async function changeTags(
  { db, actor }: Parameters<typeof media.remove>[0],
  id: string,
  { action, tags: changed = [] }: Change,
): Promise<void> {
  const { tags } = await media.lock(db, actor, id)
  const names = new Set(changed.map((tag) => tag.toLowerCase()))
  const after =
    action === 'tag' ? withoutRepeats([...tags, ...changed]) : tags.filter((tag) => !names.has(tag.toLowerCase()))
  if (after.length > maxTags)
    throw new Problem(422, 'too_many_tags', `A file can have at most ${maxTags} tags. Remove some first.`)
  await media.edit(db, actor, { id, tags: after })
}
