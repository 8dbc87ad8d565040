import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { scaleTime } from '../support/time-scale.ts'

type Behavior = (request: Request) => Response | Promise<Response>

interface Shown {
  app: string
  state: string
  payload: { title: string; metrics: { value: string; href: string }[]; actions: { method: string; href: string }[] }
  fetchedAt: string
  error: { code: string; detail: string } | null
}

/** Apps of others on loopback: how each answers, and the tokens that it got. */
const behaviors = new Map<string, Behavior>()
const received: { app: string; authorization: string }[] = []
const apps = ['bookings', 'helpdesk', 'studio', 'letters'] as const

const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    const app = new URL(request.url).pathname.split('/')[1] ?? ''
    received.push({ app, authorization: request.headers.get('authorization') ?? '' })
    return (behaviors.get(app) ?? (() => answer(app)))(request)
  },
})

const answer = (app: string, title = app): Response =>
  Response.json({
    app: { slug: 'someone-else', name: 'Someone else' },
    title,
    generatedAt: new Date().toISOString(),
    metrics: [{ label: 'Open', value: '3', unit: null, trend: null, href: '/open' }],
    items: [],
    actions: [
      { label: 'New', method: 'GET', href: '/new' },
      { label: 'Delete all', method: 'DELETE', href: '/all' },
    ],
  })

const hangs: Behavior = () => new Promise(() => {})
const fails: Behavior = () => new Response('no', { status: 500 })
const junk: Behavior = () => Response.json({ title: 7 })

let world: World
beforeAll(async () => {
  world = await openWorld()
  for (const slug of apps)
    await world.database.sql`
      INSERT INTO identity.services (slug, name, description, surface_kind, launchable, web_url, widget_url)
      VALUES (${slug}, ${slug}, '', 'app', true, ${`${server.url.origin}/${slug}/`}, ${`${server.url.origin}/${slug}/api/widget`})`
  for (const owner of [world.ada, world.mallory])
    await world.database.sql`
      INSERT INTO identity.service_access (organization_id, service_id, granted_at)
      SELECT ${owner.things.organizations}, id, now() FROM identity.services WHERE slug IN ${world.database.sql(apps)}`
})
afterAll(async () => {
  await world.close()
  await server.stop(true)
})
afterEach(() => behaviors.clear())

const load = async (caller: Caller, slugs: readonly string[] = apps): Promise<Shown[]> =>
  (await caller.fetchJson<{ items: Shown[] }>('POST /api/widgets', { apps: slugs }, 200)).items
const statesOf = (shown: Shown[]) => shown.map(({ app, state, error }) => [app, state, error?.code ?? null])

test('DSH-11 apps that hang, fail and answer junk are named with the fresh one within 2.5 s', async () => {
  behaviors.set('bookings', hangs).set('helpdesk', fails).set('studio', junk)
  const began = performance.now()
  const shown = await load(world.ada)
  expect(performance.now() - began).toBeLessThan(scaleTime(2_500))
  expect(statesOf(shown)).toEqual([
    ['bookings', 'overview', 'widget_timeout'],
    ['helpdesk', 'overview', 'widget_failed'],
    ['studio', 'overview', 'widget_invalid'],
    ['letters', 'fresh', null],
  ])
  expect(shown[3]?.payload).toMatchObject({
    app: { slug: 'letters', name: 'letters' },
    metrics: [{ href: `${server.url.origin}/open` }],
    actions: [{ method: 'GET', href: `${server.url.origin}/new` }],
  })
  expect(shown[0]?.payload.actions).toMatchObject([{ label: 'Open', href: `${server.url.origin}/bookings/` }])
})

test('DSH-11 widget of the dashboard that hangs is named with the others, which are fresh, within 2.5 s', async () => {
  const lock = await world.database.sql.reserve()
  await lock`BEGIN`
  await lock`LOCK TABLE dashboard.notifications`
  try {
    const began = performance.now()
    const shown = await load(world.ada, ['platform-dashboard-api', 'letters', 'studio'])
    expect(performance.now() - began).toBeLessThan(scaleTime(2_500))
    expect(statesOf(shown)).toEqual([
      ['platform-dashboard-api', 'overview', 'widget_timeout'],
      ['letters', expect.stringMatching(/^(fresh|cached)$/), null],
      ['studio', 'fresh', null],
    ])
  } finally {
    await lock`ROLLBACK`
    lock.release()
  }
  expect(statesOf(await load(world.ada, ['platform-dashboard-api']))).toEqual([
    ['platform-dashboard-api', 'fresh', null],
  ])
})

