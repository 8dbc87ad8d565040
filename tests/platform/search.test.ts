import { afterAll, beforeAll, expect, test } from 'bun:test'
import { inSearchTurn } from '../../src/social/posts/text-search.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

interface Found {
  kind: string
  label: string
  detail: string | null
  href: string | null
  sends: { route: string; body: Record<string, string> } | null
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const find = async (caller: Caller, q: string) =>
  (await caller.fetchJson<{ items: Found[] }>(`GET /api/search?q=${encodeURIComponent(q)}`)).items
const named = (found: Found[]) => found.map(({ kind, label }) => `${kind} ${label}`)
const themes = ['Light', 'Dark', 'System'].map((name) => `action ${name} theme`)
/** The results, without the link to the list's own search. */
const resources = (found: Found[]) => found.filter(({ href }) => !href?.startsWith('/workspace/posts?q='))

test('PLT-42 pages, actions, brands, people and posts are found by their words, each with a link', async () => {
  const { id } = world.ada
  expect(await find(world.ada, 'acc')).toContainEqual(
    expect.objectContaining({ kind: 'page', label: 'Accounts', href: '/workspace/accounts' }),
  )
  expect(resources(await find(world.ada, 'new p'))).toEqual([
    expect.objectContaining({ kind: 'action', label: 'New post', href: '/workspace/posts/new' }),
  ])
  expect(await find(world.ada, 'acme coffee')).toContainEqual(
    expect.objectContaining({
      kind: 'brand',
      label: 'Acme Coffee',
      href: `/workspace/posts?brandId=${world.ada.things.brands}`,
    }),
  )
  expect(await find(world.ada, 'ADA@')).toContainEqual(
    expect.objectContaining({ kind: 'person', label: 'Ada', href: `/settings/members#member-${id}` }),
  )
  expect(named(await find(world.ada, 'example'))).not.toContain('person Ada')
  expect(await find(world.ada, 'plan of')).toEqual([
    expect.objectContaining({ kind: 'post', label: 'A plan of Acme', detail: 'Scheduled · Acme Coffee' }),
    expect.objectContaining({ label: 'Search posts for “plan of”', href: '/workspace/posts?q=plan%20of' }),
  ])
  expect(named(resources(await find(world.ada, 'profile sett')))).toEqual(['page Profile'])
})

test('PLT-42 pages and actions are also found by the other words that people use for them', async () => {
  const first = async (q: string) => named(resources(await find(world.ada, q)))[0]
  expect(await first('invite')).toBe('page Members')
  expect(await first('password')).toBe('page Security')
  expect(await first('logout')).toBe('action Sign out')
  expect(await first('token')).toBe('page API keys')
  expect(await first('sso')).toBe('page Sign-in')
})

test('PLT-42 SOC-40 search finds nothing from other organizations and no action without permission', async () => {
  for (const q of ['umbrella', 'mallory', 'Plan of Umbrella']) expect(resources(await find(world.ada, q))).toEqual([])
  expect(named(resources(await find(world.vera, 'new')))).toEqual([])
  expect(named(resources(await find(world.vera, 'plan of')))).toEqual(['post A plan of Acme'])
  const own = [
    'page Apps',
    'page Settings',
    'page Profile',
    'page Security',
    'page Sessions',
    'page Your organizations',
    'page Notifications',
    'page Export',
    ...themes,
    'action Sign out',
  ]
  expect(named(resources(await find(world.nora, '')))).toEqual(own)
  expect(await find(world.nora, 'acme')).toEqual([])
  expect((await world.stranger.fetch('GET /api/search?q=acme')).status).toBe(401)
})

test('SOC-47 PLT-42 actions that pause publishing are found by members who can pause it, and not by viewers', async () => {
  const pausing = async (caller: Caller) =>
    (await find(caller, 'pause')).flatMap(({ label, sends }) => (sends ? [[label, sends.route, sends.body]] : []))
  const { brands } = world.ada.things
  expect(await pausing(world.ada)).toEqual(
    expect.arrayContaining([
      ['Pause all publishing', 'POST /api/publishing/pause', {}],
      ['Pause publishing of Acme Coffee', 'POST /api/publishing/pause', { brandId: brands }],
    ]),
  )
  expect(await pausing(world.vera)).toEqual([])
  expect(await pausing(world.nora)).toEqual([])
  expect((await pausing(world.mallory)).flat()).not.toContainEqual({ brandId: brands })
  await world.ada.fetchJson('POST /api/publishing/pause', { brandId: brands })
  expect((await find(world.ada, 'resume')).map(({ label }) => label)).toContain('Resume publishing of Acme Coffee')
  await world.ada.fetchJson('POST /api/publishing/resume', { brandId: brands })
})

test('PLT-42 search returns at most 20 results and treats LIKE wildcards as plain characters', async () => {
  const { brands } = world.ada.things
  for (let at = 0; at < 12; at++)
    await world.ada.fetchJson('POST /api/posts', { brandId: brands, provider: 'sandbox', text: `Acme o ${at}` }, 201)
  expect((await find(world.ada, 'o')).length).toBeLessThanOrEqual(20)
  expect((await find(world.ada, '')).length).toBeLessThanOrEqual(20)
  for (const q of ['%', '_', String.raw`\ `, "'", '"']) expect(resources(await find(world.ada, q))).toEqual([])
  await world.ada.fetchJson('POST /api/posts', { brandId: brands, provider: 'sandbox', text: '100% 深煎り café' }, 201)
  for (const q of ['0% ', '煎り', 'CAFÉ'])
    expect(named(resources(await find(world.ada, q))).filter((name) => name.startsWith('post '))).toEqual([
      'post 100% 深煎り café',
    ])
})

test('PLT-42 member of two organizations finds the action that switches to the other one', async () => {
  const { sql } = world.database
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${world.mallory.things.organizations}, ${world.vera.id}, 'viewer', now())`
  const [act] = await find(world.vera, 'switch umb')
  expect(act).toMatchObject({
    label: 'Switch to Umbrella',
    href: null,
    sends: { route: 'POST /api/auth/context', body: { organizationId: world.mallory.things.organizations } },
  })
  await world.vera.fetchJson(act?.sends?.route ?? '', act?.sends?.body)
  const [alone] = await find(world.vera, 'switch personal')
  expect(alone?.sends).toEqual({ route: 'POST /api/auth/context', body: { context: 'personal' } })
})

test('PLT-42 everything except posts is found while another search of the organization runs', async () => {
  const held = Promise.withResolvers<void>()
  const running = inSearchTurn({ organizationId: world.ada.things.organizations }, () => held.promise)
  expect(named(await find(world.ada, 'acme coffee'))).toContain('brand Acme Coffee')
  held.resolve()
  await running
})
