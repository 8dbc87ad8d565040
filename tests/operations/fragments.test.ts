import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, type World } from '../support/world.ts'
import { pageRoutesIn, type PageRoutes } from './page-routes.ts'
import { alterOutput, marker } from './alter-output.ts'
import { allowedCaller, fromPage, navigation, requestFor, sendChecked } from './send-request.ts'
import { inOrder, operations, pages, type DeclaredPage } from './every.ts'
import { addDoomedAccount } from './doomed-account.ts'
import {
  drawnDifferently,
  notDrawn,
  redirecting,
  refusing,
  refusingAtFirst,
  withoutData,
  withoutView,
} from './fragment-exceptions.ts'
import { nestingFault } from './markup.ts'
import { fragmentOf, recordPages, withoutNonces, type Requested, type Recorder } from './recorder.ts'
import { samplesOf } from './samples.ts'
import { addUnknownComments } from './tenancy-state.ts'

// Pages and operations are two representations of the same data (PLT-06).

let world: World
let routeOf: PageRoutes['routeOf']
let recorder: Recorder

beforeAll(async () => {
  // Widgets that are sent with the page depend on time: tests/browser/widget-states.test.ts.
  world = await openWorld({ apps: true, env: { WIDGETS_WAIT_MS: '0' } })
  await addDoomedAccount(world, newId(), { token: world.mailedToken })
  // The tests can take longer than the minute in which an invitation isn't sent again.
  await world.database.sql`UPDATE identity.invitations SET created_at = now() + interval '10 minutes'`
  await addUnknownComments(world)
  routeOf = (await pageRoutesIn(world)).routeOf
  recorder = recordPages(world.contexts)
})

afterAll(async () => {
  recorder?.restore()
  await world.close()
})

const viewed = operations.filter(({ method, view }) => method === 'GET' && view)

