import { afterAll, beforeAll, expect, test } from 'bun:test'
import { bearer, listOrders, openWorld, type Caller, type World } from '../support/world.ts'

interface App {
  id: string
  slug: string
  status: string
  serviceId: string | null
}

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const draft = {
  name: 'Order desk',
  description: 'Shows orders.',
  webUrl: 'https://orders.example',
  redirectUris: ['https://orders.example/callback'],
  handoffUri: 'https://orders.example/callback',
  permissions: [{ permission: 'orders:read', description: 'View orders' }],
  scopes: ['platform-socialize/posts.read'],
}
const problem = async (response: Response) => {
  const { code, errors } = (await response.json()) as { code: string; errors?: { path: string }[] }
  return [response.status, code, ...(errors ?? []).map(({ path }) => path)]
}
const base = '/api/developer-console/apps'
const make = (more: object = {}) => world.console.fetchJson<App>(`POST ${base}`, { ...draft, ...more }, 201)
const approve = (id: string) =>
  world.root.fetchJson<App>(`POST /api/admin/apps/${id}/reviews`, { decision: 'approved' })
const submit = (id: string) => world.console.fetchJson<App>(`POST ${base}/${id}/submission`, {}, 201)
const publish = (id: string) => world.console.fetchJson<App>(`POST ${base}/${id}/publication`, {}, 201)
interface CatalogPage {
  items: { name: string; service: string; summary: string }[]
  nextCursor: string | null
}

/** All pages of the actions that a caller can call. */
async function listActions(caller: Caller): Promise<CatalogPage['items']> {
  const items: CatalogPage['items'] = []
  for (let cursor = ''; ;) {
    const page = await caller.fetchJson<CatalogPage>(`GET /api/actions/catalog?limit=100${cursor}`)
    items.push(...page.items)
    if (page.nextCursor === null) return items
    cursor = `&cursor=${page.nextCursor}`
  }
}

const catalog = async () => (await listActions(world.ada)).map(({ service, name }) => `${service} ${name}`)

async function published(name: string): Promise<App> {
  const { id } = await make({ name })
  await world.console.fetchJson(`POST ${base}/${id}/actions`, listOrders, 201)
  await submit(id)
  await approve(id)
  return publish(id)
}

test('IDN-34 app goes from draft through submission, rejection and approval to publication', async () => {
  const app = await make()
  expect(app).toMatchObject({ ...draft, slug: 'order-desk', status: 'draft', serviceId: null })
  expect(await problem(await world.console.fetch(`POST ${base}/${app.id}/publication`, {}))).toEqual([
    409,
    'not_approved',
  ])
  expect((await submit(app.id)).status).toBe('submitted')
  const reviewed = [
    [`PATCH ${base}/${app.id}`, { name: 'x' }],
    [`POST ${base}/${app.id}/actions`, { ...listOrders, name: 'x' }],
  ] as const
  for (const [act, body] of reviewed)
    expect(await problem(await world.console.fetch(act, body))).toEqual([409, 'under_review'])
  const reviews = `/api/admin/apps/${app.id}/reviews`
  expect(await problem(await world.root.fetch(`POST ${reviews}`, { decision: 'rejected' }))).toEqual([
    422,
    'validation_failed',
    'reason',
  ])
  const reason = 'It says nothing of refunds.'
  const rejected = await world.root.fetchJson<App>(`POST ${reviews}`, { decision: 'rejected', reason })
  expect(rejected.status).toBe('rejected')
  const [letter] = await world.letters(world.ada.email)
  expect(letter).toMatchObject({ subject: 'Order desk was rejected', text: expect.stringContaining(reason) })
  expect(await problem(await world.root.fetch(`POST ${reviews}`, { decision: 'approved' }))).toEqual([
    409,
    'not_submitted',
  ])

  await submit(app.id)
  expect((await approve(app.id)).status).toBe('approved')
  expect(await problem(await world.console.fetch(`POST ${base}/${app.id}/submission`, {}))).toEqual([
    409,
    'nothing_to_review',
  ])
  const { status, serviceId } = await publish(app.id)
  expect([status, typeof serviceId]).toEqual(['published', 'string'])
  const { items } = await world.console.fetchJson<{ items: { decision: string; reason: string | null }[] }>(
    `GET ${base}/${app.id}/reviews`,
  )
  expect(items.map(({ decision }) => decision)).toEqual(['approved', 'rejected'])
  expect(items[1]).toMatchObject({ reason, decidedBy: { name: 'Root' }, submittedBy: { name: 'Ada' } })
})

