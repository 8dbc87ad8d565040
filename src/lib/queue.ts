import { sql as statement } from 'drizzle-orm'
import { fromDrizzle, PgBoss, type ConstructorOptions } from 'pg-boss'
import type { Sql } from 'postgres'
import type { Provided } from './call.ts'
import type { Database, DatabaseHandle } from './db.ts'
import { deadLetterQueue, takeDeadLetter } from './dead-letters.ts'
import { checkedInput } from './input.ts'
import type { Job, TypedJob } from './job.ts'
import { logFault } from './fault-log.ts'
import { errorFacts, type Log } from './log.ts'
import { databaseAway, describeFault } from './postgres/faults.ts'
import { noLimits, queueLimits } from './postgres/pool.ts'
import type { Sessions } from './postgres/sessions.ts'
import { traced } from './telemetry.ts'
import type { Clock } from './time.ts'

declare module './call.ts' {
  interface Provided {
    readonly queue: Queue
  }
}

interface Enqueueing {
  /** A planned time of the schedule: of all servers that enqueue a job for it, one does. */
  tick?: Date
  /** Seconds until it can run, by the database's clock. */
  afterSeconds?: number
  /** With `perGroup` of the job: one tenant's jobs leave room for those of others. */
  group?: string
}

/** Background work: enqueued in the transaction of the change that causes it, done by any server. */
export interface Queue {
  /** Enqueues on `db`: when its transaction rolls back, there is no job. */
  enqueue<Input extends object>(db: Database, job: TypedJob<Input>, input: Input, options?: Enqueueing): Promise<void>
  /** Enqueues a job that was given up once more, on `db`. Answers its queue; undefined when there is no such job. */
  replay(db: Database, id: string): Promise<string | undefined>
  /** Begins to work these jobs. */
  work(jobs: readonly Job[], provided: Provided, now: Clock): Promise<void>
  /** Waits for work in hand, at most `graceMs`. */
  stop(graceMs: number): Promise<void>
}

/** Of the queue alone: what it waits for holds up nothing else, and nothing else holds it up. */
const connections = 2
const retries = 5
/** Seconds that one run of a job can take. */
const longestRun = 15 * 60
/** Seconds; far more than servers' clocks differ, and less than completed jobs are kept. */
const tickMemory = 24 * 60 * 60
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
  await alone(database, () => boss.start()).catch(async (error: unknown) => {
    await sessions.close()
    throw error
  })
  const laid = new Map<string, Promise<void>>()
  /** A job's queue is there before the first job, whoever comes first: who enqueues or who works. */
  const lay = ({
    name,
    retries: retryLimit = retries,
    maxSeconds: expireInSeconds = longestRun,
  }: Job): Promise<void> => {
    const deadLetter = deadLetterQueue(name)
    const policy = { retryLimit, retryDelay: 5, retryBackoff: true, heartbeatSeconds, expireInSeconds, deadLetter }
    const create = async () => {
      await boss.createQueue(deadLetter, { retentionSeconds: deadLetterLife })
      await boss.createQueue(name, policy)
      await boss.updateQueue(name, policy)
    }
    const laying = laid.get(name) ?? create()
    laid.set(name, laying)
    laying.catch(() => laid.delete(name)) // Whoever waits for it hears of it; the next one tries again.
    return laying
  }
  /** Takes one job after another without a pause; looks for new ones every 2 s when there is none. */
  const startWorker = async ({ name, perGroup }: Job, run: (data: unknown) => Promise<void>): Promise<void> => {
    let worker: string | undefined
    worker = await boss.work(name, perGroup === undefined ? {} : { groupConcurrency: perGroup }, async (batch) => {
      for (const { id, data } of batch) await run(data).catch((error: unknown) => failed(log, name, id, error))
      if (worker) boss.notifyWorker(worker)
    })
  }
  return {
    enqueue: async (db, job, input, { tick, afterSeconds, group } = {}) => {
      await lay(job)
      await boss.send(job.name, input, {
        db: fromDrizzle(db, statement),
        ...(tick && { singletonKey: tick.toISOString(), singletonSeconds: tickMemory }),
        ...(afterSeconds !== undefined && { startAfter: afterSeconds }),
        ...(group !== undefined && { group: { id: group } }),
      })
    },
    replay: async (db, id) => {
      const letter = await takeDeadLetter(db, id)
      if (letter) await boss.send(letter.queue, Object(letter.data), { db: fromDrizzle(db, statement) })
      return letter?.queue
    },
    work: async (jobs, provided, now) => {
      for (const job of jobs) {
        await lay(job)
        const run = async (data: unknown) =>
          traced({ name: `job ${job.name}` }, async () =>
            job.run({
              ...provided,
              input: await checkedInput(job.input, data, new Set(), 'ignored'),
              database,
              now,
            }),
          )
        for (let worker = 0; worker < (job.concurrency ?? 1); worker++) await startWorker(job, run)
      }
    },
    stop: async (graceMs) => {
      await boss.stop({ graceful: true, timeout: graceMs, close: false })
      await sessions.close()
    },
  }
}

/** The log is told of it, and pg-boss, which keeps what it is given in its table, no more than that. */
function failed(log: Log, job: string, id: string, error: unknown): never {
  logFault(log, 'job failed', error, { job, id })
  throw new Error(databaseAway(error) ? describeFault(error) : String(errorFacts(error)['error']))
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
