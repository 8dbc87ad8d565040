import { expect } from 'bun:test'
import type { Caller, World } from '../support/world.ts'
import { guarded, guardedPages, type Declared } from './every.ts'
import { pageRoutesIn, unknownId } from './page-routes.ts'
import { samplesOf, type Input } from './samples.ts'
import { requestFor } from './send-request.ts'

/** Routes by scope: operations and pages that aren’t public. */
export type RoutesByScope = Readonly<Record<string, readonly string[]>>

export const scopeOf = ({ permission }: { permission: string }): string => permission.replace(':', '.')

/** The routes of a service that need one of its permissions, as `<scope> <route>`. */
export const declaredRoutes = (slug: string): string[] =>
  [
    ...guarded.filter(({ service }) => service === slug),
    ...guardedPages
      .filter(({ service }) => service === slug)
      .map(({ permission, path }) => ({ permission, route: `GET ${path}` })),
  ]
    // The others are for people, services of the platform and super admins.
    .filter(({ permission }) => permission.includes(':') && !permission.startsWith('role:'))
    .map((each) => `${scopeOf(each)} ${each.route}`)
    .toSorted()

export const listedRoutes = (routesByScope: RoutesByScope): string[] =>
  Object.entries(routesByScope)
    .flatMap(([scope, routes]) => routes.map((route) => `${scope} ${route}`))
    .toSorted()

/** The scopes that the registry has for a service. */
export async function registeredScopes(world: World, slug: string): Promise<string[]> {
  const rows = await world.database.sql<{ permission: string }[]>`
    SELECT permission FROM identity.service_permissions JOIN identity.services ON services.id = service_id
    WHERE slug = ${slug} AND scope IS NOT NULL`
  return rows.map((row) => scopeOf(row)).toSorted()
}

/** Holds a key with one scope to exactly the routes of it. */
export async function expectOnlyRoutesOf(
  world: World,
  { slug, scope, routes }: { slug: string; scope: string; routes: readonly string[] },
): Promise<void> {
  const key = await world.ada.createKey({ service: slug, scopes: [scope] })
  const own = new Set(routes)
  for (const operation of operationsOf(slug))
    await (own.has(operation.route) ? expectAnswer(world, key, operation) : expectRefusal(world, key, operation))
  await expectNoPages(world, key, slug)
}

/** For a key of another service. */
export async function expectNoRoutes(world: World, key: Caller, slug: string): Promise<void> {
  for (const operation of operationsOf(slug)) await expectRefusal(world, key, operation)
  await expectNoPages(world, key, slug)
}

const operationsOf = (slug: string): Declared[] => guarded.filter(({ service }) => service === slug)

const junk: Input = { nonsense: 'nonsense' }

/** A request with a usable input, or with one that can’t be used. */
function requestOf(world: World, operation: Declared, isUsable: boolean) {
  const ids = Object.fromEntries([...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, unknownId]))
  const input = isUsable ? (samplesOf(operation, world)[0] ?? {}) : { ...ids, ...junk }
  return requestFor(operation, input)
}

interface Refusal {
  code?: string
  permission?: string
}

const inHtml = { accept: 'text/html', 'hx-request': 'true' }

interface Sent {
  isUsable: boolean
  headers?: Record<string, string>
}

async function send(world: World, key: Caller, operation: Declared, { isUsable, headers }: Sent) {
  const { route, body } = requestOf(world, operation, isUsable)
  const response = await key.fetch(route, body, headers)
  const isProblem = response.headers.get('content-type')?.includes('problem+json')
  const problem: Refusal = isProblem ? await response.json() : (await response.body?.cancel(), {})
  return { status: response.status, ...problem }
}

/** Before anything else of the request is looked at. */
async function expectRefusal(world: World, key: Caller, operation: Declared): Promise<void> {
  const { permission, route } = operation
  // What only people can do is refused before a permission is looked for.
  const isForPeople = ['signed-in', 'person'].includes(permission)
  const refusal = isForPeople ? { status: 403 } : { status: 403, code: 'permission_missing', permission }
  expect(await send(world, key, operation, { isUsable: true }), route).toMatchObject(refusal)
  expect(await send(world, key, operation, { isUsable: false }), `${route} with junk`).toMatchObject(refusal)
  expect((await send(world, key, operation, { isUsable: false, headers: inHtml })).status, `${route} as HTML`).toBe(403)
}

async function expectAnswer(world: World, key: Caller, operation: Declared): Promise<void> {
  const { status, code, permission } = await send(world, key, operation, { isUsable: true })
  expect(permission, operation.route).not.toBe(operation.permission)
  const isOfPeople = code === 'session_required' && operation.problems?.['session_required'] === 403
  expect(status, operation.route).toBeLessThan(500)
  expect([200, ...(operation.method === 'GET' ? [] : [status])], operation.route).toContain(status)
  const html = await send(world, key, operation, { isUsable: false, headers: inHtml })
  expect([403, 500, 503].includes(html.status) && !isOfPeople, `${operation.route} as HTML: ${html.status}`).toBe(false)
}

/** Pages are for people: their frame has no content for a key. */
async function expectNoPages(world: World, key: Caller, slug: string): Promise<void> {
  const { routeOf } = await pageRoutesIn(world)
  for (const page of guardedPages.filter(({ service }) => service === slug))
    expect((await key.fetch(routeOf(page), undefined, { accept: 'text/html' })).status, page.path).toBe(403)
}