test.each(viewed.map((operation) => [operation.route, operation] as const))(
  'PLT-06 %s returns a well-formed fragment to htmx, and JSON to programs',
  async (_, operation) => {
    const caller = allowedCaller(operation, world)
    const request = requestFor(operation, samplesOf(operation, world)[0] ?? {})
    const fragment = await sendChecked(caller, request, fromPage)
    expect([fragment.status, fragment.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    // The mailbox frames a whole document.
    expect(fragment.text.replace(/ srcdoc="[^"]*"/, '')).not.toMatch(/<(!doctype|html|head|body)\b/i)
    expect(nestingFault(fragment.text)).toBeNull()
    const [, nonce] = /'nonce-([^']+)'/.exec(fragment.headers.get('content-security-policy') ?? '') ?? []
    const nonces = [...fragment.text.matchAll(/hx-nonce="([^"]*)"/g)].map(([, found]) => found)
    expect([...new Set(nonces)]).toEqual(nonces.length > 0 ? [nonce] : [])
    expect((await sendChecked(caller, request, navigation)).headers.get('content-type')).toBe(
      'text/html; charset=utf-8',
    )
    expect((await sendChecked(caller, request, { accept: 'application/json' })).headers.get('content-type')).toMatch(
      /json$/,
    )
  },
)

/** A page with what it asked. */
interface Visit {
  status: number
  markup: string
  requested: Requested[]
}

/** Sign-in pages redirect people who are signed in. */
const visitorOf = (page: DeclaredPage) => (page.permission === 'public' ? world.stranger : allowedCaller(page, world))

async function visit(page: DeclaredPage, alter?: Parameters<Recorder['record']>[1]): Promise<Visit> {
  let response = { status: 0, text: '' }
  const requested = await recorder.record(async () => {
    response = await sendChecked(visitorOf(page), { route: routeOf(page) }, navigation)
  }, alter)
  return { status: response.status, markup: withoutNonces(response.text), requested }
}

/** Every page as it is, visited once. */
const visits = new Map<string, Promise<Visit>>()
const visitOnce = (page: DeclaredPage): Promise<Visit> => {
  const known = visits.get(page.path) ?? visit(page)
  visits.set(page.path, known)
  return known
}

const named = pages.map((page) => [page.path, page] as const)
const keyOf = (page: DeclaredPage, { name }: Pick<Requested, 'name'>) => `${page.path} ${name}`
const usedExceptions = new Set<string>()

test.each(named)('PLT-06 %s is made of operations and contains their fragments', async (_, page) => {
  const { status, markup, requested } = await visitOnce(page)
  expect([page.path, status]).toEqual([page.path, redirecting.get(page.path) ?? 200])
  if (status !== 200) return
  if (withoutData.has(page.path)) expect(requested.map(({ name }) => name)).toEqual([])
  else expect(requested).not.toBeEmpty()
  const viewless = requested.filter(({ operation: { view } }) => !view).map(({ name }) => name)
  expect(viewless.filter((name) => !withoutView.has(name))).toEqual([])
  for (const name of viewless) usedExceptions.add(name)
  for (const each of requested.filter(({ operation: { view } }) => view)) {
    const isContained = markup.includes(withoutNonces(await fragmentOf(each)))
    expect([keyOf(page, each), isContained]).toEqual([keyOf(page, each), !drawnDifferently.has(keyOf(page, each))])
    if (!isContained) usedExceptions.add(keyOf(page, each))
  }
})

test.each(named)('PLT-06 %s changes with the output of each operation that it calls', async (_, page) => {
  const { status, markup, requested } = await visitOnce(page)
  if (status !== 200 || requested.length === 0) return
  const names = [...new Set(requested.map(({ name }) => name))]
  /** Operations of which this world has something to show. */
  const full = new Set<string>()
  const all = await visit(page, ({ name, operation, result }) => {
    const other = alterOutput(operation, result, markerOf(names, name))
    const isAltered = (output: unknown) => !Bun.deepEquals(output, result)
    if (isAltered(other) || isAltered(alterOutput(operation, result, marker, { booleans: true }))) full.add(name)
    return other
  })
  for (const name of names.filter((one) => full.has(one) && !all.markup.includes(markerOf(names, one)))) {
    const one = await visit(page, (each) =>
      each.name === name ? alterOutput(each.operation, each.result, marker, { booleans: true }) : each.result,
    )
    const isDrawn = one.markup !== markup
    expect([keyOf(page, { name }), isDrawn]).toEqual([keyOf(page, { name }), !notDrawn.has(keyOf(page, { name }))])
    if (!isDrawn) usedExceptions.add(keyOf(page, { name }))
  }
})

test.each(named)('PLT-14 %s counts against the rate limit of the operations that it calls', async (_, page) => {
  const { requested } = await visitOnce(page)
  const limits = requested.map(({ operation: { limit = 'reads' } }) => limit)
  if (limits.length > 0) expect(page.limit ?? 'reads').toBe(limits.find((limit) => limit !== 'reads') ?? 'reads')
})

const markerOf = (names: string[], name: string): string => `${marker}${names.indexOf(name)}z`

const changing = inOrder.filter(({ method, view }) => method !== 'GET' && view)

test.each(changing.map((operation) => [operation.route, operation] as const))(
  'PLT-06 %s returns a well-formed fragment to htmx, unless it redirects',
  async (_, operation) => {
    const request = requestFor(operation, samplesOf(operation, world)[0] ?? {})
    const answer = await sendChecked(allowedCaller(operation, world), request, fromPage)
    // Some need what another operation does first: tests/operations/tenancy.test.ts calls all of them.
    const { route } = operation
    const refusal = refusing.get(route) ?? (answer.status === 200 ? undefined : refusingAtFirst.get(route))
    if (refusal !== undefined || answer.status >= 400)
      return expect([answer.status, answer.text]).toEqual([refusal ?? 200, expect.any(String)])
    if (answer.headers.has('hx-redirect')) return expect(answer.text).toBe('')
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.text).not.toMatch(/<(!doctype|html|head|body)\b/i)
    expect(nestingFault(answer.text)).toBeNull()
  },
)

test('PLT-06 every declared exception for a page is needed', () => {
  const all = [...drawnDifferently.keys(), ...notDrawn.keys(), ...withoutView.keys()]
  expect(all.filter((key) => !usedExceptions.has(key))).toEqual([])
  expect([...refusing.keys()].filter((route) => !changing.some((each) => each.route === route))).toEqual([])
  expect([...withoutData.keys()].filter((path) => !pages.some((page) => page.path === path))).toEqual([])
})
