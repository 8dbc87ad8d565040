import { afterAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { freshDatabase } from '../support/database.ts'
import { openFaultProxy } from '../support/fault-proxy.ts'
import { spawnServer } from '../support/served.ts'
import { eventually, killRest } from './program.ts'

afterAll(killRest)

test('PLT-31 server becomes ready after losing its database repeatedly during startup', async () => {
  const fresh = await freshDatabase()
  const proxy = await openFaultProxy(fresh.url)
  const sql = postgres(fresh.url, { max: 1 })
  const server = spawnServer({ databaseUrl: proxy.url })
  const isOpening = async () => {
    const [row] = await sql`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'atrium'`
    return row?.['count'] > 0
  }
  // The migrations are done: connections from here on belong to the server's own pools.
  expect(await eventually(isOpening, 60_000)).toBe(true)
  for (let nth = 0; nth < 10; nth++) {
    proxy.resetAll()
    await Bun.sleep(150)
  }
  const [, url = ''] = await server.until(/(http:\/\/[\w.]+:\d+)/)
  const isReady = async () => (await fetch(`${url}/readyz`)).ok
  expect(await eventually(isReady, 20_000)).toBe(true)
  expect(server.output()).not.toMatch(/^\s+at /m)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  await sql.end()
  await proxy.stop()
  await fresh.drop()
})
