import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { batchJob, job } from '#lib/job.ts'
import { createLog } from '#lib/log.ts'
import { openQueue, type Queue } from '#lib/queue.ts'
import { eventually } from '../boot/program.ts'
import { scaleTime } from '../support/time-scale.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'

let fresh: TestDatabase
let database: DatabaseHandle
let queue: Queue

/** Inputs in the order in which their jobs began, by queue. */
const started: Record<string, string[]> = {}
const begin = (queueName: string, what: string) => void (started[queueName] ??= []).push(what)
/** Opened at the end: hanging jobs wait for it. */
const end = Promise.withResolvers<undefined>()
const gate = Promise.withResolvers<undefined>()
const hold = Promise.withResolvers<undefined>()

const Named = z.object({ name: z.string() })

const crowd = job({
  name: 'options.crowd',
  input: Named,
  concurrency: 4,
  run: async ({ input: { name } }) => {
    begin('crowd', name)
    if (name === 'hangs') await end.promise
  },
})
const ordered = job({
  name: 'options.ordered',
  input: Named,
  run: async ({ input: { name } }) => {
    begin('ordered', name)
    if (name === 'first') await gate.promise
  },
})
const fair = job({
  name: 'options.fair',
  input: z.object({ tenant: z.string() }),
  concurrency: 3,
  perTenant: { of: ({ tenant }) => tenant, concurrency: 2 },
  run: async ({ input: { tenant } }) => {
    begin('fair', tenant)
    if (tenant === 'large') await end.promise
  },
})
const turns = job({
  name: 'options.turns',
  input: z.object({ tenant: z.string() }),
  concurrency: 2,
  perTenant: { of: ({ tenant }) => tenant, concurrency: 1 },
  run: async ({ input: { tenant } }) => begin('turns', tenant),
})
const unique = job({
  name: 'options.unique',
  input: Named,
  uniqueBy: ({ name }) => name,
  run: async ({ input: { name } }) => {
    begin('unique', name)
    if (name === 'held') await hold.promise
  },
})
const batches: string[][] = []
const batch = batchJob({
  name: 'options.batch',
  input: Named,
  batchSize: 10,
  run: async ({ input }) => {
    batches.push(input.map(({ name }) => name))
    if (input.some(({ name }) => name === 'poison')) throw new Error('That one is poison')
  },
})

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 3)
  queue = await openQueue(database, createLog('silent'))
})
afterAll(async () => {
  gate.resolve(undefined)
  hold.resolve(undefined)
  end.resolve(undefined)
  await queue.stop(1_000)
  await database.close()
  await fresh.drop()
})

// The jobs of this test use nothing that servers provide.
const work = (...jobs: Parameters<Queue['work']>[0]) => queue.work(jobs, {} as never, () => new Date())
const states = async (name: string) =>
  (await database.sql`SELECT state FROM pgboss.job WHERE name = ${name} ORDER BY created_on`).map(({ state }) => state)

test('PLT-30 waiting job with the same key starts after the transaction that enqueued it again, and sees its change', async () => {
  const seen: number[] = []
  const count = async () => (await database.sql`SELECT FROM changes`).length
  const follow = job({
    name: 'options.follow',
    input: Named,
    uniqueBy: ({ name }) => name,
    run: async () => void seen.push(await count()),
  })
  await database.sql`CREATE TABLE changes (at int)`
  await queue.enqueue(database.db, follow, { name: 'one' })
  await database.transaction(async (db) => {
    await db.execute(sql`INSERT INTO changes VALUES (1)`)
    await queue.enqueue(db, follow, { name: 'one' })
    await work(follow)
    await Bun.sleep(scaleTime(500))
    expect(seen).toEqual([])
  })
  expect(await eventually(async () => seen.length > 0)).toBe(true)
  expect(seen).toEqual([1])
})

test('PLT-30 hanging job doesn’t delay 100 others, which start without waiting for the next poll', async () => {
  await work(crowd)
  await queue.enqueue(database.db, crowd, { name: 'hangs' })
  await database.transaction(async (db) => {
    for (let at = 0; at < 100; at++) await queue.enqueue(db, crowd, { name: `quick-${at}` })
  })
  const isDone = async () => (await states(crowd.name)).filter((state) => state === 'completed').length === 100
  expect(await eventually(isDone)).toBe(true)
  expect(started['crowd']).toHaveLength(101)
})

test('PLT-31 job from another server starts within seconds while a worker of its queue hangs', async () => {
  const elsewhere = await openQueue(database, createLog('silent'))
  await elsewhere.enqueue(database.db, crowd, { name: 'from elsewhere' })
  expect(await eventually(() => started['crowd']?.includes('from elsewhere') ?? false)).toBe(true)
  await elsewhere.stop(1_000)
})

test('PLT-30 waiting job with the highest priority runs first, and a delayed one not before its time', async () => {
  await work(ordered)
  const enqueue = (name: string, options = {}) => queue.enqueue(database.db, ordered, { name }, options)
  await enqueue('first')
  expect(await eventually(() => started['ordered']?.length === 1)).toBe(true)
  await enqueue('low', { priority: -1 })
  await enqueue('usual')
  await enqueue('in an hour', { startAfter: 3_600, priority: 9 })
  await enqueue('tomorrow', { startAfter: new Date(Date.now() + 86_400_000), priority: 9 })
  await enqueue('high', { priority: 5 })
  gate.resolve(undefined)
  expect(await eventually(() => started['ordered']?.length === 4)).toBe(true)
  expect(started['ordered']).toEqual(['first', 'high', 'usual', 'low'])
})

