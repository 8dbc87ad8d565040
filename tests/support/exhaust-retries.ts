import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Job } from '#lib/job.ts'
import { createLog } from '#lib/log.ts'
import { settleExhausted } from '#lib/queue/settle-exhausted.ts'

/**
 * Runs what follows the last attempt of a job whose server was killed: the queue moves it to the failed jobs, and a
 * server settles it.
 */
export async function exhaustRetries(
  job: Job,
  id: string,
  database: DatabaseHandle,
  provided: Provided,
): Promise<void> {
  const moved = await database.sql`
    INSERT INTO pgboss.job (name, data, source_name, source_id, source_created_on, source_retry_count, keep_until)
    SELECT name || '.dead', data, name, id, created_on, 2, now() + interval '1 day' FROM pgboss.job
    WHERE name = ${job.name} AND data->>'id' = ${id} LIMIT 1 RETURNING id`
  if (moved.length !== 1) throw new Error(`There is no job ${job.name} of ${id}`)
  await settleExhausted([job], { ...provided, database, now: () => new Date() }, createLog('silent'))
}
