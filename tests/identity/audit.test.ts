import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, tokenIn, type Caller, type World } from '../support/world.ts'

interface Entry {
  id: string
  summary: string
  at: string
  operation: string
  outcome: string
  principal: { id: string } | null
  credential: { kind: string; id: string } | null
  object: { kind: string; id: string } | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  requestId: string
}
interface Answer {
  items: Entry[]
  nextCursor: string | null
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const logOf = (caller: Caller, query = '') => caller.fetchJson<Answer>(`GET /api/audit?limit=100${query}`)
const latest = async (caller: Caller, query = '') => (await logOf(caller, query)).items[0]

test('PLT-24 changes by members are in their organization’s log with their objects', async () => {
  const { items } = await logOf(world.ada)
  const kinds = new Set(items.map(({ operation, object }) => `${operation} ${object?.kind}`))
  for (const kind of [
    'register organization',
    'register session',
    'createBrand brand',
    'connectIntegration account',
    'createPost post',
  ])
    expect(kinds).toContain(kind)
  expect(new Set(items.map(({ principal }) => principal?.id))).toContain(world.ada.id)
  expect(items.every(({ at }, nth) => nth === 0 || at <= (items[nth - 1]?.at ?? ''))).toBe(true)
})

test('PLT-24 event has its actor’s name, and the list is a fragment whose next page keeps the filters', async () => {
  expect(await latest(world.ada, `&principalId=${world.ada.id}`)).toMatchObject({ principal: { name: 'Ada' } })
  const query = `?principalId=${world.ada.id}&from=2026-01-01T00:00:00Z&to=2126-01-01T00:00:00Z&limit=1`
  const fragment = await (await world.ada.fetch(`GET /api/audit${query}`, undefined, { 'hx-request': 'true' })).text()
  expect(fragment).toStartWith('<div class="stack" id="audit-events"')
  expect(fragment).toContain(`href="/settings/audit?principalId=${world.ada.id}&amp;from=2026-01-01&amp;to=2125-12-31`)
  const [, next = ''] = /hx-get="([^"]+)"/.exec(fragment) ?? []
  expect((await world.ada.fetch(`GET ${next.replaceAll('&amp;', '&')}`)).status).toBe(200)
})

test('PLT-24 events are sentences that name the objects involved', async () => {
  const organization = `/api/organizations/${world.ada.things.organizations}`
  expect((await logOf(world.ada, '&operation=register')).items.map(({ summary }) => summary)).toEqual([
    'Signed in',
    'Created organization “Acme”',
  ])
  const since = (await latest(world.ada))?.at ?? ''
  const finn = await world.join(world.ada, { name: 'Finn', role: 'viewer' })
  await world.ada.fetchJson(`PATCH ${organization}/members/${finn.id}`, { role: 'editor' })
  const draft = { name: 'CI', service: 'platform-socialize', scopes: ['posts.read'] }
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/api-keys', draft, 201)
  await world.ada.fetchJson(`DELETE /api/api-keys/${id}`)
  await world.ada.fetchJson(`PUT /api/brands/${world.ada.things.brands}`, { voice: 'Cheerful' })
  await finn.fetchJson(`DELETE ${organization}/members/${finn.id}`, undefined, 204)
  const { items } = await logOf(world.ada, `&from=${since}`)
  const summaries = items.map(({ summary }) => summary)
  expect(summaries).toEqual(
    expect.arrayContaining([
      'Left the organization',
      'Updated brand “Acme Coffee”',
      'Revoked API key “CI”',
      'Created API key “CI”',
      'Changed the role of Finn from Viewer to Editor',
      'Joined the organization as Viewer',
      'Accepted the invitation',
      'Invited Finn as Viewer',
    ]),
  )
})

