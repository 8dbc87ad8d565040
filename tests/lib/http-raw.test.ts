import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import { listen, type Listener } from '#lib/http/listen.ts'
import { createLog } from '#lib/log.ts'
import { operation } from '#lib/operation.ts'
import { contextOf, kernelOf } from './kernel.tsx'

// Over a raw socket: `fetch` and `new Request` refuse what other clients can send.

const echo = operation({
  route: 'GET /api/notes/:id',
  summary: 'Which note',
  permission: 'public',
  input: z.object({ id: z.string() }),
  output: z.object({ id: z.string() }),
  run: async ({ input }) => input,
})

const lines: Record<string, unknown>[] = []
const log = createLog('debug', false, (line) => lines.push(JSON.parse(line)))
const database = {} as DatabaseHandle
const contexts = [contextOf({ operations: { echo } })]
let server: Listener
let broken: Listener
beforeAll(() => {
  const anywhere = { hostname: '127.0.0.1', port: 0 }
  server = listen(anywhere, kernelOf(contexts, { log, database }), log)
  broken = listen(anywhere, () => Promise.reject(new Error('Nothing works')), log)
})
afterAll(async () => {
  await server.stop(true)
  await broken.stop(true)
})

/** The response to exactly these bytes. */
async function send(text: string, { port } = server): Promise<{ status: number; head: string; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  let received = ''
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      open: (own) => void own.write(text),
      data: (_, bytes) => {
        received += bytes.toString()
        const length = /content-length: (\d+)/i.exec(received)?.[1]
        const [, body] = received.split('\r\n\r\n')
        if (length !== undefined && body !== undefined && Buffer.byteLength(body) >= Number(length)) resolve(received)
      },
      close: () => resolve(received),
      error: (_, error) => reject(error),
    },
  })
  const [head = '', body = ''] = (await promise).split('\r\n\r\n')
  socket.end()
  return { status: Number(head.split(' ')[1]), head: head.toLowerCase(), body }
}

const get = (path: string, host: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`

test.each(['foo bar', '[', 'a:b:c', '127.0.0.1:99999', 'a/b', 'a@b', 'a?b', '', 'a%2fb', 'x\ty'])(
  'PLT-07 PLT-10 request with the malformed Host %p returns a 400 problem and is logged',
  async (host) => {
    const { status, head, body } = await send(get('/api/notes/7?x=1', host))
    const problem = JSON.parse(body)
    expect([status, problem]).toMatchObject([400, { code: 'malformed_host', status: 400 }])
    expect(head).toContain('content-type: application/problem+json')
    expect(head).toContain(`x-request-id: ${problem.requestId}`)
    expect(head).toContain('x-content-type-options: nosniff')
    expect(head).toContain('cache-control: no-store')
    expect(lines.filter((line) => line['request'] === problem.requestId)).toMatchObject([
      { message: 'request', status: 400, path: '/api/notes/7' },
    ])
  },
)

test('PLT-10 HTTP/1.0 request without Host returns a 400 problem, as a page in a browser', async () => {
  const { status, body } = await send('GET /api/notes/7 HTTP/1.0\r\n\r\n')
  expect([status, JSON.parse(body).code]).toEqual([400, 'malformed_host'])
  const page = await send('GET / HTTP/1.1\r\nHost: a b\r\nAccept: text/html\r\n\r\n')
  expect([page.status, page.body]).toEqual([400, expect.stringContaining('The Host header is missing')])
})

test('PLT-07 error thrown by the handler itself returns a 500 problem without source or stack', async () => {
  const { status, head, body } = await send(get('/', 'localhost'), broken)
  const problem = JSON.parse(body)
  expect([status, problem.code]).toEqual([500, 'internal_error'])
  expect(head).toContain('content-type: application/problem+json')
  expect(body.length).toBeLessThan(400)
  expect(lines).toContainEqual(expect.objectContaining({ request: problem.requestId, error: 'Nothing works' }))
})

test.each(['x', 'ab', 'abc', 'localhost'])('path is matched literally with the short host %p', async (host) => {
  expect((await send(get('/anything-here/api/notes/7', host))).status).toBe(404)
  const { status, body } = await send(get('/api/notes/7', host))
  expect([status, body]).toEqual([200, '{"id":"7"}'])
})

test.each(['TRACE', 'PROPFIND', 'QUERY'])('PLT-10 unsupported method %s returns 405', async (method) => {
  const { status, head } = await send(`${method} /api/notes/7 HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  expect([status, /allow: (.*)/.exec(head)?.[1]?.trim()]).toEqual([405, 'get'])
})
