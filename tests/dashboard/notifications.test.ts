import { afterAll, beforeAll, expect, test } from 'bun:test'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { handOverAction } from '#lib/raised-actions/hand-over.ts'
import { disputeKind } from '../../src/payments/notification-kinds.ts'
import { takeAction } from '../../src/dashboard/actions/take.ts'
import { newId } from '#lib/ids.ts'
import { eventually } from '../boot/program.ts'
import { scaleTime } from '../support/time-scale.ts'
import { bearer, openWorld, type Caller, type World } from '../support/world.ts'
import { callerOf } from '../support/world/callers.ts'
import { signServiceToken } from '../../src/identity/tokens/tokens.ts'

interface Shown {
  id: string
  title: string
  state: string
  by: string
  assignee: { id: string; name: string } | null
  snoozedUntil: string | null
  resolvedBy: { id: string } | null
  actions: { label: string }[]
}

let world: World
beforeAll(async () => {
  world = await openWorld()
  await world.database.sql`DELETE FROM dashboard.notifications`
})
afterAll(() => world.close())

const organizationId = () => world.ada.things.organizations

const notice = (cause: string, changes: object = {}) => ({
  id: newId(),
  organizationId: organizationId(),
  surface: 'action' as const,
  service: 'platform-pay',
  kind: 'payments.dispute',
  permission: 'payments:read',
  resourceKind: null,
  resourceId: null,
  personId: null,
  cause,
  title: cause,
  reason: 'A customer disputes a payment.',
  href: '/pay/orders',
  actions: [],
  dueAt: null,
  raisedAt: new Date(),
  resolvedAt: null,
  version: 1,
  ...changes,
})
const work = () => ({ ...world.provided, database: world.database, now: () => new Date() })
const take = async (cause: string, changes: object = {}) => {
  const one = notice(cause, changes)
  await takeAction(work(), one)
  return one
}
const list = async (caller: Caller, query = '') =>
  (await caller.fetchJson<{ items: Shown[] }>(`GET /api/notifications?limit=100${query}`)).items
const titles = async (caller: Caller, query = '') => (await list(caller, query)).map(({ title }) => title)

test('DSH-20 raised action is listed for those who can see its object, and for no one of another organization', async () => {
  const { id } = await take('seen')
  expect(await titles(world.ada)).toContain('seen')
  expect(await titles(world.vera)).toContain('seen')
  expect(await titles(world.mallory)).not.toContain('seen')
  for (const change of ['resolve', 'assign-to-me', 'unsnooze'])
    expect((await world.mallory.fetch(`POST /api/notifications/${id}/${change}`, {})).status).toBe(404)
  const [shown] = (await list(world.ada)).filter(({ title }) => title === 'seen')
  expect(shown).toMatchObject({ by: 'Payments', state: 'open', assignee: null })
})

test('DSH-20 person gets only the buttons whose request they can send, and a program all', async () => {
  const actions = [
    { label: 'Add seats', method: 'GET', href: '/settings/billing' },
    { label: 'See members', method: 'GET', href: '/settings/members' },
    { label: 'Retry', method: 'POST', href: '/api/posts/00000000-0000-7000-8000-000000000000/retry' },
    { label: 'Open the shop', method: 'GET', href: 'https://shop.example/settings/billing' },
  ]
  const { id } = await take('buttons', { actions })
  const labels = async (caller: Pick<Caller, 'fetchJson'>) =>
    (await caller.fetchJson<Shown>(`GET /api/notifications/${id}`)).actions.map(({ label }) => label)
  const arne = await world.join(world.ada, { name: 'Arne', role: 'admin' })
  expect((await arne.fetch('GET /settings/billing')).status).toBe(403)
  expect(await labels(world.ada)).toEqual(['Add seats', 'See members', 'Retry', 'Open the shop'])
  expect(await labels(arne)).toEqual(['See members', 'Retry', 'Open the shop'])
  expect(await labels(world.vera)).toEqual(['See members', 'Open the shop'])
  const key = await world.ada.createKey({ scopes: ['notifications.read'], service: 'platform-dashboard-api' })
  expect(await labels(key)).toHaveLength(actions.length)
  const links = async (caller: Caller) =>
    (await (await caller.fetch('GET /actions')).text()).match(/href="\/settings\/[a-z]+"/g)
  expect(await links(world.ada)).toContain('href="/settings/billing"')
  expect(await links(arne)).not.toContain('href="/settings/billing"')
})