test('PLT-24 events name a post and a webhook also where they change something else or are deleted', async () => {
  const since = (await latest(world.ada))?.at ?? ''
  const text = 'Our new   roast\nis here, and it tastes of cherries, chocolate and a bit of orange'
  const draft = { brandId: world.ada.things.brands, provider: 'sandbox', text }
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/posts', draft, 201)
  const at = '2100-01-01T10:00:00Z'
  await world.ada.fetchJson(`PUT /api/posts/${id}`, { status: 'scheduled', scheduledAt: at, version: 1 })
  await world.ada.fetchJson(`POST /api/posts/${id}/unschedule`, {})
  await world.ada.fetchJson(`DELETE /api/posts/${id}`, undefined, 204)
  const hook = { name: 'Orders', url: 'https://hooks.example.com/', events: ['post.published'] }
  const webhook = await world.ada.fetchJson<{ id: string }>('POST /api/webhooks', hook, 201)
  await world.ada.fetchJson(`PATCH /api/webhooks/${webhook.id}`, { events: ['post.failed'] })
  const { items } = await logOf(world.ada, `&from=${since}`)
  const post = 'post “Our new roast is here, and it tastes of cherries, chocolate…”'
  expect(items.slice(0, 6).map(({ summary }) => summary)).toEqual([
    'Updated webhook “Orders”',
    'Created webhook “Orders”',
    `Deleted ${post}`,
    `Unscheduled ${post}`,
    `Scheduled ${post}`,
    `Created ${post}`,
  ])
})

test('PLT-24 switching to an organization doesn’t reveal the previous one to its members', async () => {
  const { organizations: umbrella } = world.mallory.things
  const gus = await world.join(world.ada, { name: 'Gus', role: 'viewer' })
  const invitation = { email: gus.email, role: 'viewer' }
  await world.mallory.fetchJson(`POST /api/organizations/${umbrella}/invitations`, invitation, 201)
  expect((await latest(world.mallory))?.summary).toBe(`Invited ${gus.email} as Viewer`)
  await gus.fetchJson('POST /api/invitations/accept', { token: tokenIn((await world.letters(gus.email))[0]) })
  await gus.fetchJson('POST /api/auth/context', { organizationId: umbrella })
  expect(await latest(world.mallory)).toMatchObject({
    summary: 'Switched to this organization',
    before: null,
    after: null,
  })
})

test('PLT-12 PLT-24 days in a filter are included in full, and the filtered list updates the page’s URL', async () => {
  const day = new Date().toISOString().slice(0, 10)
  expect((await logOf(world.ada, `&from=${day}&to=${day}`)).items).not.toBeEmpty()
  expect((await logOf(world.ada, '&to=2020-01-01')).items).toBeEmpty()
  const refused = await world.ada.fetch('GET /api/audit?from=yesterday')
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'from' }] }])
  const query = `?principalId=&object=brand&from=&to=${day}`
  const answer = await world.ada.fetch(`GET /api/audit${query}`, undefined, { 'hx-request': 'true' })
  expect(answer.headers.get('hx-push-url')).toBe(`/settings/audit?object=brand&to=${day}`)
})

test('PLT-24 days in a filter are days of the time zone: of the reader on the page, of `timeZone` in the API, else of UTC', async () => {
  const organization = world.ada.things.organizations
  await world.database.sql`INSERT INTO platform.audit_log (id, at, organization_id, operation, outcome, request_id)
    VALUES (gen_random_uuid(), '2021-05-04T22:30:00Z', ${organization}, 'late', 'done', gen_random_uuid())`
  const day = '&from=2021-05-05&to=2021-05-05'
  const berlin = `${day}&timeZone=Europe/Berlin`
  expect((await logOf(world.ada, day)).items).toBeEmpty()
  expect(await latest(world.ada, berlin)).toMatchObject({ operation: 'late' })
  expect(await (await world.ada.fetch(`GET /api/audit/export?${berlin}`)).text()).toContain('"late"')
  const answer = await world.ada.fetch(`GET /api/audit?${berlin}`, undefined, { 'hx-request': 'true' })
  expect(answer.headers.get('hx-push-url')).toBe('/settings/audit?from=2021-05-05&to=2021-05-05')
  const refused = await world.ada.fetch('GET /api/audit?timeZone=Mars')
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'timeZone' }] }])

  const { cookie } = await world.ada.signIn()
  const pageIn = async (zone: string) => {
    const headers = { cookie: `${cookie}; zone=${encodeURIComponent(zone)}`, accept: 'text/html' }
    return (await world.ada.fetch(`GET /settings/audit?${day.slice(1)}`, undefined, headers)).text()
  }
  const page = await pageIn('Europe/Berlin')
  expect(page).toContain('Wednesday 5 May 2021')
  expect(page).toContain('name="timeZone" value="Europe/Berlin"')
  expect(await pageIn('UTC')).toContain('No results')
})

