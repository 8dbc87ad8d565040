import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'
import { claimsOf, load, openApps, widgetOf, type Shown } from './loopback-apps.ts'

// What a person sees depends on who they are, in which context, and with which access, and on nothing else (DSH-11).

const apps = openApps()
let world: World
let acme: string
let umbrella: string

beforeAll(async () => {
  world = await openWorld()
  acme = world.ada.things.organizations
  umbrella = world.mallory.things.organizations
  await apps.install(world, 'echo', [acme, umbrella])
  apps.behaviors.set('echo', async ({ headers }) => {
    const { sub, org } = claimsOf(headers.get('authorization') ?? '')
    await Bun.sleep(8 * Math.random())
    return widgetOf(`${String(sub)} ${String(org)}`)
  })
  await world.database.sql`
    INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT organization, person, 'editor', now() FROM unnest(${world.database.sql.array([acme, umbrella])}::uuid[]) AS organization,
      unnest(${world.database.sql.array([world.ada.id, world.vera.id, world.mallory.id])}::uuid[]) AS person
    ON CONFLICT DO NOTHING`
})
afterAll(async () => {
  await world.close()
  await apps.close()
})

type Context = 'personal' | 'acme' | 'umbrella'
const contexts = ['personal', 'acme', 'umbrella'] as const

/** A browser of the person, with one session. */
async function openBrowser(person: World['vera']) {
  const { cookie } = await person.signIn()
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const send = (route: string, body?: unknown) => world.stranger.fetch(route, body, headers)
  const ids = { acme, umbrella }
  return {
    send,
    expectedIn: (context: Context) => (context === 'personal' ? null : `${person.id} ${ids[context]}`),
    switchTo: async (context: Context) => {
      const choice = context === 'personal' ? { context } : { organizationId: ids[context] }
      expect((await send('POST /api/auth/context', choice)).status).toBe(200)
    },
    /** Null where the person has no widgets. */
    look: async (more: object = {}): Promise<string | null> => {
      const response = await send('POST /api/widgets', { apps: ['echo'], ...more })
      if (response.status === 403) return null
      const { items } = (await response.json()) as { items: Shown[] }
      return items[0]?.payload.title ?? 'nothing'
    },
  }
}

test('DSH-11 100 switches of three people between two organizations and the personal context never show another’s payload', async () => {
  const people = [world.ada, world.vera, world.mallory]
  let switches = 0
  const seen = new Set<string | null>()
  const walk = async (person: World['vera']) => {
    const browser = await openBrowser(person)
    let before: Context = 'acme'
    await browser.switchTo(before)
    for (let nth = 0; nth < 34; nth++) {
      const context: Context = contexts[Math.floor(Math.random() * contexts.length)] ?? 'acme'
      // One batch is under way while the context changes: it can be of either.
      const [during] = await Promise.all([browser.look({ changed: nth % 3 === 0 }), browser.switchTo(context)])
      expect([browser.expectedIn(before), browser.expectedIn(context), 'echo']).toContain(during)
      switches += 1
      for (const title of await Promise.all([browser.look(), browser.look({ changed: nth % 2 === 0 })])) {
        expect(title).toBe(browser.expectedIn(context))
        seen.add(title)
      }
      before = context
    }
  }
  await Promise.all(people.map(walk))
  expect(switches).toBeGreaterThanOrEqual(100)
  // Each person in each organization, and no one in the personal context.
  expect(seen.size).toBe(7)
})

test('DSH-12 token for an app ends when its session switches to another context, and when it is signed out', async () => {
  const browser = await openBrowser(world.vera)
  await browser.switchTo('acme')
  const cookie = (await world.vera.signIn()).cookie
  const send = (route: string, body?: unknown) =>
    world.stranger.fetch(route, body, { cookie, 'sec-fetch-site': 'same-origin' })
  const reads = async (token: string) =>
    (
      await world.stranger.fetch('GET /api/widget?app=platform-gateway', undefined, {
        authorization: `Bearer ${token}`,
      })
    ).status
  const issue = async () => (await world.provided.identity.appToken({ cookie }, 'platform-gateway')).token
  await send('POST /api/auth/context', { organizationId: acme })
  const first = await issue()
  expect(await reads(first)).toBe(200)
  await send('POST /api/auth/context', { organizationId: umbrella })
  expect(await reads(first)).toBe(401)
  const second = await issue()
  expect(await reads(second)).toBe(200)
  await send('POST /api/auth/logout', {})
  expect(await reads(second)).toBe(401)
})

test('DSH-11 member who was removed, or lost the dashboard, sees nothing from the next request', async () => {
  const leo = await world.join(world.ada, { name: 'Leo', role: 'viewer' })
  expect((await load(leo, ['echo']))[0]?.payload.title).toBe(`${leo.id} ${acme}`)
  await world.ada.fetchJson(`DELETE /api/organizations/${acme}/members/${leo.id}`, undefined, 204)
  expect([401, 403]).toContain((await leo.fetch('POST /api/widgets', { apps: ['echo'] })).status)
})

test('DSH-11 API key gets its organization’s apps as overviews, also when no member asked before', async () => {
  const key = await world.mallory.createKey({ service: 'platform-dashboard-api', scopes: ['widgets.read'] })
  await Bun.sleep(2_100) // Until the list of apps that members got is no longer cached.
  const [shown] = await load(key, ['echo'])
  expect(shown).toMatchObject({ app: 'echo', state: 'overview', error: { code: 'session_required' } })
  expect(shown?.payload.items).toMatchObject([{ title: 'About it' }])
})
