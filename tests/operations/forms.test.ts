import { afterAll, beforeAll, expect, test } from 'bun:test'
import { toObject } from '#lib/request/to-object.ts'
import { unknownFields } from '#lib/request/input.ts'
import { sharedPaths } from '../../src/hosts.ts'
import { openWorld, type World } from '../support/world.ts'
import { pageRoutesIn, type PageRoutes } from './page-routes.ts'
import { navigation, allowedCaller } from './send-request.ts'
import { operations, pages, paramsOf, type DeclaredPage } from './every.ts'

// Checks every form and button of every page: operations refuse unknown fields.

let world: World
let routeOf: PageRoutes['routeOf']

beforeAll(async () => {
  world = await openWorld({ apps: true })
  routeOf = (await pageRoutesIn(world)).routeOf
})
afterAll(() => world.close())

interface Sending {
  method: string
  path: string
  names: string[]
}

const ways = ['get', 'post', 'put', 'patch', 'delete']

/** What the forms of a page, and elements that send requests themselves, would send. */
async function sendingsOf(html: Response): Promise<Sending[]> {
  const found: Sending[] = []
  const byId = new Map<string, Sending[]>()
  let form: Sending[] = []
  const rewriter = new HTMLRewriter().on('*', {
    element(element) {
      const name = element.getAttribute('name')
      const isField = ['input', 'select', 'textarea', 'button'].includes(element.tagName)
      const owners = element.getAttribute('form')
      const own = sentBy(element)
      if (element.tagName === 'form') {
        form = own
        byId.set(element.getAttribute('id') ?? '', own)
        element.onEndTag(() => void (form = []))
      }
      if (name && isField) {
        const into = own.length > 0 && element.tagName !== 'form' ? own : owners ? (byId.get(owners) ?? []) : form
        for (const each of into) each.names.push(name)
      }
      found.push(...own)
    },
  })
  await rewriter.transform(html).text()
  return found
}

const entities: Record<string, string> = { quot: '"', '#34': '"', '#39': "'", amp: '&', lt: '<', gt: '>' }
const plain = (text: string): string => text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)

function sentBy(element: HTMLRewriterTypes.Element): Sending[] {
  const names = Object.keys(JSON.parse(plain(element.getAttribute('hx-vals') ?? '{}')))
  return ways.flatMap((way) => {
    const path = element.getAttribute(`hx-${way}`)
    return path ? [{ method: way.toUpperCase(), path: plain(path), names: [...names] }] : []
  })
}

/** Fixed paths before those with parameters, as the router matches them. */
const byParams = operations.toSorted((one, other) => paramsOf(one.path).length - paramsOf(other.path).length)
const targets = byParams.map((operation) => ({
  operation,
  pattern: new RegExp(`^${operation.path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '([^/]+)')}$`),
}))

/** The unknown fields of what would be sent to an operation; none where a page is requested. */
function unknownIn({ method, path, names }: Sending): string[] {
  const url = new URL(path, 'http://localhost')
  // It selects the service of a path that several have.
  const app = url.pathname in sharedPaths ? url.searchParams.get('app') : null
  if (app !== null) url.searchParams.delete('app')
  const target = targets.find(
    ({ operation, pattern }) =>
      operation.method === method && pattern.test(url.pathname) && (app === null || operation.service === app),
  )
  if (!target || target.operation.unknownFields) return []
  const params = Object.fromEntries(paramsOf(target.operation.path).map((name) => [name, 'x']))
  const isComposer = target.operation.path.startsWith('/api/posts') && names.includes('when')
  const sending = isComposer ? names.filter((name) => !composed.has(name)) : names
  const sent = toObject([...url.searchParams.keys(), ...sending].map((name) => [name, '1']))
  return unknownFields(target.operation.input, { ...sent, ...params }).map((field) => field.join('.'))
}

/** Fields that `post-composer` converts before sending. */
const composed = new Set(['account', 'when'])

interface PlainForm {
  /** As a browser without scripts sends it. */
  method: string
  path: string
  /** As htmx sends it. */
  sendings: Sending[]
}

/** The forms of a page at `base`, except those that only close a dialog. */
async function plainFormsOf(html: string, base: string): Promise<PlainForm[]> {
  const found: PlainForm[] = []
  const rewriter = new HTMLRewriter().on('form', {
    element(element) {
      const method = (element.getAttribute('method') ?? 'get').toUpperCase()
      if (method === 'DIALOG') return
      const url = new URL(plain(element.getAttribute('action') ?? base), `http://localhost${base}`)
      const named = url.searchParams.get('_method')
      found.push({ method: named ?? method, path: url.pathname, sendings: sentBy(element) })
    },
  })
  await rewriter.transform(new Response(html)).text()
  return found
}