test('PLT-24 edit is logged with the changed fields before and after and the request id', async () => {
  const { brands } = world.ada.things
  const edited = await world.ada.fetch(`PUT /api/brands/${brands}`, { voice: 'Warm', name: 'Acme Coffee' })
  expect(await latest(world.ada)).toMatchObject({
    operation: 'updateBrand',
    outcome: 'done',
    principal: { id: world.ada.id },
    credential: { kind: 'access' },
    object: { kind: 'brand', id: brands },
    before: {},
    after: { voice: 'Warm' },
    requestId: edited.headers.get('x-request-id') ?? '',
  })
})

test('PLT-24 successful changes to accounts, posts and sessions are logged, but rejected ones are not', async () => {
  const { accounts, posts, scheduled } = world.ada.things
  const last = async () => (await latest(world.ada))?.operation
  await world.ada.fetchJson(`POST /api/accounts/${accounts}/deactivate`, {})
  expect(await latest(world.ada)).toMatchObject({ before: { active: true }, after: { active: false } })
  await world.ada.fetchJson(`POST /api/accounts/${accounts}/reconnect`, {})
  await world.ada.fetchJson(`PUT /api/posts/${posts}`, { text: 'Better words' })
  expect(await latest(world.ada, `&objectId=${posts}`)).toMatchObject({ after: { text: 'Better words' } })
  await world.ada.fetchJson(`POST /api/posts/${scheduled}/publish-now`, {})
  expect(await last()).toBe('publishPostNow')
  const copy = await world.ada.fetchJson<{ id: string }>(`POST /api/posts/${posts}/duplicate`, {}, 201)
  await world.ada.fetchJson(`DELETE /api/posts/${copy.id}`, undefined, 204)
  expect(await latest(world.ada)).toMatchObject({ operation: 'deletePost', object: { id: copy.id }, after: null })
  expect((await world.ada.fetch(`DELETE /api/posts/${copy.id}`)).status).toBe(404)
  expect((await logOf(world.ada, `&objectId=${copy.id}`)).items.map(({ operation }) => operation)).toEqual([
    'deletePost',
    'duplicatePost',
  ])
  const other = await world.ada.signIn()
  await other.fetch('POST /api/auth/logout', {})
  expect(await last()).toBe('logout')
})

test('PLT-24 successful sign-in is in the organization’s log, but a rejected one is not', async () => {
  await world.ada.signIn()
  expect(await latest(world.ada)).toMatchObject({
    operation: 'login',
    principal: { id: world.ada.id },
    outcome: 'done',
  })
  const before = (await logOf(world.ada)).items.length
  for (const email of [world.ada.email, 'unknown@example.com'])
    expect((await world.stranger.fetch('POST /api/auth/login', { email, password: `${password}!` })).status).toBe(401)
  expect((await logOf(world.ada)).items.length).toBe(before)
  const refused = await world.database.sql`
    SELECT object_id, principal_id, organization_id, before, after FROM platform.audit_log WHERE outcome = 'refused' ORDER BY object_id`
  const nothing = { principal_id: null, organization_id: null, before: null, after: null }
  expect([...refused]).toEqual([
    { object_id: world.ada.id, ...nothing },
    { object_id: null, ...nothing },
  ])
})

