import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { pageRoutesIn, unknownId, type PageRoutes } from './page-routes.ts'
import { sendChecked, inWords, navigation, allowedCaller } from './send-request.ts'
import { guardedPages, pages, paramsOf, type DeclaredPage } from './every.ts'
import { fieldsOf, replaceAt } from './fields.ts'
import { addressJunk, briefAddressJunk, junkSegments } from './junk.ts'

// Every page, requested as a browser does.

let world: World
let routeOf: PageRoutes['routeOf']

beforeAll(async () => {
  world = await openWorld({ apps: true })
  routeOf = (await pageRoutesIn(world)).routeOf
})

afterAll(() => world.close())

const named = (of: DeclaredPage[]) => of.map((page) => [page.path, page] as const)

/** It redirects, or reports an invalid request: tests/identity/sso.test.ts. */
const shown = pages.filter(({ path }) => !['/sso/authorize', '/launch/:service_id'].includes(path))

const visit = (caller: World['stranger'], route: string, headers: Record<string, string> = {}) =>
  sendChecked(caller, { route }, { ...navigation, ...headers })

test.each(named(guardedPages))(
  'PLT-06 %s redirects a signed-out visitor to sign in and back to the same URL',
  async (_, page) => {
    const route = `${routeOf(page)}?status=draft&q=%C3%BC%20%26`
    const answer = await visit(world.stranger, route)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe(`/login?next=${encodeURIComponent(route.slice('GET '.length))}`)
    const { cookie } = await world.nora.signIn()
    expect((await visit(world.stranger, route, { cookie: cookie.replace(';', 'x;') })).status).toBe(303)
    expect((await visit(world.stranger, route, { cookie: 'session=ended' })).status).toBe(303)
  },
)

const permitted = guardedPages.filter(({ permission }) => permission !== 'signed-in')

test.each(named(permitted))('SOC-40 %s is a 403 page that names the missing permission', async (_, page) => {
  const lacking = page.permission.endsWith(':write') ? [world.nora, world.vera] : [world.nora]
  if (page.permission === 'super-admin') lacking.push(world.ada)
  for (const caller of lacking) {
    const answer = await visit(caller, routeOf(page))
    expect(answer.status).toBe(403)
    expect(answer.text).toStartWith('<!doctype html>')
    expect(answer.text).toContain(inWords(page.permission))
  }
})

/** Custom elements of a page whose scripts its head doesn't load. */
const elementsWithoutScript = (html: string): string[] =>
  [...html.matchAll(/<([a-z]+-[a-z]+)[\s>]/g)]
    .map(([, name = '']) => name)
    .filter((name) => !onEveryPage.includes(name) && !html.includes(`/js/elements/${name}.js"`))

const onEveryPage = ['toast-region', 'form-problem']

/** Names that several landmarks of a page have, so that a screen reader can't tell them apart. */
function repeatedRegions(html: string): string[] {
  const names = [...html.matchAll(/role="region" aria-label="([^"]*)"/g)].map(([, name = '']) => name)
  return names.filter((name, at) => names.indexOf(name) !== at)
}

test.each(named(shown))(
  'PLT-21 %s is a complete document that complies with its content security policy',
  async (_, page) => {
    for (const caller of page.permission.endsWith(':read') ? [world.ada, world.vera] : [allowedCaller(page, world)]) {
      const answer = await visit(caller, routeOf(page))
      expect([200, 303]).toContain(answer.status)
      if (answer.status === 303) continue
      expect(answer.text).toStartWith('<!doctype html>')
      expect(answer.text).toMatch(/<html[^>]* lang="/)
      expect(answer.text).toMatch(/<title>[^<]+<\/title>/)
      expect(elementsWithoutScript(answer.text)).toEqual([])
      expect(repeatedRegions(answer.text)).toEqual([])
      expect(answer.text).not.toMatch(/<nav class="crumbs"(?:(?!<\/nav>).)*<\/svg><\/nav>/s)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect((await visit(caller, routeOf(page).replace('GET', 'HEAD'))).status).toBe(200)
    }
  },
)

// A provider's callback redirects with any input.
const publicPages = shown.filter(({ permission, path }) => permission === 'public' && !path.endsWith('/callback'))

test.each(named(publicPages))('PLT-21 %s is complete for signed-out visitors too', async (_, page) => {
  const answer = await visit(world.stranger, routeOf(page))
  expect(answer.status).toBe(200)
  expect(answer.text).toStartWith('<!doctype html>')
})

const mailedPages = publicPages.filter(({ query }) => fieldsOf(query).some(([name]) => name === 'token'))

test.each(named(mailedPages))('IDN-42 %s, which an emailed link opens, sends no referrer', async (_, page) => {
  const answer = await visit(world.stranger, routeOf(page))
  expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
  expect(answer.headers.get('set-cookie')).toBeNull()
})

test('PLT-21 every response has a different nonce', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => visit(world.ada, 'GET /workspace/posts')))
  const policies = answers.map(({ headers }) => headers.get('content-security-policy'))
  expect(new Set(policies).size).toBe(8)
})