const pagePatterns = pages.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`))

/** The operation that a form calls, or null for a page. @throws for neither */
function targetOf(method: string, path: string): string | null {
  const target = targets.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
  if (target) return target.operation.name
  if (method === 'GET' && pagePatterns.some((pattern) => pattern.test(path))) return null
  throw new Error(`No operation or page has ${method} ${path}`)
}

const skipped = new Set(['/sso/authorize'])
const shown = pages.filter(({ path }) => !skipped.has(path))
let looked = 0
let plainForms = 0

test.each(shown.map((page) => [page.path, page] as const))('%s sends no unknown fields', async (_, page) => {
  for (const caller of [allowedCaller(page, world), ...viewersOf(page)]) {
    const answer = await caller.fetch(routeOf(page), undefined, navigation)
    const sendings = await sendingsOf(answer)
    looked += sendings.length
    for (const sending of sendings)
      expect([`${sending.method} ${sending.path}`, unknownIn(sending)]).toEqual([
        `${sending.method} ${sending.path}`,
        [],
      ])
  }
})

test.each(shown.map((page) => [page.path, page] as const))(
  'PLT-06 forms of %s call the same operation without scripts',
  async (_, page) => {
    const route = routeOf(page)
    const answer = await allowedCaller(page, world).fetch(route, undefined, navigation)
    for (const { method, path, sendings } of await plainFormsOf(await answer.text(), route.slice('GET '.length))) {
      const target = targetOf(method, path)
      plainForms += 1
      for (const sending of sendings.filter(({ method: way }) => way !== 'GET'))
        expect(target).toBe(targetOf(sending.method, new URL(sending.path, 'http://localhost').pathname))
    }
  },
)

const viewersOf = ({ permission }: DeclaredPage) => (permission === 'public' ? [world.stranger] : [])

test('every form is checked', () => {
  expect(looked).toBeGreaterThan(100)
  expect(plainForms).toBeGreaterThan(100)
})

const formHeaders = {
  ...navigation,
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
}

test('PLT-06 PLT-21 form that updates or deletes works without scripts, but not from scripts or other sites', async () => {
  const { cookie } = await world.ada.signIn()
  const path = `/api/organizations/${world.ada.things.organizations}`
  const send = (body: string, headers: Record<string, string> = {}, method = 'PUT') =>
    world.stranger.fetch(`POST ${path}?_method=${method}`, body, { ...formHeaders, cookie, ...headers })
  const named = async () => (await world.ada.fetchJson<{ name: string }>(`GET ${path}`)).name
  const before = await named()
  const refused: [Record<string, string>, number][] = [
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-mode': 'cors' }, 405],
    [{ 'content-type': 'text/plain' }, 405],
  ]
  for (const [headers, status] of refused) expect((await send('name=Other', headers)).status).toBe(status)
  expect((await send('name=Other', {}, 'GET')).status).toBe(405)
  expect((await send('name=Other', { 'content-type': 'application/json' })).status).toBe(405)
  expect(await named()).toBe(before)

  const invalid = await send('name=')
  expect([invalid.status, (await invalid.text()).slice(0, 15)]).toEqual([422, '<!doctype html>'])
  const updated = await send('name=Renamed+Acme')
  expect([updated.status, updated.headers.get('location')]).toEqual([303, '/settings/organization'])
  expect(await named()).toBe('Renamed Acme')
  expect((await send(`name=${before}`)).status).toBe(303)
})

test('PLT-06 form whose operation names no page leads back to the page that it was on', async () => {
  const { cookie } = await world.ada.signIn()
  const pageAfter = async (referer: string) => {
    const route = 'POST /api/app-switcher/preferences?_method=PUT'
    const answer = await world.stranger.fetch(route, 'theme=dark', { ...formHeaders, cookie, referer })
    return [answer.status, answer.headers.get('location')]
  }
  expect(await pageAfter('http://localhost/settings/profile?from=form')).toEqual([303, '/settings/profile?from=form'])
  expect(await pageAfter('https://elsewhere.example/page')).toEqual([303, '/'])
  expect(await pageAfter('http://localhost//elsewhere.example')).toEqual([303, '/elsewhere.example'])
})
