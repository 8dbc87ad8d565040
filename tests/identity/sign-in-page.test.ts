import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type IdentityServer, openIdentity } from './server.tsx'

let server: IdentityServer

beforeAll(async () => {
  server = await openIdentity()
})

afterAll(() => server.stop())

const look = (path: string, cookie = '') => server.fetch(`GET ${path}`, undefined, { accept: 'text/html', cookie })
const form = { 'hx-request': 'true', 'sec-fetch-site': 'same-origin' }

async function signUp(): Promise<string> {
  const person = { email: `${crypto.randomUUID()}@example.com`, password: 'correct horse battery', name: 'Ada' }
  const response = await server.fetch(
    'POST /register',
    { ...person, createOrganization: 'true', organizationName: '日本' },
    form,
  )
  expect(response.headers.get('hx-redirect')).toBe('/')
  return response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

test.each(['/login', '/register'])('IDN-03 %s keeps a next path on this site and drops others', async (path) => {
  const ours = await (await look(`${path}?next=${encodeURIComponent('/workspace/posts?tab=all')}`)).text()
  expect(ours).toContain('name="next" value="/workspace/posts?tab=all"')
  for (const next of ['https://evil.example', '//evil.example', '/\\evil.example']) {
    const html = await (await look(`${path}?next=${encodeURIComponent(next)}`)).text()
    expect(html).toContain('<form')
    expect(html).not.toContain('evil')
  }
})

test('IDN-03 sign-in page redirects a person who is signed in already', async () => {
  const cookie = await signUp()
  const response = await look('/login?next=/workspace/accounts', cookie)
  expect([response.status, response.headers.get('location')]).toEqual([303, '/workspace/accounts'])
})

test('IDN-03 sign-out redirects to the sign-in page and invalidates the cookie', async () => {
  const cookie = await signUp()
  const out = await server.fetch('POST /api/auth/logout', undefined, { ...form, cookie })
  expect(out.headers.get('hx-redirect')).toBe('/login')
  expect(out.headers.getSetCookie().every((text) => text.includes('Max-Age=0'))).toBe(true)
  expect((await server.fetch('GET /api/auth/me', undefined, { cookie })).status).toBe(401)
})

test('PLT-21 cross-site sign-out is rejected', async () => {
  const cookie = await signUp()
  const foreign = { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
  expect((await server.fetch('POST /api/auth/logout', undefined, foreign)).status).toBe(403)
  expect((await server.fetch('GET /api/auth/me', undefined, { cookie })).status).toBe(200)
})
