import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { WidgetPayload } from '#lib/widget.ts'
import { takeAction } from '../../src/dashboard/actions/take.ts'
import { capture, post } from '../payments/ledger-fixtures.ts'
import { addMerchantIn } from '../payments/reports/fixtures.ts'
import { readingOf } from '../payments/recorded-plans.ts'
import { openWorld, type Caller, type Person, type World } from '../support/world.ts'

// The widget of each of the platform's services (DSH-10), as each kind of caller sees it.

const hour = 60 * 60_000
const day = 24 * hour

let world: World
let edda: Person
let brandId: string
beforeAll(async () => {
  world = await openWorld()
  edda = await world.join(world.ada, { name: 'Edda', role: 'editor' })
  brandId = await addBrand('Noon bakery')
})
afterAll(() => world.close())

const organizationId = () => world.ada.things.organizations
const now = new Date()
/** Where it is about noon, so that an hour from now is on the same day. */
const noonZone = (() => {
  const ahead = 12 - now.getUTCHours()
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
})()
const localDayOf = (at: Date) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(noonZone).toPlainDate().toString()

async function addBrand(name: string): Promise<string> {
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name, timeZone: noonZone }, 201)
  return id
}

interface NewPost {
  status: 'scheduled' | 'published' | 'failed'
  at: Date
  text?: string
  brand?: string
}

