import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Brand, BrandList, CurrentBrand, IntegrationList } from '#social/types'
import { openSocialServer, type SocialServer, type Person, type ProblemBody } from './social-server.ts'

let desk: SocialServer
let ada: Person
beforeAll(async () => {
  desk = await openSocialServer()
  ada = desk.person()
})
afterAll(() => desk.close())

const make = async (values: Record<string, unknown>, person = ada) => person.fetch<Brand>('POST /api/brands', values)

test('SOC-01 brand belongs to the organization of its creator', async () => {
  const { status, body } = await make({ name: 'Acme Coffee', timeZone: 'Europe/Berlin' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'Acme Coffee',
    slug: 'acme-coffee',
    organizationId: ada.organizationId,
    timeZone: 'Europe/Berlin',
    logoUrl: null,
    colors: [],
    contrastsOnWhite: [],
    voice: null,
    avoidedWords: [],
    languages: [],
    defaultHashtags: [],
    hashtagPlacements: {},
    queueSlots: [],
    reviewPolicy: { approvals: 0, allowAuthor: false, countGuests: true },
  })
})

const names = [
  ['Acme Coffee', 'acme-coffee-2'],
  ['Café Größe & Söhne', 'cafe-grosse-sohne'],
  ['喫茶店', 'brand'],
  ['喫茶', 'brand-2'],
  ['x'.repeat(80), 'x'.repeat(48)],
  ['x'.repeat(79), `${'x'.repeat(41)}-2`],
] as const
test.each(names)('SOC-01 %s has the slug %s', async (name, slug) => {
  expect((await make({ name })).body.slug).toBe(slug)
})

test('SOC-01 brands created simultaneously with the same name get different slugs', async () => {
  const made = await Promise.all(Array.from({ length: 5 }, () => make({ name: 'Twin' })))
  expect(new Set(made.map(({ body }) => body.slug)).size).toBe(5)
})

test('SOC-01 creating or updating a brand with a taken slug returns 409, unless another organization has it', async () => {
  await make({ name: 'First', slug: 'wanted' })
  const reported = await ada.fetch<ProblemBody>('POST /api/brands', { name: 'Second', slug: 'wanted' })
  expect([reported.status, reported.body.code]).toEqual([409, 'slug_taken'])
  const third = (await make({ name: 'Third' })).body
  const changed = await ada.fetch<ProblemBody>(`PUT /api/brands/${third.id}`, { slug: 'wanted' })
  expect([changed.status, changed.body.code]).toEqual([409, 'slug_taken'])
  expect((await make({ name: 'First', slug: 'wanted' }, desk.person())).status).toBe(201)
})

test('SOC-01 update of a brand keeps omitted fields', async () => {
  const brand = (await make({ name: 'Kept', timeZone: 'Asia/Tokyo', colors: ['#0f766e'] })).body
  const changed = await ada.fetch<Brand>(`PUT /api/brands/${brand.id}`, { voice: 'Calm' })
  expect(changed.body).toEqual({ ...brand, voice: 'Calm' })
})

