import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { databaseTime } from '#lib/db.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { QueueSlots } from '#views/social/brands/queue-slots.tsx'
import * as brands from '../brands/brands.ts'
import { detailsOfChanged } from '../brands/details.ts'
import { Brand, SlotDay, SlotList, SlotTime } from '../contract.ts'
import { addSlots, removeSlots } from './change.ts'
import { findFreeSlot, listSlots } from './free.ts'

/** The browser sends one chosen day as a value, and several as a list. */
const Days = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(',') : value),
  z.array(SlotDay).min(1, 'Choose at least one day.').max(7),
)

const SlotChange = z.object({
  id: Id,
  days: Days.describe('1 is Monday, 7 is Sunday.'),
  time: SlotTime.describe('In the time zone of the brand.'),
})

const pageOf = (id: string) => `/workspace/brands/${id}#queue-slots`

export const listQueueSlots = operation({
  route: 'GET /api/brands/:id/queue-slots',
  summary: 'List the next queue slots of a brand',
  permission: 'posts:read',
  machine: true,
  input: z.object({ id: Id, limit: z.coerce.number().int().min(1).max(100).default(20) }),
  output: SlotList,
  run: async ({ db, actor, input: { id, limit } }) => {
    const brand = await brands.get(db, actor, id)
    const now = await databaseTime(db)
    const [items, nextFree] = await Promise.all([
      listSlots(db, actor, brand, { now, limit }),
      findFreeSlot(db, actor, brand, now),
    ])
    return { items, nextFree, timeZone: brand.timeZone }
  },
})

export const addQueueSlots = operation({
  route: 'POST /api/brands/:id/queue-slots',
  summary: 'Add queue slots to a brand',
  permission: 'brands:write',
  machine: true,
  input: SlotChange,
  output: Brand,
  example: { days: [1, 2, 3, 4, 5], time: '08:30' },
  run: async (call) => {
    const brand = await detailsOfChanged(call, await addSlots(call, call.input))
    return reply(200, brand, { next: pageOf(brand.id), toast: 'Slot added' })
  },
  view: (brand) => <QueueSlots brand={brand} />,
})

export const removeQueueSlots = operation({
  route: 'DELETE /api/brands/:id/queue-slots',
  summary: 'Remove queue slots from a brand',
  permission: 'brands:write',
  machine: true,
  input: SlotChange,
  output: Brand,
  run: async (call) => {
    const brand = await detailsOfChanged(call, await removeSlots(call, call.input))
    return reply(200, brand, { next: pageOf(brand.id), toast: 'Slot removed' })
  },
  view: (brand) => <QueueSlots brand={brand} />,
})
