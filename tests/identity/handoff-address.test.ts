import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { migrate } from '#lib/db/migrate.ts'
import { emptyDatabase } from '../support/database.ts'
import { migrateUntil } from '../support/earlier-release.ts'
import { openWorld, type World } from '../support/world.ts'
import { scaleTime } from '../support/time-scale.ts'

// The address at which people arrive in a third-party app that they open from the app switcher.

let world: World
const uris = ['com.example.theirs:/callback', 'https://theirs.example/a', 'https://theirs.example/hand-off']

beforeAll(async () => {
  world = await openWorld()
  const acme = world.ada.things.organizations
  await world.ada.fetchJson(`POST /api/organizations/${acme}/apps`, { serviceId: world.theirAppId }, 201)
})
afterAll(() => world.close())

const edit = (more: object) => world.root.fetch(`PATCH /api/services/${world.theirAppId}`, more)

type Launched = { url: string; expiresAt: string | null }

/** A launch of the app, once launches follow the registry (within two seconds). */
async function launchOnce(isRight: (url: string) => boolean): Promise<Launched> {
  const end = Date.now() + scaleTime(20_000)
  for (;;) {
    const launched = await world.ada.fetchJson<Launched>('POST /api/launches', { serviceId: world.theirAppId })
    if (isRight(launched.url) || Date.now() > end) return launched
    await Bun.sleep(100)
  }
}

test('IDN-22 app is handed off to the registered hand-off address instead of the first redirect URI', async () => {
  const entry = (await (await edit({ redirectUris: uris, handoffUri: uris[2] })).json()) as object
  expect(entry).toMatchObject({ redirectUris: uris, handoffUri: uris[2] })
  const { url, expiresAt } = await launchOnce((address) => address.includes('sso_code'))
  expect(url).toStartWith('https://theirs.example/hand-off?')
  expect(expiresAt).not.toBeNull()
})

test('IDN-22 app without a hand-off address opens at its web URL without a code', async () => {
  expect(await (await edit({ handoffUri: '' })).json()).toMatchObject({ handoffUri: null, redirectUris: uris })
  const launched = await launchOnce((address) => !address.includes('sso_code'))
  expect(launched).toMatchObject({ url: 'https://theirs.example/start', expiresAt: null })
})

test('IDN-20 hand-off URI must be one of the redirect URIs, even after they change', async () => {
  const wrong = { status: 422, errors: [{ path: 'handoffUri' }] }
  for (const handoffUri of ['https://theirs.example/other', 'https://theirs.example/hand-off/'])
    expect(await (await edit({ redirectUris: uris, handoffUri })).json()).toMatchObject(wrong)
  expect((await edit({ handoffUri: uris[1] })).status).toBe(200)
  expect(await (await edit({ redirectUris: [uris[0]] })).json()).toMatchObject(wrong)
  expect((await edit({ redirectUris: [uris[0]], handoffUri: null })).status).toBe(200)
  const own = await world.root.fetch(`PATCH /api/services/${world.serviceId}`, {
    redirectUris: ['https://social.example/arrive'],
    handoffUri: 'https://social.example/arrive',
  })
  expect(await own.json()).toMatchObject(wrong)
  const entry = await world.vera.fetchJson<{ handoffUri: string }>(`GET /api/services/${world.serviceId}`)
  expect(entry.handoffUri).toBe('http://localhost/auth/callback')
})

test('IDN-22 migration keeps existing hand-off addresses', async () => {
  const database = await emptyDatabase()
  const sql = postgres(database.url, { max: 2, onnotice: () => {} })
  await migrateUntil(database.url, 'handoff_uri')
  await sql`
    WITH made AS (INSERT INTO identity.services (slug, name, description) VALUES ('shop', 'Shop', 'Sells') RETURNING id)
    INSERT INTO identity.service_redirect_uris (service_id, uri) SELECT id, unnest(${['https://b.example', 'https://a.example']}::text[]) FROM made`
  await migrate(database.url)
  const rows = await sql`SELECT uri, handoff FROM identity.service_redirect_uris ORDER BY uri`
  expect([...rows]).toEqual([
    { uri: 'https://a.example', handoff: true },
    { uri: 'https://b.example', handoff: false },
  ])
  await sql.end()
  await database.drop()
})
