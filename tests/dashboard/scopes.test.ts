import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  declaredRoutes,
  expectNoRoutes,
  expectOnlyRoutesOf,
  listedRoutes,
  registeredScopes,
} from '../operations/scope-routes.ts'
import { openWorld, type World } from '../support/world.ts'
import { routesByScope } from './routes-by-scope.ts'

const slug = 'platform-dashboard-api'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const scopes = Object.keys(routesByScope)

test('DSH-33 each route of the dashboard that needs a scope needs one of its fourteen, as listed', async () => {
  const registered = await registeredScopes(world, slug)
  expect(registered).toHaveLength(14)
  expect(scopes.toSorted()).toEqual(registered)
  // A route that is missing belongs into the list of its scope, in `routes-by-scope.ts`.
  expect(declaredRoutes(slug)).toEqual(listedRoutes(routesByScope))
})

test.each(scopes)('DSH-33 an API key with only %s reaches the routes of this scope, and no other', async (scope) => {
  await expectOnlyRoutesOf(world, { slug, scope, routes: routesByScope[scope] ?? [] })
})

test('DSH-33 an API key for another service is refused on every route of the dashboard', async () => {
  const key = await world.ada.createKey({ scopes: ['posts.read', 'posts.write', 'analytics.read'] })
  await expectNoRoutes(world, key, slug)
})

interface Registered {
  slug: string
  scopes: string[] | null
}

test('DSH-35 the registry has the marketing side as a service of its own, and the fourteen scopes belong to the API alone', async () => {
  const rows = await world.database.sql<Registered[]>`
    SELECT slug, array_agg(permission) FILTER (WHERE scope IS NOT NULL) AS scopes FROM identity.services
    LEFT JOIN identity.service_permissions ON services.id = service_id
    WHERE slug LIKE 'platform-dashboard-%' GROUP BY slug ORDER BY slug`
  expect(rows.map((row) => [row.slug, row.scopes?.length ?? 0])).toEqual([
    [slug, 14],
    ['platform-dashboard-website', 0],
  ])
})

test('DSH-35 the dashboard tells anyone its fixed service id, which its tokens and launches use', async () => {
  const response = await world.stranger.fetch('GET /api/service-identity?app=platform-dashboard-api')
  const [service] = await world.database.sql`SELECT id FROM identity.services WHERE slug = ${slug}`
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ slug, serviceId: service?.id, environment: 'test' })
})
