import { and, eq, ne } from 'drizzle-orm'
import { z } from 'zod'
import { Id } from '../ids.ts'
import { job, type TypedJob } from '../job.ts'
import { errorFacts } from '../log.ts'
import { receivedWebhooks } from '../schema.ts'
import type { Webhook } from '../webhook.ts'
import { cut, keepable } from '../words.ts'

const input = z.object({ id: Id, round: z.int() })
/** Attempts after the first: with doubling waits from 5 s they reach over an hour and a half. */
const retries = 10
/** Characters of a failure that are kept. */
const longestProblem = 500

/** The job that handles the stored events of a webhook, on a queue of its own. */
export const handlingOf = ({ name, handle }: Pick<Webhook, 'name' | 'handle'>): TypedJob<z.output<typeof input>> =>
  job({
    name,
    input,
    retries,
    run: async ({ input: { id, round }, ...work }) => {
      const { db } = work.database
      const mine = and(
        eq(receivedWebhooks.id, id),
        eq(receivedWebhooks.round, round),
        ne(receivedWebhooks.state, 'handled'),
      )
      const [row] = await db
        .update(receivedWebhooks)
        .set({ state: 'waiting', problem: null, settledAt: null })
        .where(mine)
        .returning()
      if (!row) return
      const settle = (state: 'handled' | 'failed', problem: string | null) =>
        db.update(receivedWebhooks).set({ state, problem, settledAt: work.now() }).where(mine)
      try {
        await handle({ ...row, raw: row.body }, work)
      } catch (error) {
        await settle('failed', cut(keepable(String(errorFacts(error)['error'])), longestProblem))
        throw error
      }
      await settle('handled', null)
    },
  })

/** The same by its name alone: to enqueue for whichever server has the webhook. */
export const handlingNamed = (name: string): TypedJob<z.output<typeof input>> =>
  handlingOf({ name, handle: () => Promise.reject(new Error(`The webhook ${name} is not declared here`)) })
