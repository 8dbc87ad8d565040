import { and, sql } from 'drizzle-orm'
import { z } from 'zod'
import { changedFields } from '../audit.ts'
import type { Database } from '../db.ts'
import { Id } from '../ids.ts'
import { keyset, type PageOf } from '../paginate.ts'

export const deadLetterQueue = (queue: string): string => `${queue}.dead`

export interface DeadLetter {
  id: string
  queue: string
  input: Record<string, unknown>
  error: string | null
  attempts: number
  enqueuedAt: Date
  diedAt: Date
}

export interface QueueDepth {
  name: string
  waiting: number
  retrying: number
  delayed: number
  active: number
  dead: number
  oldestDueAt: Date | null
}

const Output = z.object({ message: z.string() })
const Data = z.record(z.string(), z.unknown())

const Row = z.object({
  id: Id,
  queue: z.string(),
  data: z.unknown(),
  output: z.unknown(),
  attempts: z.coerce.number(),
  enqueued_at: z.coerce.date(),
  died_at: z.coerce.date(),
  place: z.string(),
})

/** An instant in microseconds: a JavaScript Date would cut it to milliseconds. */
const ExactTime = z.string().max(40).refine(isInstant)
const newestFirst = keyset({ at: [sql`created_on`, ExactTime], id: [sql`id`, Id] }, 'desc')

function isInstant(text: string): boolean {
  try {
    return Temporal.Instant.from(text).epochMilliseconds > 0
  } catch {
    return false
  }
}

const isDead = sql`source_id IS NOT NULL AND name = source_name || '.dead' AND state = 'created'`

/** Newest first, of one queue or of all. @throws {Problem} 422 for an invalid cursor */
export async function listDeadLetters(
  db: Database,
  { queue, ...query }: { queue?: string; limit: number; cursor?: string },
): Promise<PageOf<DeadLetter>> {
  const slice = newestFirst.slice(query)
  const rows = await db.execute(sql`
    SELECT id, source_name AS queue, data, output, source_retry_count + 1 AS attempts,
      source_created_on AS enqueued_at, created_on AS died_at, created_on::text AS place
    FROM pgboss.job
    WHERE ${and(isDead, queue === undefined ? undefined : sql`source_name = ${queue}`, slice.where)}
    ORDER BY ${sql.join(slice.order, sql`, `)} LIMIT ${slice.limit}`)
  const page = slice.pageBy(z.array(Row).parse([...rows]), ({ place, id }) => ({ at: place, id }))
  return { items: page.items.map(toDeadLetter), nextCursor: page.nextCursor }
}

export async function countDeadLetters(db: Database, queue: string): Promise<number> {
  const [row] = await db.execute<{ dead: number }>(sql`
    SELECT count(*)::int AS dead FROM pgboss.job WHERE name = ${deadLetterQueue(queue)} AND ${isDead}`)
  return row?.dead ?? 0
}

const toDeadLetter = ({
  id,
  queue,
  data,
  output,
  attempts,
  enqueued_at,
  died_at,
}: z.output<typeof Row>): DeadLetter => ({
  id,
  queue,
  input: changedFields(undefined, Data.safeParse(data).data ?? {}).after ?? {},
  error: Output.safeParse(output).data?.message ?? null,
  attempts,
  enqueuedAt: enqueued_at,
  diedAt: died_at,
})

const Claimed = z.object({ id: Id, queue: z.string(), data: z.unknown() })

/** At most 100, for a minute: returned again after it unless `settleDeadLetter` is called. */
export async function claimDeadLetters(db: Database, queues: readonly string[]): Promise<z.output<typeof Claimed>[]> {
  const names = sql.join(
    queues.map((queue) => sql`${deadLetterQueue(queue)}`),
    sql`, `,
  )
  const rows = await db.execute(sql`
    UPDATE pgboss.job SET start_after = now() + interval '1 minute'
    WHERE ${isDead} AND (name, id) IN (
      SELECT name, id FROM pgboss.job
      WHERE name IN (${names}) AND ${isDead} AND ${isUnsettled} AND start_after <= now()
      ORDER BY start_after LIMIT 100 FOR UPDATE SKIP LOCKED)
    RETURNING id, source_name AS queue, data`)
  return z.array(Claimed).parse([...rows])
}

/** No worker takes dead letters, so pg-boss leaves this column null. */
const isUnsettled = sql`started_on IS NULL`

export async function settleDeadLetter(db: Database, queue: string, id: string): Promise<void> {
  await db.execute(sql`
    UPDATE pgboss.job SET started_on = now()
    WHERE name = ${deadLetterQueue(queue)} AND id = ${id}::uuid AND ${isDead}`)
}

const TakenJob = z.object({
  queue: z.string(),
  data: z.unknown(),
  priority: z.int(),
  group: z.string().nullable(),
  singleton_key: z.string().nullable(),
  unsettled: z.boolean(),
})

export type DeadJob = z.output<typeof TakenJob>

/** Undefined when there is none, also for the second of two callers. */
export async function takeDeadLetter(db: Database, id: string): Promise<DeadJob | undefined> {
  const [row] = await db.execute(sql`
    DELETE FROM pgboss.job WHERE id = ${id}::uuid AND ${isDead}
    RETURNING source_name AS queue, data, priority, group_id AS "group", singleton_key, ${isUnsettled} AS unsettled`)
  return row && TakenJob.parse(row)
}

const Depth = z.object({
  name: z.string(),
  waiting: z.number(),
  retrying: z.number(),
  delayed: z.number(),
  active: z.number(),
  dead: z.number(),
  oldest_due_at: z.coerce.date().nullable(),
})

export async function listQueueDepths(db: Database): Promise<QueueDepth[]> {
  const rows = await db.execute(sql`
    SELECT q.name,
      count(*) FILTER (WHERE j.name = q.name AND j.state IN ('created', 'retry'))::int AS waiting,
      count(*) FILTER (WHERE j.name = q.name AND j.state = 'retry')::int AS retrying,
      count(*) FILTER (WHERE j.name = q.name AND j.state IN ('created', 'retry') AND j.start_after > now())::int AS delayed,
      count(*) FILTER (WHERE j.name = q.name AND j.state = 'active')::int AS active,
      count(*) FILTER (WHERE j.name = q.dead_letter AND j.state = 'created')::int AS dead,
      min(j.start_after) FILTER (
        WHERE j.name = q.name AND j.state IN ('created', 'retry') AND j.start_after <= now()) AS oldest_due_at
    FROM pgboss.queue q LEFT JOIN pgboss.job j ON j.name IN (q.name, q.dead_letter) AND j.state < 'completed'
    WHERE q.dead_letter IS NOT NULL
    GROUP BY q.name ORDER BY q.name`)
  return z
    .array(Depth)
    .parse([...rows])
    .map(({ oldest_due_at: oldestDueAt, ...depth }) => ({ ...depth, oldestDueAt }))
}