test('IDN-34 super admins list the apps of one state, with its filter on the page', async () => {
  const { id } = await make({ name: 'Filter desk' })
  const named = async (query: string) => {
    const list = await world.root.fetchJson<{ items: App[] }>(`GET /api/admin/apps?q=filter%20desk&${query}`)
    return list.items.map((app) => app.id)
  }
  expect([await named('status=draft'), await named('status=published'), await named('status=')]).toEqual([
    [id],
    [],
    [id],
  ])
  expect((await world.root.fetch('GET /api/admin/apps?status=gone')).status).toBe(422)
  const page = await world.root.fetch('GET /admin/apps?status=published&q=filter%20desk', undefined, {
    accept: 'text/html',
  })
  expect(await page.text()).toMatch(/value="published" checked.*No apps match these filters\./s)
})

test('PLT-06 each tab of an app contains the fragments of its operations', async () => {
  const { id } = await make({
    name: 'Tab desk',
    permissions: [{ permission: 'orders:read', description: 'View orders' }],
  })
  await world.console.fetchJson(`POST ${base}/${id}/actions`, { ...listOrders, name: 'listTabs' }, 201)
  await world.console.fetchJson(`PATCH ${base}/${id}`, { scopes: ['platform-socialize/posts.read'] })
  const key = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'], mode: 'test' }
  await world.console.fetchJson(`POST ${base}/${id}/keys`, key, 201)
  const { cookie } = await world.ada.signIn()
  const read = async (path: string, headers: Record<string, string>) => {
    const answer = await world.stranger.fetch(`GET ${path}`, undefined, { accept: 'text/html', cookie, ...headers })
    return (await answer.text()).replaceAll(/ hx-nonce="[^"]*"/g, '')
  }
  const tabs = { actions: ['/actions'], keys: ['/keys', '/key-services'], review: ['/reviews'], overview: [''] }
  for (const [tab, parts] of Object.entries(tabs)) {
    const page = await read(`/developers/apps/${id}?tab=${tab}`, {})
    for (const part of parts) {
      const fragment = await read(`/api/developers/apps/${id}${part}`, { 'hx-request': 'true' })
      expect([tab, part, fragment.length > 100, page.includes(fragment)]).toEqual([tab, part, true, true])
    }
  }
})

test('PLT-06 changes to an app return the app, the tab that the page shows and the new title', async () => {
  const { id } = await make({ name: 'Fragment desk' })
  const at = `/api/developers/apps/${id}`
  const { cookie } = await world.ada.signIn()
  const change = async (route: string, body: unknown, tab: string) => {
    const answer = await world.stranger.fetch(route, body, {
      accept: 'text/html',
      'hx-request': 'true',
      'hx-current-url': `http://atrium.test/developers/apps/${id}?tab=${tab}`,
      'sec-fetch-site': 'same-origin',
      cookie,
    })
    return { status: answer.status, redirect: answer.headers.get('hx-redirect'), html: await answer.text() }
  }
  const begin = '<title>Part desk · Atrium</title><div id="developer-app">'
  const renamed = await change(`PATCH ${at}`, { name: 'Part desk' }, 'overview')
  expect([renamed.status, renamed.redirect]).toEqual([200, null])
  expect(renamed.html).toStartWith(begin)
  expect(renamed.html).toContain('aria-labelledby="app-about-heading"')
  const submitted = await change(`POST ${at}/submission`, {}, 'review')
  for (const part of [begin, 'In review', 'Submitted by Ada', `hx-delete="${at}/submission"`])
    expect(submitted.html).toContain(part)
  const withdrawn = await change(`DELETE ${at}/submission`, undefined, 'actions')
  for (const part of [begin, 'No actions yet', 'Submit for review']) expect(withdrawn.html).toContain(part)
  await submit(id)
  const decided = await world.root.fetch(
    `POST /api/admin/apps/${id}/reviews`,
    { decision: 'approved' },
    { accept: 'text/html', 'hx-request': 'true' },
  )
  expect(await decided.text()).toMatch(/^<div id="admin-app".*Approved by Root/s)
  expect((await change(`POST ${at}/publication`, {}, 'overview')).html).toContain('Unpublish')
  expect((await change(`DELETE ${at}/publication`, undefined, 'overview')).html).toContain('Delete app')
  expect(await change(`DELETE ${at}`, undefined, 'overview')).toMatchObject({ redirect: '/developers', html: '' })
})

