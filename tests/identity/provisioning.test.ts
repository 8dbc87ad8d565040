import { afterAll, beforeAll, expect, test } from 'bun:test'
import { serviceTokens } from '#identity'
import { digest, newId } from '#lib/ids.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { openWorld, password, type Caller, type World } from '../support/world.ts'
import { bearer, json, startIdentity } from './server.tsx'

let world: World
let pay: Caller

beforeAll(async () => {
  world = await openWorld()
  pay = world.services['platform-pay'] ?? world.stranger
})

afterAll(() => world.close())

interface Provisioned {
  orgId: string
  userId: string
  created: boolean
  loginUrl: string
  expiresAt: string
}

const route = 'POST /api/internal/provision-from-checkout'
const checkout = (more: object = {}) => ({
  email: `${newId()}@example.com`,
  workspaceName: 'Roastery',
  serviceId: world.serviceId,
  redirectUri: 'http://localhost/workspace/posts?from=checkout',
  entitlement: { mode: 'count', paidAppCount: 3, appSlugs: ['platform-socialize'] },
  ...more,
})

const provision = (more: object = {}, status = 201) => pay.fetchJson<Provisioned>(route, checkout(more), status)
const navigation = { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
const open = (loginUrl: string) =>
  world.stranger.fetch(`GET ${loginUrl.replace('http://localhost', '')}`, undefined, navigation)
const appsOf = async (organizationId: string) =>
  (
    await world.database.sql`
      SELECT slug FROM identity.service_access JOIN identity.services ON id = service_id
      WHERE organization_id = ${organizationId} ORDER BY slug`
  ).map((row) => row['slug'])

test('IDN-41 first checkout creates an organization, an owner without a password, and a link that signs them in on its page', async () => {
  const email = 'grace.hopper@example.com'
  const { orgId, userId, created, loginUrl, expiresAt } = await provision({ email: ' Grace.Hopper@Example.com ' })
  expect(created).toBe(true)
  expect(loginUrl).toMatch(/^http:\/\/localhost\/magic-link\/consume\?token=[\w-]{43}$/)
  expect(Date.parse(expiresAt) - Date.now()).toBeWithin(9 * 60_000, 10 * 60_000 + 1)
  const [row] = await world.database.sql`
    SELECT u.email, u.name, u.password_hash, m.role, o.slug, o.name AS workspace, o.settings
    FROM identity.users u JOIN identity.memberships m ON m.user_id = u.id
    JOIN identity.organizations o ON o.id = m.organization_id WHERE u.id = ${userId} AND o.id = ${orgId}`
  expect(row).toEqual({
    email,
    name: 'grace.hopper',
    password_hash: null,
    role: 'owner',
    slug: 'roastery',
    workspace: 'Roastery',
    settings: { appEntitlement: { mode: 'count', paidAppCount: 3, appSlugs: ['platform-socialize'] } },
  })
  const opened = await open(loginUrl)
  expect([opened.status, opened.headers.get('location')]).toEqual([303, '/workspace/posts?from=checkout'])
  const cookie = opened.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ')
  const me = await json(await world.stranger.fetch('GET /api/auth/me', undefined, { cookie }))
  expect(me).toMatchObject({ user: { id: userId }, organization: { id: orgId, role: 'owner' } })
  const reported = await json(await world.stranger.fetch(`GET /api/organizations/${orgId}`, undefined, { cookie }))
  expect(reported).toMatchObject({ slug: 'roastery', developerWorkspace: false, settings: row?.['settings'] })
  expect((await world.stranger.fetch('GET /workspace/posts', undefined, { cookie, ...navigation })).status).toBe(200)
  expect((await open(loginUrl)).status).toBe(404)
})

test('IDN-41 new organization has the platform’s services, the paid app and no other paid app', async () => {
  const { orgId } = await provision()
  const apps = await appsOf(orgId)
  expect(apps).toContain('platform-dashboard-api')
  expect(apps).toContain('platform-socialize')
  expect(apps).not.toContain('platform-pay')
  expect(await appsOf((await provision({ entitlement: { mode: 'all' } })).orgId)).toContain('platform-pay')
})

test('IDN-41 first checkout emails a backup link that works for 72 hours and shows the confirmation page', async () => {
  const email = `${newId()}@example.com`
  const { userId } = await provision({ email })
  const [letter] = await world.letters(email)
  const token = /token=([\w-]{43})\s/.exec(letter?.text ?? '')?.[1] ?? ''
  const [row] = await world.database.sql`
    SELECT skip_interstitial, extract(epoch FROM expires_at - created_at) / 3600 AS hours
    FROM identity.magic_login_tokens WHERE user_id = ${userId} AND token_hash = ${digest(token)}`
  expect(row).toMatchObject({ skip_interstitial: false, hours: '72.0000000000000000' })
  const opened = await open(`/magic-link/consume?token=${token}`)
  expect([opened.status, opened.headers.getSetCookie()]).toEqual([200, []])
  expect((await world.stranger.fetch('POST /magic-link/consume', { token })).status).toBe(200)
})

test('IDN-41 repeated checkout returns the same organization, a new link and the newest entitlement, without another email', async () => {
  const email = `${newId()}@example.com`
  const first = await provision({ email })
  const entitlement = { mode: 'count', paidAppCount: 5, seats: 2 }
  const again = await provision({ email: email.toUpperCase(), workspaceName: 'Other', entitlement }, 200)
  expect(again).toMatchObject({ orgId: first.orgId, userId: first.userId, created: false })
  expect(again.loginUrl).not.toBe(first.loginUrl)
  const [row] = await world.database.sql`
    SELECT settings, (SELECT count(*)::int FROM identity.memberships WHERE user_id = ${first.userId}) AS workspaces
    FROM identity.organizations WHERE id = ${first.orgId}`
  expect(row).toEqual({ settings: { appEntitlement: entitlement }, workspaces: 1 })
  expect(await world.letters(email)).toHaveLength(1)
  for (const { loginUrl } of [first, again]) expect((await open(loginUrl)).status).toBe(303)
})

test('IDN-41 checkout for another app adds it to the organization and keeps the current entitlement when none is sent', async () => {
  const email = `${newId()}@example.com`
  const { orgId } = await provision({ email })
  const payId = (await world.stranger.fetchJson<{ id: string }>('GET /api/services/by-slug/platform-pay')).id
  await provision({ email, serviceId: payId, redirectUri: '/', entitlement: undefined }, 200)
  expect(await appsOf(orgId)).toContain('platform-pay')
  const [row] = await world.database.sql`SELECT settings FROM identity.organizations WHERE id = ${orgId}`
  expect(row?.['settings'].appEntitlement.paidAppCount).toBe(3)
})

test('IDN-41 checkout by a person who owns no organization creates one and keeps their password', async () => {
  const { userId, created } = await provision({
    email: world.vera.email,
    company: 'Vera & Co',
    workspaceName: undefined,
  })
  expect([userId, created]).toEqual([world.vera.id, true])
  const login = await world.stranger.fetch('POST /api/auth/login', { email: world.vera.email, password })
  expect(login.status).toBe(200)
  expect(await provision({ email: world.vera.email }, 200)).toMatchObject({ created: false })
})

test('IDN-41 checkout by a person who owns an organization creates no second one', async () => {
  const known = await provision({ email: world.mallory.email }, 200)
  expect(known).toMatchObject({ orgId: world.mallory.things.organizations, userId: world.mallory.id, created: false })
  expect((await world.letters(world.mallory.email)).filter(({ subject }) => subject.includes('ready'))).toEqual([])
})

test('IDN-41 organization name that would produce a reserved or taken slug gets a number', async () => {
  const slugOf = async (orgId: string) =>
    (await world.database.sql`SELECT slug FROM identity.organizations WHERE id = ${orgId}`)[0]?.['slug']
  expect(await slugOf((await provision({ workspaceName: 'Admin' })).orgId)).toBe('admin-2')
  expect(await slugOf((await provision({ workspaceName: 'Umbrella' })).orgId)).toBe('umbrella-2')
})

test('IDN-41 checkout for a suspended organization or a super admin is rejected and changes nothing', async () => {
  const email = `${newId()}@example.com`
  const { orgId } = await provision({ email })
  await world.root.fetchJson(`POST /api/admin/organizations/${orgId}/suspension`, { reason: 'Spam.' }, 201)
  const refused = await pay.fetch(route, checkout({ email, entitlement: { mode: 'all' } }))
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'workspace_suspended' }])
  const admin = await pay.fetch(route, checkout({ email: world.root.email }))
  expect([admin.status, await admin.json()]).toMatchObject([409, { code: 'not_a_customer' }])
  const [row] = await world.database.sql`SELECT settings FROM identity.organizations WHERE id = ${orgId}`
  expect(row?.['settings'].appEntitlement.mode).toBe('count')
})

