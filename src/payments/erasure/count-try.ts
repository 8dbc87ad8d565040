import { eq } from 'drizzle-orm'
import type { ErasureWork } from '#lib/tenant-data.ts'
import { closings } from '../schema.ts'

/**
 * Counts a failed try if it comes late enough after the one before: the repetitions of a job within minutes count as one.
 *
 * @returns Whether it was the last
 */
export const countTry = ({ database, config, now }: ErasureWork, organizationId: string): Promise<boolean> =>
  database.transaction(async (tx) => {
    const at = now()
    await tx.insert(closings).values({ organizationId, tries: 0, triedAt: at }).onConflictDoNothing()
    const own = eq(closings.organizationId, organizationId)
    const [closing] = await tx.select().from(closings).where(own).for('update')
    if (!closing) throw new Error('The row that was inserted is gone')
    const { tries, triedAt } = closing
    const delays = config.PAYMENTS_SWEEP_S
    const isLast = tries >= delays.length
    const delay = tries === 0 ? 0 : (delays[tries - 1] ?? 0)
    if (at.getTime() < triedAt.getTime() + delay * 1_000) return false
    await tx
      .update(closings)
      .set({ tries: tries + 1, triedAt: at })
      .where(own)
    return isLast
  })
