import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { allowedOrigin, contextOf, kernelOf, known, openKernel, type Kernel } from './kernel.tsx'

const own = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Credentials': 'true',
  'X-Request-Id': 'mine',
  'X-Content-Type-Options': 'sniff',
}
const readNotes = operation({
  route: 'GET /api/notes',
  summary: 'Every note, with headers of its own',
  permission: 'public',
  input: z.object({}),
  output: z.array(z.string()),
  run: async () => reply(200, ['Tea'], { headers: own }),
})
const makeNote = operation({
  route: 'POST /api/notes',
  summary: 'Create a note',
  permission: 'public',
  input: z.object({}),
  output: z.object({}),
  run: async () => ({}),
})
const deleteNote = operation({
  route: 'DELETE /api/notes/:id',
  summary: 'Forget a note',
  permission: 'signed-in',
  input: z.object({ id: z.string() }),
  output: z.object({}),
  run: async () => ({}),
})

let kernel: Kernel
beforeAll(async () => {
  const systemRoutes = new Map([['healthz', () => Response.json({})]])
  kernel = await openKernel({ operations: { readNotes, makeNote, forgetNote: deleteNote } }, { systemRoutes })
})
afterAll(() => kernel.close())

const cors = ({ headers }: Response) => headers.get('access-control-allow-origin')

test('PLT-08 allowed origin gets CORS headers on data, problems, health checks and preflights', async () => {
  const routes = ['GET /api/notes', 'GET /nowhere', 'PUT /api/notes', 'DELETE /api/notes/7', 'GET /healthz']
  for (const route of [...routes, 'OPTIONS /api/notes', 'HEAD /api/notes', 'GET /%E0%A4%A']) {
    const answer = await kernel.fetch(route, { origin: allowedOrigin })
    expect(cors(answer)).toBe(allowedOrigin)
    expect(answer.headers.get('vary')).toContain('Origin')
    for (const name of ['X-Request-Id', 'ETag'])
      expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toContain(name)
  }
})

test('PLT-07 PLT-08 CORS, request id and security headers overwrite those that a route sets', async () => {
  const answer = await kernel.fetch('GET /api/notes', { origin: allowedOrigin })
  expect(cors(answer)).toBe(allowedOrigin)
  expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('PLT-08 other origin gets no CORS headers, and the response varies by origin', async () => {
  for (const origin of ['https://evil.example', 'http://app.example.com', `${allowedOrigin}.evil.example`, 'null']) {
    for (const route of ['GET /api/notes', 'OPTIONS /api/notes', 'GET /nowhere']) {
      const answer = await kernel.fetch(route, { origin })
      expect(cors(answer)).toBeNull()
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      expect(answer.headers.get('vary')).toContain('Origin')
    }
  }
  expect(cors(await kernel.fetch('GET /api/notes'))).toBeNull()
})

test('PLT-08 preflight lists the methods of the path and allows the Authorization header', async () => {
  const requested = { origin: allowedOrigin, 'access-control-request-method': 'POST' }
  const { status, headers } = await kernel.fetch('OPTIONS /api/notes', requested)
  expect(status).toBe(204)
  expect(headers.get('access-control-allow-methods')).toBe('GET, POST')
  expect(headers.get('access-control-allow-headers')).toContain('Authorization')
  const one = await kernel.fetch('OPTIONS /api/notes/7', requested)
  expect(one.headers.get('access-control-allow-methods')).toBe('DELETE')
})

test('PLT-08 allowed origin is authenticated by bearer token, never by cookie', async () => {
  const from = { origin: allowedOrigin, 'sec-fetch-site': 'cross-site' }
  expect((await kernel.fetch('DELETE /api/notes/7', { ...from, ...known })).status).toBe(200)
  expect((await kernel.fetch('DELETE /api/notes/7', { ...from, cookie: 'session=known' })).status).toBe(403)
  expect((await kernel.fetch('POST /api/notes', from)).status).toBe(200)
})

test('PLT-21 unsafe cross-site request is rejected, including from a sibling host and without Sec-Fetch-Site', async () => {
  const cookie = { cookie: 'session=known' }
  const refused: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:8080' },
  ]
  for (const headers of refused) {
    const answer = await kernel.fetch('DELETE /api/notes/7', { ...cookie, ...headers })
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'cross_origin' }])
  }
  const accepted: Record<string, string>[] = [{ 'sec-fetch-site': 'same-origin' }, { origin: 'http://localhost' }]
  for (const headers of accepted)
    expect((await kernel.fetch('DELETE /api/notes/7', { ...cookie, ...headers })).status).toBe(200)
  expect((await kernel.fetch('GET /api/notes', { ...cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(200)
})

test('PLT-21 request with a session cookie and no Origin or Sec-Fetch-Site is rejected', async () => {
  const cookie = { cookie: 'session=known' }
  for (const route of ['DELETE /api/notes/7', 'POST /api/notes']) {
    const answer = await kernel.fetch(route, cookie)
    expect([route, answer.status, (await answer.json()).code]).toEqual([route, 403, 'cross_origin'])
  }
  // Safe methods change nothing; programs send no cookie, or a bearer token, which takes precedence.
  expect((await kernel.fetch('GET /api/notes', cookie)).status).toBe(200)
  expect((await kernel.fetch('POST /api/notes')).status).toBe(200)
  expect((await kernel.fetch('DELETE /api/notes/7', { ...cookie, ...known })).status).toBe(200)
})

test('PLT-07 every response has a unique request id and the security headers', async () => {
  const ids = new Set<string | null>()
  for (const route of ['GET /api/notes', 'GET /nowhere', 'POST /api/notes/7', 'OPTIONS /api/notes', 'GET /healthz']) {
    const { headers } = await kernel.fetch(route)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.has('strict-transport-security')).toBe(false)
    ids.add(headers.get('x-request-id'))
  }
  expect(ids.size).toBe(5)
})

test('PLT-21 every response over https has Strict-Transport-Security', async () => {
  const handle = kernelOf([], { https: true })
  const { headers } = await handle(new Request('https://atrium.example/nowhere'))
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/)
})

test('PLT-10 known path with an unsupported method returns 405 and lists the allowed methods', async () => {
  for (const [route, allow] of [
    ['PUT /api/notes', 'GET, POST'],
    ['GET /api/notes/7', 'DELETE'],
    ['HEAD /api/notes/7', 'DELETE'],
  ] as const) {
    const answer = await kernel.fetch(route)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
    if (route.startsWith('PUT')) expect((await answer.json()).detail).toBe('PUT is not supported. Use GET or POST.')
  }
})

test('PLT-10 unknown or undecodable path returns 404', async () => {
  for (const path of [
    '/nowhere',
    '/%E0%A4%A',
    '/api/notes/%E0%A4%A',
    '/api/notes/7/',
    '//',
    '/%00',
    '/api/notes%2F7',
  ]) {
    const answer = await kernel.fetch(`GET ${path}`)
    expect([path, [404, 405].includes(answer.status)]).toEqual([path, true])
    expect(await answer.json()).toHaveProperty('requestId')
  }
  expect((await kernel.fetch('GET /%E0%A4%A')).status).toBe(404)
})

test('startup fails with both names when two routes have the same path', () => {
  const rival = { ...deleteNote, route: 'DELETE /api/notes/:noteId' }
  const contexts = [
    contextOf({ operations: { forgetNote: deleteNote } }),
    contextOf({ slug: 'rival', operations: { rival } }),
  ]
  expect(() => kernelOf(contexts)).toThrow(
    'Two routes claim the same path: DELETE /api/notes/:id of notes, and DELETE /api/notes/:noteId of rival',
  )
})