test('IDN-41 PLT-39 checkout by an account scheduled for deletion is rejected', async () => {
  const email = `${newId()}@example.com`
  const registration = { email, password: 'correct horse battery', name: 'Leaving' }
  const { user } = await world.stranger.fetchJson<{ user: { id: string } }>('POST /register', registration, 201)
  await world.database.sql`
    INSERT INTO identity.account_deletions (user_id, requested_at, deletes_at)
    VALUES (${user.id}, now(), now() + interval '30 days')`
  const refused = await pay.fetch(route, checkout({ email }))
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'account_deletion_pending' }])
  expect((await world.database.sql`SELECT FROM identity.memberships WHERE user_id = ${user.id}`).length).toBe(0)
})

const tricks = [
  'https://evil.example/',
  'https://evil.example/workspace/posts',
  'http://localhost.evil.example/workspace/posts',
  'http://localhost@evil.example/',
  'http://localhost:80@evil.example/',
  'http://ada:secret@localhost/workspace/posts',
  'http://localhost:8080/workspace/posts',
  'https://localhost/workspace/posts',
  'http://localhost/workspace/posts#token',
  '//evil.example/workspace/posts',
  '/\\evil.example',
  '\\\\evil.example',
  'http:\\\\evil.example',
  'http://localhost//evil.example',
  '/workspace\n/posts',
  ' http://localhost/',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://localhost/',
  'http://',
]

