import { and, eq, isNull, lt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { publishOnCommit } from '../events/publish-on-commit.ts'
import { job } from '../job.ts'
import { raisedActions } from '../schema.ts'
import { raisedActionEvent } from './event.ts'

/** How long a notice is shown to people who don't dismiss it. */
const shownMs = 30 * 24 * 60 * 60_000

/** Nothing else resolves notices: they have no cause that ends. */
export const endNotices = job({
  name: 'platform.end-notices',
  input: z.object({}),
  run: ({ database, now }) =>
    database.transaction(async (tx) => {
      const { surface, resolvedAt, raisedAt, version } = raisedActions
      const ended = await tx
        .update(raisedActions)
        .set({ resolvedAt: sql`now()`, version: sql`${version} + 1` })
        .where(and(eq(surface, 'notice'), isNull(resolvedAt), lt(raisedAt, new Date(now().getTime() - shownMs))))
        .returning({ id: raisedActions.id })
      if (ended.length > 0) await publishOnCommit(tx, raisedActionEvent)
    }),
})
