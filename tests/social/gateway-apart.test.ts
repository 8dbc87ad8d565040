import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { eventually } from '../boot/program.ts'
import { appPassword, startBluesky, type BlueskyCounterpart } from '../counterparts/bluesky.ts'
import { startMastodon, type MastodonCounterpart } from '../counterparts/mastodon.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { scaleTime } from '../support/time-scale.ts'

// Identity and social on one server, the gateway on another, which goes away and comes back.

let database: TestDatabase
let direct: DatabaseHandle
let bluesky: BlueskyCounterpart
let mastodon: MastodonCounterpart
let social: Server
let gateway: Server | undefined
let port: number
let ada: Publisher

const startGateway = () =>
  serveInProcess({
    databaseUrl: database.url,
    env: { SERVICES: 'gateway', AUTH_API_URL: social.url, PORT: String(port) },
  })

async function stopGateway(): Promise<void> {
  await gateway?.stop()
  gateway = undefined
}

beforeAll(async () => {
  database = await freshDatabase()
  direct = openDatabase(database.url, 1)
  bluesky = startBluesky()
  mastodon = startMastodon({ expiring: true })
  const free = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  port = free.port ?? 0
  await free.stop(true)
  social = await serveInProcess({
    databaseUrl: database.url,
    env: {
      SERVICES: 'identity,social',
      NEXUS_GATEWAY_URL: `http://127.0.0.1:${port}`,
      BLUESKY_RESOLVER_URL: bluesky.url,
      PLC_DIRECTORY_URL: bluesky.url,
    },
  })
  gateway = await startGateway()
  ada = await newPublisher(social.url)
})

afterAll(async () => {
  await stopGateway()
  await social.stop()
  await mastodon.stop()
  await bluesky.stop()
  await direct.close()
  await database.drop()
})

const begin = (status: number) =>
  ada.call<{ authorizeUrl: string; code: string; detail: string }>(
    'POST',
    '/api/integrations/mastodon/connect',
    { brandId: ada.brandId, instance: mastodon.url },
    status,
  )

/** Returns from the consent page as a browser does; returns the text of the page that it leads to. */
async function comeBack(address: string): Promise<string> {
  const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
  return (await fetch(address, { headers })).text()
}

async function connectBluesky(handle: string): Promise<string> {
  bluesky.account(handle)
  const form = { brandId: ada.brandId, handle, appPassword }
  const path = '/api/integrations/bluesky/connect'
  return (await ada.call<{ connection: { id: string } }>('POST', path, form, 201)).connection.id
}

async function connectMastodon(username: string): Promise<string> {
  await comeBack(mastodon.consent((await begin(201)).authorizeUrl, username))
  const { items } = await ada.call<{ items: { id: string; account: { id: string } }[] }>('GET', '/api/accounts')
  return items.find(({ account }) => account.id === `${username}@${mastodon.host}`)?.id ?? ''
}

const submit = (provider: string, connectionId: string): Promise<Post> =>
  ada.post({ provider, text: 'Hello', status: 'scheduled', scheduledAt: inMs(300), target: { connectionId } })

interface Listed {
  id: string
  brandName: string
  provider: string
  health: string
  lastUsedAt: string | null
}

const inventory = async (): Promise<Listed[]> => {
  const response = await fetch(`http://127.0.0.1:${port}/api/connections`, {
    headers: { authorization: `Bearer ${ada.token}` },
  })
  return ((await response.json()) as { items: Listed[] }).items
}

const reported = (is: (accounts: Listed[]) => boolean) =>
  eventually(async () => {
    // What waits for its next attempt is attempted now.
    await direct.sql`UPDATE pgboss.job SET start_after = now() WHERE name = 'social.report-account' AND state = 'retry'`
    return is(await inventory())
  }, scaleTime(15_000))

test('GTW-02 GTW-04 social works with a gateway on another server, and while that is away does all but what needs it', async () => {
  const onBluesky = await connectBluesky('ada.example.com')
  const onMastodon = await connectMastodon('ada')
  expect(await reported((accounts) => accounts.length === 2)).toBe(true)
  expect(await inventory()).toMatchObject([
    { id: onBluesky, provider: 'bluesky', brandName: 'Acme Coffee', health: 'healthy', lastUsedAt: null },
    { id: onMastodon, provider: 'mastodon', brandName: 'Acme Coffee', health: 'healthy', lastUsedAt: null },
  ])
  const { authorizeUrl } = await begin(201)

  await stopGateway()
  const posts = await Promise.all([submit('bluesky', onBluesky), submit('mastodon', onMastodon)])
  for (const { id } of posts) expect(await ada.until(id, isSettled)).toMatchObject({ status: 'published' })
  const refused = await begin(503)
  expect(refused).toMatchObject({ code: 'gateway_unavailable', detail: expect.stringContaining('provider gateway') })
  expect(await comeBack(mastodon.consent(authorizeUrl, 'eve'))).toContain('The provider gateway, which completes')

  mastodon.revoke('ada')
  const waiting = await submit('mastodon', onMastodon)
  await ada.until(waiting.id, ({ waitingFor }) => waitingFor?.reason === 'gateway_unavailable')
  expect(await comeBack(`${social.url}/workspace/posts?brandId=${ada.brandId}`)).toContain(
    'Waiting for the provider gateway, which refreshes the sign-in at Mastodon',
  )
  await ada.call('PUT', `/api/brands/${ada.brandId}`, { name: 'Acme Roastery' })
  await ada.call('POST', `/api/accounts/${onBluesky}/deactivate`)

  gateway = await startGateway()
  await direct.sql`UPDATE social.posts SET due_at = now() WHERE id = ${waiting.id}`
  expect(await ada.until(waiting.id, isSettled)).toMatchObject({ status: 'published', waitingFor: null })
  const isCurrent = (accounts: Listed[]) =>
    accounts.every(({ brandName, lastUsedAt }) => brandName === 'Acme Roastery' && lastUsedAt !== null)
  expect(await reported(isCurrent)).toBe(true)
  expect(await inventory()).toMatchObject([{ health: 'inactive' }, { health: 'healthy' }])
})
