import { databaseTime, type Database } from '#lib/db.ts'
import type { BrandRow } from '../brands/brands.ts'
import { takeNextSlot } from '../slots/free.ts'
import { plannedTime, publishingTime, type When } from './input.ts'

interface Choice {
  scheduledAt: When
  timeZone: string
  /** The post that is moved. */
  postId?: string
}

/** When a draft is planned to be published. @throws {Problem} 422 for a time that doesn't exist, 409 without a free slot */
export async function choosePlannedTime(tx: Database, brand: BrandRow, choice: Choice): Promise<Date> {
  const { scheduledAt, timeZone } = choice
  // Only the next slot depends on the present time; `now` is refused before.
  return scheduledAt === 'next-slot' || scheduledAt === 'now'
    ? chooseTime(tx, brand, choice)
    : plannedTime(scheduledAt, timeZone)
}

/** When a post is published. @throws {Problem} 422 for a time that has passed or doesn't exist, 409 without a free slot */
export async function chooseTime(
  tx: Database,
  brand: BrandRow,
  { scheduledAt, timeZone, postId }: Choice,
): Promise<Date> {
  const now = await databaseTime(tx)
  return scheduledAt === 'next-slot' ? takeNextSlot(tx, brand, now, postId) : publishingTime(scheduledAt, timeZone, now)
}
