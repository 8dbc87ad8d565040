import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { job } from '#lib/job.ts'
import { createLog } from '#lib/log.ts'
import { openQueue, type Queue } from '#lib/queue.ts'
import { startSchedule, type RunningSchedule } from '../../src/schedule.ts'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

const secret = 'hunter2-hunter2'

const Mail = z.object({ to: z.string() })
const write = (db: DatabaseHandle['db'], to: string) => db.execute(sql`INSERT INTO mails VALUES (${to})`)

const mailing = (name: string) =>
  job({
    name,
    input: Mail,
    run: ({ database, input }) => database.transaction(async (db) => void (await write(db, input.to))),
  })
const sendMail = mailing('test.send-mail')
const share = mailing('test.share')
/** Fails at its first attempt, with a query that contains a secret. */
const sendLater = job({
  name: 'test.send-later',
  input: Mail,
  run: async ({ database: { db }, input }) => {
    await write(db, input.to)
    const [row] = await db.execute(sql`SELECT count(*)::int AS count FROM mails WHERE recipient = ${input.to}`)
    if (row?.['count'] === 1) await db.execute(sql`SELECT ${secret}::integer`)
  },
})
const sweep = job({ name: 'test.sweep', input: z.object({}), run: async () => {} })
/** Its mail to `slow` waits until the test continues it. */
const held = Promise.withResolvers<undefined>()
const sendBeside = job({
  name: 'test.send-beside',
  input: Mail,
  concurrency: 2,
  run: async ({ database: { db }, input }) => {
    if (input.to === 'beside-slow') await held.promise
    await write(db, input.to)
  },
})
const neverRight = job({ name: 'test.never-right', input: z.object({ to: z.literal('fixed') }), run: async () => {} })

interface Server {
  database: DatabaseHandle
  queue: Queue
}

let fresh: TestDatabase
let servers: Server[]
const lines: string[] = []
const log = createLog('info', false, (line) => lines.push(line))

/** Two servers on one database that start at the same time. */
beforeAll(async () => {
  fresh = await freshDatabase()
  const start = async (): Promise<Server> => {
    const database = openDatabase(fresh.url, 3)
    return { database, queue: await openQueue(database, log) }
  }
  servers = await Promise.all([start(), start()])
  await server().database.sql`CREATE TABLE mails (recipient text NOT NULL)`
  const jobs = [sendMail, share, sendLater, neverRight, sweep]
  // The jobs of this test use nothing that servers provide.
  await Promise.all(servers.map(({ queue }) => queue.work(jobs, {} as never, () => new Date())))
  await server().queue.work([sendBeside], {} as never, () => new Date())
})
afterAll(async () => {
  await Promise.all(servers.map(({ queue }) => queue.stop(1_000)))
  await Promise.all(servers.map(({ database }) => database.close()))
  await fresh.drop()
})

function server(at = 0): Server {
  const found = servers[at]
  if (!found) throw new Error(`There is no server ${at}`)
  return found
}

const sent = async (like: string) => {
  const rows = await server().database.sql<{ recipient: string }[]>`
    SELECT recipient FROM mails WHERE recipient LIKE ${like} ORDER BY 1`
  return rows.map((row) => row.recipient)
}
const jobsOf = async (name: string) => [
  ...(await server().database.sql`SELECT * FROM pgboss.job WHERE name = ${name} ORDER BY created_on`),
]

test.concurrent('PLT-30 job of a rolled-back transaction never runs; job of a committed one runs', async () => {
  const { database, queue } = server()
  const undone = database.transaction(async (db) => {
    await write(db, 'undone-change')
    await queue.enqueue(db, sendMail, { to: 'undone' })
    throw new Error('Changed my mind')
  })
  await expect(undone).rejects.toThrow('Changed my mind')
  await database.transaction(async (db) => {
    await queue.enqueue(db, sendMail, { to: 'done' })
    expect(await jobsOf(sendMail.name)).toEqual([])
  })
  expect(await eventually(async () => (await sent('done')).length > 0)).toBe(true)
  expect(await sent('undone%')).toEqual([])
  expect(await jobsOf(sendMail.name)).toMatchObject([{ data: { to: 'done' } }])
})