test('PLT-24 log contains no secrets', async () => {
  const [all] = await world.database.sql`SELECT json_agg(a)::text AS text FROM platform.audit_log a`
  const text = String(all?.['text'])
  expect(text).toContain('createBrand')
  expect(text).not.toContain(password)
  expect(text).not.toMatch(/argon2|eyJ|sealed/)
})

test('PLT-24 log is readable by admins and owners of its organization only', async () => {
  expect((await world.vera.fetch('GET /api/audit')).status).toBe(403)
  expect((await world.nora.fetch('GET /api/audit/export')).status).toBe(403)
  expect((await world.stranger.fetch('GET /api/audit')).status).toBe(401)
  const theirs = JSON.stringify(await logOf(world.mallory))
  for (const id of [world.ada.id, ...Object.values(world.ada.things)].filter(Boolean)) expect(theirs).not.toContain(id)
  expect((await logOf(world.mallory, `&objectId=${world.ada.things.brands}`)).items).toEqual([])
})

test('PLT-12 PLT-24 log pages have no gaps between them and can be filtered by actor, object, operation and time', async () => {
  const first = await logOf(world.ada)
  const rest = first.nextCursor === null ? [] : (await logOf(world.ada, `&cursor=${first.nextCursor}`)).items
  const all = [...first.items, ...rest]
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Answer = await world.ada.fetchJson(`GET /api/audit?limit=4${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(seen).toEqual(all.map(({ id }) => id))
  const filtered = async (query: string, holds: (entry: Entry) => boolean) => {
    const { items } = await logOf(world.ada, query)
    expect(items.map(({ id }) => id)).toEqual(all.filter(holds).map(({ id }) => id))
    expect(items.length).toBeLessThan(all.length)
    expect(items.length).toBeGreaterThan(0)
  }
  await filtered('&operation=createPost', ({ operation }) => operation === 'createPost')
  await filtered('&object=brand', ({ object }) => object?.kind === 'brand')
  const middle = all[Math.floor(all.length / 2)]?.at ?? ''
  await filtered(`&from=${middle}`, ({ at }) => at >= middle)
  await filtered(`&to=${middle}`, ({ at }) => at < middle)
  expect((await logOf(world.ada, `&principalId=${world.mallory.id}`)).items).toEqual([])
  expect((await world.ada.fetch('GET /api/audit?cursor=bm9uZQ')).status).toBe(422)
})

test('PLT-24 log export is NDJSON, oldest first, across batches and with the same filters', async () => {
  const { sql } = world.database
  await sql`INSERT INTO platform.audit_log (id, at, organization_id, operation, outcome, request_id)
    SELECT gen_random_uuid(), now() - interval '1 day', ${world.mallory.things.organizations}, 'older', 'done', gen_random_uuid()
    FROM generate_series(1, 1200)`
  const response = await world.mallory.fetch('GET /api/audit/export')
  expect(response.headers.get('content-type')).toBe('application/x-ndjson')
  expect(response.headers.get('content-disposition')).toContain('audit.ndjson')
  const entries: Entry[] = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(entries.filter(({ operation }) => operation === 'older').length).toBe(1200)
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
  expect(entries.every(({ at }, nth) => nth === 0 || at >= (entries[nth - 1]?.at ?? ''))).toBe(true)
  const own = entries.filter(({ operation }) => operation === 'createPost')
  expect(own.at(-1)).toMatchObject({ principal: { id: world.mallory.id } })
  const brands = await world.mallory.fetch('GET /api/audit/export?object=brand')
  expect((await brands.text()).trim().split('\n')).toHaveLength(1)
})

test('PLT-24 log page ignores filter dates that the database can’t represent', async () => {
  const { cookie } = await world.ada.signIn()
  for (const query of ['to=9999-12-31', 'from=0000-01-01', 'from=0001-01-01&to=0001-01-01']) {
    const page = await world.ada.fetch(`GET /settings/audit?${query}`, undefined, { cookie, accept: 'text/html' })
    expect([query, page.status]).toEqual([query, 200])
  }
})