const refused = [
  ['no name', {}, 'name'],
  ['a blank name', { name: ' ' }, 'name'],
  ['an unknown time zone', { name: 'A', timeZone: 'Mars/Olympus' }, 'timeZone'],
  ['a slug with spaces', { name: 'A', slug: 'a b' }, 'slug'],
  ['a hashtag with a space', { name: 'A', defaultHashtags: ['#oat latte'] }, 'defaultHashtags.0'],
  ['a hashtag of digits only', { name: 'A', defaultHashtags: ['#2026'] }, 'defaultHashtags.0'],
  [
    'too many hashtags',
    { name: 'A', defaultHashtags: Array.from({ length: 31 }, (_, at) => `#tag${at}`) },
    'defaultHashtags',
  ],
  [
    'hashtags in a comment that isn’t written',
    { name: 'A', hashtagPlacements: { bluesky: 'comment' } },
    'hashtagPlacements.bluesky',
  ],
  ['a language by name', { name: 'A', languages: ['Klingon language'] }, 'languages.0'],
  ['a word to avoid of 61 characters', { name: 'A', avoidedWords: ['x'.repeat(61)] }, 'avoidedWords.0'],
  ['a queue slot on no day', { name: 'A', queueSlots: [{ day: 8, time: '09:00' }] }, 'queueSlots.0.day'],
  ['eleven approvals', { name: 'A', reviewPolicy: { approvals: 11 } }, 'reviewPolicy.approvals'],
  ['an offset as time zone', { name: 'A', timeZone: '+05:30' }, 'timeZone'],
  ['a color by name', { name: 'A', colors: ['teal'] }, 'colors.0'],
] as const
test.each(refused)('SOC-01 %s returns 422', async (_, values, path) => {
  const reported = await ada.fetch<ProblemBody>('POST /api/brands', values)
  expect([reported.status, reported.body.errors[0]?.path]).toEqual([422, path])
})

test('PLT-12 brands are listed page by page in name order, and not for another organization', async () => {
  const eve = desk.person()
  const made = [await make({ name: 'B' }, eve), await make({ name: 'A' }, eve)]
  const first = await eve.fetch<BrandList>('GET /api/brands?limit=1')
  const second = await eve.fetch<BrandList>(`GET /api/brands?limit=1&cursor=${first.body.nextCursor}`)
  expect([...first.body.items, ...second.body.items]).toEqual(made.map(({ body }) => body).reverse())
  expect([first.body.total, second.body.total]).toEqual([2, 2])
  expect((await ada.fetch(`GET /api/brands/${made[0]?.body.id}`)).status).toBe(404)
  expect((await ada.fetch(`PUT /api/brands/${made[0]?.body.id}`, { name: 'Mine' })).status).toBe(404)
})

test('PLT-06 brand includes its counts and what the caller can do, and the account count only with accounts:read', async () => {
  const eve = desk.person()
  const { id } = (await make({ name: 'Counted' }, eve)).body
  await eve.fetch('POST /api/integrations/sandbox/connect', { platform: 'sandbox', brandId: id, handle: 'counted' })
  await eve.fetch('POST /api/posts', { brandId: id, provider: 'sandbox', text: 'One' })
  const whole = (await eve.fetch<Brand>(`GET /api/brands/${id}`)).body
  expect(whole).toMatchObject({
    counts: { accounts: 1, posts: 1, scheduled: 0 },
    can: { update: true, transfer: true },
  })
  const reader = desk.person({ organization: eve.organization, permissions: ['posts:read'] })
  const { items, can } = (await reader.fetch<BrandList>('GET /api/brands')).body
  expect(items).toEqual([
    { ...whole, counts: { accounts: null, posts: 1, scheduled: 0 }, can: { update: false, transfer: false } },
  ])
  expect(can).toEqual({ create: false })
})

test('PLT-06 list without brands is an empty fragment, because its page shows no table', async () => {
  const eve = desk.person()
  expect(await eve.draw('GET /api/brands')).toBe('')
  await make({ name: 'First' }, eve)
  expect(await eve.draw('GET /api/brands')).toContain('First')
})

