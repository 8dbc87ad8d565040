import { sql as statement } from 'drizzle-orm'
import { fromDrizzle, PgBoss, type ConstructorOptions, type SendOptions } from 'pg-boss'
import type { Sql } from 'postgres'
import { afterCommit, isTransaction, type Database, type DatabaseHandle } from './db.ts'
import type { Provided } from './call.ts'
import { conflict } from './errors.ts'
import { deadLetterQueue, takeDeadLetter, type DeadJob } from './queue/dead-letters.ts'
import { checkInput } from './request/input.ts'
import type { Job, TypedJob } from './job.ts'
import { logFault } from './log/fault.ts'
import { errorFacts, type Log } from './log.ts'
import { databaseAway, describeFault } from './postgres/faults.ts'
import { noLimits, queueLimits } from './postgres/pool.ts'
import type { Sessions } from './postgres/sessions.ts'
import { startSettling, type Settling } from './queue/settle-exhausted.ts'
import { holdWaiting } from './queue/hold-waiting.ts'
import { moveWaiting } from './queue/move-waiting.ts'
import { ensureIndexes } from './queue/indexes.ts'
import { deleteRenamedQueues } from './queue/renamed.ts'
import { sendOptions, type EnqueueOptions } from './queue/send-options.ts'
import { createWorkers, type QueueSettings } from './queue/workers.ts'
import { withSpan } from './telemetry.ts'
import type { Clock } from './time.ts'

declare module './call.ts' {
  interface Provided {
    readonly queue: Queue
  }
}

export interface Queue {
  /**
   * On `db`: when it rolls back, there is no job. While a job with the same `uniqueBy` key waits, none is added, and
   * that one starts after `db`'s transaction.
   */
  enqueue<Input extends object>(
    db: Database,
    job: TypedJob<Input>,
    input: Input,
    options?: EnqueueOptions,
  ): Promise<void>
  /** `declared` are the jobs of all servers. Undefined without the job. @throws {Problem} 409 without a server */
  replay(db: Database, id: string, declared: ReadonlySet<string>): Promise<string | undefined>
  work(jobs: readonly Job[], provided: Provided, now: Clock): Promise<void>
  settings(name: string): QueueSettings | undefined
  settles(name: string): boolean
  stop(graceMs: number): Promise<void>
}

/** Connections of the queue's own, so that it and requests don't wait for each other. */
const connections = 2
const defaultRetries = 5
/** To add a job of which another one starts each time it is looked for. */
const maxAttempts = 10
const maxRunSeconds = 15 * 60
const deadLetterSeconds = 365 * 24 * 60 * 60

/** Seconds without a heartbeat after which a job is retried elsewhere (PLT-31), and between checks for such jobs. */
const lease = { heartbeatSeconds: 30, watchSeconds: 10 }

