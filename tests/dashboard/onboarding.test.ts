import { afterAll, beforeAll, expect, onTestFinished, test } from 'bun:test'
import { eventually } from '../boot/program.ts'
import { openWorld, password, tokenIn, type Caller, type World } from '../support/world.ts'

let world: World
let ordinary: World
beforeAll(async () => {
  ;[world, ordinary] = await Promise.all([openWorld({ env: { ONBOARDING: 'true' } }), openWorld()])
})
afterAll(() => Promise.all([world.close(), ordinary.close()]))

const open = (who: Caller, path: string) => who.fetch(`GET ${path}`, undefined, { accept: 'text/html' })
const destination = async (who: Caller, path: string) => {
  const { status, headers } = await open(who, path)
  return [status, headers.get('location')]
}
interface Onboarding {
  steps: { step: string; done: boolean; skipped: boolean; optional: boolean }[]
  next: string | null
  organization: { id: string; serviceId: string } | null
  completed: boolean
}
const steps = (who: Caller) => who.fetchJson<Onboarding>('GET /api/auth/me/onboarding')
/** Registers and confirms a recovery email. */
async function newcomer(name: string, organizationName?: string) {
  const body = {
    email: `${name}@example.com`,
    password,
    name: 'New',
    createOrganization: organizationName !== undefined,
  }
  const { accessToken } = await world.stranger.fetchJson<{ accessToken: string }>(
    'POST /register',
    { ...body, ...(organizationName !== undefined && { organizationName }) },
    201,
  )
  const headers = { authorization: `Bearer ${accessToken}` }
  const ask = async <Answer>(route: string, sent?: object, status = 200): Promise<Answer> => {
    const answer = await world.stranger.fetch(route, sent, headers)
    const text = await answer.text()
    expect(answer.status, `${route}: ${text}`).toBe(status)
    return JSON.parse(text)
  }
  const page = (path: string) => world.stranger.fetch(`GET ${path}`, undefined, { ...headers, accept: 'text/html' })
  await ask('PUT /api/auth/me/recovery-email', { email: `${name}@home.example`, password })
  const [mail] = await world.letters(`${name}@home.example`)
  await world.stranger.fetchJson('POST /api/auth/recovery-email/confirm', { token: tokenIn(mail) })
  return { ask, page, onboarding: () => ask<Onboarding>('GET /api/auth/me/onboarding') }
}
const entries = ['/dashboard', '/apps', '/actions']

async function confirmRecovery(who: Caller, email: string): Promise<void> {
  await who.fetchJson('PUT /api/auth/me/recovery-email', { email, password })
  const [mail] = await world.letters(email)
  await world.stranger.fetchJson('POST /api/auth/recovery-email/confirm', { token: tokenIn(mail) })
}

test('DSH-04 dashboard, apps and actions lead to the onboarding until the recovery email is confirmed', async () => {
  const { vera } = world
  for (const path of entries) expect(await destination(vera, path), path).toEqual([303, '/onboarding'])
  const email = 'vera@home.example'
  await vera.fetchJson('PUT /api/auth/me/recovery-email', { email, password })
  const pending = await open(vera, '/onboarding')
  expect([pending.status, await pending.text()]).toEqual([200, expect.stringContaining(email)])
  for (const path of entries) expect(await destination(vera, path), path).toEqual([303, '/onboarding'])
  const [mail] = await world.letters(email)
  await world.stranger.fetchJson('POST /api/auth/recovery-email/confirm', { token: tokenIn(mail) })
  // Members who were invited have nothing else to do.
  expect(await steps(vera)).toMatchObject({ next: null })
  for (const path of entries) expect(await destination(vera, path), path).toEqual([200, null])
  expect(await destination(vera, '/onboarding')).toEqual([303, '/'])
})