test('DSH-20 person who can only read actions gets no menu to snooze, assign or resolve them', async () => {
  const { id } = await take('read only')
  const menus = async (caller: Caller) => {
    const html = await (await caller.fetch('GET /actions')).text()
    return ['snooze', 'assign-to-me', 'resolve'].filter((change) => html.includes(`/api/notifications/${id}/${change}`))
  }
  expect((await world.vera.fetch(`POST /api/notifications/${id}/snooze`, { hours: 1 })).status).toBe(403)
  expect(await menus(world.vera)).toEqual([])
  expect(await menus(world.ada)).toEqual(['snooze', 'assign-to-me', 'resolve'])
})

test('DSH-20 action needs the permission or role that its kind names, and a personal one is for its person alone', async () => {
  await take('for admins', { permission: 'role:admin', service: 'platform-identity' })
  await take('unknown permission', { permission: 'secrets:read' })
  await take('for vera', { personId: world.vera.id, permission: 'role:owner' })
  const [ada, vera] = [await titles(world.ada), await titles(world.vera)]
  expect(ada).toContain('for admins')
  expect(vera).not.toContain('for admins')
  expect([...ada, ...vera]).not.toContain('unknown permission')
  expect(vera).toContain('for vera')
  expect(ada).not.toContain('for vera')
  const key = await world.ada.createKey({ service: 'platform-dashboard-api', scopes: ['notifications.read'] })
  expect(await titles(key)).not.toContain('for vera')
})

test('DSH-20 late and repeated versions change nothing, and what a person marked as done stays so', async () => {
  const first = await take('versions')
  await takeAction(work(), { ...first, version: 3, title: 'third' })
  await takeAction(work(), { ...first, version: 2, title: 'second' })
  await takeAction(work(), first)
  expect(await titles(world.ada)).toContain('third')
  await world.ada.fetchJson(`POST /api/notifications/${first.id}/resolve`, {}, 204)
  expect((await world.ada.fetch(`POST /api/notifications/${first.id}/resolve`, {})).status).toBe(409)
  await takeAction(work(), { ...first, version: 4, title: 'fourth' })
  expect(await titles(world.ada)).not.toContain('fourth')
  const [done] = await list(world.ada, '&state=resolved')
  expect(done).toMatchObject({ title: 'fourth', state: 'resolved', resolvedBy: { id: world.ada.id } })
  await world.ada.fetchJson(`POST /api/notifications/${first.id}/reopen`, {}, 204)
  expect(await titles(world.ada)).toContain('fourth')
  await takeAction(work(), { ...first, version: 5, resolvedAt: new Date() })
  expect(await titles(world.ada)).not.toContain('fourth')
  expect((await world.ada.fetch(`POST /api/notifications/${first.id}/reopen`, {})).status).toBe(409)
})

test('DSH-20 of two people who resolve an action at once, one is told that it is done', async () => {
  const { id } = await take('race')
  const join = await world.join(world.ada, { name: 'Rita', role: 'reviewer' })
  const answers = await Promise.all(
    [world.ada, join].map((who) => who.fetch(`POST /api/notifications/${id}/resolve`, {})),
  )
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([204, 409])
})

test('DSH-20 snooze hides an action from one person until its time', async () => {
  const { id } = await take('snoozed')
  const join = await world.join(world.ada, { name: 'Sami', role: 'editor' })
  const until = new Date(Date.now() + 2_000).toISOString()
  await world.ada.fetchJson(`POST /api/notifications/${id}/snooze`, { until }, 204)
  expect(await titles(world.ada)).not.toContain('snoozed')
  expect(await titles(world.ada, '&state=snoozed')).toEqual(['snoozed'])
  expect(await titles(join)).toContain('snoozed')
  expect((await world.vera.fetch(`POST /api/notifications/${id}/snooze`, { until })).status).toBe(403)
  for (const wrong of [new Date(0).toISOString(), '2099-01-01T00:00:00Z', 'tomorrow'])
    expect((await world.ada.fetch(`POST /api/notifications/${id}/snooze`, { until: wrong })).status).toBe(422)
  expect(await eventually(async () => (await titles(world.ada)).includes('snoozed'), 10_000)).toBe(true)
})

