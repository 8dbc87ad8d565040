import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { duePosts } from '../support/due-posts.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

let fresh: TestDatabase
let database: DatabaseHandle
let server: Server
let sent = 0
let reads = 0
const release = Promise.withResolvers<void>()

/** A network that responds late, and lists no posts. */
const network = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: async (request) => {
    if (request.method === 'GET') {
      reads++
      return Response.json({ items: [] })
    }
    sent++
    await release.promise
    return Response.json({ id: newId(), url: request.url }, { status: 201 })
  },
})

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
  const posts = await duePosts(fresh.url)
  await posts.accounts(['acme'])
  await posts.schedule({ perAccount: 1, text: 'Post' })
  await posts.close()
  const times = { PUBLISH_LEASE_MS: '60000', PUBLISH_HEARTBEAT_MS: '50000', PROVIDER_TIMEOUT_MS: '30000' }
  server = await serveInProcess({ databaseUrl: fresh.url, env: { SANDBOX_URL: network.url.href, ...times } })
})

afterAll(async () => {
  release.resolve()
  await server.stop()
  await network.stop(true)
  await database.close()
  await fresh.drop()
})

test('SOC-24 post whose lease expires and whose account changes while a server sends it isn’t sent again by that server', async () => {
  const { sql } = database
  expect(await eventually(() => sent === 1, 20_000)).toBe(true)
  // As the erasure of an account does it: the server no longer sees that it is busy with this account.
  await sql`UPDATE social.publish_attempts SET external_account = 'erased'`
  await sql`UPDATE social.connections SET external_id = 'erased'`
  await sql`UPDATE social.posts SET due_at = now()`
  const isClaimed = async () => (await sql`SELECT FROM social.posts WHERE due_at > now()`).length === 1
  expect(await eventually(isClaimed, 20_000)).toBe(true)
  // A second work would read the account's posts, and not find it.
  expect(await eventually(() => reads > 0, 1_500)).toBe(false)
  release.resolve()
  const isPublished = async () => (await sql`SELECT FROM social.posts WHERE status = 'published'`).length === 1
  expect(await eventually(isPublished, 20_000)).toBe(true)
  expect(sent).toBe(1)
})
