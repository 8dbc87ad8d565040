import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { duePosts, type DuePosts } from '../support/due-posts.ts'
import type { Received } from '../support/publisher.ts'
import { serve, serveSandboxProcess, spawnServer, type Served } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'

// Servers are killed at each step of writing first comments. The network is a process with a database of its own.

const steps = ['claimed', 'prepared', 'sending', 'answered', 'settling']
const handles = ['one', 'two', 'three']
/** SIGKILL as a shell's exit status. */
const killed = 137

let networkDatabase: TestDatabase
let database: TestDatabase
let direct: DatabaseHandle
let network: Served
let posts: DuePosts

beforeAll(async () => {
  networkDatabase = await freshDatabase()
  database = await freshDatabase()
  direct = openDatabase(database.url, 2)
  network = await serveSandboxProcess(networkDatabase.url)
  posts = await duePosts(database.url)
  await posts.accounts(handles)
})

afterAll(async () => {
  await killRest()
  await posts.close()
  await direct.close()
  await database.drop()
  await networkDatabase.drop()
})

async function receivedBy(handle: string): Promise<Received[]> {
  const response = await fetch(`${network.url}/dev/sandbox/api/accounts/${handle}/posts`)
  return ((await response.json()) as { items: Received[] }).items
}

test(
  'SOC-10 SOC-24 each first comment is written once when servers are killed while writing it',
  async () => {
    for (const step of steps) {
      await posts.schedule({ perAccount: 1, text: 'Chaos', inMs: 60_000 })
      await direct.sql`
        UPDATE social.posts SET first_comment = 'On ' || id, scheduled_at = clock_timestamp(), due_at = clock_timestamp()
        WHERE first_comment IS NULL`
      const env = { KILL_AT: `comment_${step}:2`, SANDBOX_URL: network.url }
      expect(await spawnServer({ databaseUrl: database.url, env }).exited).toBe(killed)
    }
    const server = await serve({ databaseUrl: database.url, env: { SANDBOX_URL: network.url } })
    const total = steps.length * handles.length
    await eventually(async () => {
      const rows = await direct.sql`SELECT id FROM social.first_comments WHERE state = 'published'`
      return rows.length === total
    }, 60_000)
    const rows = await direct.sql<{ comment: string; post: string; id: string }[]>`
      SELECT p.first_comment AS comment, p.platform_post_id AS post, c.platform_comment_id AS id
      FROM social.posts p JOIN social.first_comments c USING (id)`
    const expected = rows.map(({ comment, post, id }) => `${comment} ${post} ${id}`).toSorted()
    const received = (await Promise.all(handles.map(receivedBy))).flat()
    const comments = received.flatMap(({ id, text, replyTo }) => (replyTo ? [`${text} ${replyTo} ${id}`] : []))
    expect(comments.toSorted()).toEqual(expected)
    expect(received).toHaveLength(2 * total)
    server.kill('SIGTERM')
    await server.exited
  },
  scaleTime(120_000),
)