test('PLT-06 lists of an app without actions or keys are empty fragments, because its page shows no tables', async () => {
  const { id } = await make({ name: 'Empty desk' })
  for (const list of ['actions', 'keys']) {
    const fragment = await world.console.fetch(`GET ${base}/${id}/${list}`, undefined, { 'hx-request': 'true' })
    expect([fragment.status, await fragment.text()]).toEqual([200, ''])
  }
})

test('IDN-34 approval of an app is rejected for everyone except super admins', async () => {
  const { id } = await make()
  await submit(id)
  const verdict = { decision: 'approved' }
  expect(await problem(await world.ada.fetch(`POST /api/admin/apps/${id}/reviews`, verdict))).toEqual([
    403,
    'permission_missing',
  ])
  expect((await world.rootConsole.fetch(`POST ${base}/${id}/reviews`, verdict)).status).toBe(405)
  expect(await world.console.fetchJson<App>(`GET ${base}/${id}`)).toMatchObject({ status: 'submitted' })
})

test('IDN-20 IDN-33 published app has a third-party entry, scopes, and actions that people with the permission can find', async () => {
  const app = await published('Kitchen desk')
  const { items } = await world.ada.fetchJson<{ items: { id: string }[] }>('GET /api/services')
  expect(items.find(({ id }) => id === app.serviceId)).toMatchObject({
    slug: 'kitchen-desk',
    launchable: true,
    webUrl: draft.webUrl,
  })
  const scopes = await world.ada.fetchJson<{ items: unknown[] }>(`GET /api/services/${app.serviceId}/scopes`)
  expect(scopes.items).toMatchObject([{ scope: 'orders.read', permission: 'orders:read', description: 'View orders' }])
  const uris = await world.database.sql`
    SELECT uri, handoff FROM identity.service_redirect_uris WHERE service_id = ${app.serviceId}`
  expect([...uris]).toEqual([{ uri: draft.handoffUri, handoff: true }])
  expect(await catalog()).toContain('kitchen-desk listOrders')
  const mallorys = await listActions(world.mallory)
  expect(mallorys.map(({ service }) => service)).not.toContain('kitchen-desk')

  const withdrawn = await world.console.fetchJson<App>(`DELETE ${base}/${app.id}/publication`)
  expect(withdrawn).toMatchObject({ status: 'approved', publishedAt: null })
  expect(await catalog()).not.toContain('kitchen-desk listOrders')
  const { items: left } = await world.ada.fetchJson<{ items: { id: string }[] }>('GET /api/services')
  expect(left.find(({ id }) => id === app.serviceId)).not.toMatchObject({ launchable: true })
})

test('IDN-33 action is rejected unless its app declares the permission, including at publication', async () => {
  const { id } = await make()
  const actions = `${base}/${id}/actions`
  expect(
    await problem(await world.console.fetch(`POST ${actions}`, { ...listOrders, permission: 'orders:write' })),
  ).toEqual([422, 'undeclared_permission', 'permission'])
  await world.console.fetchJson(`POST ${actions}`, listOrders, 201)
  await world.console.fetchJson(`PATCH ${base}/${id}`, {
    permissions: [{ permission: 'menus:read', description: 'View menus' }],
  })
  await submit(id)
  await approve(id)
  const refused = await world.console.fetch(`POST ${base}/${id}/publication`, {})
  expect(await refused.clone().json()).toMatchObject({ detail: expect.stringContaining('listOrders') })
  expect(await problem(refused)).toEqual([422, 'undeclared_permission', 'actions.0.permission'])
  expect(await world.console.fetchJson<App>(`GET ${base}/${id}`)).toMatchObject({
    status: 'approved',
    publishedAt: null,
  })
})