async function addPost({ status, at, text = status, brand = brandId }: NewPost): Promise<string> {
  const id = newId()
  const time = at.toISOString()
  await world.database.sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, status, text, scheduled_at, due_at, platform_post_id,
      published_at, failure_code, failed_at)
    VALUES (${id}, ${brand}, ${world.ada.id}, 'sandbox', ${status}, ${text}, ${time},
      ${status === 'scheduled' ? time : null}, ${status === 'published' ? id : null},
      ${status === 'published' ? time : null}, ${status === 'failed' ? 'rejected' : null},
      ${status === 'failed' ? time : null})`
  return id
}

const widget = async (caller: Caller, app: string) => WidgetPayload.parse(await read(caller, app))
const read = (caller: Caller, app: string) => caller.fetchJson(`GET /api/widget?app=${app}`)
const social = (caller: Caller) => widget(caller, 'platform-socialize')
const metric = ({ metrics }: WidgetPayload, label: string) => {
  const found = metrics.find((one) => one.label === label)
  return found ? Number(found.value) : null
}
const countsOf = (one: WidgetPayload) =>
  ['Due today', 'Published this week', 'Failed'].map((label) => metric(one, label) ?? NaN)
const ids = ({ items }: WidgetPayload) => items.map(({ id }) => id)
const limitTo = (brand: string, role: string) =>
  world.ada.fetchJson(`PUT /api/organizations/${organizationId()}/members/${edda.id}/resources`, {
    resources: [{ service: 'platform-socialize', kind: 'brand', id: brand, role }],
  })

interface Loaded {
  state: string
  payload: WidgetPayload
}
const batch = async (caller: Caller, app: string) =>
  (await caller.fetchJson<{ items: Loaded[] }>('POST /api/widgets', { apps: [app] })).items

test('DSH-10 PLT-05 ?app= selects the service whose widget is shown, and social is the default', async () => {
  const slugs = [
    'platform-identity',
    'platform-gateway',
    'platform-socialize',
    'platform-pay',
    'platform-dashboard-api',
  ]
  for (const slug of slugs) expect((await widget(world.ada, slug)).app.slug).toBe(slug)
  expect(await world.ada.fetchJson('GET /api/widget')).toMatchObject({ app: { slug: 'platform-socialize' } })
  for (const slug of ['', 'platform-nothing', 'platform'])
    expect((await world.ada.fetch(`GET /api/widget?app=${slug}`)).status).toBe(404)
  for (const slug of slugs) {
    expect((await world.stranger.fetch(`GET /api/widget?app=${slug}`)).status).toBe(401)
    expect((await world.nora.fetch(`GET /api/widget?app=${slug}`)).status).toBe(403)
  }
})

test('DSH-10 social widget counts posts in the days of each brand, with failed ones before the next ones', async () => {
  const before = await social(world.ada)
  await addPost({ status: 'scheduled', at: new Date(now.getTime() + 26 * hour), text: 'Tomorrow' })
  const late = await addPost({ status: 'scheduled', at: new Date(now.getTime() - hour), text: 'Late' })
  const soon = await addPost({ status: 'scheduled', at: new Date(now.getTime() + hour), text: 'Soon' })
  await addPost({ status: 'scheduled', at: new Date(now.getTime() + 9 * day) })
  await addPost({ status: 'published', at: new Date(now.getTime() - 60_000) })
  await addPost({ status: 'published', at: new Date(now.getTime() - 8 * day) })
  const failed = await addPost({ status: 'failed', at: new Date(), text: `Long ${'words '.repeat(200)}` })
  const after = await social(world.ada)
  expect(countsOf(after)).toEqual(countsOf(before).map((count, at) => count + (at === 0 ? 2 : 1)))
  expect(ids(after)[0]).toBe(failed)
  expect(ids(after)).toContain(late)
  expect(ids(after).indexOf(late)).toBeLessThan(ids(after).indexOf(soon))
  const statuses = after.items.map(({ status }) => status)
  expect(statuses).toEqual(statuses.toSorted())
  expect(after.items.find(({ id }) => id === soon)).toMatchObject({
    title: 'Soon',
    subtitle: 'Sandbox · Noon bakery',
    status: 'scheduled',
    icon: 'net-sandbox',
    href: `/workspace/posts/${soon}?brandId=${brandId}`,
    at: new Date(now.getTime() + hour).toISOString(),
  })
  const on = ({ series = [] }: WidgetPayload, at: Date) =>
    Number(series[0]?.points.find((point) => point.at === localDayOf(at))?.value ?? 0)
  expect(on(after, now) - on(before, now)).toBe(2)
  const tomorrow = new Date(now.getTime() + day)
  expect(on(after, tomorrow) - on(before, tomorrow)).toBe(1)
  expect(after.series?.[0]?.points.length).toBeLessThanOrEqual(8)
})

test('DSH-10 IDN-27 social widget of a brand-limited role, a bound key and another tenant has their brands only', async () => {
  const other = await addBrand('Elsewhere')
  const own = await addPost({ status: 'failed', at: new Date(), brand: other, text: 'Elsewhere only' })
  await limitTo(other, 'editor')
  const limited = await social(edda)
  expect(countsOf(limited)).toEqual([0, 0, 1])
  expect(ids(limited)).toEqual([own])
  expect(limited.metrics[2]?.href).toBe(`/workspace/posts?brandId=${other}&status=failed`)
  expect(limited.actions).toEqual([{ label: 'New post', method: 'GET', href: '/workspace/posts/new' }])
  await limitTo(other, 'viewer')
  expect((await social(edda)).actions).toEqual([])
  const bound = await world.ada.createKey({
    scopes: ['dashboard.read', 'posts.read'],
    bindings: [{ kind: 'brand', id: other }],
  })
  expect(ids(await social(bound))).toEqual([own])
  expect(ids(await social(world.mallory))).not.toContain(own)
  expect((await batch(edda, 'platform-socialize')).map(({ payload }) => ids(payload))).toEqual([[own]])
})

test('SOC-32 IDN-27 social widget offers decisions on the present version of posts that a person can review', async () => {
  const brand = await addBrand('Reviewed bakery')
  await limitTo(brand, 'reviewer')
  const draft = { brandId: brand, provider: 'sandbox', text: 'Please decide' }
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/posts', draft, 201)
  await world.ada.fetchJson(`POST /api/posts/${id}/review-requests`, {}, 201)
  const decisionsIn = ({ items }: WidgetPayload) =>
    items
      .flatMap((item) => (item.id === id ? (item.actions ?? []) : []))
      .map(({ method, href, body }) => [method, href, body])
  const decisionsAt = (version: number) =>
    ['request_changes', 'approve'].map((decision) => ['POST', `/api/posts/${id}/reviews`, { decision, version }])
  expect(decisionsIn(await social(edda))).toEqual(decisionsAt(1))
  await world.ada.fetchJson(`PUT /api/posts/${id}`, { text: 'Decide again' })
  expect((await edda.fetch(`POST /api/posts/${id}/reviews`, { decision: 'approve', version: 1 })).status).toBe(409)
  expect(decisionsIn(await social(edda))).toEqual(decisionsAt(2))
  // Its author, another brand, a viewer, and a key.
  expect(decisionsIn(await social(world.ada))).toEqual([])
  const key = await world.ada.createKey({ scopes: ['dashboard.read', 'posts.read'] })
  expect(decisionsIn(await social(key))).toEqual([])
  await limitTo(brandId, 'reviewer')
  expect(decisionsIn(await social(edda))).toEqual([])
  await limitTo(brand, 'viewer')
  expect(decisionsIn(await social(edda))).toEqual([])
})

test('DSH-10 social widget has the parts that the caller’s permissions allow', async () => {
  expect((await social(world.vera)).actions).toEqual([])
  expect((await social(world.vera)).metrics).toHaveLength(3)
  const dashboardOnly = await world.ada.createKey({ scopes: ['dashboard.read'] })
  expect(await social(dashboardOnly)).toMatchObject({ metrics: [], items: [], actions: [] })
  const posts = await world.ada.createKey({ scopes: ['posts.read'] })
  expect((await posts.fetch('GET /api/widget?app=platform-socialize')).status).toBe(403)
  const writer = await world.ada.createKey({ scopes: ['dashboard.read', 'posts.read', 'posts.write'] })
  expect((await social(writer)).actions.map(({ label }) => label)).toEqual(['New post'])
})

test('DSH-10 payments widget compares takings with the same weekday until the same time, in the merchant’s zone', async () => {
  const merchant = await addMerchantIn(world, organizationId(), noonZone)
  const pay = () => widget(world.ada, 'platform-pay')
  const before = metric(await pay(), 'Takings today') ?? NaN
  const take = (amount: bigint, ms: number) =>
    post(world.database, capture(merchant, amount, 0n, entriesOf(amount, new Date(now.getTime() + ms))))
  await take(1_000n, -hour)
  await take(800n, -7 * day - hour)
  await take(5_000n, -7 * day + hour)
  await take(7_000n, -day)
  const shown = await pay()
  const today = metric(shown, 'Takings today') ?? NaN
  expect(today - before).toBeCloseTo(10)
  expect(shown.metrics[0]?.trend).toBeCloseTo((today / 8 - 1) * 100, 0)
  expect(shown.metrics[0]?.detail).toMatch(/^on last \w+day until now$/)
  expect(shown.series?.[0]?.points).toHaveLength(14)
  expect(shown.series?.[0]?.points.find(({ at }) => at === localDayOf(new Date(now.getTime() - day)))?.value).toBe(
    '70.00',
  )
})

const entriesOf = (amount: bigint, at: Date) => ({
  at,
  entries: [
    { account: 'clearing' as const, amount },
    { account: 'merchant' as const, amount: -amount },
  ],
})

test('DSH-10 payments widget shows orders only to those who can read them', async () => {
  const owner = await widget(world.ada, 'platform-pay')
  expect(owner.items.length).toBeGreaterThan(0)
  expect(owner.actions.map(({ label }) => label)).toEqual(['New order'])
  const viewer = await widget(world.vera, 'platform-pay')
  expect(ids(viewer)).toEqual(ids(owner))
  expect(viewer.actions).toEqual([])
  const key = await world.ada.createKey({ service: 'platform-pay', scopes: ['dashboard.read'] })
  const limited = await widget(key, 'platform-pay')
  expect(limited).toMatchObject({ items: [], actions: [] })
  expect(limited.metrics.map(({ label }) => label)).toEqual(['Takings today', 'Refunds today', 'Takings in 14 days'])
  expect(JSON.stringify(limited)).not.toContain('/pay/orders')
  expect(ids(await widget(world.mallory, 'platform-pay')).filter((id) => ids(owner).includes(id))).toEqual([])
})

test('DSH-10 identity widget shows admins what waits and expires, and members only their own warnings', async () => {
  const key = await world.ada.createKey({ name: 'Till', scopes: ['posts.read'], expiresInDays: 7 })
  const lasting = await world.ada.createKey({ name: 'Backup', scopes: ['posts.read'], expiresInDays: 90 })
  const invited = 'invited@example.org'
  const path = `/api/organizations/${organizationId()}/invitations`
  await world.ada.fetchJson(`POST ${path}`, { email: invited, role: 'editor' }, 201)
  const admin = await widget(world.ada, 'platform-identity')
  const { items: members } = await world.ada.fetchJson<{ items: { secondFactor: boolean | null }[] }>(
    `GET /api/organizations/${organizationId()}/members?limit=100`,
  )
  const { items: pending } = await world.ada.fetchJson<{ items: { expired: boolean }[] }>(`GET ${path}?limit=100`)
  expect(admin.metrics.map(({ label, value }) => [label, Number(value)])).toEqual([
    ['Members', members.length],
    ['Pending invitations', pending.filter(({ expired }) => !expired).length],
    ['Without two-factor', members.filter(({ secondFactor }) => secondFactor === false).length],
  ])
  expect(admin.items.find(({ id }) => id === key.id)).toMatchObject({ title: 'Till', status: 'expiring' })
  expect(ids(admin)).not.toContain(lasting.id)
  expect(admin.items.map(({ title }) => title)).toContain(invited)
  const viewer = await widget(world.vera, 'platform-identity')
  expect(viewer.metrics.map(({ label }) => label)).toEqual(['Members'])
  expect(viewer.items.map(({ id }) => id)).toEqual([world.vera.id])
  expect(viewer.actions).toEqual([])
  expect(JSON.stringify(await read(world.mallory, 'platform-identity'))).not.toContain(invited)
  expect((await key.fetch('GET /api/widget?app=platform-identity')).status).toBe(403)
})

test('DSH-10 identity widget hides keys of a service whose keys an admin can’t manage', async () => {
  const key = await world.ada.createKey({ name: 'Kiosk', scopes: ['posts.read'], expiresInDays: 3 })
  const olga = await world.join(world.ada, { name: 'Olga', role: 'admin' })
  expect(ids(await widget(olga, 'platform-identity'))).toContain(key.id)
  await world.database.sql`
    INSERT INTO identity.user_permission_overrides (id, organization_id, user_id, service_id, permission, effect, created_at)
    VALUES (${newId()}, ${organizationId()}, ${olga.id}, ${world.serviceId}, 'api_keys:write', 'deny', now())`
  expect(ids(await widget(olga, 'platform-identity'))).not.toContain(key.id)
})

const raise = (title: string, changes: object = {}) =>
  takeAction(
    { ...world.provided, database: world.database, now: () => new Date() },
    {
      id: newId(),
      organizationId: organizationId(),
      surface: 'action',
      service: 'platform-pay',
      kind: 'payments.dispute',
      permission: 'payments:read',
      resourceKind: null,
      resourceId: null,
      personId: null,
      cause: title,
      title,
      reason: 'A customer disputes a payment.',
      href: '/pay/orders',
      actions: [],
      dueAt: new Date(),
      raisedAt: new Date(),
      resolvedAt: null,
      version: 1,
      ...changes,
    },
  )

test('DSH-10 DSH-11 dashboard widget has the open actions that the caller can see, also in the batch', async () => {
  await world.database.sql`DELETE FROM dashboard.notifications`
  await raise('Answer a dispute')
  await raise('For admins', { permission: 'role:admin' })
  const titles = ({ items }: WidgetPayload) => items.map(({ title }) => title).toSorted()
  const open = (caller: Caller) => widget(caller, 'platform-dashboard-api')
  expect(titles(await open(world.ada))).toEqual(['Answer a dispute', 'For admins'])
  expect(metric(await open(world.ada), 'Open')).toBe(2)
  expect(titles(await open(world.vera))).toEqual(['Answer a dispute'])
  expect(titles(await open(world.mallory))).toEqual([])
  const loaded = async (caller: Caller) =>
    (await batch(caller, 'platform-dashboard-api')).map(({ state, payload }) => [state, titles(payload)])
  expect(await loaded(world.vera)).toEqual([['fresh', ['Answer a dispute']]])
  expect(await loaded(world.ada)).toEqual([['fresh', ['Answer a dispute', 'For admins']]])
  const key = await world.ada.createKey({ service: 'platform-dashboard-api', scopes: ['dashboard.read'] })
  expect(await open(key)).toMatchObject({ metrics: [], items: [], actions: [] })
})

test('DSH-10 IDN-27 brand-limited role opens the dashboard, with the actions of its brands only', async () => {
  await limitTo(brandId, 'editor')
  const other = await addBrand('Another bakery')
  const about = (id: string) => ({
    service: 'platform-socialize',
    permission: 'posts:read',
    resourceKind: 'brand',
    resourceId: id,
  })
  await raise('Mine', about(brandId))
  await raise('Of another brand', about(other))
  const [shown] = await batch(edda, 'platform-dashboard-api')
  expect(shown?.payload.items.map(({ title }) => title)).toEqual(['Mine'])
  expect((await edda.fetch('GET /api/dashboard')).status).toBe(200)
  expect((await edda.fetch('GET /api/notifications')).status).toBe(200)
})

test('DSH-10 social widget reads at most 3,000 rows of 100,000 posts, by indexes', async () => {
  const { sql } = world.database
  const brands = await Promise.all(Array.from({ length: 10 }, (_, nth) => addBrand(`Many ${nth}`)))
  await sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, status, text, scheduled_at, due_at, platform_post_id,
      published_at)
    SELECT uuidv7(), (${sql.array(brands)}::uuid[])[1 + at % 10], ${world.ada.id}, 'sandbox',
      CASE WHEN at % 10 = 0 THEN 'scheduled' ELSE 'published' END, 'Many words ' || at, made,
      CASE WHEN at % 10 = 0 THEN made END, CASE WHEN at % 10 > 0 THEN 'many-' || at END,
      CASE WHEN at % 10 > 0 THEN made END
    FROM generate_series(1, 100000) AS at,
      LATERAL (SELECT CASE WHEN at % 10 = 0 THEN now() + at * interval '10 minutes'
        ELSE now() - at * interval '5 minutes' END AS made)`
  await sql.unsafe('VACUUM ANALYZE social.posts')
  const { scanned, rows, text } = await readingOf(world, () => social(world.ada))
  expect(rows, text).toBeLessThanOrEqual(3_000)
  expect(scanned).not.toContain('posts')
})
