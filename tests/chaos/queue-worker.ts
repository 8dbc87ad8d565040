import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { openDatabase } from '#lib/db.ts'
import { job } from '#lib/job.ts'
import { createLog } from '#lib/log.ts'
import { openQueue } from '#lib/queue.ts'
import { scaleTime } from '../support/time-scale.ts'

/** Pauses between its change and its commit. */
export const slowly = job({
  name: 'test.slowly',
  input: z.object({ number: z.int() }),
  run: ({ database, input }) =>
    database.transaction(async (db) => {
      await db.execute(sql`INSERT INTO done VALUES (${input.number}, ${process.pid})`)
      await Bun.sleep(700)
    }),
})

/** The minimum of pg-boss, up to three times as long on a busy machine. */
export const short = { heartbeatSeconds: Math.min(30, Math.ceil(scaleTime(10))), watchSeconds: 1 }

if (import.meta.main) {
  const database = openDatabase(process.env['DATABASE_URL'] ?? '', 3)
  const queue = await openQueue(database, createLog('error'), short)
  // The job uses nothing that servers provide.
  await queue.work([slowly], {} as never, () => new Date())
  console.log('working')
}
