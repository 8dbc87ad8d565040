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

test('IDN-03 sign-in page redirects a person who is already signed in', async () => {
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

test('IDN-02 wrong password is reported at the password field', async () => {
  const body = { email: `${crypto.randomUUID()}@example.com`, password: 'wrong horse battery' }
  const response = await server.fetch('POST /api/auth/login', body)
  expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect(await response.json()).toMatchObject({
    code: 'invalid_credentials',
    errors: [{ path: 'password', message: 'Incorrect email or password.' }],
  })
})

test('IDN-02 leaked password is reported together with other invalid fields', async () => {
  const body = { email: 'ada@localhost', password: 'sunshine123', name: 'Ada' }
  const response = await server.fetch('POST /register', body)
  expect(response.status).toBe(422)
  const { errors } = (await response.json()) as { errors: { path: string }[] }
  expect(errors.map(({ path }) => path).sort()).toEqual(['email', 'password'])
})

test('second-factor page without a pending sign-in links to sign-in and shows no form', async () => {
  const html = await (await look('/login/second-factor?method=recovery&next=/workspace/accounts')).text()
  expect(html).toContain('href="/login?next=%2Fworkspace%2Faccounts"')
  expect(html).not.toContain('<form')
})
