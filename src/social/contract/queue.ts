import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Day, Timestamp } from '#lib/time.ts'
import { SlotClockChange } from './brands.ts'
import { CalendarPost } from './calendar.ts'
import { Post } from './posts.ts'
import { StoredZone } from './zones.ts'

/** A time of the queue: a slot, or the time of posts that were scheduled outside of the slots. */
export const QueueTime = z.object({
  at: Timestamp,
  localTime: z.string().describe('`at` in the time zone of the brand, such as `2026-11-21T09:00`.'),
  isSlot: z.boolean().describe('Whether it is a coming slot of the brand.'),
  isFree: z.boolean().describe('Whether no post of the brand is scheduled or planned for it. Filters don’t change it.'),
  clockChange: SlotClockChange.pick({ time: true, kind: true })
    .nullable()
    .describe('Of a slot whose time a daylight-saving change skips or repeats on this day. Null without.'),
  posts: z.array(CalendarPost).describe('The scheduled posts and planned drafts of this time that match the filters.'),
  previousSlot: Timestamp.nullable().describe('The slot before it. Null when no coming one is.'),
  nextSlot: Timestamp.nullable().describe('The slot after it. Null when the brand has no slots.'),
})
export type QueueTime = z.output<typeof QueueTime>

export const MovedPosts = z.object({
  items: z
    .array(Post)
    .describe('The moved post first, then the others of its thread, then those that got its former time.'),
})
export type MovedPosts = z.output<typeof MovedPosts>

export const Queue = z.object({
  items: z.array(QueueTime).describe('By time. At most 2,000 posts.'),
  from: Day.describe('The first of these days.'),
  to: Day.describe('The last of them.'),
  timeZone: StoredZone.describe('The time zone of the brand, in which its days and slots are.'),
  omitted: z.int().describe('How many posts of these days aren’t listed, as in the calendar.'),
  overdue: z
    .int()
    .describe('How many posts are scheduled for a day before today and still wait. At most 1,000 are counted.'),
  nextFree: Timestamp.nullable().describe('The next free slot. Null without one.'),
  isPaused: z.boolean().describe('Whether publishing of all accounts of the brand is paused.'),
  pausedAccounts: z.array(Id).describe('Accounts of the brand that are paused by themselves.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Of the next days with a post or, within a year, with a slot. Null when there are none.'),
  can: z.object({ create: z.boolean() }),
})
export type Queue = z.output<typeof Queue>