test('DSH-04 person without an organization names one after the recovery email, and no address skips that email', async () => {
  const { accessToken } = await world.stranger.fetchJson<{ accessToken: string }>(
    'POST /register',
    { email: 'new@example.com', password, name: 'New' },
    201,
  )
  const headers = { authorization: `Bearer ${accessToken}` }
  const page = async (path: string) =>
    (await world.stranger.fetch(`GET ${path}`, undefined, { ...headers, accept: 'text/html' })).text()
  for (const path of ['/onboarding', '/onboarding?step=organization'])
    expect(await page(path), path).toContain('Personal email')
  const email = 'new@home.example'
  await world.stranger.fetch('PUT /api/auth/me/recovery-email', { email, password }, headers)
  const [mail] = await world.letters(email)
  await world.stranger.fetchJson('POST /api/auth/recovery-email/confirm', { token: tokenIn(mail) })
  expect(await page('/onboarding')).toContain('Name your organization')
  const organization = await world.stranger.fetch('POST /api/organizations', { name: 'New place' }, headers)
  expect(organization.status).toBe(201)
  const answer = await world.stranger.fetch('GET /api/auth/me/onboarding', undefined, headers)
  expect(await answer.json()).toMatchObject({
    steps: [
      { step: 'recovery', done: true },
      { step: 'organization', done: true },
    ],
  })
})

test('DSH-04 DSH-06 organization has a time zone, chosen at onboarding and in its settings, which its first brand is offered', async () => {
  const owner = await newcomer('zoned', 'Zoned')
  const { organization } = await owner.onboarding()
  const path = `/api/organizations/${organization?.id}`
  const zone = async () => (await owner.ask<{ timeZone: string | null }>(`GET ${path}`)).timeZone
  expect(await zone()).toBeNull()
  expect(await (await owner.page('/onboarding?step=organization')).text()).toContain('name="timeZone"')
  await owner.ask(`PUT ${path}`, { timeZone: 'america/new_york' })
  expect(await zone()).toBe('America/New_York')
  const selected = '<option value="America/New_York" selected'
  const shows = async (step: string) => (await (await owner.page(`/onboarding?step=${step}`)).text()).includes(selected)
  expect(await shows('organization')).toBe(true)
  const at = `${path}/services/${organization?.serviceId}/onboarding`
  for (const step of ['apps', 'invite']) await owner.ask(`PUT ${at}/${step}`, { outcome: 'skipped' })
  // Services read it at most 2 s late.
  expect(await eventually(() => shows('brand'))).toBe(true)
  const { timeZone } = await owner.ask<{ timeZone: string }>(
    'POST /api/organizations',
    {
      name: 'Second',
      timeZone: 'Asia/Tokyo',
    },
    201,
  )
  expect(timeZone).toBe('Asia/Tokyo')
  const settings = await (await world.ada.fetch('GET /settings/organization')).text()
  expect(settings).toContain('The default for new brands.')
  const refused = await world.ada.fetch(`PUT /api/organizations/${world.ada.things.organizations}`, {
    timeZone: 'Mars',
  })
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'timeZone' }] }])
})

const outcomes = ({ steps: all }: Onboarding) =>
  all.map(({ step, done, skipped }) => `${step} ${done ? 'done' : skipped ? 'skipped' : 'open'}`)

