import { afterAll, beforeAll, expect, onTestFinished, test } from 'bun:test'
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
const steps = (who: Caller) => who.fetchJson<{ next: string | null }>('GET /api/auth/me/onboarding')
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
  await world.stranger.fetch('POST /api/organizations', { name: 'New place' }, headers)
  const answer = await world.stranger.fetch('GET /api/auth/me/onboarding', undefined, headers)
  expect(await answer.json()).toEqual({
    steps: [
      { step: 'recovery', done: true },
      { step: 'organization', done: true },
    ],
    next: null,
  })
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
