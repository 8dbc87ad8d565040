import { sql as statement } from 'drizzle-orm'
import { fromDrizzle, PgBoss, type ConstructorOptions, type SendOptions } from 'pg-boss'
import type { Sql } from 'postgres'
import { afterCommit } from './after-commit.ts'
import type { Provided } from './call.ts'
import { isTransaction, type Database, type DatabaseHandle } from './db.ts'
import { deadLetterQueue, takeDeadLetter } from './dead-letters.ts'
import { checkedInput } from './input.ts'
import type { Job, TypedJob } from './job.ts'
import { logFault } from './fault-log.ts'
import { errorFacts, type Log } from './log.ts'
import { databaseAway, describeFault } from './postgres/faults.ts'
import { noLimits, queueLimits } from './postgres/pool.ts'
import type { Sessions } from './postgres/sessions.ts'
import { sendOptions, type EnqueueOptions } from './queue/sending.ts'
import { waitingIndex } from './queue/turns.ts'
import { createWorkers, type QueueSettings } from './queue/workers.ts'
import { traced } from './telemetry.ts'
import type { Clock } from './time.ts'

export type { QueueSettings }

declare module './call.ts' {
  interface Provided {
    readonly queue: Queue
  }
}

/** Background work: enqueued in the transaction of the change that causes it, done by any server. */
export interface Queue {
  /**
   * Enqueues on `db`: when its transaction rolls back, there is no job. Does nothing while one with the same key waits
   * (`uniqueBy`).
   */
  enqueue<Input extends object>(
    db: Database,
    job: TypedJob<Input>,
    input: Input,
    options?: EnqueueOptions,
  ): Promise<void>
  /** Enqueues a job that was given up once more, on `db`. Answers its queue; undefined when there is no such job. */
  replay(db: Database, id: string): Promise<string | undefined>
  /** Begins to work these jobs. */
  work(jobs: readonly Job[], provided: Provided, now: Clock): Promise<void>
  /** How this server works a queue; undefined when it doesn't. */
  settings(name: string): QueueSettings | undefined
  /** Waits for work in hand, at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}

/** Of the queue alone: what it waits for holds up nothing else, and nothing else holds it up. */
const connections = 2
const retries = 5
/** Seconds that one run of a job can take. */
const longestRun = 15 * 60
/** Seconds that a job which was given up is kept for a person to look at. */
const deadLetterLife = 365 * 24 * 60 * 60

/** Seconds that a job is its server's without a sign of life (PLT-31), and between looks for those that gave none. */
const lease = { heartbeatSeconds: 30, watchSeconds: 10 }

/** Opens the queue on the server's own driver; its tables are the `pgboss` schema's. */
export async function openQueue(
  database: DatabaseHandle,
  log: Log,
  { heartbeatSeconds, watchSeconds } = lease,
): Promise<Queue> {
  const watching = { superviseIntervalSeconds: watchSeconds, monitorIntervalSeconds: watchSeconds }
  const sessions = database.openSessions(connections, queueLimits)
  const boss = new PgBoss({ db: onPostgresJs(sessions), ...watching })
  boss.on('error', (error) => logFault(log, 'queue', error))
  await alone(database, async () => {
    await boss.start()
    await layIndex(sessions)
  }).catch(async (error: unknown) => {
    // What a start that failed had begun would go on asking the closed sessions.
    await boss.stop({ graceful: false, close: false }).catch(() => {})
    await sessions.close()
    throw error
  })
  const laid = new Map<string, Promise<void>>()
  const known = new Map<string, Job>()
  /** A job's queue is there before the first job, whoever comes first: who enqueues or who works. */
  const lay = (job: Job): Promise<void> => {
    const { name, retries: retryLimit = retries, maxSeconds: expireInSeconds = longestRun } = job
    known.set(name, job)
    const deadLetter = deadLetterQueue(name)
    const settings = { retryLimit, retryDelay: 5, retryBackoff: true, heartbeatSeconds, expireInSeconds, deadLetter }
    const policy = job.uniqueBy ? 'short' : 'standard'
    const create = async () => {
      await boss.createQueue(deadLetter, { retentionSeconds: deadLetterLife })
      await boss.createQueue(name, { ...settings, policy })
      await boss.updateQueue(name, settings)
      // pg-boss has no way to change the policy of a queue that an earlier release made.
      await sessions.use(
        (sql) => sql`UPDATE pgboss.queue SET policy = ${policy} WHERE name = ${name} AND policy <> ${policy}`,
      )
    }
    const laying = laid.get(name) ?? create()
    laid.set(name, laying)
    laying.catch(() => laid.delete(name)) // Whoever waits for it hears of it; the next one tries again.
    return laying
  }
  const worked = createWorkers(boss)
  const send = async (db: Database, name: string, input: object, options: SendOptions) => {
    await boss.send(name, input, { ...options, db: fromDrizzle(db, statement) })
    // A server that works this queue begins at once; others find the job within 2 s.
    if (isTransaction(db)) afterCommit(db, async () => worked.wake(name))
    else worked.wake(name)
  }
  return {
    enqueue: async (db, job, input, options) => {
      await lay(job)
      await send(db, job.name, input, await sendOptions(db, job, input, options))
    },
    replay: async (db, id) => {
      const letter = await takeDeadLetter(db, id)
      if (!letter) return undefined
      const job = known.get(letter.queue)
      const parsed = job?.input.safeParse(letter.data)
      const options = job && parsed?.success ? await sendOptions(db, job, parsed.data) : { singletonKey: id }
      await send(db, letter.queue, Object(letter.data), options)
      return letter.queue
    },
    work: async (jobs, provided, now) => {
      for (const job of jobs) {
        await lay(job)
        const parse = (data: unknown) => checkedInput(job.input, data, new Set(), 'ignored')
        const run = (input: unknown) =>
          traced({ name: `job ${job.name}` }, async () => job.run({ ...provided, input, database, now }))
        await worked.start(job, {
          run,
          parse,
          failed: ({ id }, error) => failureOf(log, job.name, id, error),
        })
      }
    },
    settings: (name) => worked.settings(name),
    stop: async (graceMs) => {
      worked.stop()
      await boss.stop({ graceful: true, timeout: graceMs, close: false })
      await sessions.close()
    },
  }
}

/** Looked up first, since `IF NOT EXISTS` locks out all who enqueue also when the index is there. */
const layIndex = (sessions: Sessions): Promise<void> =>
  sessions.use(async (sql) => {
    const [found] = await sql<{ oid: unknown }[]>`SELECT to_regclass(${`pgboss.${waitingIndex}`}) AS oid`
    if (found?.oid) return
    await sql`
      CREATE INDEX ${sql(waitingIndex)} ON pgboss.job (name, group_id, start_after)
      WHERE state < 'active' AND group_id IS NOT NULL`
  })

/** The log is told of it, and pg-boss, which keeps what it is given in its table, no more than that. */
function failureOf(log: Log, job: string, id: string, error: unknown): Error {
  logFault(log, 'job failed', error, { job, id })
  return new Error(databaseAway(error) ? describeFault(error) : String(errorFacts(error)['error']))
}

/** pg-boss sends several statements as one: each call has a connection of its own. */
const onPostgresJs = (sessions: Sessions): NonNullable<ConstructorOptions['db']> => ({
  executeSql: (text, values = []) =>
    sessions.use(async (sql) => {
      const rows: unknown[] = await sql.unsafe(text, values as Parameters<Sql['unsafe']>[1])
      return { rows: Array.isArray(rows[0]) ? rows.flat() : [...rows] }
    }),
})

/** Any number: it names the lock under which one server at a time lays pg-boss' tables. */
const installing = 7_241_901

/** Runs while no other server on this database does the same. */
async function alone(database: DatabaseHandle, act: () => Promise<unknown>): Promise<void> {
  const session = database.openSessions(1, noLimits)
  try {
    await session.use(async (sql) => {
      await sql`SELECT pg_advisory_lock(${installing})`
      await act()
    })
  } finally {
    await session.close() // The lock goes with the connection.
  }
}
