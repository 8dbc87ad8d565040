import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import postgres from 'postgres'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { openFaultProxy, type FaultProxy } from '../support/fault-proxy.ts'

// Faults of the driver that packages/patches/postgres@3.4.9.patch fixes (docs/decisions/022): each ended the process,
// hung forever or ran a statement in another transaction. An uncaught error fails the running test.

let fresh: TestDatabase
let proxy: FaultProxy
let sql: postgres.Sql

beforeAll(async () => {
  fresh = await freshDatabase()
  proxy = await openFaultProxy(fresh.url)
})
beforeEach(() => {
  sql = postgres(proxy.url, { max: 2, onnotice: () => {}, connect_timeout: 3, backoff: () => 0.01 })
})
afterEach(async () => {
  await proxy.heal()
  await sql.end({ timeout: 0 })
})
afterAll(async () => {
  await proxy.stop()
  await fresh.drop()
})

/** The error of a statement whose connection was lost. */
const lost = /CONNECTION|ECONN|EPIPE/

const works = async () => (await sql`SELECT 1 AS one`)[0]?.['one'] === 1
/** Both connections of the pool are free. */
const poolIsWhole = () => Promise.all([1, 2].map(() => sql.begin((tx) => tx`SELECT pg_sleep(0.05)`)))

const faults = {
  'is reset': () => proxy.resetAll(),
  'is half closed': () => proxy.halfCloseAll(),
  'is refused afterwards': () => proxy.refuse({ cut: true }),
}

for (const [name, fault] of Object.entries(faults)) {
  test(`PLT-31 client can be closed even if its connection ${name} during its last statement`, async () => {
    const ending = postgres(proxy.url, { max: 1, onnotice: () => {}, connect_timeout: 3 })
    await ending`SELECT 1`
    const broken = ending`SELECT pg_sleep(10)`.catch(async (error: unknown) => {
      await ending.end()
      return error
    })
    await Bun.sleep(50)
    fault()
    expect(String(await broken)).toMatch(lost)
  })

  test(`PLT-31 transaction whose connection ${name} during a statement fails, and the pool keeps working`, async () => {
    const broken = sql.begin(async (tx) => {
      await tx`SELECT 1`
      setTimeout(fault, 50)
      await tx`SELECT pg_sleep(10)`
    })
    await expect(broken).rejects.toThrow(lost)
    await proxy.heal()
    expect(await works()).toBe(true)
    await poolIsWhole()
  })

  test(`PLT-31 transaction whose connection ${name} between statements fails, and the pool keeps working`, async () => {
    const broken = sql.begin(async (tx) => {
      await tx`SELECT 1`
      fault()
      await Bun.sleep(20)
      await tx`SELECT 2`
    })
    await expect(broken).rejects.toThrow(lost)
    await proxy.heal()
    await poolIsWhole()
  })
}

test('PLT-31 transaction that lost its connection doesn’t run statements on another transaction’s connection', async () => {
  await sql`CREATE TABLE IF NOT EXISTS writes (of_lost boolean)`
  const cut = Promise.withResolvers<void>()
  const taken = Promise.withResolvers<void>()
  const broken = sql.begin(async (tx) => {
    await tx`SELECT 1`
    proxy.resetAll()
    await cut.promise
    await taken.promise
    await tx`INSERT INTO writes VALUES (true)`
  })
  broken.catch(() => {})
  await expect(broken).rejects.toThrow(lost)
  cut.resolve()
  await Promise.all(
    [1, 2].map((nth) =>
      sql.begin(async (tx) => {
        await tx`INSERT INTO writes VALUES (false)`
        if (nth === 2) taken.resolve()
        await Bun.sleep(50)
      }),
    ),
  )
  expect([...(await sql`SELECT count(*)::int AS count FROM writes WHERE of_lost`)]).toEqual([{ count: 0 }])
})

test('PLT-31 statement sent on a connection that is being lost fails, and is not reported as done', async () => {
  await sql`SELECT 1`
  proxy.resetAll()
  const results = await Promise.allSettled([1, 2, 3].map(() => sql`SELECT 1 AS one`))
  for (const result of results) if (result.status === 'fulfilled') expect([...result.value]).toEqual([{ one: 1 }])
  await poolIsWhole()
})

test('PLT-31 lost reserved connection rejects further statements, and can be released', async () => {
  const reserved = await sql.reserve()
  await reserved`SELECT 1`
  proxy.resetAll()
  await expect(reserved`SELECT 2`.then()).rejects.toThrow(lost)
  await expect(reserved`SELECT 3`.then()).rejects.toThrow(lost)
  reserved.release()
  expect(await works()).toBe(true)
  await poolIsWhole()
})

test('PLT-31 pool doesn’t wait for a database server that accepts and then closes connections', async () => {
  const rude = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { open: (socket) => void socket.end(), data() {} },
  })
  const url = new URL(fresh.url)
  url.port = String(rude.port)
  const refused = postgres(url.href, { max: 1, connect_timeout: 3 })
  await expect(refused`SELECT 1`.then()).rejects.toThrow(lost)
  await refused.end({ timeout: 0 })
  rude.stop(true)
})

test('PLT-31 statements that wait too long for a connection are rejected and never run', async () => {
  await sql`CREATE TABLE IF NOT EXISTS late (nth int)`
  const held = Promise.withResolvers<void>()
  const holders = [1, 2].map(() => sql.begin(() => held.promise))
  await Bun.sleep(50)
  const waiting = [sql`INSERT INTO late VALUES (1)`, sql.begin((tx) => tx`INSERT INTO late VALUES (2)`)]
  const outcomes = Promise.allSettled(waiting)
  await Bun.sleep(20)
  sql.rejectQueued(10, () => new Error('too long'))
  expect(await outcomes).toMatchObject([1, 2].map(() => ({ status: 'rejected', reason: { message: 'too long' } })))
  held.resolve()
  await Promise.all(holders)
  await poolIsWhole()
  expect([...(await sql`SELECT nth FROM late`)]).toEqual([])
})

test('PLT-31 silent connection is detected, and destroying it fails only its statement', async () => {
  await sql`SELECT 1`
  proxy.blackholeOpen()
  const swallowed = sql`SELECT 1`.then(
    () => 'answered',
    (error: Error) => error.message,
  )
  const silent = () => sql.connections.filter(({ silentMs }) => silentMs > 100)
  while (silent().length === 0) await Bun.sleep(20)
  for (const connection of silent()) connection.destroy(new Error('silent'))
  expect(await swallowed).toBe('silent')
  expect(await works()).toBe(true)
})

test('PLT-31 connection doesn’t count as silent while its rows are read slowly, but does while it waits for more', async () => {
  const silence = () => Math.max(...sql.connections.map(({ silentMs }) => silentMs))
  const reader = sql`SELECT * FROM generate_series(1, 30)`.cursor(10)[Symbol.asyncIterator]()
  expect((await reader.next()).value).toHaveLength(10)
  await Bun.sleep(150)
  expect(silence()).toBeLessThanOrEqual(0)
  proxy.blackholeOpen()
  const swallowed = reader.next().catch((error: Error) => error.message)
  while (silence() < 100) await Bun.sleep(20)
  for (const connection of sql.connections) connection.destroy(new Error('silent'))
  expect(await swallowed).toBe('silent')
})
