import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

export const Pause = z.object({
  id: Id,
  brandId: Id.nullable().describe('Null when all brands of the organization are paused.'),
  connectionId: Id.nullable().describe('The paused account; null when its whole brand is paused.'),
  pausedBy: Id,
  pausedAt: Timestamp,
})
export type Pause = z.output<typeof Pause>

export const PauseScope = z.object({
  brandId: Id.optional().describe('Only this brand. Without it and `connectionId`: the whole organization.'),
  connectionId: Id.optional().describe('Only this account.'),
})
export type PauseScope = z.output<typeof PauseScope>

export const PauseList = z.object({ items: z.array(Pause) })