test('DSH-20 action is assigned to a member, and listed by its assignee', async () => {
  const { id } = await take('assigned')
  await world.ada.fetchJson(`POST /api/notifications/${id}/assign`, { personId: world.vera.id }, 204)
  expect(await titles(world.vera, '&assignee=me')).toEqual(['assigned'])
  expect((await world.ada.fetch(`POST /api/notifications/${id}/assign`, { personId: world.mallory.id })).status).toBe(
    404,
  )
  await world.ada.fetchJson(`POST /api/notifications/${id}/assign-to-me`, {}, 204)
  expect(await titles(world.ada, '&assignee=me')).toEqual(['assigned'])
  await world.ada.fetchJson(`POST /api/notifications/${id}/assign`, { personId: null }, 204)
  expect(await titles(world.ada, '&assignee=none')).toContain('assigned')
})

test('DSH-20 program posts an action once for each cause', async () => {
  const key = await world.ada.createKey({
    service: 'platform-dashboard-api',
    scopes: ['notifications.read', 'notifications.write'],
  })
  const draft = { cause: 'note-418', title: 'Send the note', reason: 'The customer called.', href: '/pay/orders' }
  const made = await key.fetchJson<{ id: string }>('POST /api/notifications', draft, 201)
  expect(await key.fetchJson('POST /api/notifications', { ...draft, title: 'Send it today' }, 200)).toEqual(made)
  expect((await titles(key)).filter((title) => title.startsWith('Send'))).toEqual(['Send it today'])
  for (const wrong of [
    { href: 'javascript:alert(1)' },
    { title: '' },
    { organizationId: world.mallory.things.organizations },
  ])
    expect((await key.fetch('POST /api/notifications', { ...draft, ...wrong })).status).toBe(422)
  await key.fetchJson(`POST /api/notifications/${made.id}/resolve`, {}, 204)
  const again = await key.fetchJson<{ id: string }>('POST /api/notifications', draft, 201)
  expect(again.id).not.toBe(made.id)
})

const posted = { title: 'Send the note', reason: 'The customer called.', href: '/pay/orders' }
const post = async (caller: Caller, cause: string, changes: object = {}): Promise<{ id: string }> => {
  const response = await caller.fetch('POST /api/notifications', { ...posted, cause, ...changes })
  expect(response.status).toBeOneOf([200, 201])
  return response.json()
}

test('DSH-20 button that a program posts sends requests only to the API, and has a limited size', async () => {
  const send = (button: object) =>
    world.ada.fetch('POST /api/notifications', { ...posted, cause: 'forged', actions: [{ label: 'Go', ...button }] })
  for (const href of [
    'https://evil.example/api/x',
    '//evil.example/api/x',
    'javascript:alert(1)',
    '/api/../settings',
    '/api/%2e%2e/settings',
    '/api/\\..\\x',
    '/settings',
    'data:text/html,x',
  ])
    expect([href, (await send({ method: 'POST', href })).status]).toEqual([href, 422])
  expect((await send({ method: 'TRACE', href: '/api/posts' })).status).toBe(422)
  expect((await send({ method: 'POST', href: '/api/posts', body: { text: 'x'.repeat(20_000) } })).status).toBe(422)
  expect((await send({ method: 'GET', href: 'https://shop.example/orders/1' })).status).toBe(201)
})

test('DSH-20 markup of a program is shown as text, and its button names the request that it sends', async () => {
  const markup = '"><img src=x onerror=alert(1)>'
  const { id } = await post(world.ada, 'markup', {
    title: markup,
    reason: markup,
    actions: [
      {
        label: markup,
        method: 'DELETE',
        href: '/api/posts/x',
        body: { [markup.slice(0, 20)]: markup },
        fields: [{ name: 'note', label: markup, type: 'select', options: [{ value: markup, label: markup }] }],
      },
    ],
  })
  const html = await (await world.ada.fetch(`GET /api/notifications/${id}`, undefined, { 'hx-request': 'true' })).text()
  let images = 0
  new HTMLRewriter().on('img, [onerror]', { element: () => void images++ }).transform(html)
  expect(images).toBe(0)
  expect(html).toContain('<code>DELETE /api/posts/x {')
})

test('DSH-20 notification that was posted again since can’t be reopened, also at the same time', async () => {
  const first = await post(world.ada, 'again')
  await world.ada.fetchJson(`POST /api/notifications/${first.id}/resolve`, {}, 204)
  const [, reopened] = await Promise.all([
    post(world.ada, 'again'),
    world.ada.fetch(`POST /api/notifications/${first.id}/reopen`, {}),
  ])
  expect([204, 409]).toContain(reopened.status)
  const { id } = await post(world.ada, 'again')
  await world.ada.fetchJson(`POST /api/notifications/${id}/resolve`, {}, 204)
  await post(world.ada, 'again')
  const late = await world.ada.fetch(`POST /api/notifications/${id}/reopen`, {})
  expect([late.status, await late.json()]).toMatchObject([409, { code: 'posted_again' }])
})

