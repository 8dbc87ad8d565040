import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { scaleTime } from '../support/time-scale.ts'
import { eventually, killRest } from '../boot/program.ts'
import { serve, type Served } from '../support/served.ts'
import { bearer, password } from '../support/world.ts'

let fresh: TestDatabase
let database: DatabaseHandle
/** Identity and social in separate processes. */
let identity: Served
let social: Served
/** Social whose identity never responded: the port is closed. */
let alone: Served
/** Social whose identity responds as the bearer token says: one of `lies`. */
let misled: Served
let liar: Bun.Server<undefined>

const socialBeside = (address: string) =>
  serve({ databaseUrl: fresh.url, env: { SERVICES: 'social', AUTH_API_URL: address, LOG_LEVEL: 'info' } })

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
  liar = Bun.serve({ port: 0, idleTimeout: 60, fetch: lie })
  identity = await serve({ databaseUrl: fresh.url, env: { SERVICES: 'identity' } })
  ;[social, alone, misled] = await Promise.all([
    socialBeside(identity.url),
    socialBeside('http://127.0.0.1:1'),
    socialBeside(liar.url.href),
  ])
})
afterAll(async () => {
  await killRest()
  await liar.stop(true)
  await database.close()
  await fresh.drop()
})

const SignedUp = z.object({ accessToken: z.string(), user: z.object({ id: z.string() }) })

const send = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** Signs up a new person with their own workspace. */
async function signUp(name: string) {
  const organization = { createOrganization: true, organizationName: `${name} Inc` }
  const person = { name, email: `${name.toLowerCase()}@example.com`, password, ...organization }
  return SignedUp.parse(await (await send(`${identity.url}/register`, person)).json())
}

const brands = async () =>
  (await database.sql<{ name: string }[]>`SELECT name FROM social.brands`).map(({ name }) => name)

/** Expects 503 with Retry-After and no written row. */
async function expectNothingDone(response: Response, name: string) {
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('5')
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(await response.json()).toMatchObject({ code: 'identity_unavailable', status: 503 })
  expect(await brands()).not.toContain(name)
}

test('PLT-04 PLT-20 social on its own works with an identity server in another process', async () => {
  const { accessToken } = await signUp('Ada')
  const made = await send(`${social.url}/api/brands`, { name: 'Split' }, bearer(accessToken))
  expect(made.status).toBe(201)
  expect(await brands()).toContain('Split')
  const listed = await fetch(`${social.url}/api/brands`, { headers: bearer(accessToken) })
  expect(await listed.json()).toMatchObject({ items: [{ name: 'Split' }] })
  expect((await fetch(`${social.url}/readyz`)).status).toBe(200)
})

test('PLT-01 PLT-04 process serves only the services that it was started with', async () => {
  expect((await send(`${social.url}/register`, {})).status).toBe(404)
  expect((await fetch(`${social.url}/validate`)).status).toBe(404)
  expect((await fetch(`${identity.url}/api/brands`)).status).toBe(404)
  expect((await fetch(`${identity.url}/api/posts`)).status).toBe(404)
})

test('PLT-20 ended session is rejected by the other process on its next call', async () => {
  const { accessToken } = await signUp('Bea')
  const ask = () => fetch(`${social.url}/api/brands`, { headers: bearer(accessToken) })
  expect((await ask()).status).toBe(200)
  expect((await send(`${identity.url}/api/auth/logout`, {}, bearer(accessToken))).status).toBe(200)
  expect((await ask()).status).toBe(401)
})

test('PLT-20 valid token is rejected with 503 while identity is unavailable, and has no effect', async () => {
  const { accessToken } = await signUp('Cleo')
  await expectNothingDone(await send(`${alone.url}/api/brands`, { name: 'Away' }, bearer(accessToken)), 'Away')
  const page = await fetch(`${alone.url}/workspace/posts`, { headers: { accept: 'text/html', ...bearer(accessToken) } })
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  const ready = await fetch(`${alone.url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([
    503,
    { checks: { database: 'ok', identity: 'unreachable' } },
  ])
  expect((await fetch(`${alone.url}/healthz`)).status).toBe(200)
})

async function readiness({ url }: Served) {
  const answer = await fetch(`${url}/readyz`)
  const { checks } = z.object({ checks: z.record(z.string(), z.string()) }).parse(await answer.json())
  return { status: answer.status, checks }
}

const half = new TextEncoder().encode('{"valid":')
const lies: Record<string, () => Response | Promise<Response>> = {
  'status-500': () => new Response('{"valid":true}', { status: 500 }),
  'status-503': () => Response.json({ code: 'shutting_down' }, { status: 503 }),
  'status-404': () => new Response('Not found', { status: 404 }),
  'no-json': () => new Response('<h1>Welcome</h1>'),
  'no-end-of-json': () => new Response(half),
  'an-empty-body': () => new Response(''),
  'other-json': () => Response.json({ status: 'ok' }),
  'only-that-it-is-valid': () => Response.json({ valid: true }),
  'an-endless-redirect': () => new Response(null, { status: 302, headers: { location: '/welcome' } }),
  'nothing-ever': () => new Promise<Response>(() => {}),
  'a-body-that-stops': () => new Response(new ReadableStream({ start: (body) => body.enqueue(half) })),
}
const lie = (request: Request) =>
  lies[request.headers.get('authorization')?.slice('Bearer '.length) ?? '']?.() ?? new Response('Who?', { status: 400 })

test.concurrent.each(Object.keys(lies))(
  'PLT-20 requests are rejected with 503 within 8 s when identity responds %s, and have no effect',
  async (name) => {
    const started = performance.now()
    await expectNothingDone(await send(`${misled.url}/api/brands`, { name }, bearer(name)), name)
    expect(performance.now() - started).toBeLessThan(scaleTime(8_000))
  },
)

test('PLT-20 PLT-33 cached validations are not used while identity is unavailable: not ready, then recovered', async () => {
  const { accessToken } = await signUp('Eve')
  const gate = await socialBeside(identity.url)
  expect((await fetch(`${gate.url}/api/brands`, { headers: bearer(accessToken) })).status).toBe(200)
  expect((await readiness(gate)).status).toBe(200)
  identity.kill('SIGKILL')
  await identity.exited
  expect(await eventually(async () => (await readiness(gate)).status === 503)).toBe(true)
  expect(await readiness(gate)).toMatchObject({ checks: { database: 'ok', identity: 'unreachable' } })
  await expectNothingDone(await send(`${gate.url}/api/brands`, { name: 'After' }, bearer(accessToken)), 'After')
  const again = await serve({ databaseUrl: fresh.url, env: { SERVICES: 'identity', PORT: new URL(identity.url).port } })
  expect(again.url).toBe(identity.url)
  const works = async () => (await fetch(`${gate.url}/api/brands`, { headers: bearer(accessToken) })).status === 200
  expect(await eventually(works)).toBe(true)
  expect(await eventually(async () => (await readiness(gate)).status === 200)).toBe(true)
})
