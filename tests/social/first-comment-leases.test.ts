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
/** Texts of the network's posts and comments, in their order. */
const received: string[] = []
let reads = 0
const release = Promise.withResolvers<void>()

/** A network that responds to comments late, and lists none. */
const network = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: async (request) => {
    if (request.method === 'GET') {
      reads++
      return Response.json({ items: [] })
    }
    const { text } = (await request.json()) as { text: string }
    received.push(text)
    if (text === 'Comment') await release.promise
    return Response.json({ id: newId(), url: request.url }, { status: 201 })
  },
})

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
  const posts = await duePosts(fresh.url)
  await posts.accounts(['acme'])
  await posts.schedule({ perAccount: 1, text: 'Post', inMs: 60_000 })
  await posts.close()
  await database.sql`UPDATE social.posts SET first_comment = 'Comment', scheduled_at = now(), due_at = now()`
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

test('SOC-24 first comment whose lease expires in a server that still writes it isn’t written again by that server', async () => {
  const { sql } = database
  expect(await eventually(() => received.length === 2, 20_000)).toBe(true)
  await sql`UPDATE social.first_comments SET due_at = now()`
  const isClaimed = async () => (await sql`SELECT FROM social.first_comments WHERE due_at > now()`).length === 1
  expect(await eventually(isClaimed, 20_000)).toBe(true)
  // A second run would read the comments back before it writes.
  expect(await eventually(() => reads > 0, 1_000)).toBe(false)
  release.resolve()
  const isWritten = async () => (await sql`SELECT FROM social.first_comments WHERE state = 'published'`).length === 1
  expect(await eventually(isWritten, 20_000)).toBe(true)
  expect(received).toEqual(['Post', 'Comment'])
})
