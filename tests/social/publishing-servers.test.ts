import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { eventually, killRest, waitUntil } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { duePosts } from '../support/due-posts.ts'
import { scaleTime } from '../support/time-scale.ts'
import { inMs, newPublisher, type Publisher } from '../support/publisher.ts'
import { serve, serveSandboxProcess, type Served } from '../support/served.ts'

// Several servers on one database, and a network that survives them.

let database: TestDatabase
let direct: DatabaseHandle
let env: { SANDBOX_URL: string }
let first: Served
let second: Served
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  direct = openDatabase(database.url, 2)
  env = { SANDBOX_URL: (await serveSandboxProcess(database.url)).url }
  ;[first, second] = (await Promise.all([1, 2].map(() => serve({ databaseUrl: database.url, env })))) as [
    Served,
    Served,
  ]
  ada = await newPublisher(first.url)
})

afterAll(async () => {
  await killRest()
  await direct.close()
  await database.drop()
})

async function scheduled(handle: string, values = {}) {
  const connectionId = await ada.connect(handle)
  const draft = { text: `Hello from ${handle}`, status: 'scheduled', scheduledAt: inMs(200), target: { connectionId } }
  return ada.post({ ...draft, ...values })
}

const published = ({ status }: { status: string }) => status === 'published'

test('SOC-24 two servers on one database publish each post once, and share the work', async () => {
  const posts = await duePosts(database.url)
  const handles = Array.from({ length: 12 }, (_, at) => `shared-${at}`)
  await posts.accounts(handles)
  await posts.schedule({ perAccount: 10, text: 'Shared', inMs: 200 })
  await waitUntil(async () => !(await posts.statuses())['scheduled'], 20_000)
  const received = await Promise.all(handles.map((handle) => ada.received(handle)))
  expect(received.map((items) => items.length)).toEqual(handles.map(() => 10))
  expect(await posts.statuses()).toEqual({ published: 120 })
  const owners = await direct.sql`select distinct lease_owner from social.publish_attempts`
  expect(owners).toHaveLength(2)
  await posts.close()
})

test('SOC-25 two servers send only one post per account at a time', async () => {
  await ada.behave('narrow', { mode: 'ok', latencyMs: 150 })
  const posts = await Promise.all([1, 2, 3, 4].map((n) => scheduled('narrow', { text: `Post ${n}` })))
  await Promise.all(posts.map(({ id }) => ada.until(id, published)))
  const times = (await ada.received('narrow')).map(({ receivedAt }) => Date.parse(receivedAt))
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(150)
})

test('SOC-20 post created through one server is published in time by any server', async () => {
  const target = { connectionId: await ada.connect('either') }
  const draft = { text: 'Through the second', status: 'scheduled', target }
  const post = await ada.through(second.url).post({ ...draft, scheduledAt: inMs(1_500) })
  const done = await ada.until(post.id, published)
  expect(Date.parse(done.publishedAt ?? '') - Date.parse(done.scheduledAt ?? '')).toBeLessThan(scaleTime(1_000))
})

/** Another person's account of the brand, inserted as a colleague's sign-up would create it. */
async function colleaguesAccount(handle: string): Promise<string> {
  const id = newId()
  await direct.sql`insert into social.connections (id, brand_id, provider, owner_id, external_id, name)
    values (${id}, ${ada.brandId}, 'sandbox', ${newId()}, ${handle}, ${handle})`
  return id
}

const deactivate = (id: string) => ada.call('POST', `/api/accounts/${id}/deactivate`)

test('SOC-21 author’s own account is chosen before a colleague’s older one; without it, the colleague’s', async () => {
  ada = await newPublisher(first.url)
  await colleaguesAccount('colleague')
  const own = await ada.connect('own')
  const draft = { text: 'Whose account?', status: 'scheduled' }
  await ada.until((await ada.post({ ...draft, scheduledAt: inMs(150) })).id, published)
  expect(await ada.received('own')).toHaveLength(1)
  await deactivate(own)
  await ada.until((await ada.post({ ...draft, scheduledAt: inMs(150) })).id, published)
  expect(await ada.received('colleague')).toHaveLength(1)
})

test('SOC-21 named account is replaced only by another connection of the same account', async () => {
  ada = await newPublisher(first.url)
  await ada.connect('other')
  const named = await ada.connect('named')
  const sameAccount = await colleaguesAccount('named')
  const draft = { text: 'To the named one', status: 'scheduled', target: { connectionId: named } }
  const [one, two] = await Promise.all([
    ada.post({ ...draft, scheduledAt: inMs(500) }),
    ada.post({ ...draft, scheduledAt: inMs(2500) }),
  ])
  await deactivate(named)
  await ada.until(one.id, published)
  expect(await ada.received('named')).toHaveLength(1)
  await deactivate(sameAccount)
  const post = await ada.until(two.id, ({ status }) => status !== 'scheduled')
  expect(post).toMatchObject({ status: 'failed', failureCode: 'connection_missing' })
  expect(await ada.received('other')).toEqual([])
})

test('SOC-24 server that pauses past its lease does not send when it resumes', async () => {
  const other = await freshDatabase()
  const posts = await duePosts(other.url)
  const network = await serveSandboxProcess(other.url)
  await posts.accounts(['frozen'])
  const settings = { databaseUrl: other.url, env: { SANDBOX_URL: network.url } }
  const frozen = await serve({ ...settings, env: { ...settings.env, KILL_AT: 'prepared:1:SIGSTOP' } })
  await posts.schedule({ perAccount: 1, text: 'Once' })
  const behind = await serve(settings)
  expect(await eventually(async () => (await posts.statuses())['published'] === 1)).toBeTrue()
  frozen.kill('SIGCONT')
  await Bun.sleep(scaleTime(1_500))
  const received = await (await fetch(`${network.url}/dev/sandbox/api/accounts/frozen/posts`)).json()
  expect(received).toMatchObject({ items: [{ text: 'Once' }] })
  expect((received as { items: unknown[] }).items).toHaveLength(1)
  for (const server of [frozen, behind, network]) server.kill('SIGKILL')
  await posts.close()
  await other.drop()
})

test('SOC-24 server that is stopping finishes the post that it is sending', async () => {
  await ada.behave('leaving', { mode: 'ok', latencyMs: 800 })
  const { id } = await scheduled('leaving')
  await waitUntil(async () => (await ada.received('leaving')).length === 1)
  for (const server of [first, second]) server.kill('SIGTERM')
  expect(await Promise.all([first.exited, second.exited])).toEqual([0, 0])
  const [row] =
    await direct.sql`select status, (select count(*)::int from social.publish_attempts where post_id = p.id) as attempts
    from social.posts p where id = ${id}`
  expect(row).toMatchObject({ status: 'published', attempts: 1 })
})