test('IDN-33 action schema is limited to 16,000 characters, deeply nested text is rejected, and lists omit schemas', async () => {
  const { id } = await make()
  const actions = `${base}/${id}/actions`
  const schemaOf = (description: string) => ({ type: 'object', description })
  const tooLong = { ...listOrders, inputSchema: schemaOf('x'.repeat(16_000)) }
  expect(await problem(await world.console.fetch(`POST ${actions}`, tooLong))).toEqual([
    422,
    'validation_failed',
    'inputSchema',
  ])
  const nested = { ...listOrders, inputSchema: '['.repeat(90_000) }
  expect(await problem(await world.console.fetch(`POST ${actions}`, nested))).toEqual([
    422,
    'validation_failed',
    'inputSchema',
  ])
  const long = { ...listOrders, inputSchema: schemaOf('x'.repeat(15_000)) }
  const made = await world.console.fetchJson<{ id: string }>(`POST ${actions}`, long, 201)
  const { items } = await world.console.fetchJson<{ items: object[] }>(`GET ${actions}`)
  expect(items).toEqual([expect.not.objectContaining({ inputSchema: expect.anything() })])
  expect(await world.console.fetchJson(`GET ${actions}/${made.id}`)).toMatchObject({ inputSchema: long.inputSchema })
  // Stored by an earlier release, which had no limit.
  const stored = { type: 'object', description: 'x'.repeat(20_000) }
  await world.database
    .sql`UPDATE identity.action_definitions SET input_schema = ${JSON.stringify(stored)}::text::jsonb WHERE id = ${made.id}`
  expect(await world.console.fetchJson(`GET ${actions}/${made.id}`)).toMatchObject({ inputSchema: stored })
  const shorter = { inputSchema: { type: 'object' } }
  expect(await world.console.fetchJson(`PATCH ${actions}/${made.id}`, shorter)).toMatchObject(shorter)
})

test('IDN-34 changes to an approved action become the next version, and the published one is served until the next publication', async () => {
  const app = await published('Version desk')
  const actions = `${base}/${app.id}/actions`
  const { items } = await world.console.fetchJson<{ items: { id: string; version: number }[] }>(`GET ${actions}`)
  const edit = { summary: 'List the orders of a day' }
  const next = await world.console.fetchJson<{ id: string }>(`PATCH ${actions}/${items[0]?.id}`, edit)
  expect(next).toMatchObject({ ...edit, version: 2, status: 'draft', approvedVersion: 1 })
  expect(await world.console.fetchJson(`PATCH ${actions}/${next.id}`, { path: '/api/days' })).toMatchObject({
    version: 2,
  })
  expect(await world.console.fetchJson<App>(`GET ${base}/${app.id}`)).toMatchObject({ status: 'draft' })
  const summaryOf = async () =>
    (await listActions(world.ada)).find(({ service }) => service === 'version-desk')?.summary
  expect(await summaryOf()).toBe('List orders')
  await submit(app.id)
  await approve(app.id)
  await publish(app.id)
  expect(await summaryOf()).toBe('List the orders of a day')
})

test('IDN-34 keys of an app can have only scopes that the app requests, and only the app can use them', async () => {
  const { id } = await make()
  const other = await make()
  const keys = `${base}/${id}/keys`
  const options = { name: 'Desk', service: 'platform-socialize', scopes: ['posts.read'] }
  expect(await problem(await world.console.fetch(`POST ${keys}`, { ...options, scopes: ['posts.write'] }))).toEqual([
    422,
    'validation_failed',
    'scopes.0',
  ])
  const made = await world.console.fetchJson<{ id: string; key: string }>(`POST ${keys}`, options, 201)
  expect((await world.stranger.fetch('GET /api/posts', undefined, bearer(made.key))).status).toBe(200)
  expect((await world.console.fetch(`DELETE ${base}/${other.id}/keys/${made.id}`)).status).toBe(404)
  expect((await world.console.fetch(`DELETE ${keys}/${world.ada.things.keys}`)).status).toBe(404)
  expect((await world.console.fetch(`DELETE ${keys}/${made.id}`)).status).toBe(200)
  expect((await world.stranger.fetch('GET /api/posts', undefined, bearer(made.key))).status).toBe(401)
})

test('IDN-34 keys of an app are still listed after the organization removes the service of one of them', async () => {
  const { id } = await make({ scopes: ['platform-socialize/posts.read', 'platform-pay/payments.read'] })
  const keys = `${base}/${id}/keys`
  const keyOf = (service: string, scope: string) =>
    world.console.fetchJson<{ id: string }>(`POST ${keys}`, { name: 'Desk', service, scopes: [scope] }, 201)
  const social = await keyOf('platform-socialize', 'posts.read')
  const pay = await keyOf('platform-pay', 'payments.read')
  const listed = async () =>
    (await world.console.fetchJson<{ items: { id: string }[] }>(`GET ${keys}`)).items.map((key) => key.id)
  expect(await listed()).toEqual([pay.id, social.id])
  const apps = `/api/organizations/${world.ada.things.organizations}/apps`
  await world.ada.fetchJson(`DELETE ${apps}/${world.serviceId}`, undefined, 204)
  expect(await listed()).toEqual([pay.id])
  await world.ada.fetchJson(`POST ${apps}`, { serviceId: world.serviceId }, 201)
})

