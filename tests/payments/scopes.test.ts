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

const slug = 'platform-pay'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const scopes = Object.keys(routesByScope)

test('PAY-30 each of the twenty permissions of payments has routes of its own, and each route one of them', async () => {
  const registered = await registeredScopes(world, slug)
  expect(registered).toHaveLength(20)
  expect(scopes.toSorted()).toEqual(registered)
  // A route that is missing belongs into the list of its scope, in `routes-by-scope.ts`.
  expect(declaredRoutes(slug)).toEqual(listedRoutes(routesByScope))
})

test.each(scopes)('PAY-30 an API key with only %s reaches the routes of this scope, and no other', async (scope) => {
  await expectOnlyRoutesOf(world, { slug, scope, routes: routesByScope[scope] ?? [] })
})

test('PAY-30 an API key for another service is refused on every route of payments', async () => {
  const key = await world.ada.createKey({ scopes: ['posts.read', 'posts.write', 'analytics.read'] })
  await expectNoRoutes(world, key, slug)
})
