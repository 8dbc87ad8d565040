import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serve, serveSandboxProcess, type Served } from '../support/served.ts'

// Networks that declare when they accept posts again. The sandbox is a separate process, which survives the servers.

let database: TestDatabase
let direct: DatabaseHandle
let env: { SANDBOX_URL: string }
let first: Served
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  direct = openDatabase(database.url, 2)
  env = { SANDBOX_URL: (await serveSandboxProcess(database.url)).url }
  first = await serve({ databaseUrl: database.url, env })
  ada = await newPublisher(first.url)
})

afterAll(async () => {
  await killRest()
  await direct.close()
  await database.drop()
})

const schedule = (connectionId: string, values: { inMs: number; text?: string }, by = ada) =>
  by.post({
    text: values.text ?? 'Hello',
    status: 'scheduled',
    scheduledAt: inMs(values.inMs),
    target: { connectionId },
  })

const waits = ({ waitingFor }: Post) => waitingFor?.reason === 'rate_window'
const published = ({ status }: Post) => status === 'published'
const failed = ({ status }: Post) => status === 'failed'
const until = ({ waitingFor }: Post) => Date.parse(waitingFor?.until ?? '')

/** How many posts the sandbox still refuses: each call uses one. */
const refusalsLeft = async (handle: string) =>
  (await ada.call<{ times: number }>('GET', `/dev/sandbox/api/accounts/${handle}/behavior`)).times

test('SOC-25 posts of a throttled account wait for the rate limit to reset without calling the network, on every server and after a restart', async () => {
  const [limited, free] = [await ada.connect('limited'), await ada.connect('free')]
  await ada.behave('limited', { mode: 'rate_limit', times: 1, retryAfter: 20 })
  const posts = [
    await schedule(limited, { inMs: 500, text: 'One' }),
    await schedule(limited, { inMs: 600, text: 'Two' }),
  ]
  const other = await schedule(free, { inMs: 700 })
  const waiting = await Promise.all(posts.map(({ id }) => ada.until(id, waits)))
  const opens = Math.max(...waiting.map(until))
  expect(waiting.map(({ status }) => status)).toEqual(['scheduled', 'scheduled'])
  const sent = await ada.until(other.id, published)
  expect(Date.parse(sent.publishedAt ?? '')).toBeLessThan(opens)

  const second = await serve({ databaseUrl: database.url, env })
  first.kill('SIGKILL')
  await first.exited
  ada = ada.through(second.url)
  const late = await schedule(limited, { inMs: 500, text: 'Three' })
  expect(until(await ada.until(late.id, waits))).toBe(opens)
  expect(await ada.received('limited')).toEqual([])

  for (const { id } of [...posts, late]) await ada.until(id, published, 40_000)
  const received = await ada.received('limited')
  expect(received.map(({ text }) => text)).toEqual(['One', 'Two', 'Three'])
  expect(Date.parse(received[0]?.receivedAt ?? '')).toBeGreaterThanOrEqual(opens)
})

test('SOC-25 post whose rate limit resets in more than an hour fails immediately and shows the time', async () => {
  const account = await ada.connect('hours')
  await ada.behave('hours', { mode: 'rate_limit', times: 5, retryAfter: 7200 })
  const one = await ada.until((await schedule(account, { inMs: 400 })).id, failed)
  expect(one).toMatchObject({ failureCode: 'rate_limited', failureRetryable: true, waitingFor: null })
  expect(one.failureMessage).toMatch(/until \d+ \w+ \d\d:\d\d UTC\. Schedule this post for later/)
  const two = await ada.until((await schedule(account, { inMs: 400 })).id, failed)
  expect(two.failureCode).toBe('rate_limited')
  expect(await refusalsLeft('hours')).toBe(4)
})

test('SOC-25 post that has waited for rate limits for an hour fails', async () => {
  const account = await ada.connect('patient')
  const { id } = await schedule(account, { inMs: 60_000 })
  await direct.sql`
    INSERT INTO social.rate_windows (provider, host, account, opens_at)
    VALUES ('sandbox', 'sandbox', 'patient', now() + interval '5 minutes')`
  const due = (waited: string) => direct.sql`
    UPDATE social.posts SET due_at = now(), scheduled_at = now() - interval '2 hours',
      rate_limited_since = now() - ${waited}::interval WHERE id = ${id}`
  await due('54 minutes')
  await ada.until(id, waits)
  await due('56 minutes')
  expect(await ada.until(id, failed)).toMatchObject({ failureCode: 'rate_limited' })
  await ada.call('PUT', `/api/posts/${id}`, { status: 'scheduled', scheduledAt: inMs(400) })
  await ada.until(id, waits)
})

test('SOC-25 network that says "again in 0 seconds" is called with increasing delays', async () => {
  const account = await ada.connect('hasty')
  await ada.behave('hasty', { mode: 'rate_limit', times: 2, retryAfter: 0 })
  const { id } = await schedule(account, { inMs: 400 })
  const post = await ada.until(id, published)
  expect(Date.parse(post.publishedAt ?? '') - Date.parse(post.scheduledAt ?? '')).toBeGreaterThanOrEqual(3_000)
})
