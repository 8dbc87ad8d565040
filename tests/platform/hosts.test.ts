import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { bearer, password } from '../support/world.ts'

let fresh: TestDatabase
let server: Server
const env = {
  PUBLIC_URL: 'http://atrium.example.com',
  SOCIAL_HOST: 'social.example.com',
  IDENTITY_HOST: 'id.example.com, identity.internal',
  PLATFORM_HOST: 'atrium-1234.fly.dev',
}

beforeAll(async () => {
  fresh = await freshDatabase()
  server = await serveInProcess({ databaseUrl: fresh.url, env })
})
afterAll(async () => {
  await server.stop()
  await fresh.drop()
})

/** Sends a request with any host name, as clients can. */
const send = (host: string, path: string, headers: Record<string, string> = {}, body?: unknown) =>
  fetch(`${server.url}${path}`, {
    redirect: 'manual',
    headers: { ...headers, host, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })

test('PLT-05 PLT-09 server on a real port serves each host’s own service', async () => {
  const statuses = async (host: string) =>
    Promise.all(
      ['/api/posts', '/api/service-identity', '/login', '/openapi.json', '/healthz'].map(
        async (path) => (await send(host, path)).status,
      ),
    )
  expect(await statuses('social.example.com')).toEqual([401, 200, 200, 200, 200])
  expect(await statuses('id.example.com')).toEqual([404, 404, 200, 200, 200])
  expect(await statuses('identity.internal:3000')).toEqual([404, 404, 200, 200, 200])
  expect(await statuses('atrium.example.com')).toEqual([401, 200, 200, 200, 200])
  expect(await statuses('atrium-1234.fly.dev')).toEqual([401, 200, 200, 200, 200])
  expect(await statuses('evil.example')).toEqual([421, 421, 421, 421, 200])
})

test('PLT-09 PLT-21 links use only the public host, and a cookie stays with its host', async () => {
  const person = { name: 'Ada', email: 'ada@example.com', password, createOrganization: true }
  const { accessToken, organization } = await (await send('social.example.com', '/register', {}, person)).json()
  const invitations = `/api/organizations/${organization.id}/invitations`
  const invited = { email: 'grace@example.com', role: 'editor' }
  for (const host of ['atrium-1234.fly.dev', 'social.example.com'])
    await send(host, invitations, bearer(accessToken), { ...invited, email: `${host.length}@example.com` })
  const mails = async () => {
    const list = await (await send('atrium-1234.fly.dev', '/dev/mailbox')).text()
    return [...new Set(list.match(/\/dev\/mailbox\/[\w-]{36}/g))]
  }
  expect(await eventually(async () => (await mails()).length === 2)).toBe(true)
  for (const path of await mails()) {
    const text = await (await send('atrium-1234.fly.dev', path)).text()
    expect(text).toContain('http://atrium.example.com/')
    expect(text).not.toMatch(/fly\.dev|social\.example\.com/)
  }
  const signIn = { email: person.email, password }
  const login = await send('social.example.com', '/api/auth/login', { 'sec-fetch-site': 'same-origin' }, signIn)
  expect(login.status).toBe(200)
  expect(login.headers.getSetCookie().length).toBeGreaterThan(0)
  expect(login.headers.getSetCookie().join()).not.toMatch(/domain/i)
})

test('PLT-09 PLT-21 only local host names are served without a public URL, so links can’t contain other hosts', async () => {
  const local = await serveInProcess({ databaseUrl: fresh.url, env: { PLATFORM_HOST: 'atrium.internal' } })
  const at = (host: string, path: string, body?: unknown) =>
    fetch(`${local.url}${path}`, {
      headers: { host, accept: 'text/html,application/json', 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })
  const { port } = new URL(local.url)
  const own = ['localhost', `app.localhost:${port}`, '127.0.0.1', `127.8.9.10:${port}`, '[::1]', 'atrium.internal']
  for (const host of own) expect([host, (await at(host, '/dev/mailbox')).status]).toEqual([host, 200])
  const others = ['evil.example', 'localhost.evil.example', 'evil-localhost', '192.0.2.7', '127.0.0.1.nip.io']
  for (const host of others) {
    for (const path of ['/dev/mailbox', '/login', '/openapi.json'])
      expect([host, path, (await at(host, path)).status]).toEqual([host, path, 421])
    expect((await at(host, '/readyz')).status).toBe(200)
  }
  const person = { name: 'Eve', email: 'eve@example.com', password, createOrganization: true }
  await at('localhost', '/register', person)
  expect((await at('evil.example', '/api/auth/password-reset', { email: person.email })).status).toBe(421)
  expect((await at('localhost', '/api/auth/password-reset', { email: person.email })).status).toBe(202)
  const mails = async () => [
    ...(await (await at('localhost', '/dev/mailbox')).text()).matchAll(/\/dev\/mailbox\/[\w-]{36}/g),
  ]
  expect(await eventually(async () => (await mails()).length > 0)).toBe(true)
  for (const [path] of await mails()) expect(await (await at('localhost', path)).text()).not.toContain('evil')
  await local.stop()
})

test('PLT-05 SOC-42 service reports its ID in the current environment', async () => {
  const reported = await (await send('social.example.com', '/api/service-identity')).json()
  const { id } = await (await send('id.example.com', '/api/services/by-slug/platform-socialize')).json()
  expect(reported).toEqual({ slug: 'platform-socialize', serviceId: id, environment: 'test' })
})

const retired = [
  '/sso/handoff',
  '/sso/handoff?service_id=x&token=x',
  '/api/developer-portal',
  '/api/developer-portal/apps',
  '/api/billing',
  '/api/referrals/codes',
  '/workspace/rewards',
  '/store',
]

test('IDN-22 IDN-34 PLT-18 DSH-01 retired path returns 404 on every host, for every method', async () => {
  for (const host of ['atrium.example.com', 'social.example.com', 'id.example.com', 'atrium-1234.fly.dev'])
    for (const path of retired)
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await fetch(server.url + path, { method, redirect: 'manual', headers: { host } })
        expect([host, method, path, answer.status]).toEqual([host, method, path, 404])
      }
})

test('IDN-23 PLT-05 metadata contains identity’s own host on every host', async () => {
  const hosts = ['id.example.com', 'social.example.com', 'atrium.example.com']
  for (const host of hosts) {
    const { issuer, token_endpoint } = await (await send(host, '/.well-known/openid-configuration')).json()
    expect([issuer, token_endpoint]).toEqual(['http://id.example.com', 'http://id.example.com/sso/exchange'])
  }
})
