import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Brand, Post } from '#social/types'
import { openWorld, type Caller, type World } from '../support/world.ts'

// Ada owns Acme and is an admin of Umbrella: she transfers a brand of Acme's to it.

let world: World
let umbrella: string
let brand: Brand
beforeAll(async () => {
  world = await openWorld()
  umbrella = world.mallory.things.organizations
  await world.database.sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${umbrella}, ${world.ada.id}, 'admin', now())`
})
afterAll(() => world.close())

beforeEach(async () => {
  brand = await world.ada.fetchJson<Brand>('POST /api/brands', { name: 'Roastery', slug: `r-${Date.now()}` }, 201)
})

const route = (id = brand.id) => `POST /api/brands/${id}/transfer-organization`
const transfer = (caller: Caller, target = umbrella, id?: string) =>
  caller.fetch(route(id), { targetOrganizationId: target })
const reported = async (response: Response) => [response.status, (await response.json()).code]

test('SOC-02 SOC-43 transfer changes one reference and leaves every other row unchanged', async () => {
  const before = await rows()
  const answer = await transfer(world.ada)
  expect(answer.status).toBe(200)
  const can = { update: false, transfer: false }
  expect(await answer.json()).toEqual({ ...brand, organizationId: umbrella, can })
  const after = await rows()
  const changed = [...after].filter(([row, times]) => before.get(row) !== times).map(([row]) => row)
  const gone = [...before.keys()].filter((row) => !after.has(row))
  // The resource that keys can be bound to moves with it (IDN-18).
  expect(gone.map(tableOf).sort()).toEqual(['identity.bindable_resources', 'social.brands'])
  const tables = [...new Set(changed.map(tableOf))]
  expect(tables.sort()).toEqual(['identity.bindable_resources', 'platform.audit_log', 'social.brands'])
  const [moved] = changed.filter((row) => tableOf(row) === 'social.brands')
  expect(moved).toBe(
    gone.find((row) => tableOf(row) === 'social.brands')?.replace(world.ada.things.organizations, umbrella),
  )
})

test('SOC-02 SOC-49 transfer revokes the review links of the brand and voids the decisions on its unpublished posts', async () => {
  const { sql } = world.database
  await world.ada.fetchJson(`PUT /api/brands/${brand.id}`, { reviewPolicy: { approvals: 1, allowAuthor: true } })
  const draft = { brandId: brand.id, provider: 'sandbox', text: 'Approved here' }
  const post = await world.ada.fetchJson<Post>('POST /api/posts', draft, 201)
  await world.ada.fetchJson(`POST /api/posts/${post.id}/reviews`, { decision: 'approve', version: post.version }, 201)
  const link = { brandId: brand.id, postIds: [post.id], canDecide: true }
  await world.ada.fetchJson('POST /api/review-links', link, 201)
  expect((await transfer(world.ada)).status).toBe(200)
  const links = await sql`SELECT revoked_at IS NULL AS active FROM social.review_links WHERE brand_id = ${brand.id}`
  expect([...links]).toEqual([{ active: false }])
  const reviews = await sql`SELECT void_reason FROM social.post_reviews WHERE post_id = ${post.id}`
  expect([...reviews]).toEqual([{ void_reason: 'revoked' }])
  const publish = await world.mallory.fetch(`POST /api/posts/${post.id}/publish-now`)
  expect(await reported(publish)).toEqual([409, 'approval_required'])
})

test('SOC-02 SOC-32 text that was approved before the transfer isn’t restored in the new organization', async () => {
  await world.ada.fetchJson(`PUT /api/brands/${brand.id}`, { reviewPolicy: { approvals: 1, allowAuthor: true } })
  const draft = { brandId: brand.id, provider: 'sandbox', text: 'Approved here' }
  const { id } = await world.ada.fetchJson<Post>('POST /api/posts', draft, 201)
  await world.ada.fetchJson(`POST /api/posts/${id}/reviews`, { decision: 'approve' }, 201)
  await world.ada.fetchJson(`PUT /api/posts/${id}`, { text: 'Edited here' })
  expect((await transfer(world.ada)).status).toBe(200)
  const restored = await world.mallory.fetch(`POST /api/posts/${id}/restore-approved-text`, {})
  expect(await reported(restored)).toEqual([409, 'no_approved_text'])
})

test('SOC-02 SOC-49 approvals of a post that was deleted before the transfer don’t count after it is restored', async () => {
  await world.ada.fetchJson(`PUT /api/brands/${brand.id}`, { reviewPolicy: { approvals: 1, allowAuthor: true } })
  const draft = { brandId: brand.id, provider: 'sandbox', text: 'Approved, then deleted' }
  const post = await world.ada.fetchJson<Post>('POST /api/posts', draft, 201)
  await world.ada.fetchJson(`POST /api/posts/${post.id}/reviews`, { decision: 'approve', version: post.version }, 201)
  await world.ada.fetchJson(`DELETE /api/posts/${post.id}`, undefined, 204)
  expect((await transfer(world.ada)).status).toBe(200)
  await world.mallory.fetchJson(`POST /api/posts/${post.id}/restore`, {})
  const publish = await world.mallory.fetch(`POST /api/posts/${post.id}/publish-now`)
  expect(await reported(publish)).toEqual([409, 'approval_required'])
})

test('SOC-02 brand and its data move atomically from the old organization to the new one', async () => {
  const posted = { brandId: brand.id, provider: 'sandbox', text: 'Still here' }
  const post = await world.ada.fetchJson<Post>('POST /api/posts', posted, 201)
  const routes = [`GET /api/brands/${brand.id}`, `GET /api/posts/${post.id}`, `GET /api/posts?brandId=${brand.id}`]
  for (const each of routes) expect((await world.vera.fetch(each)).status).toBe(200)
  for (const each of routes) expect((await world.mallory.fetch(each)).status).toBe(404)
  await transfer(world.ada)
  for (const caller of [world.ada, world.vera])
    for (const each of routes) expect([each, (await caller.fetch(each)).status]).toEqual([each, 404])
  expect((await world.ada.fetch(`PUT /api/posts/${post.id}`, { text: 'Mine' })).status).toBe(404)
  expect((await transfer(world.ada)).status).toBe(404)
  for (const each of routes) expect((await world.mallory.fetch(each)).status).toBe(200)
  expect(await world.mallory.fetchJson<Post>(`GET /api/posts/${post.id}`)).toMatchObject(post)
})

test('SOC-02 IDN-18 limits and keys in the old organization don’t show a brand’s name in the new one', async () => {
  const { ada, mallory } = world
  const edda = await world.join(ada, { name: 'Edda', role: 'editor' })
  const limits = `/api/organizations/${ada.things.organizations}/members/${edda.id}/resources`
  const limit = { service: 'platform-socialize', kind: 'brand', id: brand.id, role: 'viewer' }
  const key = await ada.createKey({ scopes: ['posts.read'], bindings: [{ kind: 'brand', id: brand.id }] })
  const named = async (name: string | null) => {
    expect((await edda.fetchJson<{ items: unknown[] }>(`GET ${limits}`)).items).toEqual([{ ...limit, name }])
    const { bindings } = await ada.fetchJson<{ bindings: unknown[] }>(`GET /api/api-keys/${key.id}`)
    expect(bindings).toEqual([{ kind: 'brand', id: brand.id, name }])
  }
  await ada.fetchJson(`PUT ${limits}`, { resources: [limit] })
  await named('Roastery')
  await transfer(ada)
  await mallory.fetchJson(`PUT /api/brands/${brand.id}`, { name: 'Secret plans', slug: brand.slug })
  await named(null)
})

test('SOC-02 PLT-24 transfer is in the audit logs of both organizations', async () => {
  await transfer(world.ada)
  for (const caller of [world.ada, world.mallory]) {
    const log = await caller.fetchJson<{ items: unknown[] }>(
      `GET /api/audit?objectId=${brand.id}&operation=transferBrand`,
    )
    expect(log.items).toEqual([
      expect.objectContaining({
        principal: expect.objectContaining({ id: world.ada.id, principalType: 'user' }),
        before: { organizationId: world.ada.things.organizations },
        after: { organizationId: umbrella },
      }),
    ])
  }
})

test('SOC-02 transfer returns 409 when the new organization has a brand with the same slug', async () => {
  await world.mallory.fetchJson('POST /api/brands', { name: 'Taken', slug: brand.slug }, 201)
  const answer = await transfer(world.ada)
  expect(await reported(answer.clone())).toEqual([409, 'slug_taken'])
  expect((await answer.json()).detail).toContain('A brand in Umbrella already uses this slug')
  expect(await world.ada.fetchJson<Brand>(`GET /api/brands/${brand.id}`)).toEqual(brand)
})

const become = (role: string) =>
  world.mallory.fetchJson(`PATCH /api/organizations/${umbrella}/members/${world.ada.id}`, { role })

test.each(['viewer', 'editor'])(
  'SOC-02 transfer into an organization where the role %s can’t create brands is rejected',
  async (role) => {
    await become(role)
    const refused = await transfer(world.ada)
    const problem = await refused.json()
    expect([refused.status, problem.code, problem.permission]).toEqual([403, 'permission_missing', 'brands:write'])
    expect(problem.detail).toContain('You need the permission “brands:write” in Umbrella')
    expect(await world.ada.fetchJson<Brand>(`GET /api/brands/${brand.id}`)).toEqual(brand)
    await become('admin')
    expect((await transfer(world.ada)).status).toBe(200)
  },
)

test('SOC-02 PLT-38 transfer into a suspended organization is rejected', async () => {
  const suspension = `/api/admin/organizations/${umbrella}/suspension`
  await world.root.fetchJson(`POST ${suspension}`, { reason: 'Spam.' }, 201)
  const refused = await transfer(world.ada)
  const problem = await refused.json()
  await world.root.fetchJson(`DELETE ${suspension}`, undefined, 204)
  expect([refused.status, problem.code]).toEqual([403, 'workspace_suspended'])
  expect(problem.detail).toContain('Umbrella is suspended: Spam.')
  expect(await world.ada.fetchJson<Brand>(`GET /api/brands/${brand.id}`)).toEqual(brand)
})

test('SOC-02 transfer into an organization with stricter session requirements is rejected', async () => {
  await world.database.sql`UPDATE identity.organizations SET requires_second_factor = true WHERE id = ${umbrella}`
  expect(await reported(await transfer(world.ada))).toEqual([403, 'organization_requires_second_factor'])
  await world.database.sql`UPDATE identity.organizations SET requires_second_factor = false WHERE id = ${umbrella}`
  expect((await transfer(world.ada)).status).toBe(200)
})

test('SOC-02 transfer without permission in this organization or membership in the new one is rejected', async () => {
  expect(await reported(await transfer(world.ada, world.nora.id))).toEqual([404, 'not_found'])
  expect(await reported(await transfer(world.mallory, world.ada.things.organizations))).toEqual([404, 'not_found'])
  expect(await reported(await transfer(world.mallory))).toEqual([404, 'not_found'])
  expect(await reported(await transfer(world.vera, world.ada.things.organizations))).toEqual([
    403,
    'permission_missing',
  ])
  await become('editor')
  const { accessToken } = await world.ada.fetchJson<{ accessToken: string }>('POST /api/auth/context', {
    organizationId: umbrella,
  })
  const editor = { authorization: `Bearer ${accessToken}` }
  const theirs = world.mallory.things.brands
  const body = { targetOrganizationId: world.ada.things.organizations }
  expect(await reported(await world.ada.fetch(route(theirs), body, editor))).toEqual([403, 'permission_missing'])
  await world.ada.fetchJson('POST /api/auth/context', { organizationId: world.ada.things.organizations })
  await become('admin')
})

test('SOC-02 only one of two simultaneous transfers succeeds', async () => {
  const answers = await Promise.all([transfer(world.ada), transfer(world.ada)])
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404])
})

const tableOf = (row: string): string => row.slice(0, row.indexOf(' '))

/** Every row of every table with its table's name, and how many times it exists. */
async function rows(): Promise<Map<string, number>> {
  const { sql } = world.database
  const tables = await sql`SELECT schemaname, tablename FROM pg_tables
    WHERE schemaname IN ('identity', 'social', 'platform')`
  const found = new Map<string, number>()
  for (const { schemaname, tablename } of tables)
    for (const { row } of await sql.unsafe(`SELECT t::text AS row FROM ${schemaname}.${tablename} t`)) {
      const key = `${schemaname}.${tablename} ${row}`
      found.set(key, (found.get(key) ?? 0) + 1)
    }
  return found
}

test('SOC-01 SOC-02 organization with 500 brands rejects more brands, and its menu shows 20, including the current one', async () => {
  const { sql } = world.database
  await sql`
    INSERT INTO social.brands (id, platform_org_id, name, slug, time_zone)
    SELECT gen_random_uuid(), ${umbrella}, 'Brand ' || lpad(n::text, 3, '0'), 'filler-' || n, 'UTC'
    FROM generate_series(1, 500 - (SELECT count(*)::int FROM social.brands WHERE platform_org_id = ${umbrella})) n`
  expect(await reported(await transfer(world.ada))).toEqual([409, 'too_many_brands'])
  const [last] = await sql<{ id: string }[]>`
    SELECT id FROM social.brands WHERE platform_org_id = ${umbrella} ORDER BY name DESC LIMIT 1`
  const page = await world.mallory.fetch(`GET /workspace/posts?brandId=${last?.id}`, undefined, { accept: 'text/html' })
  const html = await page.text()
  const menu = html.slice(html.indexOf('id="brand-menu"')).split('<hr')[0] ?? ''
  const links = [...menu.matchAll(/brandId=([\w-]+)/g)].map(([, id]) => id)
  expect(links).toHaveLength(20)
  expect(links).toContain(last?.id ?? '')
})

test('IDN-27 brand menu is empty for a person who can read neither posts nor accounts', async () => {
  const frameOf = async () =>
    (await world.vera.fetch('GET /workspace/accounts', undefined, { accept: 'text/html' })).text()
  const { name } = await world.ada.fetchJson<Brand>('POST /api/brands', { name: 'Hidden Roastery' }, 201)
  const [service] = await world.database.sql<{ id: string }[]>`
    SELECT id FROM identity.services WHERE slug = 'platform-socialize'`
  const deny = (permission: string) =>
    world.ada.fetchJson(
      `POST /api/organizations/${world.ada.things.organizations}/members/${world.vera.id}/overrides`,
      { permission: `${service?.id}.${permission}`, effect: 'deny', reason: 'Test' },
      201,
    )
  await deny('posts:read')
  expect(await frameOf()).toContain(name)
  await deny('accounts:read')
  const frame = await frameOf()
  expect([frame.includes('class="sidebar"'), frame.includes(name)]).toEqual([true, false])
})
