import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { openEvents, type Events } from '#lib/events.ts'
import { newId } from '#lib/ids.ts'
import { createLog } from '#lib/log.ts'
import { openQueue, type Queue } from '#lib/queue.ts'
import { prepareAttempt } from '../../src/social/publishing/prepare-attempt.ts'
import { settle } from '../../src/social/publishing/settle.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { duePosts } from '../support/due-posts.ts'

let fresh: TestDatabase
let database: DatabaseHandle
let events: Events
let queue: Queue

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 3)
  events = await openEvents(database)
  queue = await openQueue(database, createLog('silent'))
  const posts = await duePosts(fresh.url)
  await posts.accounts(['acme'])
  await posts.schedule({ perAccount: 1, text: 'Once' })
  await posts.close()
})

afterAll(async () => {
  await queue.stop(1_000)
  await events.close()
  await database.close()
  await fresh.drop()
})

test('SOC-24 server doesn’t start an attempt for a post whose lease is held by another server', async () => {
  const { sql } = database
  const [post] = await sql<{ id: string }[]>`
    UPDATE social.posts SET lease_owner = ${newId()}, due_at = now() + interval '1 minute' RETURNING id`
  const decision = await database.transaction((tx) => prepareAttempt(tx, post?.id ?? '', newId(), null))
  expect(decision).toEqual({ kind: 'gone' })
  expect([...(await sql`SELECT id FROM social.publish_attempts`)]).toEqual([])
})

test('SOC-24 server settles nothing after another server has taken over its attempt', async () => {
  const { sql } = database
  const telling = { events, queue, now: () => new Date() }
  const [post] = await sql<{ id: string }[]>`SELECT id FROM social.posts`
  const id = post?.id ?? ''
  const [first, second] = [newId(), newId()]
  const decide = async (owner: string) => {
    await sql`UPDATE social.posts SET lease_owner = ${owner}, due_at = now() + interval '1 minute'`
    return database.transaction((tx) => prepareAttempt(tx, id, owner, null))
  }
  const sending = await decide(first)
  const takenOver = await decide(second)
  if (sending.kind !== 'send' || takenOver.kind !== 'reconcile') throw new Error('The second server took it over')
  const failure = { kind: 'failed', failure: { code: 'late', message: 'Too late.', retryable: false } } as const
  expect(await database.transaction((tx) => settle(tx, telling, sending, failure))).toBe(false)
  const rows = await sql`SELECT a.state, a.lease_owner AS owner, p.status FROM social.publish_attempts a
    JOIN social.posts p ON p.id = a.post_id`
  expect([...rows]).toEqual([{ state: 'sending', owner: second, status: 'scheduled' }])
  expect(await database.transaction((tx) => settle(tx, telling, takenOver, failure))).toBe(true)
})