test('DSH-11 payload is cached, and its app is asked once', async () => {
  const { vera } = world
  received.length = 0
  expect(statesOf(await load(vera, ['helpdesk']))).toEqual([['helpdesk', 'fresh', null]])
  const [cached] = await load(vera, ['helpdesk'])
  expect(cached?.state).toBe('cached')
  expect(received.map(({ app }) => app)).toEqual(['helpdesk'])
  const loader = world.provided.widgets
  expect(loader.counts()).toContainEqual({ app: 'helpdesk', outcome: 'success', count: 1 })
})

test('DSH-11 apps that aren’t installed, or are unknown, are left out', async () => {
  expect(await load(world.nora, ['letters']).catch(() => [])).toEqual([])
  await world.database.sql`
    DELETE FROM identity.service_access USING identity.services WHERE services.id = service_id AND slug = 'studio'
      AND organization_id = ${world.mallory.things.organizations}`
  await Bun.sleep(scaleTime(2_100))
  expect(statesOf(await load(world.mallory, ['studio', 'letters', 'no-such-app'])).map(([app]) => app)).toEqual([
    'letters',
  ])
})

test('DSH-11 concurrent batches of one person read each app once', async () => {
  const { mallory } = world
  received.length = 0
  behaviors.set('bookings', async () => {
    await Bun.sleep(100)
    return answer('bookings')
  })
  await Promise.all(Array.from({ length: 8 }, () => load(mallory, ['bookings'])))
  expect(received.filter(({ app }) => app === 'bookings')).toHaveLength(1)
})

test('DSH-11 100 switches of person and context never show another’s payload', async () => {
  const { ada, vera, mallory } = world
  /** Its title names the person and the organization of the token. */
  behaviors.set('letters', async (request) => {
    const { sub, org } = claimsOf(request.headers.get('authorization') ?? '')
    await Bun.sleep(5 * Math.random())
    return answer('letters', `${String(sub)} ${String(org)}`)
  })
  const homes = new Map<Caller, string>([
    [ada, `${ada.id} ${ada.things.organizations}`],
    [vera, `${vera.id} ${ada.things.organizations}`],
    [mallory, `${mallory.id} ${mallory.things.organizations}`],
  ])
  const callers = [...homes.keys()]
  const shown = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const caller = callers[Math.floor(Math.random() * callers.length)] ?? ada
      const [widget] = await load(caller, ['letters'])
      return [widget?.payload.title, homes.get(caller)]
    }),
  )
  for (const [title, expected] of shown) expect(['letters', expected]).toContain(title)
  expect(new Set(shown.map(([title]) => title)).size).toBeGreaterThan(1)
})

test('DSH-12 an app of someone else gets a token for itself alone, which nothing here accepts', async () => {
  received.length = 0
  const { root } = world
  await load(world.mallory, ['helpdesk'])
  const authorization = received.at(-1)?.authorization ?? ''
  const claims = claimsOf(authorization)
  const [row] = await world.database.sql<{ id: string }[]>`SELECT id FROM identity.services WHERE slug = 'helpdesk'`
  expect(claims).toMatchObject({ aud: row?.id, scope: 'widgets.read', sub: world.mallory.id })
  expect(claims).not.toHaveProperty('sid')
  for (const route of ['GET /validate', 'GET /api/auth/me', 'GET /api/posts', 'GET /api/widget?app=platform-pay'])
    expect([route, (await world.stranger.fetch(route, undefined, { authorization })).status]).toEqual([route, 401])
  expect(root).toBeDefined()
})

test('DSH-12 token of a service of the platform reads its widget, and nothing else', async () => {
  const { ada, stranger, provided } = world
  const { authorization = '' } = ada.credential
  const { token } = await provided.identity.appToken({ authorization }, 'platform-pay')
  const sent = { authorization: `Bearer ${token}` }
  expect((await stranger.fetch('GET /api/widget?app=platform-pay', undefined, sent)).status).toBe(200)
  for (const route of [
    'GET /api/widget?app=platform-gateway',
    'GET /api/orders',
    'POST /api/orders',
    'GET /api/auth/me',
    'GET /api/search?q=a',
    'POST /api/live/token',
    'POST /api/widgets',
  ])
    expect([route, (await stranger.fetch(route, undefined, sent)).status]).toEqual([route, 401])
  await expect(provided.identity.appToken(sent, 'platform-pay')).rejects.toThrow()
})

test('DSH-12 API key gets no content of apps', async () => {
  const key = await world.ada.createKey({ service: 'platform-dashboard-api', scopes: ['widgets.read'] })
  expect(statesOf(await load(key, ['letters']))).toEqual([['letters', 'overview', 'session_required']])
})

test('DSH-11 widgets of the platform’s services are read in this process', async () => {
  const shown = await load(world.ada, ['platform-pay', 'platform-gateway'])
  expect(statesOf(shown)).toEqual([
    ['platform-pay', 'fresh', null],
    ['platform-gateway', 'fresh', null],
  ])
})

const claimsOf = (authorization: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(authorization.split('.')[1] ?? '', 'base64url').toString() || '{}')
