import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startMastodon, type MastodonCounterpart } from '../counterparts/mastodon.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { scaleTime } from '../support/time-scale.ts'
import { inMs, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

// More posts than one process sends at a time are due on accounts that accept none; another account is due after them.

let database: TestDatabase
let server: Server
let ada: Publisher
const instances: MastodonCounterpart[] = []

beforeAll(async () => {
  database = await freshDatabase()
  // Retries continue for longer than the test lasts.
  server = await serveInProcess({ databaseUrl: database.url, env: { PUBLISH_RETRY_BUDGET_MS: '90000' } })
  ada = await newPublisher(server.url)
})

afterAll(async () => {
  await server.stop()
  for (const instance of instances) await instance.stop()
  await database.drop()
})

const many = 36
const published = ({ status }: Post) => status === 'published'

const schedule = (provider: string, connectionId: string, at: number) =>
  ada.post({ provider, text: 'Hello', status: 'scheduled', scheduledAt: inMs(at), target: { connectionId } })

async function latenessOf({ id }: Post): Promise<number> {
  const post = await ada.until(id, published, 60_000)
  return Date.parse(post.publishedAt ?? '') - Date.parse(post.scheduledAt ?? '')
}

test('SOC-25 posts rejected with 503 on 36 accounts don’t delay other accounts on the network', async () => {
  const refusing = Array.from({ length: many }, (_, at) => `refusing-${at}`)
  await Promise.all(refusing.map((handle) => ada.behave(handle, { mode: 'fail', status: 503 })))
  const accounts = await Promise.all(refusing.map((handle) => ada.connect(handle)))
  const healthy = await ada.connect('healthy')
  await Promise.all(accounts.map((account) => schedule('sandbox', account, 3_000)))
  expect(await latenessOf(await schedule('sandbox', healthy, 5_000))).toBeLessThan(scaleTime(2_000))
})

async function connect(instance: MastodonCounterpart, username: string): Promise<string> {
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
  const begin = { brandId: ada.brandId, instance: instance.url }
  const path = '/api/integrations/mastodon/connect'
  const { authorizeUrl } = await ada.call<{ authorizeUrl: string }>('POST', path, begin, 201)
  await fetch(instance.consent(authorizeUrl, username), { headers, redirect: 'manual' })
  const { items } = await ada.call<{ items: { id: string; account: { id: string } }[] }>(
    'GET',
    '/api/accounts?limit=100',
  )
  const made = items.find(({ account }) => account.id === `${username}@${instance.host}`)
  if (!made) throw new Error(`${username} was not connected`)
  return made.id
}

function start(): MastodonCounterpart {
  const instance = startMastodon()
  instances.push(instance)
  return instance
}

const send = 'POST /api/v1/statuses'

test('SOC-25 instance that never responds doesn’t delay other instances', async () => {
  const [silent, well] = [start(), start()]
  silent.faults.next(send, { kind: 'hang' }, 1_000)
  silent.faults.next('GET /api/v1/accounts/:id/statuses', { kind: 'hang' }, 1_000)
  const accounts: string[] = []
  for (let at = 0; at < many; at++) accounts.push(await connect(silent, `silent-${at}`))
  const healthy = await connect(well, 'well')
  await Promise.all(accounts.map((account) => schedule('mastodon', account, 3_000)))
  expect(await latenessOf(await schedule('mastodon', healthy, 5_000))).toBeLessThan(scaleTime(2_000))
})

test('SOC-25 rate limit of an instance’s proxy applies to all its accounts, and an account’s own limit only to that account', async () => {
  const [limited, well] = [start(), start()]
  const page = { 'retry-after': '600', 'content-type': 'text/html' }
  limited.faults.next(send, { kind: 'answer', status: 429, headers: page })
  well.faults.next(send, { kind: 'answer', status: 429, headers: { 'retry-after': '600' } })
  const waits = async (account: string) => {
    const { id } = await schedule('mastodon', account, 400)
    return (await ada.until(id, (post) => published(post) || post.waitingFor?.reason === 'rate_window')).status
  }
  const statuses: string[] = []
  for (const instance of [limited, well])
    for (const username of ['ada', 'bea']) statuses.push(await waits(await connect(instance, username)))
  expect(statuses).toEqual(['scheduled', 'scheduled', 'scheduled', 'published'])
})
