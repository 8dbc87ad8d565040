import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import { sql as statement } from 'drizzle-orm'
import { z } from 'zod'
import { claimDeadLetters } from '#lib/queue/dead-letters.ts'
import { batchJob, job } from '#lib/job.ts'
import { openQueue } from '#lib/queue.ts'
import { settleExhausted } from '#lib/queue/settle-exhausted.ts'
import { eventually } from '../boot/program.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let broken = true
const done: string[] = []

/** Fails while `broken` is true. */
const stubborn = job({
  name: 'test.stubborn',
  input: z.object({ to: z.string(), password: z.string() }),
  retries: 0,
  run: async ({ input }) => {
    if (broken) throw new Error('The printer is on fire.')
    done.push(input.to)
  },
})

interface Dead {
  id: string
  queue: string
}

beforeAll(async () => {
  world = await openWorld()
  await world.provided.queue.work([stubborn], world.provided, () => new Date())
})

afterAll(() => world.close())

const dead = async () =>
  (await world.root.fetchJson<{ items: Dead[] }>('GET /api/admin/jobs?queue=test.stubborn')).items
const giveUp = async (to: string): Promise<string> => {
  broken = true
  await world.provided.queue.enqueue(world.database.db, stubborn, { to, password: 'hunter2' })
  expect(await eventually(async () => (await dead()).length === 1, 20_000)).toBe(true)
  return (await dead())[0]?.id ?? ''
}

test('PLT-30 job with no retries left is listed with its error and masked secrets, and can be retried only once', async () => {
  const id = await giveUp('ada')
  expect((await dead())[0]).toMatchObject({
    queue: 'test.stubborn',
    error: 'The printer is on fire.',
    attempts: 1,
    input: { to: 'ada', password: '[hidden]' },
  })
  const queues = await world.root.fetchJson<{ items: { name: string; dead: number }[] }>('GET /api/admin/queues')
  expect(queues.items.find(({ name }) => name === 'test.stubborn')).toMatchObject({
    dead: 1,
    waiting: 0,
    settings: { concurrency: 1, perTenant: null, batchSize: 1 },
  })
  const page = await world.root.fetch('GET /admin/jobs', undefined, { accept: 'text/html' })
  const html = await page.text()
  expect(html).toContain('The printer is on fire.')
  expect(html).not.toContain('hunter2')
  expect(html).toMatch(/\{\n {2}&quot;to&quot;: &quot;ada&quot;/)
  // A narrow window omits nothing.
  expect(html).toContain('1 failed · concurrency 1')
  broken = false
  const both = await Promise.all([1, 2].map(() => world.root.fetch(`POST /api/admin/jobs/${id}/retry`, {})))
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404])
  expect(await eventually(() => done.length > 0, 20_000)).toBe(true)
  expect(done).toEqual(['ada'])
  expect(await dead()).toEqual([])
})

test('PLT-30 failed jobs of one queue are retried together by super admins only', async () => {
  await giveUp('grace')
  await world.database.sql`
    INSERT INTO pgboss.job (name, data, source_name, source_id, source_created_on, source_retry_count, keep_until)
    SELECT name, '{"to":"linus","password":"hunter2"}', source_name, gen_random_uuid(), source_created_on, source_retry_count, keep_until
    FROM pgboss.job WHERE name = 'test.stubborn.dead' AND state = 'created'`
  const retryAll = 'POST /api/admin/queues/test.stubborn/retry'
  expect((await world.ada.fetch(retryAll, {})).status).toBe(403)
  broken = false
  expect(await world.root.fetchJson(retryAll, {})).toEqual({ retried: 2, remaining: 0 })
  expect(await dead()).toEqual([])
  expect(await eventually(async () => done.includes('grace') && done.includes('linus'), 20_000)).toBe(true)
  expect(await world.root.fetchJson(retryAll, {})).toEqual({ retried: 0, remaining: 0 })
})