test('PLT-30 hanging jobs of one tenant leave slots for those of another', async () => {
  await work(fair)
  for (let at = 0; at < 20; at++) await queue.enqueue(database.db, fair, { tenant: 'large' })
  expect(await eventually(() => started['fair']?.length === 2)).toBe(true)
  await queue.enqueue(database.db, fair, { tenant: 'small' })
  expect(await eventually(() => started['fair']?.includes('small') ?? false)).toBe(true)
  expect(started['fair']).toEqual(['large', 'large', 'small'])
})

test('PLT-30 first job of a tenant runs before the backlogs of others, regardless of their age', async () => {
  const enqueue = (tenant: string) => queue.enqueue(database.db, turns, { tenant })
  for (const tenant of ['large', 'larger']) for (let at = 0; at < 12; at++) await enqueue(tenant)
  for (const tenant of ['small', 'small']) await enqueue(tenant)
  await work(turns)
  expect(await eventually(() => started['turns']?.length === 26)).toBe(true)
  expect(started['turns']?.indexOf('small')).toBeLessThan(6)
  expect(started['turns']?.lastIndexOf('small')).toBeLessThan(10)
})

test('PLT-30 jobs of one tenant that are due at the same time form a backlog, and later ones don’t delay others', async () => {
  const later = { ...turns, name: 'options.turns-later' }
  const enqueue = (options = {}) => queue.enqueue(database.db, later, { tenant: 'retrying' }, options)
  const inAnHour = new Date(Date.now() + 3_600_000)
  await enqueue({ startAfter: inAnHour })
  await enqueue({ startAfter: inAnHour })
  await enqueue()
  await enqueue({ startAfter: 60 })
  const found = await database.sql`SELECT priority FROM pgboss.job WHERE name = ${later.name} ORDER BY created_on`
  const [first = 0, second, immediate = 0, soon = 0] = found.map(({ priority }) => Number(priority))
  expect(second).toBe(first - 60)
  expect(immediate - first).toBeWithin(3_590, 3_660)
  expect(immediate - soon).toBeWithin(115, 130)
})

test('PLT-30 job whose limit per tenant leaves no slot for other tenants can’t be declared', () => {
  const declare = () => job({ ...fair, perTenant: { of: () => '', concurrency: 3 } })
  expect(declare).toThrow('options.fair: perTenant.concurrency must be less than concurrency (3)')
})

test('PLT-30 unique job is enqueued once while it waits, and once more while it runs', async () => {
  const enqueue = (name: string) => queue.enqueue(database.db, unique, { name })
  await Promise.all([1, 2, 3].map(() => enqueue('held')))
  await enqueue('other')
  expect(await states(unique.name)).toEqual(['created', 'created'])
  await work(unique)
  expect(await eventually(() => started['unique']?.includes('held') ?? false)).toBe(true)
  await enqueue('held')
  await enqueue('held')
  hold.resolve(undefined)
  expect(await eventually(async () => (await states(unique.name)).every((state) => state === 'completed'))).toBe(true)
  expect(started['unique']?.toSorted()).toEqual(['held', 'held', 'other'])
})

test('PLT-30 queue of an earlier release becomes unique without losing its waiting jobs', async () => {
  const name = 'options.renewed'
  const earlier = job({ name, input: Named, run: async () => {} })
  await queue.enqueue(database.db, earlier, { name: 'old' })
  const next = await openQueue(database, createLog('silent'))
  const renewed = job({ name, input: Named, uniqueBy: (input) => input.name, run: async () => {} })
  for (let at = 0; at < 3; at++) await next.enqueue(database.db, renewed, { name: 'new' })
  expect(await states(name)).toHaveLength(2)
  await next.stop(1_000)
})

test('PLT-30 batch handler gets many jobs at once; one that can’t be processed fails on its own', async () => {
  // One at a time: jobs of one transaction have no defined order.
  const { db } = database
  for (let at = 0; at < 24; at++) await queue.enqueue(db, batch, { name: at === 4 ? 'poison' : `good-${at}` })
  await queue.enqueue(db, batch, { wrong: true } as never)
  await work(batch)
  const settled = async () => (await states(batch.name)).every((state) => state !== 'created' && state !== 'active')
  expect(await eventually(settled)).toBe(true)
  const rows = await database.sql`SELECT data, output FROM pgboss.job WHERE name = ${batch.name} AND state = 'retry'`
  expect(rows.map(({ data }) => data).toSorted((a, b) => Object.keys(a)[0]!.localeCompare(Object.keys(b)[0]!))).toEqual(
    [{ name: 'poison' }, { wrong: true }],
  )
  expect(rows.find(({ data }) => data.name)?.['output']).toMatchObject({ message: 'That one is poison' })
  const sizes = batches.map(({ length }) => length)
  expect(sizes.toSorted((a, b) => b - a).slice(0, 3)).toEqual([10, 10, 4])
  expect(sizes.filter((size) => size === 1)).toHaveLength(10)
})

test('PLT-30 batch whose jobs all fail stops searching for the cause after three attempts', async () => {
  const tries: number[] = []
  const away = batchJob({
    name: 'options.away',
    input: Named,
    batchSize: 10,
    run: async ({ input }) => {
      tries.push(input.length)
      throw new Error('The provider is away')
    },
  })
  await database.transaction(async (db) => {
    for (let at = 0; at < 10; at++) await queue.enqueue(db, away, { name: `away-${at}` })
  })
  await work(away)
  expect(await eventually(async () => (await states(away.name)).every((state) => state === 'retry'))).toBe(true)
  expect(tries).toEqual([10, 1, 1, 1])
})
