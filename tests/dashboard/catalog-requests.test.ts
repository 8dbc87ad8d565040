import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createIdentityClient, serviceTokens } from '#identity'
import { readCatalog } from '../../src/dashboard/catalog/list.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** As in a process without identity. */
function countingClient() {
  const requested: string[] = []
  const { secrets, hosts, config } = world.provided
  const store = { db: world.database.db, secrets, now: () => new Date() }
  const identity = createIdentityClient({
    fetch: (request) => {
      requested.push(new URL(request.url).pathname)
      return world.handle(request)
    },
    baseUrl: 'http://localhost',
    serviceTokens: (slug) => serviceTokens(store, slug),
  })
  return { identity, requested, hosts, config }
}

test('DSH-05 catalog is read from identity in one request, and one for the person’s preferences', async () => {
  const { identity, requested, hosts, config } = countingClient()
  const request = {
    id: 'request',
    method: 'GET',
    url: new URL('http://localhost/api/catalog'),
    headers: new Headers(world.ada.credential),
    cookies: new Map<string, string>(),
    address: null,
    html: false,
  }
  const actor = await identity.validate({ authorization: request.headers.get('authorization') ?? '' })
  await identity.serviceId('platform-dashboard-api')
  requested.length = 0
  const call = { identity, actor, request, hosts, config }
  const { items, plan } = await readCatalog(call, { view: 'all', limit: 100 })
  expect(items.length).toBeGreaterThan(1)
  expect(plan).toMatchObject({ used: expect.any(Number) })
  expect(requested.toSorted()).toEqual(['/api/auth/app-switcher/preferences', '/api/internal/catalog'])
})
