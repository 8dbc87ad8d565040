import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { scaleTime } from '../support/time-scale.ts'
import { claimsOf, load, openApps, widgetOf } from './loopback-apps.ts'

// Widgets of apps elsewhere: what they may answer, and to which hosts a token is sent (DSH-11, DSH-12).

const apps = openApps()
let world: World
let organization: string

beforeAll(async () => {
  world = await openWorld({ env: { WIDGET_HOSTS: `moved=${apps.origin}/` } })
  organization = world.ada.things.organizations
  await apps.install(world, 'moved', [organization], null)
})
afterAll(async () => {
  await world.close()
  await apps.close()
})
afterEach(() => {
  apps.behaviors.clear()
  apps.received.length = 0
})

/** Each test has an app of its own: failures pause an app. */
async function fails(slug: string, behavior: Parameters<typeof apps.behaviors.set>[1]) {
  await apps.install(world, slug, [organization])
  await Bun.sleep(2_100) // The list of apps is cached for two seconds.
  apps.behaviors.set(slug, behavior)
  const began = performance.now()
  const [shown] = await load(world.ada, [slug])
  return { code: shown?.error?.code, state: shown?.state, ms: performance.now() - began }
}

test('DSH-12 redirect isn’t followed, to its own host or another, so no token leaves', async () => {
  const other = openApps()
  const { code } = await fails('mover', () => Response.redirect(`${other.origin}/elsewhere`, 302))
  expect(code).toBe('widget_failed')
  expect(other.received).toEqual([])
  await other.close()
  apps.behaviors.set('mover', () => Response.redirect(`${apps.origin}/target`, 307))
  await load(world.ada, ['mover'], { changed: true })
  expect(apps.received.map(({ path }) => path)).not.toContain('/target')
})

test('DSH-11 body that arrives slowly ends with the time of its app', async () => {
  const drip = () =>
    new Response(
      new ReadableStream({
        pull: async (controller) => {
          await Bun.sleep(50)
          controller.enqueue(new TextEncoder().encode(' '))
        },
      }),
      { headers: { 'content-type': 'application/json' } },
    )
  const { code, ms } = await fails('dripping', drip)
  expect(code).toBe('widget_timeout')
  expect(ms).toBeLessThan(scaleTime(2_500))
})

test('DSH-11 response that is too large, of another type, or has an unsafe link isn’t shown', async () => {
  const large = await fails('large', () => widgetOf('x', { padding: 'x'.repeat(70_000) }))
  expect(large).toMatchObject({ state: 'overview', code: 'widget_invalid' })
  apps.behaviors.set('large', () => new Response('<p>Hello</p>', { headers: { 'content-type': 'text/html' } }))
  expect((await load(world.ada, ['large']))[0]?.error?.code).toBe('widget_invalid')
  for (const href of ['javascript:alert(1)', 'data:text/html,x', '//evil.example', '/\\evil.example']) {
    apps.behaviors.set('large', () => widgetOf('x', { actions: [{ label: 'Open', method: 'GET', href }] }))
    const [shown] = await load(world.ada, ['large'])
    expect([href, JSON.stringify(shown?.payload).includes(href)]).toEqual([href, false])
  }
})

test('DSH-12 WIDGET_HOSTS gives an app a host that the registry doesn’t know', async () => {
  apps.behaviors.set('api', () => widgetOf('At the new host'))
  const [shown] = await load(world.ada, ['moved'])
  expect(shown).toMatchObject({ state: 'fresh', payload: { title: 'At the new host' } })
  expect(apps.received.map(({ path }) => path)).toEqual(['/api/widget'])
})

test('DSH-12 app of someone else that kept its token can use it nowhere: routes, pages, live channels, MCP, exchange', async () => {
  apps.behaviors.set('api', () => widgetOf('Kept'))
  await load(world.ada, ['moved'], { changed: true })
  const authorization = apps.received[0]?.authorization ?? ''
  const [header = ''] = authorization.replace('Bearer ', '').split('.')
  expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({ typ: 'widget+jwt', alg: 'EdDSA' })
  expect(claimsOf(authorization)).toMatchObject({ scope: 'widgets.read', sub: world.ada.id, org: organization })
  const routes = world.contexts
    .flatMap(({ slug, operations }) => Object.values(operations).map((operation) => ({ slug, operation })))
    .filter(({ operation: { route, permission } }) => route.startsWith('GET ') && permission !== 'public')
  expect(routes.length).toBeGreaterThan(100)
  for (const { slug, operation } of routes) {
    const path = operation.route.replaceAll(/:\w+/g, world.ada.id)
    const response = await world.stranger.fetch(`${path}?app=${slug}`, undefined, { authorization })
    await response.body?.cancel()
    expect([path, response.status]).toEqual([path, 401])
  }
  for (const route of [
    'POST /api/live/token',
    'POST /mcp',
    'POST /api/orders',
    'POST /api/posts',
    'POST /validate',
    'GET /dashboard',
  ])
    expect([
      route,
      (await world.stranger.fetch(route, route.startsWith('POST') ? {} : undefined, { authorization })).status,
    ]).toEqual([route, 401])
  await expect(world.provided.identity.appToken({ authorization }, 'platform-pay')).rejects.toThrow()
})

test('DSH-12 app in a private network isn’t called where ALLOW_PRIVATE_NETWORK is false', async () => {
  const strict = await openWorld({ env: { ALLOW_PRIVATE_NETWORK: 'false' } })
  try {
    const { ada } = strict
    await apps.install(strict, 'inside', [ada.things.organizations])
    await apps.install(strict, 'named', [ada.things.organizations], 'https://localhost:9/api/widget')
    const shown = await load(ada, ['inside', 'named'])
    expect(shown.map(({ state, error }) => [state, error?.code])).toEqual([
      ['overview', 'widget_unreachable'],
      ['overview', 'widget_unreachable'],
    ])
    expect(apps.received).toEqual([])
  } finally {
    await strict.close()
  }
})