test('IDN-41 checkout with a redirect outside the service returns 422 and creates nothing', async () => {
  for (const redirectUri of tricks) {
    const options = checkout({ redirectUri })
    const refused = await pay.fetch(route, options)
    expect([redirectUri, refused.status]).toEqual([redirectUri, 422])
    const users = await world.database.sql`SELECT FROM identity.users WHERE email = ${options.email}`
    expect(users).toHaveLength(0)
  }
})

test('IDN-41 checkout for a third-party app accepts exactly its registered redirect URIs', async () => {
  const serviceId = world.theirAppId
  const near = [
    'https://theirs.example/',
    'https://theirs.example/start/',
    'https://theirs.example/start?a=b',
    '/start',
  ]
  for (const redirectUri of [...near, 'https://theirs.example.evil.example/start', 'http://localhost/workspace/posts'])
    expect((await pay.fetch(route, checkout({ serviceId, redirectUri }))).status).toBe(422)
  const { loginUrl } = await provision({ serviceId, redirectUri: 'https://theirs.example/start' })
  expect((await open(loginUrl)).headers.get('location')).toBe('https://theirs.example/start')
})

test('IDN-41 entitlement fields are accepted at the top level of the checkout', async () => {
  const snapshot = { mode: 'count', paidAppCount: 3, appSlugs: ['platform-socialize'] }
  const { orgId } = await provision({ entitlement: undefined, ...snapshot })
  const [row] = await world.database.sql`SELECT settings FROM identity.organizations WHERE id = ${orgId}`
  expect(row).toEqual({ settings: { appEntitlement: snapshot } })
  const refused = await pay.fetch(route, checkout({ entitlement: undefined, paidAppCount: 3 }))
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'entitlement.mode' }] }])
})