test('PLT-06 counts of a brand stop at 1,000, shown as 1,000+ on its page', async () => {
  const eve = desk.person()
  const { id } = (await make({ name: 'Many' }, eve)).body
  await desk.database.sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, text)
    SELECT gen_random_uuid(), ${id}, ${eve.id}, 'sandbox', 'Draft' FROM generate_series(1, 1_500)`
  const countsOf = async () => (await eve.fetch<Brand>(`GET /api/brands/${id}`)).body.counts
  expect(await countsOf()).toEqual({ accounts: 0, posts: 1_001, scheduled: 0 })
  await desk.database.sql`
    UPDATE social.posts SET status = 'scheduled', scheduled_at = now() + interval '1 day', due_at = now() + interval '1 day'
    WHERE brand_id = ${id}`
  expect(await countsOf()).toEqual({ accounts: 0, posts: 1_001, scheduled: 1_001 })
  expect(await eve.draw('GET /api/brands')).toContain('1,000+')
  await desk.database.sql`DELETE FROM social.posts WHERE brand_id = ${id}`
})

test('PLT-06 changed slug returns the settings to htmx, and a changed name reloads the page', async () => {
  const eve = desk.person()
  const { id } = (await make({ name: 'Drawn' }, eve)).body
  const changed = await eve.draw(`PUT /api/brands/${id}`, { slug: 'redrawn' })
  expect(changed).toContain('value="redrawn"')
  expect(changed).toBe(await eve.draw(`GET /api/brands/${id}`))
  const renamed = await eve.send(`PUT /api/brands/${id}`, { name: 'Renamed' }, { 'hx-request': 'true' })
  expect(renamed.headers.get('hx-redirect')).toBe(`/workspace/brands/${id}`)
})

test('PLT-06 current brand is the one in the request, or else the first by name', async () => {
  const eve = desk.person()
  const none = await eve.fetch<CurrentBrand>('GET /api/brands/current')
  expect(none.body).toEqual({ brand: null, brands: [], can: { createBrand: true } })
  const [b, a] = [(await make({ name: 'B' }, eve)).body, (await make({ name: 'A' }, eve)).body]
  expect((await eve.fetch<CurrentBrand>('GET /api/brands/current')).body.brand).toMatchObject({ id: a.id, name: 'A' })
  const named = await eve.fetch<CurrentBrand>(`GET /api/brands/current?brandId=${b.id}`)
  expect([named.body.brand?.id, named.body.brands.map(({ name }) => name)]).toEqual([b.id, ['A', 'B']])
  expect((await ada.fetch(`GET /api/brands/current?brandId=${b.id}`)).status).toBe(404)
})

test('PLT-06 current brand is one for which the caller has the page’s permission', async () => {
  const eve = desk.person()
  const { id } = (await make({ name: 'Only' }, eve)).body
  const of = (permissions: string[]) => desk.person({ organization: eve.organization, permissions })
  const route = 'GET /api/brands/current'
  const reader = of(['posts:read'])
  expect((await reader.fetch<CurrentBrand>(route)).body).toMatchObject({ brand: { id }, can: { createBrand: false } })
  expect((await reader.fetch<CurrentBrand>(`${route}?permission=posts:write`)).body.brand).toBeNull()
  const { body } = await of(['accounts:read']).fetch<IntegrationList>('GET /api/integrations?brand=current')
  expect(body).toMatchObject({ brand: { id }, can: { createBrand: false } })
})

test('SOC-01 organization has at most 500 brands, even when several are created at the same time', async () => {
  const ivy = desk.person()
  const { body } = await make({ name: 'First' }, ivy)
  await desk.database.sql`
    INSERT INTO social.brands (id, platform_org_id, name, slug, time_zone)
    SELECT gen_random_uuid(), platform_org_id, 'Brand ' || n, 'brand-' || n, time_zone
    FROM social.brands, generate_series(1, 497) n WHERE id = ${body.id}`
  const made = await Promise.all(
    ['A', 'B', 'C', 'D'].map((name) => ivy.fetch<ProblemBody>('POST /api/brands', { name })),
  )
  expect(made.filter(({ status }) => status === 201)).toHaveLength(2)
  expect(made.filter(({ status }) => status === 409).map(({ body: { code } }) => code)).toEqual([
    'too_many_brands',
    'too_many_brands',
  ])
})

test('SOC-01 brands are rejected without an active organization', async () => {
  const unknownId = desk.person({ organization: null })
  for (const route of ['GET /api/brands', 'GET /api/posts', 'GET /api/accounts', 'GET /api/integrations']) {
    const reported = await unknownId.fetch<ProblemBody>(route)
    expect([reported.status, reported.body.code]).toEqual([403, 'permission_missing'])
  }
})
