import { asc, gt, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import { job } from '#lib/job.ts'
import { pushSubscriptions } from '../../schema.ts'

interface OfSession {
  readonly sessionId: string | null
}

/** Those whose session ended or expired. @throws {Problem} 503 */
export async function endedOf<Row extends OfSession>(
  { identity }: Pick<Provided, 'identity'>,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = rows.flatMap(({ sessionId }) => (sessionId === null ? [] : [sessionId]))
  const live = ids.length > 0 ? await identity.liveSessions(ids) : new Set<string>()
  return rows.filter(({ sessionId }) => sessionId !== null && !live.has(sessionId))
}

const pageSize = 500

/** Nothing is sent to them either way; this deletes the addresses of browsers in which the person signed out. */
export const deleteEndedSubscriptions = job({
  name: 'dashboard.delete-ended-push-subscriptions',
  input: z.object({}),
  run: async ({ identity, database: { db } }) => {
    const { id, sessionId } = pushSubscriptions
    for (let after: string | undefined; ;) {
      const rows = await db
        .select({ id, sessionId })
        .from(pushSubscriptions)
        .where(after === undefined ? undefined : gt(id, after))
        .orderBy(asc(id))
        .limit(pageSize)
      const ended = await endedOf({ identity }, rows)
      const ids = ended.map((row) => row.id)
      await db.delete(pushSubscriptions).where(inArray(id, ids))
      after = rows.at(-1)?.id
      if (rows.length < pageSize) return
    }
  },
})
