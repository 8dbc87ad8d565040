import {
  answerBrowser,
  createIdentityMiddleware,
  type IdentityMiddleware,
  type Problem,
} from 'atrium/identity-middleware'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, password, type World } from '../support/world.ts'

// The package as used by the backend of a first-party service on another host.

let world: World
let social: IdentityMiddleware
const callback = 'http://localhost/auth/callback'

beforeAll(async () => {
  world = await openWorld()
  social = middleware()
})
afterAll(() => world.close())

const middleware = (fetch = toWorld) =>
  createIdentityMiddleware({ identityUrl: 'http://localhost', service: 'platform-socialize', fetch })

const toWorld = async (request: Request): Promise<Response> => {
  const { pathname, search } = new URL(request.url)
  const body = request.method === 'GET' ? undefined : await request.text()
  return world.stranger.fetch(`${request.method} ${pathname}${search}`, body, Object.fromEntries(request.headers))
}

const from = (headers: Record<string, string>, path = '/things', init: RequestInit = {}) =>
  new Request(`http://social.example${path}`, { ...init, headers })
const codeOf = (act: Promise<unknown>) =>
  act.then(
    () => 'nothing',
    ({ status, code }: Problem) => `${status} ${code}`,
  )

test('IDN-17 sign-in, refresh and validation work in a backend with the permissions of its own service', async () => {
  const { accessToken, refreshToken = '', user } = await social.login({ email: world.ada.email, password })
  expect(user.id).toBe(world.ada.id)
  const renewed = await social.refresh(refreshToken)
  for (const token of [accessToken, renewed.accessToken]) {
    const actor = await social.require(from({ authorization: `Bearer ${token}` }), 'posts:write')
    expect(actor.principal.id).toBe(world.ada.id)
  }
  expect(await codeOf(social.require(from(world.vera.credential), 'posts:write'))).toBe('403 permission_missing')
  expect(await codeOf(social.require(from(world.vera.credential), 'posts:read'))).toBe('nothing')
  expect(await codeOf(social.require(from({}), 'posts:read'))).toBe('401 invalid_token')
  expect(await codeOf(social.require(from({ authorization: 'Bearer eyJ.eyJ.x' }), 'posts:read'))).toBe(
    '401 invalid_token',
  )
  await social.logout(`Bearer ${accessToken}`)
  expect(await codeOf(social.validate(from({ authorization: `Bearer ${renewed.accessToken}` })))).toBe(
    '401 invalid_token',
  )
})

test('IDN-17 errors from identity keep their code, and an unreachable or malformed identity returns 503', async () => {
  expect(await codeOf(social.login({ email: world.nora.email, password: 'wrong' }))).toBe('401 invalid_credentials')
  expect(await codeOf(social.exchange({ code: 'none', redirectUri: callback }))).toBe('401 invalid_code')
  expect(await codeOf(social.refresh('none'))).toBe('401 invalid_refresh_token')
  const answers = [
    () => Promise.reject(new Error('refused')),
    async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    async () => Response.json({ valid: true }),
  ]
  for (const fetch of answers) {
    expect(await codeOf(middleware(fetch).require(from(world.ada.credential), 'posts:read'))).toBe(
      '503 identity_unavailable',
    )
    if (fetch !== answers[2])
      expect(await codeOf(middleware(fetch).login({ email: 'a@b.example', password }))).toBe('503 identity_unavailable')
  }
})

test('IDN-14 sign-in to a service opens the only organization that has it, even if another one was used last', async () => {
  const { fetchJson, email } = world.vera
  await fetchJson('POST /api/auth/context', { context: 'personal' })
  const { organization } = await social.login({ email, password })
  expect(organization?.id).toBe(world.ada.things.organizations)
  await fetchJson('POST /api/auth/context', { context: 'personal' })
  const plain = await world.stranger.fetchJson<{ organization: object | null }>('POST /api/auth/login', {
    email,
    password,
  })
  expect(plain.organization).toBeNull()
})

