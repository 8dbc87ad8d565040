import { notFound, Problem } from '#lib/errors.ts'
import type { ChangeCall } from '../change-call.ts'
import type { BulkChange, BulkResult } from '../contract.ts'
import * as changes from './changes.ts'
import type { PostBulkChange } from './input.ts'
import { restore } from './restore.ts'

/**
 * Changes each post that allows it. One that doesn't keeps its state, and the result says why.
 * @throws {Problem} 404 when none of them exists
 */
export async function changeAll(call: ChangeCall, { ids, ...change }: PostBulkChange): Promise<BulkResult> {
  const items: BulkResult['items'] = []
  // Always in the same order, so that concurrent calls don't deadlock.
  for (const id of [...new Set(ids)].toSorted()) items.push({ id, ...(await tryChange(call, id, change)) })
  if (items.every(({ error }) => error?.code === 'not_found')) throw notFound('post')
  const failed = items.filter(({ error }) => error !== null).length
  return { items, succeeded: items.length - failed, failed }
}

async function tryChange(
  call: ChangeCall,
  id: string,
  change: Omit<PostBulkChange, 'ids'>,
): Promise<Omit<BulkChange, 'id'>> {
  try {
    await changeOne(call, id, change)
    return { error: null }
  } catch (error) {
    // Restoring writes before it refuses: nothing is restored then.
    if (!(error instanceof Problem) || error.status >= 500 || change.action === 'restore') throw error
    const detail = error.options.errors?.[0]?.message ?? error.message
    return { error: { code: error.code, detail } }
  }
}

function changeOne(
  call: ChangeCall,
  id: string,
  { action, scheduledAt, timeZone }: Omit<PostBulkChange, 'ids'>,
): Promise<unknown> {
  const changeBy = {
    delete: () => changes.remove(call, { id }),
    restore: () => restore(call, id),
    unschedule: () => changes.unschedule(call, { id }),
    'undo-unschedule': () => changes.scheduleAgain(call, id),
    'publish-now': () => changes.publishNow(call, { id }),
    reschedule: () => changes.edit(call, { id, status: 'scheduled', scheduledAt, timeZone }),
  }
  return changeBy[action]()
}
