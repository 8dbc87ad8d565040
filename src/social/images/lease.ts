import { and, eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import type { Clock } from '#lib/time.ts'
import { imageGenerations } from '../schema.ts'

/** After its server was killed, a generation fails this much later. */
const leaseMs = 60_000

export const leaseEnd = (now: Clock): Date => new Date(now().getTime() + leaseMs)

export const isGenerating = (id: string) => and(eq(imageGenerations.id, id), eq(imageGenerations.status, 'generating'))

/** Renews the lease until the returned function is called. The next renewal makes up for a failed one. */
export function keepLease(db: Database, now: Clock, id: string): () => void {
  const renew = async () => {
    await db
      .update(imageGenerations)
      .set({ leaseUntil: leaseEnd(now) })
      .where(isGenerating(id))
  }
  const renewal = setInterval(() => void renew().catch(() => {}), leaseMs / 4)
  return () => clearInterval(renewal)
}
