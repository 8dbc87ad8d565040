import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import * as brands from '../brands/brands.ts'
import { maxQueueSlots, sortSlots, type QueueSlot } from '../contract.ts'

type SlotCall = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'queue' | 'identity'>

export interface SlotChange {
  id: string
  days: number[]
  time: string
}

/** Adds a time on several days; those that exist stay. @throws {Problem} 404, and 422 when there are too many */
export async function addSlots(call: SlotCall, { id, days, time }: SlotChange): Promise<brands.BrandRow> {
  const { queueSlots } = await brands.lock(call, id)
  const changed = sortSlots([...queueSlots, ...days.map((day) => ({ day, time }))])
  if (changed.length > maxQueueSlots)
    throw invalid([{ path: 'time', message: `A brand can have at most ${maxQueueSlots} slots a week. Remove some.` }])
  return save(call, id, changed)
}

/** Removes a time from several days. Posts that are scheduled for it keep their time. @throws {Problem} 404 */
export async function removeSlots(call: SlotCall, { id, days, time }: SlotChange): Promise<brands.BrandRow> {
  const { queueSlots } = await brands.lock(call, id)
  return save(
    call,
    id,
    queueSlots.filter((slot) => slot.time !== time || !days.includes(slot.day)),
  )
}

const save = async (call: SlotCall, id: string, queueSlots: QueueSlot[]) =>
  (await brands.update(call, { id, queueSlots })).after
