import { afterAll, beforeAll, expect, test } from 'bun:test'
import { guarded, guardedPages, shadowed, type Declared } from '../operations/every.ts'
import { pageRoutesIn, unknownId, type PageRoutes } from '../operations/page-routes.ts'
import { samplesOf, type Input } from '../operations/samples.ts'
import { requestFor } from '../operations/send-request.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { routesByScope } from './routes-by-scope.ts'

const slug = 'platform-pay'
const operations = guarded.filter(({ service }) => service === slug)
const pages = guardedPages.filter(({ service }) => service === slug)

let world: World
let placeOf: PageRoutes['routeOf']

beforeAll(async () => {
  world = await openWorld()
  placeOf = (await pageRoutesIn(world)).routeOf
})
afterAll(() => world.close())

const scopes = Object.keys(routesByScope)
const scopeOf = ({ permission }: { permission: string }): string => permission.replace(':', '.')

test('PAY-30 each of the twenty permissions of payments has routes of its own, and each route one of them', async () => {
  const rows = await world.database.sql<{ permission: string }[]>`
    SELECT permission FROM identity.service_permissions JOIN identity.services ON services.id = service_id
    WHERE slug = ${slug}`
  const permissions = rows.map((row) => scopeOf(row)).toSorted()
  expect(permissions).toHaveLength(20)
  expect(scopes.toSorted()).toEqual(permissions)
  const declared = [
    ...operations.map((operation) => ({ permission: operation.permission, route: operation.route })),
    ...pages.map((page) => ({ permission: page.permission, route: `GET ${page.path}` })),
  ]
    // The others are for services of the platform and for super admins.
    .filter(({ permission }) => permission.includes(':'))
    .map((each) => `${scopeOf(each)} ${each.route}`)
  const listed = Object.entries(routesByScope).flatMap(([scope, routes]) => routes.map((route) => `${scope} ${route}`))
  // A route that is missing belongs into the list of its scope, in `routes-by-scope.ts`.
  expect(declared.toSorted()).toEqual(listed.toSorted())
})

const ofService = ({ name }: Declared, route: string): string =>
  shadowed.has(name) ? `${route}${route.includes('?') ? '&' : '?'}app=${slug}` : route

const junk: Input = { nonsense: 'nonsense' }

/** A request with a usable input, or with one that can’t be used. */
function requestOf(operation: Declared, isUsable: boolean) {
  const ids = Object.fromEntries([...operation.path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, unknownId]))
  const input = isUsable ? (samplesOf(operation, world)[0] ?? {}) : { ...ids, ...junk }
  const { route, body } = requestFor(operation, input)
  return { route: ofService(operation, route), body }
}

interface Refusal {
  code?: string
  permission?: string
}

const inHtml = { accept: 'text/html', 'hx-request': 'true' }

async function send(key: Caller, operation: Declared, isUsable: boolean, headers?: Record<string, string>) {
  const { route, body } = requestOf(operation, isUsable)
  const response = await key.fetch(route, body, headers)
  const isProblem = response.headers.get('content-type')?.includes('problem+json')
  const problem: Refusal = isProblem ? await response.json() : (await response.body?.cancel(), {})
  return { status: response.status, ...problem }
}

/** Before anything else of the request is looked at. */
async function expectRefusal(key: Caller, operation: Declared): Promise<void> {
  const { permission, route } = operation
  const refusal = { status: 403, code: 'permission_missing', permission }
  expect(await send(key, operation, true), route).toMatchObject(refusal)
  expect(await send(key, operation, false), `${route} with junk`).toMatchObject(refusal)
  expect((await send(key, operation, false, inHtml)).status, `${route} as HTML`).toBe(403)
}

async function expectAnswer(key: Caller, operation: Declared): Promise<void> {
  const { status, code, permission } = await send(key, operation, true)
  expect(permission, operation.route).not.toBe(operation.permission)
  const isOfPeople = code === 'session_required' && operation.problems?.['session_required'] === 403
  expect(status, operation.route).toBeLessThan(500)
  expect([200, ...(operation.method === 'GET' ? [] : [status])], operation.route).toContain(status)
  const html = await send(key, operation, false, inHtml)
  expect([403, 500, 503].includes(html.status) && !isOfPeople, `${operation.route} as HTML: ${html.status}`).toBe(false)
}

/** Pages are for people: their frame has no content for a key. */
async function expectNoPages(key: Caller): Promise<void> {
  for (const page of pages)
    expect((await key.fetch(placeOf(page), undefined, { accept: 'text/html' })).status, page.path).toBe(403)
}

test.each(scopes)('PAY-30 an API key with only %s reaches the routes of this scope, and no other', async (scope) => {
  const key = await world.ada.createKey({ service: slug, scopes: [scope] })
  const own = new Set(routesByScope[scope])
  for (const operation of operations)
    await (own.has(operation.route) ? expectAnswer(key, operation) : expectRefusal(key, operation))
  await expectNoPages(key)
})

test('PAY-30 an API key for another service is refused on every route of payments', async () => {
  const key = await world.ada.createKey({ scopes: ['posts.read', 'posts.write', 'analytics.read'] })
  for (const operation of operations) await expectRefusal(key, operation)
  await expectNoPages(key)
})
