import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { operations, pages } from '../operations/every.ts'
import { openWorld, password, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld({
    env: { PAY_HOST: 'checkout.atrium.example' },
  })
})

afterAll(() => world.close())

interface Availability {
  available: boolean
  slug: string
  reason: string
}

const check = (slug: string, caller = world.services['platform-pay']) =>
  caller?.fetchJson<Availability>(`GET /api/internal/organizations/slug-availability?slug=${encodeURIComponent(slug)}`)
const reasonOf = async (slug: string) => (await check(slug))?.reason

const signUp = (options: object, name = 'Grace') =>
  world.stranger.fetch('POST /register', {
    email: `${newId()}@example.com`,
    password,
    name,
    createOrganization: true,
    ...options,
  })

const slugs = {
  empty: [''],
  invalid: ['ab', 'Acme', 'acme_coffee', '-acme', 'acme-', 'ä'.repeat(5), 'a'.repeat(49), 'a b c', '../login', 'a\nbc'],
  reserved: ['admin', 'www', 'mail', 'api', 'support', 'www1', 'internal', 'oauth', 'launch', 'webhooks', 'mcp'],
  taken: ['acme', 'umbrella'],
  available: ['roastery', 'abc', 'a'.repeat(48), '123', 'a--b', 'team1', 'acme-v2'],
}

test.each(Object.entries(slugs))('IDN-43 slug check reports %s slugs', async (reason, all) => {
  for (const slug of all) expect(await check(slug)).toEqual({ available: reason === 'available', slug, reason })
})

test('IDN-43 slug check without a slug reports it as empty', async () => {
  const answer = await world.services['platform-pay']?.fetchJson<Availability>(
    'GET /api/internal/organizations/slug-availability',
  )
  expect(answer).toEqual({ available: false, slug: '', reason: 'empty' })
})

/** First segments of planned pages and services. */
const plannedSegments = ['mcp', 'actions', 'onboarding', 'platform', 'gateway', 'pay', 'dashboard', 'apps', 'workflows']

test('IDN-43 every first path segment, host label and service of this product is reserved', async () => {
  const paths = [...operations, ...pages].map(({ path }) => path.split('/')[1] ?? '')
  const words = new Set([
    ...paths,
    'assets',
    'healthz',
    'metrics',
    'checkout',
    'atrium',
    'social',
    'gateway',
    'platform-pay',
    ...plannedSegments,
  ])
  const slugLike = [...words].filter((word) => /^[a-z0-9][a-z0-9-]+[a-z0-9]$/.test(word))
  expect(slugLike.length).toBeGreaterThan(15)
  for (const word of slugLike) expect([word, await reasonOf(word)]).toEqual([word, 'reserved'])
})

test('IDN-43 sign-up with a reserved slug is rejected, and a name that would produce one gets a number', async () => {
  const refused = await signUp({ organizationSlug: 'support' })
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'organizationSlug' }] }])
  const numbered = await signUp({ organizationName: 'Support' })
  expect(await numbered.json()).toMatchObject({ organization: { slug: 'support-2', name: 'Support' } })
  const developer = await signUp({
    organizationName: 'Developers',
    createOrganization: false,
    developerWorkspace: true,
  })
  expect(await developer.json()).toMatchObject({ organization: { slug: 'developers-2' } })
})

test('IDN-43 slug of a name in use gets the number after the highest one', async () => {
  const slugOf = async (name: string) => {
    const made = await world.nora.fetchJson<{ slug: string }>('POST /api/organizations', { name }, 201)
    return made.slug
  }
  const exists = (slug: string) => world.database.sql`
    INSERT INTO identity.organizations (id, slug, name, created_at) VALUES (${newId()}, ${slug}, 'Old', now())`
  for (const slug of ['popular', 'popular-500000', 'popular-team-900000', 'popular-0700000', 'popular-x'])
    await exists(slug)
  expect(await slugOf('Popular')).toBe('popular-500001')
  expect(await slugOf('Popular')).toBe('popular-500002')
  await exists('popular-999999')
  expect(await slugOf('Popular')).toMatch(/^popular-\d{1,6}$/)
  const long = 'x'.repeat(60)
  expect([await slugOf(long), await slugOf(long)]).toEqual(['x'.repeat(48), `${'x'.repeat(41)}-2`])
})

test('IDN-43 organizations created concurrently with the same name get different numbers', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => signUp({ organizationName: 'Rush' })))
  const taken = await Promise.all(
    made.map(async (answer) => ((await answer.json()) as { organization: { slug: string } }).organization.slug),
  )
  expect(taken.toSorted()).toEqual(['rush', 'rush-2', 'rush-3', 'rush-4', 'rush-5', 'rush-6'])
})

test('IDN-43 creating another organization with a reserved slug returns 422, with a taken one 409', async () => {
  for (const [slug, status] of [
    ['support', 422],
    ['umbrella', 409],
  ] as const) {
    const refused = await world.nora.fetch('POST /api/organizations', { name: 'Second', slug })
    expect([refused.status, await refused.json()]).toMatchObject([status, { errors: [{ path: 'slug' }] }])
  }
})

test('IDN-43 organization can’t change to a reserved slug but can keep one that it has', async () => {
  const id = world.ada.things.organizations
  const refused = await world.ada.fetch(`PUT /api/organizations/${id}`, { slug: 'workspace' })
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'slug' }] }])
  await world.database.sql`UPDATE identity.organizations SET slug = 'workspace' WHERE id = ${id}`
  expect((await world.ada.fetch(`PUT /api/organizations/${id}`, { slug: 'workspace', name: 'Acme' })).status).toBe(200)
  await world.database.sql`UPDATE identity.organizations SET slug = 'acme' WHERE id = ${id}`
})

test('IDN-45 slug check is rejected for everyone except the billing services', async () => {
  const route = 'GET /api/internal/organizations/slug-availability?slug=roastery'
  const statusOf = async (caller: World['stranger'] | undefined) => (await caller?.fetch(route))?.status
  expect(await statusOf(world.services['platform-pay'])).toBe(200)
  expect(await statusOf(world.services['platform-dashboard-api'])).toBe(200)
  for (const caller of [world.services['platform-gateway'], world.services['platform-identity'], world.service])
    expect(await statusOf(caller)).toBe(403)
  for (const caller of [world.ada, world.root, world.key]) expect(await statusOf(caller)).toBe(403)
  expect(await (await world.ada.fetch(route)).text()).toContain('Only services of the platform can call this')
  expect(await statusOf(world.stranger)).toBe(401)
})