test('IDN-14 sign-in to a service asks for an organization when none or several of the person’s organizations have the service', async () => {
  const login = (body: object) =>
    world.stranger.fetch('POST /api/auth/login', {
      email: world.nora.email,
      password,
      service_id: world.serviceId,
      ...body,
    })
  const none = await login({})
  expect([none.status, (await none.json()).choices]).toEqual([409, []])
  const organizations = [world.ada, world.mallory].map(({ things }) => things.organizations)
  for (const id of organizations)
    await world.database.sql`INSERT INTO identity.memberships VALUES (${id}, ${world.nora.id}, 'viewer', now())`
  const several = await login({})
  const reported = await several.json()
  expect([several.status, reported.code]).toEqual([409, 'context_required'])
  expect(reported.choices.map(({ context }: { context: string }) => context).sort()).toEqual(organizations.toSorted())
  const chosen = await login({ context: organizations[1] })
  expect((await chosen.json()).organization.id).toBe(organizations[1] ?? '')
  expect((await login({ context: crypto.randomUUID() })).status).toBe(409)
  const withdrawn = await world.database.sql`
    DELETE FROM identity.service_access WHERE organization_id = ${organizations[1] ?? ''} AND service_id = ${world.serviceId}
    RETURNING *`
  expect(withdrawn.length).toBe(1)
  expect((await (await login({})).json()).organization.id).toBe(organizations[0] ?? '')
  expect((await login({ context: organizations[1] })).status).toBe(409)
  expect((await login({ service_id: 'nothing' })).status).toBe(422)
})

test('IDN-14 IDN-22 hand-off from the personal context opens the organization that has the service', async () => {
  const vera = await world.vera.signIn()
  await vera.fetchJson('POST /api/auth/context', { context: 'personal' })
  const options = { service_id: world.serviceId, redirect_uri: callback }
  const { url } = await vera.fetchJson<{ url: string }>('POST /sso/handoff-code', options)
  const arrived = await social.exchange({
    code: new URL(url).searchParams.get('sso_code') ?? '',
    redirectUri: callback,
  })
  expect(arrived.organization?.id).toBe(world.ada.things.organizations)
})

test('IDN-17 IDN-26 refresh token stays in an HttpOnly cookie of the app’s own host, and cross-site refresh is rejected', async () => {
  const handOff = async () => {
    const options = { service_id: world.serviceId, redirect_uri: callback }
    const { url } = await world.ada.fetchJson<{ url: string }>('POST /sso/handoff-code', options)
    return { sso_code: new URL(url).searchParams.get('sso_code'), redirect_uri: callback }
  }
  const own = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const answered = async (request: Request) => {
    const answer = await answerBrowser(social, request)
    if (!answer) throw new Error('It answers nothing to what the client asks')
    return answer
  }
  const post = (path: string, body: unknown, headers: Record<string, string> = own) =>
    answered(from(headers, path, { method: 'POST', body: JSON.stringify(body) }))
  const arrived = await post('/sso/exchange', await handOff())
  const cookie = arrived.headers.get('set-cookie') ?? ''
  expect(cookie).toMatch(/^refresh=[\w-]+; Path=\/; .*SameSite=Lax; HttpOnly$/)
  const { accessToken, ...rest } = await arrived.json()
  expect(rest).not.toHaveProperty('refreshToken')
  const me = await answered(from({ authorization: `Bearer ${accessToken}` }, '/api/auth/me'))
  expect((await me.json()).user.id).toBe(world.ada.id)
  const kept = { ...own, cookie: cookie.split(';')[0] ?? '' }
  const renewed = await post('/api/auth/refresh', {}, kept)
  expect([renewed.status, renewed.headers.get('set-cookie')?.startsWith('refresh=')]).toEqual([200, true])
  for (const site of ['cross-site', 'same-site'])
    expect((await post('/api/auth/refresh', {}, { ...kept, 'sec-fetch-site': site })).status).toBe(403)
  expect((await post('/api/auth/refresh', {})).status).toBe(401)
  expect((await post('/sso/exchange', { sso_code: 7 })).status).toBe(422)
  expect((await post('/sso/exchange', 'no object')).status).toBe(422)
  expect(await answerBrowser(social, from({}, '/orders'))).toBeUndefined()
})
