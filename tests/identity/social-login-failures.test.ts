import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createLog } from '#lib/log.ts'
import { startOidcServer, type OidcServer } from '../support/oidc-server.ts'
import { arriveBy, cookiesOf, setOrganizationSso } from '../support/organization-sso.ts'
import { openWorld, type World } from '../support/world.ts'

// A failed sign-in by a provider: operators and admins see the reason, the person what to do.

let world: World
let oidc: OidcServer
let acme = ''
const lines: string[] = []
const wrongSecret = 'a secret that must not be logged'

interface Line {
  message: string
  request: string
  reason: string
  detail: string
}

beforeAll(async () => {
  oidc = await startOidcServer()
  world = await openWorld({ log: createLog('warn', false, (line) => void lines.push(line)) })
  acme = world.ada.things.organizations
  oidc.open([`http://localhost/login/sso/${acme}/callback`])
  await setOrganizationSso(world.ada, acme, oidc, { clientSecret: wrongSecret })
})

afterAll(async () => {
  await world.close()
  await oidc.stop()
})

const failuresIn = () =>
  lines.map((line) => JSON.parse(line) as Line).filter(({ message }) => message.includes('social login'))

test('IDN-49 wrong client secret is named in the server’s log and the audit log, without the secret', async () => {
  oidc.people.set('ina', { email: 'ina@acme.example', email_verified: true })
  const arrived = await arriveBy(world, oidc, acme, 'ina')
  const location = new URL(arrived.headers.get('location') ?? '', 'http://localhost')
  expect(location.searchParams.get('failure')).toBe('failed')

  const [line] = failuresIn()
  expect(line).toMatchObject({ message: 'social login failed', provider: acme, reason: 'failed' })
  expect(line?.detail).toContain('401 invalid_client')
  expect(location.searchParams.get('request')).toBe(line?.request ?? '')

  const { items } = await world.ada.fetchJson<{ items: object[] }>('GET /api/audit?object=sso_sign_in')
  expect(items).toMatchObject([
    {
      outcome: 'refused',
      object: { id: acme },
      after: { reason: 'failed', detail: line?.detail },
      requestId: line?.request,
    },
  ])
  const everything = lines.join('\n') + JSON.stringify(items)
  expect(everything).not.toContain(wrongSecret)
  expect(everything).not.toMatch(/code=|[?&]state=/)

  const page = await world.stranger.fetch(`GET ${location.pathname}${location.search}`, undefined, {
    accept: 'text/html',
  })
  const html = await page.text()
  expect(html).toContain('We couldn’t verify the response from Acme')
  expect(html).toContain(`Reference for support: ${line?.request}`)
})

test('IDN-49 provider’s error description is logged, truncated', async () => {
  const before = failuresIn().length
  const headers = { 'sec-fetch-site': 'same-origin', cookie: 'none=1' }
  const started = await world.stranger.fetch(`POST /api/auth/sso/${acme}`, {}, headers)
  const { authorizeUrl } = (await started.json()) as { authorizeUrl: string }
  const state = new URL(authorizeUrl).searchParams.get('state') ?? ''
  const query = new URLSearchParams({
    state,
    error: 'server_error',
    error_description: `Out of order. ${'x'.repeat(900)}`,
  })
  const back = `GET /login/sso/${acme}/callback?${query.toString()}`
  await world.stranger.fetch(back, undefined, { accept: 'text/html', cookie: cookiesOf(started) })
  const line = failuresIn()[before]
  expect(line?.detail).toStartWith(`${acme} responded with server_error: Out of order.`)
  expect(line?.detail.length).toBeLessThanOrEqual(300)
})

test('IDN-49 callback without a sign-in is logged, but not in the audit log', async () => {
  const count = async () =>
    (await world.ada.fetchJson<{ items: object[] }>('GET /api/audit?object=sso_sign_in')).items.length
  const before = await count()
  const lonely = `GET /login/sso/${acme}/callback?state=made-up&code=x`
  const answer = await world.stranger.fetch(lonely, undefined, { accept: 'text/html' })
  expect(answer.headers.get('location')).toContain('failure=expired')
  expect(failuresIn().at(-1)).toMatchObject({ reason: 'expired' })
  expect(await count()).toBe(before)
})