test.concurrent('PLT-30 PLT-31 two servers share the jobs of one queue, and each job runs once', async () => {
  const { database, queue } = server(1)
  const wanted = ['shared-1', 'shared-2', 'shared-3', 'shared-4', 'shared-5']
  for (const to of wanted) await queue.enqueue(database.db, share, { to })
  const allDone = async () => (await jobsOf(share.name)).every(({ state }) => state === 'completed')
  expect(await eventually(allDone, 14_000)).toBe(true)
  expect(await sent('shared-%')).toEqual(wanted)
})

test.concurrent(
  'PLT-30 failing job is retried with increasing delays, and its reason is logged without values',
  async () => {
    const { database, queue } = server()
    await queue.enqueue(database.db, sendLater, { to: 'later' })
    const state = async (wished: string) => (await jobsOf(sendLater.name))[0]?.['state'] === wished
    expect(await eventually(() => state('retry'))).toBe(true)
    const [waiting] = await jobsOf(sendLater.name)
    expect(waiting).toMatchObject({ retry_limit: 5, retry_backoff: true })
    expect(waiting?.['start_after'].getTime()).toBeGreaterThan(Date.now() + 2_000)
    const line = lines.find((text) => text.includes(sendLater.name)) ?? '{}'
    expect(JSON.parse(line)).toMatchObject({
      message: 'job failed',
      level: 'error',
      job: sendLater.name,
      error: expect.stringContaining('$1::'),
    })
    await database.sql`UPDATE pgboss.job SET start_after = now() WHERE name = ${sendLater.name}`
    expect(await eventually(() => state('completed'))).toBe(true)
    expect(await sent('later')).toEqual(['later', 'later'])
    expect(line + JSON.stringify(waiting)).not.toContain(secret)
  },
)

test.concurrent('PLT-30 job with invalid input is neither run nor lost', async () => {
  const { database, queue } = server()
  await queue.enqueue(database.db, neverRight, { to: 'ada' } as never)
  const kept = async () => (await jobsOf(neverRight.name))[0]
  expect(await eventually(async () => (await kept())?.['state'] === 'retry')).toBe(true)
  expect(lines.some((text) => text.includes(neverRight.name))).toBe(true)
})

test.concurrent('PLT-31 scheduled job is enqueued once per tick, even with several servers', async () => {
  const [first, second] = [new Date('2026-05-01T00:47:00Z'), new Date('2026-05-01T01:47:00Z')]
  for (const tick of [first, second])
    await Promise.all(servers.map(({ database, queue }) => queue.enqueue(database.db, sweep, {}, { tick })))
  const allDone = async () => (await jobsOf(sweep.name)).every(({ state }) => state === 'completed')
  expect(await eventually(allDone)).toBe(true)
  await server(1).queue.enqueue(server(1).database.db, sweep, {}, { tick: second })
  expect((await jobsOf(sweep.name)).map((row) => row['singleton_key'])).toEqual([
    first.toISOString(),
    second.toISOString(),
  ])
})

test.concurrent('PLT-31 two servers schedule a tick for the same time', async () => {
  const planned: Date[][] = []
  const begin = (): RunningSchedule => {
    const own: Date[] = []
    planned.push(own)
    const everySecond = { cron: '* * * * * *', job: sweep }
    return startSchedule(
      [everySecond],
      async (_, tick) => void own.push(tick),
      () => {},
    )
  }
  const running = [begin(), begin()]
  const common = () => planned[0]?.filter((tick) => planned[1]?.some((other) => Number(other) === Number(tick))) ?? []
  expect(await eventually(() => common().length > 1)).toBe(true)
  for (const schedule of running) schedule.stop()
  for (const tick of planned.flat()) expect(tick.getUTCMilliseconds()).toBe(0)
})

test.concurrent('PLT-30 hanging job doesn’t delay others in its queue', async () => {
  const { database, queue } = server()
  const quick = Array.from({ length: 8 }, (_, at) => `beside-${at}`)
  await queue.enqueue(database.db, sendBeside, { to: 'beside-slow' })
  for (const to of quick) await queue.enqueue(database.db, sendBeside, { to })
  expect(await eventually(async () => (await sent('beside-%')).length === quick.length)).toBe(true)
  expect(await sent('beside-%')).toEqual(quick)
  held.resolve(undefined)
  expect(await eventually(async () => (await sent('beside-slow')).length === 1)).toBe(true)
})