export async function openQueue(
  database: DatabaseHandle,
  log: Log,
  { heartbeatSeconds, watchSeconds } = lease,
): Promise<Queue> {
  const supervision = { superviseIntervalSeconds: watchSeconds, monitorIntervalSeconds: watchSeconds }
  const sessions = database.openSessions(connections, queueLimits)
  const boss = new PgBoss({ db: onPostgresJs(sessions), ...supervision })
  boss.on('error', (error) => logFault(log, 'queue', error))
  await withAdvisoryLock(database, async () => {
    await boss.start()
    await sessions.use(ensureIndexes)
    await sessions.use(deleteRenamedQueues)
  }).catch(async (error: unknown) => {
    // The timers of a failed start would keep using the closed sessions.
    await boss.stop({ graceful: false, close: false }).catch(() => {})
    await sessions.close()
    throw error
  })
  const queues = new Map<string, Promise<void>>()
  const jobsByName = new Map<string, Job>()
  const ensureQueue = (job: Job): Promise<void> => {
    const { name, retries: retryLimit = defaultRetries, maxSeconds: expireInSeconds = maxRunSeconds } = job
    jobsByName.set(name, job)
    const deadLetter = deadLetterQueue(name)
    const settings = { retryLimit, retryDelay: 5, retryBackoff: true, heartbeatSeconds, expireInSeconds, deadLetter }
    const policy = job.uniqueBy ? 'short' : 'standard'
    const create = async () => {
      await boss.createQueue(deadLetter, { retentionSeconds: deadLetterSeconds })
      await boss.createQueue(name, { ...settings, policy })
      await boss.updateQueue(name, settings)
      // pg-boss can't change the policy of a queue that an earlier release created.
      await sessions.use(
        (sql) => sql`UPDATE pgboss.queue SET policy = ${policy} WHERE name = ${name} AND policy <> ${policy}`,
      )
    }
    const ensuring = queues.get(name) ?? create()
    queues.set(name, ensuring)
    ensuring.catch(() => queues.delete(name)) // The caller gets the error; the next call tries again.
    return ensuring
  }
  const workers = createWorkers(boss)
  const settling: Settling[] = []
  const settledQueues = new Set<string>()
  const send = async (db: Database, name: string, input: object, options: SendOptions) => {
    const id = await boss.send(name, input, { ...options, db: fromDrizzle(db, statement) })
    // A worker on this server starts at once; other servers find the job within 2 s.
    if (isTransaction(db)) afterCommit(db, async () => workers.wake(name))
    else workers.wake(name)
    return id !== null
  }
  const sendUnique = async (
    db: Database,
    name: string,
    input: object,
    options: SendOptions & { singletonKey: string },
  ) => {
    for (let attempt = 1; attempt <= maxAttempts; attempt++)
      if ((await send(db, name, input, options)) || (await holdWaiting(db, name, options.singletonKey))) return
    throw new Error(`The job ${name} was neither added nor found waiting`)
  }
  return {
    enqueue: async (db, job, input, options) => {
      await ensureQueue(job)
      const sent = await sendOptions(db, job, input, options)
      if (job.uniqueBy && options?.moves && (await moveWaiting(db, job.name, job.uniqueBy(input), options.startAfter)))
        return
      if (job.uniqueBy && !options?.tick)
        await sendUnique(db, job.name, input, { ...sent, singletonKey: job.uniqueBy(input) })
      else await send(db, job.name, input, sent)
    },
    replay: async (db, id, declared) => {
      const letter = await takeDeadLetter(db, id)
      if (!letter) return undefined
      if (!declared.has(letter.queue) && !workers.settings(letter.queue))
        throw conflict('queue_not_processed', `No server processes the queue ${letter.queue} anymore. Discard the job.`)
      const job = jobsByName.get(letter.queue)
      const parsed = job?.input.safeParse(letter.data)
      const options = job && parsed?.success ? await sendOptions(db, job, parsed.data) : optionsOf(letter, id)
      await send(db, letter.queue, Object(letter.data), options)
      return letter.queue
    },
    work: async (jobs, provided, now) => {
      for (const job of jobs) {
        await ensureQueue(job)
        if (job.onRetriesExhausted) settledQueues.add(job.name)
        const parse = (data: unknown) => checkInput(job.input, data, new Set(), 'ignored')
        const run = (input: unknown) =>
          withSpan({ name: `job ${job.name}` }, async () => job.run({ ...provided, input, database, now }))
        await workers.start(job, {
          run,
          parse,
          onFailure: ({ id }, error) => logFailure(log, job.name, id, error),
        })
      }
      settling.push(startSettling(jobs, { ...provided, database, now }, log))
    },
    settings: (name) => workers.settings(name),
    settles: (name) => settledQueues.has(name),
    stop: async (graceMs) => {
      workers.stop()
      await Promise.all([
        ...settling.map((each) => each.stop(graceMs)),
        boss.stop({ graceful: true, timeout: graceMs, close: false }),
      ])
      await sessions.close()
    },
  }
}

const optionsOf = ({ priority, group, singleton_key }: DeadJob, id: string): SendOptions => ({
  priority,
  singletonKey: singleton_key ?? id,
  ...(group !== null && { group: { id: group } }),
})

/** Logs the whole error. pg-boss stores what it gets in its table, so it gets the message only. */
function logFailure(log: Log, job: string, id: string, error: unknown): Error {
  logFault(log, 'job failed', error, { job, id })
  return new Error(databaseAway(error) ? describeFault(error) : String(errorFacts(error)['error']))
}

/** pg-boss sends several statements in one call, so each call needs its own connection. */
const onPostgresJs = (sessions: Sessions): NonNullable<ConstructorOptions['db']> => ({
  executeSql: (text, values = []) =>
    sessions.use(async (sql) => {
      const rows: unknown[] = await sql.unsafe(text, values as Parameters<Sql['unsafe']>[1])
      return { rows: Array.isArray(rows[0]) ? rows.flat() : [...rows] }
    }),
})

const installLock = 7_241_901

async function withAdvisoryLock(database: DatabaseHandle, run: () => Promise<unknown>): Promise<void> {
  const session = database.openSessions(1, noLimits)
  try {
    await session.use(async (sql) => {
      await sql`SELECT pg_advisory_lock(${installLock})`
      await run()
    })
  } finally {
    await session.close() // The lock goes with the connection.
  }
}