test('DSH-20 action that its service resolved after a person can’t be reopened', async () => {
  const one = await take('resolved twice')
  await world.ada.fetchJson(`POST /api/notifications/${one.id}/resolve`, {}, 204)
  await takeAction(work(), { ...one, version: 2, resolvedAt: new Date() })
  const reopened = await world.ada.fetch(`POST /api/notifications/${one.id}/reopen`, {})
  expect([reopened.status, await reopened.json()]).toMatchObject([409, { code: 'resolved_by_service' }])
})

test('DSH-20 list has pages in the order of deadlines, and no action twice', async () => {
  await world.database.sql`DELETE FROM dashboard.notifications`
  const hour = 60 * 60_000
  for (const hours of [5, 1, 3]) await take(`in ${hours} h`, { dueAt: new Date(Date.now() + hours * hour) })
  await take('whenever')
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: { items: Shown[]; nextCursor: string | null } = await world.ada.fetchJson(
      `GET /api/notifications?limit=2${cursor && `&cursor=${cursor}`}`,
    )
    seen.push(...page.items.map(({ title }) => title))
    cursor = page.nextCursor
  }
  expect(seen).toEqual(['in 1 h', 'in 3 h', 'in 5 h', 'whenever'])
})

test('DSH-20 action that a service raises is listed within a second, and is gone when it is resolved', async () => {
  await world.provided.queue.work([handOverAction], world.provided, () => new Date())
  const { platform } = Object.fromEntries(world.contexts.map((context) => [context.slug, context]))
  const running = await platform?.start?.({
    ...world.provided,
    database: world.database,
    metrics: {
      counter: () => ({ add: () => {} }),
      histogram: () => ({ observe: () => {} }),
      gauge: () => {},
      text: async () => '',
    },
    baseUrl: () => '',
  })
  const raised = performance.now()
  await world.database.transaction((tx) =>
    raiseAction(tx, {
      kind: disputeKind,
      organizationId: organizationId(),
      cause: 'live',
      title: 'Raised just now',
      reason: 'It is.',
      href: '/pay/orders',
      actions: [],
    }),
  )
  expect(await eventually(async () => (await titles(world.ada)).includes('Raised just now'), 5_000)).toBe(true)
  expect(performance.now() - raised).toBeLessThan(scaleTime(1_000))
  await world.database.transaction((tx) => resolveAction(tx, 'live'))
  expect(await eventually(async () => !(await titles(world.ada)).includes('Raised just now'), 5_000)).toBe(true)
  await running?.stop(1_000)
})

const by = async (id: string) => (await world.ada.fetchJson<Shown>(`GET /api/notifications/${id}`)).by

test('DSH-20 action that was posted names who posted it: a person, an API key, an app of the catalog or a service', async () => {
  expect(await by((await post(world.ada, 'by a person')).id)).toBe('Ada')
  const key = await world.ada.createKey({
    name: 'Warehouse',
    service: 'platform-dashboard-api',
    scopes: ['notifications.write'],
  })
  expect(await by((await post(key, 'by a key')).id)).toBe('Warehouse')
  const service = world.dashboardServices['platform-socialize'] ?? world.stranger
  const ofService = await post(service, 'by a service', { organizationId: organizationId() })
  expect(await by(ofService.id)).toBe('Social')
  const { id } = await take('raised by a service')
  expect(await by(id)).toBe('Payments')
})

test('DSH-20 app of the catalog posts only to organizations that have it installed, under its own name', async () => {
  const [app] = await world.database.sql<{ slug: string; name: string }[]>`
    SELECT slug, name FROM identity.services WHERE id = ${world.theirAppId}`
  const grant = { caller: app?.slug ?? '', audience: 'platform-dashboard-api', keyId: null }
  const store = { db: world.database.db, secrets: world.provided.secrets, now: () => new Date() }
  const caller = callerOf(world.handle, bearer(await signServiceToken(store, grant)))
  const draft = { ...posted, cause: 'by an app', organizationId: organizationId() }
  expect((await caller.fetch('POST /api/notifications', draft)).status).toBe(404)
  expect((await caller.fetch('POST /api/notifications', { ...draft, organizationId: newId() })).status).toBe(404)
  expect((await caller.fetch('POST /api/notifications', { ...draft, organizationId: undefined })).status).toBe(422)
  await world.database.sql`
    INSERT INTO identity.service_access (organization_id, service_id, granted_at)
    VALUES (${organizationId()}, ${world.theirAppId}, now())`
  const made = await post(caller, 'by an app', { organizationId: organizationId() })
  expect(await by(made.id)).toBe(app?.name ?? '')
})