const ofThings = guardedPages.filter(({ path, permission }) => path.includes('/:id') && permission !== 'super-admin')

test.each(named(ofThings))(
  'PLT-23 %s of another organization returns the same 404 page as an unknown ID',
  async (_, page) => {
    const withoutRequest = (text: string) => text.replaceAll(/nonce="[^"]*"|[0-9a-f]{8}-[0-9a-f-]{27}/g, '')
    const foreign = await visit(world.ada, routeOf(page, world.mallory))
    const absent = await visit(world.ada, routeOf(page, world.ada, { id: unknownId }))
    expect(foreign.status).toBe(404)
    expect(withoutRequest(foreign.text)).toBe(withoutRequest(absent.text))
    expect(foreign.text).not.toContain('Umbrella')
  },
)

const withParam = pages.filter(({ path }) => path.includes(':'))
const firstWithParam = withParam.find(({ path }) => path.endsWith('/:id'))

test.each(named(withParam))('PLT-11 %s with a malformed ID returns a 404 page', async (_, page) => {
  const [name = ''] = paramsOf(page.path)
  // Segments are decoded in the same way for all pages: each gets a few values, the first ones all of them.
  for (const segment of page === firstWithParam ? junkSegments : junkSegments.slice(-4)) {
    if (name === 'handle' && /^[\w-]{1,30}$/.test(segment)) continue
    const answer = await visit(allowedCaller(page, world), routeOf(page, world.ada, { [name]: segment }))
    expect(answer.status, segment).toBe(404)
    expect(answer.text).toStartWith('<!doctype html>')
  }
})

test('PLT-23 no page shows or selects a brand of another organization', async () => {
  for (const page of pages.filter(({ path }) => !/^\/dev\/(?:mailbox|payments)/.test(path))) {
    const { brands, ...others } = world.mallory.things
    const answer = await visit(world.ada, routeOf(page, world.ada, { brandId: brands }))
    for (const theirs of [...Object.values(others), 'Umbrella']) expect(answer.text).not.toContain(theirs)
    expect(answer.headers.get('set-cookie') ?? '').not.toContain(brands)
    const remembered = await visit(world.ada, routeOf(page), { cookie: `brand=${brands}` })
    expect(remembered.text).not.toContain('Umbrella')
  }
})

/** Each field of each page's query, and two that any page can receive. */
const queryFields = pages.flatMap((page) => {
  const params = paramsOf(page.path)
  const known = fieldsOf(page.query).filter(([name = '']) => !params.includes(name))
  const all = [...known, ['brandId'], ['anything', '__proto__']].map((path) => path.join('.'))
  return [...new Set(all)].map((field) => [page.path, field, page] as const)
})

/** The brand is read by the frame of every page, and unknown fields by none: a few values for each page are enough. */
const junkOf = (field: string): string[] => (/^(brandId|anything)/.test(field) ? briefAddressJunk : addressJunk)

test.each(queryFields)('PLT-10 %s: junk as %s is never a 5xx, and returns an HTML page', async (_, field, page) => {
  for (const value of junkOf(field)) {
    const answer = await visit(
      allowedCaller(page, world),
      routeOf(page, world.ada, replaceAt({}, field.split('.'), value)),
    )
    // An unknown link token and an inaccessible brand, merchant or run lead to a 404, an app of another context to a 409.
    const fair =
      field === 'token'
        ? [404, 422]
        : [
            200,
            303,
            422,
            ...(['brandId', 'merchantId', 'runId'].includes(field) ? [404] : field === 'context' ? [409] : []),
          ]
    expect(fair, JSON.stringify(value).slice(0, 80)).toContain(answer.status)
    expect(answer.headers.get('location') ?? '/').toMatch(/^\/(?!\/)/)
  }
})

test('PLT-06 unknown page returns a 404 page to a browser, a fragment to htmx, and a problem document to a program', async () => {
  for (const caller of [world.ada, world.stranger]) {
    const page = await visit(caller, 'GET /workspace/nothing')
    expect(page).toMatchObject({ status: 404, json: null })
    expect(page.text).toStartWith('<!doctype html>')
    const fragment = await visit(caller, 'GET /workspace/nothing', { 'hx-request': 'true' })
    expect(fragment.status).toBe(404)
    expect(fragment.text).not.toContain('<html')
    expect(await sendChecked(caller, { route: 'GET /workspace/nothing' })).toMatchObject({
      status: 404,
      json: { status: 404 },
    })
  }
})