test('IDN-34 PLT-24 change that a service makes for a person is logged in their organization under both names', async () => {
  const { id } = await make({ name: 'Logged desk' })
  const { items } = await world.ada.fetchJson<{ items: object[] }>(`GET /api/audit?objectId=${id}`)
  expect(items[0]).toMatchObject({
    operation: 'createDeveloperApp',
    principal: { principalType: 'service' },
    onBehalfOf: world.ada.id,
    object: { kind: 'developer_app', id },
  })
})

test('IDN-34 invalid app fields are rejected with an error for each field', async () => {
  const wrong: [object, string][] = [
    [{ redirectUris: ['https://orders.example/#x'] }, 'redirectUris.0'],
    [{ redirectUris: ['https://user@orders.example/'] }, 'redirectUris.0'],
    [{ redirectUris: ['http://orders.example/'] }, 'redirectUris.0'],
    [{ redirectUris: ['javascript:alert(1)'] }, 'redirectUris.0'],
    [{ handoffUri: 'https://orders.example/' }, 'handoffUri'],
    [{ redirectUris: [] }, 'handoffUri'],
    [{ webUrl: '/developers' }, 'webUrl'],
    [{ slug: 'platform-mine' }, 'slug'],
    [{ slug: 'api' }, 'slug'],
    [{ scopes: ['platform-socialize/posts.burn'] }, 'scopes.0'],
    [{ permissions: [{ permission: 'Orders', description: 'x' }] }, 'permissions.0.permission'],
  ]
  for (const [more, path] of wrong)
    expect([path, await problem(await world.console.fetch(`POST ${base}`, { ...draft, ...more }))]).toEqual([
      path,
      [422, 'validation_failed', path],
    ])
  const { slug } = await make({ name: 'platform-pay', slug: undefined })
  expect(slug).toStartWith('app-')
  expect(await problem(await world.console.fetch(`POST ${base}`, { ...draft, slug }))).toEqual([
    409,
    'slug_taken',
    'slug',
  ])
})

test('IDN-34 suspended or revoked organization can’t change its apps, and their actions leave the catalog', async () => {
  const app = await published('Blocked desk')
  const organization = `/api/admin/organizations/${world.ada.things.organizations}`
  const writes = [
    [`POST ${base}`, draft],
    [`PATCH ${base}/${app.id}`, { name: 'x' }],
    [`POST ${base}/${app.id}/actions`, listOrders],
    [`POST ${base}/${app.id}/keys`, { name: 'x', service: 'platform-socialize', scopes: ['posts.read'] }],
    [`DELETE ${base}/${app.id}`, undefined],
  ] as const
  const blocked = async () => {
    for (const [route, body] of writes)
      expect([route, await problem(await world.console.fetch(route, body))]).toEqual([
        route,
        [403, 'workspace_suspended'],
      ])
  }
  await world.mallory.fetchJson('GET /api/auth/me')
  const [service] = await world.database.sql`SELECT id FROM identity.services WHERE slug = 'blocked-desk'`
  await world.database.sql`
    INSERT INTO identity.service_access (organization_id, service_id, granted_at)
    VALUES (${world.mallory.things.organizations}, ${service?.['id']}, now())`
  const seen = async () => {
    const { key } = await world.mallory.fetchJson<{ key: string }>(
      'POST /api/api-keys',
      { name: 'x', service: 'blocked-desk', scopes: ['orders.read'] },
      201,
    )
    const answer = await world.stranger.fetch('GET /api/actions/catalog', undefined, bearer(key))
    return ((await answer.json()) as { items: unknown[] }).items.length
  }
  await world.provided.events.publish(world.database.db, 'identity.revoked', { id: world.mallory.id })
  expect(await seen()).toBe(1)
  await world.root.fetchJson(`POST ${organization}/suspension`, { reason: 'Spam.' }, 201)
  await blocked()
  expect(await seen()).toBe(0)
  await world.root.fetchJson(`DELETE ${organization}/suspension`, undefined, 204)
  expect(await seen()).toBe(1)
  await world.root.fetchJson(`POST ${organization}/developer-revocation`, { reason: 'Spam.' }, 201)
  await blocked()
  expect(await seen()).toBe(0)
})

test('IDN-34 /api/developer-portal and similar paths return 404', async () => {
  for (const path of [
    '/api/developer-portal',
    '/api/developer-portal/apps',
    '/api/developer-review',
    '/api/developer-portal/apps/1',
  ])
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await world.console.fetch(`${method} ${path}`, method === 'GET' ? undefined : {})).status).toBe(404)
})