test('DSH-04 owner of a new organization chooses apps, invites people and creates a brand, each by its own operation', async () => {
  const owner = await newcomer('owner', 'Café Ostkreuz')
  const first = await owner.onboarding()
  expect(outcomes(first)).toEqual(['recovery done', 'organization done', 'apps open', 'invite open', 'brand open'])
  expect(first).toMatchObject({ next: 'apps', completed: false })
  const { id } = first.organization ?? { id: '' }
  expect(await (await owner.page('/onboarding')).text()).toContain('Choose your apps')
  expect((await owner.page('/')).headers.get('location')).toBe('/onboarding')

  const { items } = await owner.ask<{ items: { id: string; slug: string; installed: boolean }[] }>('GET /api/catalog')
  const social = items.find(({ slug }) => slug === 'platform-socialize')?.id
  const chosen = await owner.ask<typeof first & { items: typeof items }>('POST /api/onboarding/apps', {
    apps: [social],
  })
  const installed = (slug: string) => chosen.items.find((app) => app.slug === slug)?.installed
  expect([installed('platform-socialize'), installed('platform-pay')]).toEqual([true, false])
  expect((await owner.onboarding()).next).toBe('invite')

  const invitations = [
    { email: 'paul@example.com', role: 'admin' },
    { email: '', role: 'editor' },
    { email: 'mina@example.com', role: 'editor' },
  ]
  const route = `POST /api/organizations/${id}/invitations/batch`
  const twice = await owner.ask<{ errors: { path: string }[] }>(
    route,
    { invitations: [...invitations, { email: 'PAUL@example.com', role: 'viewer' }] },
    422,
  )
  expect(twice.errors.map(({ path }) => path)).toEqual(['invitations.3.email'])
  const member = await owner.ask<{ errors: { path: string }[] }>(
    route,
    { invitations: [...invitations, { email: 'owner@example.com', role: 'viewer' }] },
    409,
  )
  expect(member.errors.map(({ path }) => path)).toEqual(['invitations.3.email'])
  // Nothing of a refused list is sent.
  expect(await world.letters('paul@example.com')).toEqual([])
  expect((await owner.ask<{ items: unknown[] }>(route, { invitations }, 201)).items).toHaveLength(2)
  expect(await world.letters('mina@example.com')).toHaveLength(1)
  expect((await owner.onboarding()).next).toBe('brand')

  await owner.ask('POST /api/brands', { name: 'Café', timeZone: 'Europe/Berlin' }, 201)
  const ready = await owner.onboarding()
  expect(ready).toMatchObject({ next: null, completed: false })
  expect(await (await owner.page('/onboarding')).text()).toContain('Open Atrium')
  const at = `/api/organizations/${id}/services/${ready.organization?.serviceId}/onboarding`
  await owner.ask(`POST ${at}/complete`, {})
  expect(await owner.onboarding()).toMatchObject({ next: null, completed: true, organization: null })
  expect((await owner.page('/')).headers.get('location')).not.toBe('/onboarding')
  expect((await owner.page('/onboarding')).headers.get('location')).toBe('/')
  await owner.ask(`PUT ${at}/apps`, { outcome: 'skipped' }, 409)
  // In a tab that was left open, too: nothing is uninstalled.
  await owner.ask('POST /api/onboarding/apps', { apps: [] }, 409)
  const after = await owner.ask<{ items: typeof items }>('GET /api/catalog')
  expect(after.items.find((app) => app.slug === 'platform-socialize')?.installed).toBe(true)
})

test('DSH-04 optional steps can be skipped and returned to, required ones can’t, and addresses don’t skip a step', async () => {
  const owner = await newcomer('skipper', 'Skipped place')
  const { organization } = await owner.onboarding()
  const at = `/api/organizations/${organization?.id}/services/${organization?.serviceId}/onboarding`
  const text = async (path: string) => (await owner.page(path)).text()
  expect(await text('/onboarding?step=brand')).toContain('Choose your apps')
  await owner.ask('PUT /api/auth/me/onboarding/recovery', { outcome: 'skipped' }, 409)
  await owner.ask(`PUT ${at}/apps`, { outcome: 'skipped' })
  expect(await text('/onboarding')).toContain('Invite your team')
  expect(await text('/onboarding?step=apps')).toContain('Choose your apps')
  expect(await text('/onboarding?step=organization')).toContain('Skipped place')
  await owner.ask(`PUT ${at}/invite`, { outcome: 'skipped' })
  await owner.ask(`PUT ${at}/brand`, { outcome: 'skipped' })
  expect(outcomes(await owner.onboarding())).toEqual([
    'recovery done',
    'organization done',
    'apps skipped',
    'invite skipped',
    'brand skipped',
  ])
  // Skipped ones aren't asked again, on any path.
  for (const path of entries) expect((await owner.page(path)).status, path).toBe(200)
})

test('DSH-04 step of a service that the organization doesn’t have is left out', async () => {
  const owner = await newcomer('no-social', 'Without Social')
  const { organization } = await owner.onboarding()
  const unknown = { apps: [organization?.id] }
  const refused = await owner.ask<{ errors: { path: string }[] }>('POST /api/onboarding/apps', unknown, 422)
  expect(refused.errors.map(({ path }) => path)).toEqual(['apps.0'])
  await owner.ask('POST /api/onboarding/apps', { apps: [] })
  expect(outcomes(await owner.onboarding())).toEqual(['recovery done', 'organization done', 'apps done', 'invite open'])
})