test('PLT-06 list of failed jobs is the fragment of its operation, and a discarded job leaves an empty one', async () => {
  const id = await giveUp('alan')
  const html = { accept: 'text/html', 'hx-request': 'true' }
  const read = async (route: string, headers: Record<string, string> = html) => {
    const answer = await world.root.fetch(route, undefined, headers)
    return [answer.status, (await answer.text()).replaceAll(/ hx-nonce="[^"]*"/g, '')] as const
  }
  const [, page] = await read('GET /admin/jobs', { accept: 'text/html' })
  for (const route of ['GET /api/admin/jobs?limit=50', 'GET /api/admin/queues']) {
    const [status, fragment] = await read(route)
    expect([status, fragment.slice(0, 8)]).toEqual([200, '<section'])
    expect(page).toContain(fragment)
  }
  expect(page).toContain(`id="job-${id}"`)
  expect(await read(`DELETE /api/admin/jobs/${id}`)).toEqual([200, ''])
})

test('PLT-30 retried job that fails again is listed again and can be discarded', async () => {
  const id = await giveUp('grace')
  await world.root.fetchJson(`POST /api/admin/jobs/${id}/retry`, {}, 204)
  expect(await eventually(async () => (await dead()).some((each) => each.id !== id), 20_000)).toBe(true)
  const [again] = await dead()
  expect((await world.ada.fetch(`DELETE /api/admin/jobs/${again?.id}`)).status).toBe(403)
  await world.root.fetchJson(`DELETE /api/admin/jobs/${again?.id}`, undefined, 204)
  expect((await world.root.fetch(`DELETE /api/admin/jobs/${again?.id}`)).status).toBe(404)
  expect(await dead()).toEqual([])
})

test('PLT-30 onRetriesExhausted is called with the input when the retries of a job are used up, and again only after a failure', async () => {
  const calls: string[] = []
  let fails = true
  const ending = job({
    name: 'test.ending',
    input: z.object({ to: z.string() }),
    retries: 0,
    run: () => Promise.reject(new Error('No paper.')),
    onRetriesExhausted: async ({ input }) => {
      calls.push(input.to)
      if (fails) throw new Error('Not yet.')
    },
  })
  const { queue } = world.provided
  const { sql } = world.database
  await queue.work([ending], world.provided, () => new Date())
  await queue.enqueue(world.database.db, ending, { to: 'ada' })
  expect(await eventually(() => calls.length === 1, 30_000)).toBe(true)
  fails = false
  // Its claim expires after a minute.
  const expire = () => sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'test.ending.dead'`
  await expire()
  const work = { ...world.provided, database: world.database, now: () => new Date() }
  await settleExhausted([ending], work, world.provided.log)
  const isSettled = async () =>
    (await sql`SELECT FROM pgboss.job WHERE name = 'test.ending.dead' AND started_on IS NOT NULL`).length === 1
  expect(await eventually(isSettled)).toBe(true)
  await expire()
  await settleExhausted([ending], work, world.provided.log)
  expect(calls).toEqual(['ada', 'ada'])
  const { items } = await world.root.fetchJson<{ items: Dead[] }>('GET /api/admin/jobs?queue=test.ending')
  await world.root.fetchJson(`DELETE /api/admin/jobs/${items[0]?.id}`, undefined, 204)
})

test('PLT-30 PLT-31 onRetriesExhausted is called when a server was killed during the last attempt', async () => {
  const calls: string[] = []
  const killed = job({
    name: 'test.killed',
    input: z.object({ to: z.string() }),
    retries: 2,
    run: async () => {},
    onRetriesExhausted: async ({ input }) => void calls.push(input.to),
  })
  const { sql, db } = world.database
  const { log } = world.provided
  const queue = await openQueue(world.database, log, { heartbeatSeconds: 10, watchSeconds: 1 })
  try {
    await queue.enqueue(db, killed, { to: 'ada' })
    // The state after a server started the last attempt and was killed an hour ago.
    await sql`
      UPDATE pgboss.job SET state = 'active', retry_count = retry_limit, started_on = now() - interval '1 h',
        heartbeat_on = now() - interval '1 h'
      WHERE name = 'test.killed'`
    const isSettled = async () => {
      await settleExhausted([killed], { ...world.provided, database: world.database, now: () => new Date() }, log)
      return calls.length > 0
    }
    expect(await eventually(isSettled, 30_000)).toBe(true)
    expect(calls).toEqual(['ada'])
  } finally {
    await queue.stop(1_000)
    await sql`DELETE FROM pgboss.job WHERE name = 'test.killed.dead'`
  }
})

/** Adds failed jobs of the queue; a claimed one isn't settled within the next hour. */
const addLetters = (queue: string, count: number, state: 'settled' | 'claimed' | 'unsettled') =>
  world.database.sql<{ id: string }[]>`
    INSERT INTO pgboss.job (name, data, source_name, source_id, source_created_on, source_retry_count, keep_until,
      start_after, started_on)
    SELECT ${`${queue}.dead`}, jsonb_build_object('to', n), ${queue}, gen_random_uuid(), now(), 0, now() + interval '1 day',
      now() + ${state === 'claimed' ? 3600 : 0} * interval '1 s', ${state === 'settled' ? new Date() : null}
    FROM generate_series(1, ${count}::int) n RETURNING id`

const settling = (name: string, onRetriesExhausted: () => Promise<void>) =>
  job({ name, input: z.object({ to: z.number() }), run: async () => {}, onRetriesExhausted })

test('PLT-30 failed job is not discarded until onRetriesExhausted has been called', async () => {
  const { sql } = world.database
  const { queue } = world.provided
  await queue.work([settling('test.settling', async () => {})], world.provided, () => new Date())
  const [letter] = await addLetters('test.settling', 1, 'claimed')
  const early = await world.root.fetch(`DELETE /api/admin/jobs/${letter?.id}`)
  expect(early.status).toBe(409)
  expect(await early.json()).toMatchObject({
    code: 'job_settling',
    detail: 'The failure of this job is still being processed. Try again in a few seconds.',
  })
  await sql`UPDATE pgboss.job SET started_on = now() WHERE name = 'test.settling.dead'`
  await world.root.fetchJson(`DELETE /api/admin/jobs/${letter?.id}`, undefined, 204)
})

test('PLT-31 queue stops in time while onRetriesExhausted hangs', async () => {
  const { sql, db } = world.database
  const began = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  const hanging = settling('test.hanging', () => {
    began.resolve()
    return finished.promise
  })
  const queue = await openQueue(world.database, world.provided.log)
  await queue.work([hanging], world.provided, () => new Date())
  await queue.enqueue(db, hanging, { to: 1 }, { startAfter: 3600 })
  await addLetters('test.hanging', 1, 'unsettled')
  await began.promise
  const stopping = queue.stop(100).then(() => 'stopped')
  expect(await Promise.race([stopping, Bun.sleep(15_000)])).toBe('stopped')
  finished.resolve()
  const isSettled = async () =>
    (await sql`SELECT FROM pgboss.job WHERE name = 'test.hanging.dead' AND started_on IS NOT NULL`).length === 1
  expect(await eventually(isSettled)).toBe(true)
  await sql`DELETE FROM pgboss.job WHERE name IN ('test.hanging', 'test.hanging.dead')`
}, 40_000)

test('PLT-31 onRetriesExhausted is not called for further jobs once the queue stops', async () => {
  const { sql } = world.database
  const stop = new AbortController()
  let calls = 0
  const stopped = settling('test.stubborn', async () => {
    calls += 1
    stop.abort()
  })
  await addLetters('test.stubborn', 3, 'unsettled')
  const work = { ...world.provided, database: world.database, now: () => new Date() }
  await settleExhausted([stopped], work, world.provided.log, stop.signal)
  expect(calls).toBe(1)
  const left =
    await sql`DELETE FROM pgboss.job WHERE name = 'test.stubborn.dead' RETURNING started_on IS NULL AS unsettled`
  expect(left.filter(({ unsettled }) => unsettled)).toHaveLength(2)
})

test('PLT-30 jobs to settle are found with an index that excludes settled ones', async () => {
  const { sql, db } = world.database
  await addLetters('test.stubborn', 3_000, 'settled')
  await addLetters('test.stubborn', 2, 'unsettled')
  await sql`ANALYZE pgboss.job`
  const requested = spyOn(db, 'execute')
  expect(await claimDeadLetters(db, ['test.stubborn', 'test.ending'])).toHaveLength(2)
  const [query] = requested.mock.calls[0] ?? []
  requested.mockRestore()
  if (query === undefined || typeof query === 'string') throw new Error('claimDeadLetters asked nothing')
  const plan = JSON.stringify([...(await db.execute(statement`EXPLAIN ${query}`))])
  const [index] = await sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_inherits JOIN pg_class ON oid = inhrelid
    WHERE inhparent = 'pgboss.job_unsettled'::regclass`
  expect(plan).toContain(`${index?.name}`)
  expect(plan).not.toContain('Seq Scan')
  await sql`DELETE FROM pgboss.job WHERE name = 'test.stubborn.dead'`
})

test('PLT-30 retried job from another server’s queue keeps its tenant and priority', async () => {
  const { queue } = world.provided
  const theirs = job({ name: 'test.theirs', input: z.object({ id: z.string() }), run: async () => {} })
  await queue.enqueue(world.database.db, theirs, { id: 'one' })
  const { sql } = world.database
  await sql`DELETE FROM pgboss.job WHERE name = 'test.theirs'`
  const [letter] = await sql<{ id: string }[]>`
    INSERT INTO pgboss.job (name, data, priority, group_id, source_name, source_id, source_created_on, source_retry_count,
      keep_until)
    VALUES ('test.theirs.dead', '{"id":"one"}', -7, 'acme', 'test.theirs', gen_random_uuid(), now(), 2,
      now() + interval '1 day') RETURNING id`
  // A server that doesn't declare the job.
  const other = await openQueue(world.database, world.provided.log)
  try {
    await world.database.transaction((tx) => other.replay(tx, letter?.id ?? '', new Set(['test.theirs'])))
  } finally {
    await other.stop(1_000)
  }
  const replayed = await sql`SELECT data, priority, group_id FROM pgboss.job WHERE name = 'test.theirs'`
  expect([...replayed]).toEqual([{ data: { id: 'one' }, priority: -7, group_id: 'acme' }])
})

test('PLT-30 failed job of a queue that no server processes is not retried, stays listed and can be discarded', async () => {
  const { db, sql } = world.database
  const removed = job({ name: 'test.removed', input: z.object({ to: z.number() }), run: async () => {} })
  await world.provided.queue.enqueue(db, removed, { to: 0 })
  await sql`DELETE FROM pgboss.job WHERE name = 'test.removed'`
  const [letter] = await addLetters('test.removed', 1, 'settled')
  const refused = await world.root.fetch(`POST /api/admin/jobs/${letter?.id}/retry`, {})
  expect([refused.status, await refused.json()]).toEqual([
    409,
    expect.objectContaining({
      code: 'queue_not_processed',
      detail: 'No server processes the queue test.removed anymore. Discard the job.',
    }),
  ])
  expect(await sql`SELECT FROM pgboss.job WHERE name = 'test.removed'`).toBeEmpty()
  await world.root.fetchJson(`DELETE /api/admin/jobs/${letter?.id}`, undefined, 204)
})

test('PLT-30 PLT-12 failed jobs are listed page by page, and their routes can’t access other jobs', async () => {
  const first = await world.root.fetchJson<{ items: Dead[]; nextCursor: string }>('GET /api/admin/jobs?limit=1')
  const rest = await world.root.fetchJson<{ items: Dead[] }>(`GET /api/admin/jobs?limit=1&cursor=${first.nextCursor}`)
  expect([...first.items, ...rest.items].map(({ id }) => id).toSorted()).toEqual(world.deadJobs.toSorted())
  await world.provided.queue.enqueue(
    world.database.db,
    job({ name: 'test.idle', input: z.object({}), run: async () => {} }),
    {},
  )
  const [waiting] = await world.database.sql<{ id: string }[]>`SELECT id FROM pgboss.job WHERE name = 'test.idle'`
  expect((await world.root.fetch(`DELETE /api/admin/jobs/${waiting?.id}`)).status).toBe(404)
})

test('PLT-30 queue reports its delayed jobs and worker settings, or that another server runs it', async () => {
  const crowded = job({
    name: 'test.crowded',
    input: z.object({ to: z.string() }),
    concurrency: 8,
    perTenant: { of: ({ to }) => to, concurrency: 2 },
    run: async () => {},
  })
  const many = batchJob({ name: 'test.many', input: z.object({}), batchSize: 100, run: async () => {} })
  const elsewhere = job({ name: 'test.other-server', input: z.object({}), run: async () => {} })
  const { queue } = world.provided
  await queue.work([crowded, many], world.provided, () => new Date())
  await queue.enqueue(world.database.db, crowded, { to: 'ada' }, { startAfter: 3_600 })
  await queue.enqueue(world.database.db, elsewhere, {})
  const { items } = await world.root.fetchJson<{ items: { name: string; oldestDueAt: string | null }[] }>(
    'GET /api/admin/queues',
  )
  const found = (name: string) => items.find((item) => item.name === name)
  expect(found('test.crowded')).toMatchObject({
    waiting: 1,
    delayed: 1,
    oldestDueAt: null,
    settings: { concurrency: 8, perTenant: 2, batchSize: 1 },
  })
  expect(found('test.other-server')).toMatchObject({ waiting: 1, delayed: 0, settings: null })
  const html = await (await world.root.fetch('GET /admin/jobs', undefined, { accept: 'text/html' })).text()
  for (const text of ['8, 2 per tenant', 'a batch of 100', 'Not processed by this server']) expect(html).toContain(text)
  // Queues with work come first.
  const names = [...html.matchAll(/<td data-at="title"[^>]*>([^<]+)/g)].map(([, name]) => name)
  expect(names.indexOf('test.other-server')).toBeGreaterThan(-1)
  expect(names.indexOf('test.other-server')).toBeLessThan(names.indexOf('test.many'))
})
