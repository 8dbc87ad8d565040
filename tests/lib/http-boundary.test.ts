import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import type { RequestFacts } from '#lib/call.ts'
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
  summary: 'Make a note',
  permission: 'public',
  input: z.object({}),
  output: z.object({}),
  run: async () => ({}),
})
const forgetNote = operation({
  route: 'DELETE /api/notes/:id',
  summary: 'Forget a note',
  permission: 'signed-in',
  input: z.object({ id: z.string() }),
  output: z.object({}),
  run: async () => ({}),
})

let kernel: Kernel
beforeAll(async () => {
  const beside = (_: Request, { url }: RequestFacts) => (url.pathname === '/healthz' ? Response.json({}) : undefined)
  kernel = await openKernel({ operations: { readNotes, makeNote, forgetNote } }, { beside })
})
afterAll(() => kernel.close())

const cors = ({ headers }: Response) => headers.get('access-control-allow-origin')

test('PLT-08 an allowed origin gets CORS on every answer: data, problems, health and preflights', async () => {
  const routes = ['GET /api/notes', 'GET /nowhere', 'PUT /api/notes', 'DELETE /api/notes/7', 'GET /healthz']
  for (const route of [...routes, 'OPTIONS /api/notes', 'HEAD /api/notes', 'GET /%E0%A4%A']) {
    const answer = await kernel.ask(route, { origin: allowedOrigin })
    expect(cors(answer)).toBe(allowedOrigin)
    expect(answer.headers.get('vary')).toContain('Origin')
    for (const name of ['X-Request-Id', 'ETag'])
      expect(answer.headers.get('access-control-expose-headers')?.split(', ')).toContain(name)
  }
})

test('PLT-07 PLT-08 the boundary overwrites what a route set itself: CORS, request id, security headers', async () => {
  const answer = await kernel.ask('GET /api/notes', { origin: allowedOrigin })
  expect(cors(answer)).toBe(allowedOrigin)
  expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
  expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('PLT-08 another origin gets no CORS, whatever the route set; the answer still varies by origin', async () => {
  for (const origin of ['https://evil.example', 'http://app.example.com', `${allowedOrigin}.evil.example`, 'null']) {
    for (const route of ['GET /api/notes', 'OPTIONS /api/notes', 'GET /nowhere']) {
      const answer = await kernel.ask(route, { origin })
      expect(cors(answer)).toBeNull()
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false)
      expect(answer.headers.get('vary')).toContain('Origin')
    }
  }
  expect(cors(await kernel.ask('GET /api/notes'))).toBeNull()
})

test('PLT-08 a preflight names the methods of the path, and the bearer among the headers', async () => {
  const asked = { origin: allowedOrigin, 'access-control-request-method': 'POST' }
  const { status, headers } = await kernel.ask('OPTIONS /api/notes', asked)
  expect(status).toBe(204)
  expect(headers.get('access-control-allow-methods')).toBe('GET, POST')
  expect(headers.get('access-control-allow-headers')).toContain('Authorization')
  const one = await kernel.ask('OPTIONS /api/notes/7', asked)
  expect(one.headers.get('access-control-allow-methods')).toBe('DELETE')
})

test('PLT-08 an allowed origin acts with a bearer, and never with cookies', async () => {
  const from = { origin: allowedOrigin, 'sec-fetch-site': 'cross-site' }
  expect((await kernel.ask('DELETE /api/notes/7', { ...from, ...known })).status).toBe(200)
  expect((await kernel.ask('DELETE /api/notes/7', { ...from, cookie: 'session=known' })).status).toBe(403)
  expect((await kernel.ask('POST /api/notes', from)).status).toBe(200)
})

test('PLT-21 an unsafe request of another site is refused, also of a sibling host and without Sec-Fetch-Site', async () => {
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
    const answer = await kernel.ask('DELETE /api/notes/7', { ...cookie, ...headers })
    expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'cross_origin' }])
  }
  const accepted: Record<string, string>[] = [{ 'sec-fetch-site': 'same-origin' }, { origin: 'http://localhost' }]
  for (const headers of accepted)
    expect((await kernel.ask('DELETE /api/notes/7', { ...cookie, ...headers })).status).toBe(200)
  expect((await kernel.ask('GET /api/notes', { ...cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(200)
})

test('PLT-21 a request with the session cookie that does not say from which site it came is refused', async () => {
  const cookie = { cookie: 'session=known' }
  for (const route of ['DELETE /api/notes/7', 'POST /api/notes']) {
    const answer = await kernel.ask(route, cookie)
    expect([route, answer.status, (await answer.json()).code]).toEqual([route, 403, 'cross_origin'])
  }
  // Safe methods change nothing; programs send no cookie, or a bearer that counts before it.
  expect((await kernel.ask('GET /api/notes', cookie)).status).toBe(200)
  expect((await kernel.ask('POST /api/notes')).status).toBe(200)
  expect((await kernel.ask('DELETE /api/notes/7', { ...cookie, ...known })).status).toBe(200)
})

test('PLT-07 every answer has a request id of its own and the security headers', async () => {
  const ids = new Set<string | null>()
  for (const route of ['GET /api/notes', 'GET /nowhere', 'POST /api/notes/7', 'OPTIONS /api/notes', 'GET /healthz']) {
    const { headers } = await kernel.ask(route)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.has('strict-transport-security')).toBe(false)
    ids.add(headers.get('x-request-id'))
  }
  expect(ids.size).toBe(5)
})

test('PLT-21 over https every answer asks browsers to stay there', async () => {
  const handle = kernelOf([], { https: true })
  const { headers } = await handle(new Request('https://atrium.example/nowhere'))
  expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{8}/)
})

test('PLT-10 a known path with another method is 405 and names the methods it takes', async () => {
  for (const [route, allow] of [
    ['PUT /api/notes', 'GET, POST'],
    ['GET /api/notes/7', 'DELETE'],
    ['HEAD /api/notes/7', 'DELETE'],
  ] as const) {
    const answer = await kernel.ask(route)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow])
  }
})

test('PLT-10 an unknown path is 404, also one that no one can decode', async () => {
  for (const path of [
    '/nowhere',
    '/%E0%A4%A',
    '/api/notes/%E0%A4%A',
    '/api/notes/7/',
    '//',
    '/%00',
    '/api/notes%2F7',
  ]) {
    const answer = await kernel.ask(`GET ${path}`)
    expect([path, [404, 405].includes(answer.status)]).toEqual([path, true])
    expect(await answer.json()).toHaveProperty('requestId')
  }
  expect((await kernel.ask('GET /%E0%A4%A')).status).toBe(404)
})

test('two routes that claim one path stop the start, and both are named', () => {
  const rival = { ...forgetNote, route: 'DELETE /api/notes/:noteId' }
  const contexts = [contextOf({ operations: { forgetNote } }), contextOf({ slug: 'rival', operations: { rival } })]
  expect(() => kernelOf(contexts)).toThrow(
    'Two routes claim one path: DELETE /api/notes/:id of notes, and DELETE /api/notes/:noteId of rival',
  )
})