test('DSH-04 person without an organization can go on alone, and joins one whose invitation waits', async () => {
  const alone = await newcomer('alone')
  expect((await alone.onboarding()).next).toBe('organization')
  await alone.ask('PUT /api/auth/me/onboarding/organization', { outcome: 'skipped' })
  expect(await alone.onboarding()).toMatchObject({ next: null, completed: true })

  const organizationId = world.ada.things.organizations
  await world.ada.fetchJson(
    `POST /api/organizations/${organizationId}/invitations`,
    { email: 'late@example.com', role: 'editor' },
    201,
  )
  const late = await newcomer('late')
  const waiting = () => late.ask<{ items: { id: string; organization: string }[] }>('GET /api/auth/me/invitations')
  // Until the mailbox is confirmed, anyone could have registered its address.
  expect((await waiting()).items).toEqual([])
  await world.database.db.execute(
    "UPDATE identity.users SET email_verified_at = now() WHERE email = 'late@example.com'",
  )
  const [invitation] = (await waiting()).items
  expect(await (await late.page('/onboarding')).text()).toContain(`Join ${invitation?.organization}`)
  await alone.ask(`POST /api/auth/me/invitations/${invitation?.id}/accept`, {}, 404)
  await late.ask(`POST /api/auth/me/invitations/${invitation?.id}/accept`, {})
  await late.ask(`POST /api/auth/me/invitations/${invitation?.id}/accept`, {}, 404)
  expect(await late.onboarding()).toMatchObject({ next: null, completed: true })
})

test('DSH-04 slug of a new organization is checked and another one suggested', async () => {
  const { ada } = world
  const check = (slug: string) => ada.fetchJson(`GET /api/organization-slugs?slug=${slug}`)
  const { slug: taken } = await ada.fetchJson<{ slug: string }>(`GET /api/organizations/${ada.things.organizations}`)
  expect(await check(taken)).toEqual({ available: false, slug: taken, reason: 'taken', suggestion: `${taken}-2` })
  expect(await check('cafe-ostkreuz-neu')).toMatchObject({ available: true, suggestion: null })
  expect(await check('X')).toMatchObject({ reason: 'invalid', suggestion: null })
})

test('DSH-04 API keys and members of another organization don’t reach an organization’s onboarding', async () => {
  const owner = await newcomer('tenant', 'Tenant')
  const { organization } = await owner.onboarding()
  const at = `/api/organizations/${organization?.id}/services/${organization?.serviceId}/onboarding`
  expect((await world.ada.fetch(`GET ${at}`)).status).toBe(404)
  expect((await world.ada.fetch(`PUT ${at}/apps`, { outcome: 'skipped' })).status).toBe(404)
  expect((await world.ada.fetch(`POST ${at}/complete`, {})).status).toBe(404)
  await owner.ask(`PUT ${at}/${'x'.repeat(33)}`, { outcome: 'done' }, 404)
  for (let nth = 0; nth < 20; nth++) await owner.ask(`PUT ${at}/${'a'.repeat(nth + 1)}`, { outcome: 'done' })
  await owner.ask(`PUT ${at}/b`, { outcome: 'done' }, 409)
})

test('DSH-04 API answers during the onboarding, and removing the recovery email opens its step again', async () => {
  const { ada } = world
  expect((await ada.fetch('GET /api/dashboard')).status).toBe(200)
  await confirmRecovery(ada, 'ada@home.example')
  expect(await destination(ada, '/dashboard')).toEqual([200, null])
  await ada.fetchJson('PUT /api/auth/me/recovery-email', { email: null, password })
  expect(await destination(ada, '/dashboard')).toEqual([303, '/onboarding'])
})

test('DSH-04 onboarding isn’t required where ONBOARDING is off', async () => {
  for (const path of entries) expect(await destination(ordinary.ada, path), path).toEqual([200, null])
})

test('DSH-04 dashboard’s own host leads to the onboarding, which is open there, too', async () => {
  const env = { ONBOARDING: 'true', DASHBOARD_HOST: 'dash.example.com', IDENTITY_HOST: 'auth.example.com' }
  const split = await openWorld({ env })
  onTestFinished(() => split.close())
  const { accessToken } = await split.stranger.fetchJson<{ accessToken: string }>(
    'POST /register',
    { email: 'new@example.com', password, name: 'New', createOrganization: true, organizationName: 'New place' },
    201,
  )
  const headers = { authorization: `Bearer ${accessToken}`, accept: 'text/html' }
  const statusAt = async (path: string) =>
    (await split.handle(new Request(`http://dash.example.com${path}`, { headers }))).status
  expect([await statusAt('/dashboard'), await statusAt('/onboarding')]).toEqual([303, 200])
})