test('DSH-20 keys and roles that are limited to a brand can’t post, since an action is for the whole organization', async () => {
  const { brands, organizations } = world.ada.things
  const finn = await world.join(world.ada, { name: 'Finn', role: 'editor' })
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: brands, role: 'editor' }]
  await world.ada.fetchJson(`PUT /api/organizations/${organizations}/members/${finn.id}/resources`, { resources })
  const response = await finn.fetch('POST /api/notifications', { ...posted, cause: 'limited' })
  expect(response.status).toBe(403)
  expect(await response.json()).toMatchObject({ code: 'whole_organization_needed', permission: 'notifications:write' })
})

test('DSH-20 action is assigned only to members who can see it, by their permissions, role and brands', async () => {
  const { brands, organizations } = world.ada.things
  const hugo = await world.join(world.ada, { name: 'Hugo', role: 'editor' })
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: brands, role: 'editor' }]
  await world.ada.fetchJson(`PUT /api/organizations/${organizations}/members/${hugo.id}/resources`, { resources })
  const assign = (id: string, personId: string) => world.ada.fetch(`POST /api/notifications/${id}/assign`, { personId })
  const ofBrand = { service: 'platform-socialize', permission: 'posts:read', resourceKind: 'brand' }
  const own = await take('of Hugo’s brand', { ...ofBrand, resourceId: brands })
  const other = await take('of another brand', { ...ofBrand, resourceId: newId() })
  const paying = await take('for those who settle', { permission: 'settlements:write' })
  const ofOwners = await take('for owners', { permission: 'role:owner' })
  expect((await assign(own.id, hugo.id)).status).toBe(204)
  for (const { id } of [other, paying, ofOwners]) {
    const refused = await assign(id, hugo.id)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ errors: [{ path: 'personId' }] })
  }
  expect((await assign(paying.id, world.vera.id)).status).toBe(422)
  expect((await assign(paying.id, world.ada.id)).status).toBe(204)
  expect((await assign(paying.id, world.mallory.id)).status).toBe(404)
})

test('DSH-20 members who can see an action are offered to assign it to, by name, and found by a part of it', async () => {
  const { brands, organizations } = world.ada.things
  const iris = await world.join(world.ada, { name: 'Iris', role: 'editor' })
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: brands, role: 'editor' }]
  await world.ada.fetchJson(`PUT /api/organizations/${organizations}/members/${iris.id}/resources`, { resources })
  const offered = async (caller: Caller, id: string, query = '') => {
    const path = `GET /api/notifications/${id}/assignees${query}`
    const { items, more } = await caller.fetchJson<{ items: { name: string }[]; more: boolean }>(path)
    return { names: items.map(({ name }) => name), more }
  }
  const ofBrand = { service: 'platform-socialize', permission: 'posts:read', resourceKind: 'brand' }
  const own = await take('offered to Iris', { ...ofBrand, resourceId: brands })
  const other = await take('not offered to Iris', { ...ofBrand, resourceId: newId() })
  const paying = await take('offered to those who settle', { permission: 'settlements:write' })
  const { names } = await offered(world.ada, own.id)
  expect(names).toEqual(names.toSorted())
  expect(names).toEqual(expect.arrayContaining(['Ada', 'Iris', 'Vera']))
  expect(names).not.toContain('Mallory')
  const withoutIris = await offered(world.ada, other.id)
  expect(withoutIris.names).toContain('Vera')
  expect(withoutIris.names).not.toContain('Iris')
  expect((await offered(world.ada, paying.id)).names).not.toContain('Vera')
  expect(await offered(world.ada, own.id, '?q=IR')).toEqual({ names: ['Iris'], more: false })
  expect(await offered(world.ada, own.id, '?q=ver&limit=1')).toEqual({ names: ['Vera'], more: false })
  expect(await offered(world.ada, own.id, '?limit=1')).toEqual({ names: ['Ada'], more: true })
  expect(await offered(iris, own.id, '?q=ver')).toEqual({ names: ['Vera'], more: false })
  expect((await iris.fetch(`GET /api/notifications/${other.id}/assignees`)).status).toBe(404)
  expect((await world.mallory.fetch(`GET /api/notifications/${own.id}/assignees`)).status).toBe(404)
  expect((await world.vera.fetch(`GET /api/notifications/${paying.id}/assignees`)).status).toBe(404)
})