test('IDN-41 error names missing and invalid checkout fields', async () => {
  const faults: [object, string][] = [
    [{ workspaceName: undefined }, 'workspaceName'],
    [{ email: 'no address' }, 'email'],
    [{ serviceId: newId() }, 'serviceId'],
    [{ entitlement: { mode: 'count' } }, 'entitlement.paidAppCount'],
    [{ entitlement: { mode: 'everything' } }, 'entitlement.mode'],
  ]
  for (const [more, path] of faults) {
    const refused = await pay.fetch(route, checkout(more))
    expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path }] }])
  }
})

test('IDN-45 checkout returns 403 for people and 401 without a credential', async () => {
  const statusOf = async (caller: Caller | undefined) => (await caller?.fetch(route, checkout()))?.status
  for (const slug of ['platform-pay', 'platform-dashboard-website', 'platform-dashboard-api'])
    expect(await statusOf(world.services[slug])).toBe(201)
  for (const caller of [world.service, world.services['platform-gateway'], world.ada, world.root, world.key])
    expect(await statusOf(caller)).toBe(403)
  expect(await statusOf(world.stranger)).toBe(401)
})

test('IDN-41 a hundred concurrent checkouts for one address create one person, one organization and one email', async () => {
  const database: TestDatabase = await freshDatabase()
  const servers = await Promise.all([1, 2].map(() => startIdentity(database.url)))
  const [one] = servers
  if (!one) throw new Error('No server was started')
  const token = await serviceTokens(
    { db: one.database.db, secrets: one.secrets, now: () => new Date() },
    'platform-pay',
  )('platform-identity')
  const { id: serviceId } = await json(await one.fetch('GET /api/services/by-slug/platform-socialize'))
  const options = checkout({ email: 'all@example.com', serviceId })
  // They wait for each other: on a busy machine some get Retry-After and try again, as a service would.
  const checkOut = async (nth: number, tries = 4): Promise<Response | undefined> => {
    const answer = await servers[nth % 2]?.fetch(route, options, bearer(token))
    if (answer?.status !== 503 || tries === 1) return answer
    await Bun.sleep(Number(answer.headers.get('retry-after')) * 1_000)
    return checkOut(nth, tries - 1)
  }
  const answers = await Promise.all(Array.from({ length: 100 }, (_, nth) => checkOut(nth)))
  expect(answers.filter((answer) => answer?.status === 201)).toHaveLength(1)
  expect(answers.filter((answer) => answer?.status === 200)).toHaveLength(99)
  const bodies = await Promise.all(
    answers.map(async (answer): Promise<Provisioned> => JSON.parse((await answer?.text()) ?? '')),
  )
  expect(new Set(bodies.map(({ orgId, userId }) => `${orgId} ${userId}`)).size).toBe(1)
  expect(new Set(bodies.map(({ loginUrl }) => loginUrl)).size).toBe(100)
  const [counted] = await one.database.sql`
    SELECT (SELECT count(*)::int FROM identity.users) AS users, (SELECT count(*)::int FROM platform.mails) AS mails,
      (SELECT count(*)::int FROM identity.organizations WHERE slug <> 'admin') AS workspaces`
  expect(counted).toEqual({ users: 1, mails: 1, workspaces: 1 })
  for (const server of servers) await server.stop()
  await database.drop()
})

test('IDN-41 PLT-09 checkout for a service with its own host signs people in there', async () => {
  const apart = await openWorld({ env: { PUBLIC_URL: 'http://atrium.example', SOCIAL_HOST: 'social.atrium.example' } })
  const send = (redirectUri: string) =>
    apart.services['platform-pay']?.fetch(route, { ...checkout(), serviceId: apart.serviceId, redirectUri })
  const made = await send('http://social.atrium.example/workspace/posts')
  const { loginUrl }: Provisioned = JSON.parse((await made?.text()) ?? '')
  expect(loginUrl).toStartWith('http://social.atrium.example/magic-link/consume?token=')
  for (const elsewhere of ['http://atrium.example/workspace/posts', 'http://social.atrium.example.evil.example/'])
    expect((await send(elsewhere))?.status).toBe(422)
  await apart.close()
})
