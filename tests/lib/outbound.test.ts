import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readConfig } from '#config'
import { isPublic } from '#lib/outbound/addresses.ts'
import { outboundError } from '#lib/outbound/error.ts'
import { createOutbound, OutboundError, type OutboundInit } from '#lib/outbound.ts'
import { secretsKey, stagingNetworks } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'

// Here 127.0.0.2 represents the public internet and 127.0.0.1 the private network: `permits` decides, as `isPublic`
// does in production.

const [outside, inside] = ['127.0.0.2', '127.0.0.1']
const servers: { stop(force: boolean): unknown }[] = []
afterAll(() => servers.forEach((server) => server.stop(true)))

interface Seen {
  method: string
  path: string
  headers: Headers
  body: string
}

/** A server that responds with `act` and records its requests. */
function serve(
  act: (request: Request) => Response | Promise<Response>,
  options: { hostname?: string; port?: number; tls?: object } = {},
) {
  const seen: Seen[] = []
  const server = Bun.serve({
    hostname: outside,
    port: 0,
    ...options,
    fetch: async (request) => {
      const { method, headers, url } = request
      seen.push({ method, headers, path: new URL(url).pathname, body: await request.clone().text() })
      return act(request)
    },
  })
  servers.push(server)
  return { seen, port: server.port, url: (host = 'feeds.test') => `http://${host}:${server.port}/` }
}

/** A server that sends raw bytes. */
function raw(answer: string, thenClose = true) {
  const server = Bun.listen({
    hostname: outside,
    port: 0,
    socket: {
      data(socket) {
        socket.write(answer)
        if (thenClose) socket.end()
      },
    },
  })
  servers.push(server)
  return `http://feeds.test:${server.port}/`
}

const names: Record<string, string[]> = { 'feeds.test': [outside], 'other.test': [outside], 'inside.test': [inside] }
const options = {
  allowPrivate: false,
  resolve: async (host: string) => names[host] ?? [],
  permits: (address: string) => address === outside,
}
const outbound = createOutbound(options)
const guarded = createOutbound({ allowPrivate: false })

/** The error of a request without a response. */
async function failure(url: string, init: OutboundInit = {}, by = outbound): Promise<OutboundError> {
  const ended: unknown = await by.fetch(url, init).catch((error: unknown) => error)
  if (ended instanceof OutboundError) return ended
  throw new Error(`It did not fail as it should: ${String(ended)}`)
}

const redirectTo = (location: string, status = 302) => new Response(null, { status, headers: { location } })
const hello = () => new Response('Hello')

test('PLT-25 response is returned completely, and the request has the host name as Host', async () => {
  const server = serve(() => Response.json({ fine: true }, { status: 201 }))
  const body = JSON.stringify({ a: 1 })
  const answer = await outbound.fetch(server.url(), { method: 'POST', body, headers: { host: 'evil.test' } })
  expect([answer.status, answer.url, await answer.json()]).toEqual([201, server.url(), { fine: true }])
  expect(server.seen).toMatchObject([{ method: 'POST', path: '/', body }])
  expect(server.seen[0]?.headers.get('host')).toBe(`feeds.test:${server.port}`)
})

/** In every notation that URLs support, separated by spaces. */
const privateHosts = `
  127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1 127。0。0。1 0.0.0.0 0 10.0.0.1 172.16.0.1 192.168.1.1
  169.254.169.254 100.64.0.1 192.0.0.8 198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255
  [::] [::1] [::ffff:127.0.0.1] [::ffff:8.8.8.8] [::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::1] [2002:7f00:1::] [2001::1]
  [fe80::1] [fec0::1] [fd00:ec2::254] [ff02::1] [100::1] [4000::1] localhost localhost. deep.localhost`

test.each(privateHosts.trim().split(/\s+/))('PLT-25 call to the address %s is rejected', async (host) => {
  const server = serve(hello, { hostname: inside })
  const { outcome, mayHaveArrived } = await failure(`http://${host}:${server.port}/`, {}, guarded)
  expect([outcome, mayHaveArrived]).toEqual(['refused_address', false])
  expect(server.seen).toEqual([])
})

test('PLT-25 call to a public address is made', () => {
  expect(['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'].map(isPublic)).toEqual([true, true])
})

test('PLT-25 call to a name with a private address, alone or alongside a public one, is rejected', async () => {
  const server = serve(hello, { hostname: inside })
  const mixed = createOutbound({ ...options, resolve: async () => [outside, inside] })
  for (const by of [outbound, mixed])
    expect((await failure(server.url('inside.test'), {}, by)).outcome).toBe('refused_address')
  expect(server.seen).toEqual([])
})

test('PLT-25 host name whose address changes after the check is called at the checked address', async () => {
  const good = serve(hello)
  const bad = serve(hello, { hostname: inside, port: good.port })
  let requested = 0
  const rebinding = createOutbound({ ...options, resolve: async () => [requested++ === 0 ? outside : inside] })
  expect(await (await rebinding.fetch(good.url())).text()).toBe('Hello')
  expect((await failure(good.url(), {}, rebinding)).outcome).toBe('refused_address')
  expect([requested, good.seen.length, bad.seen.length]).toEqual([2, 1, 0])
})

test('PLT-25 TLS certificate must match the host name even though the call goes to an IP address', async () => {
  const pem = (name: string) => Bun.file(join(import.meta.dir, '../support/tls', name)).text()
  const [cert, key] = await Promise.all([pem('certificate.pem'), pem('key.pem')])
  const { port, seen } = serve(hello, { tls: { cert, key } })
  const trusting = createOutbound({ ...options, ca: cert })
  expect(await (await trusting.fetch(`https://feeds.test:${port}/`)).text()).toBe('Hello')
  for (const [url, by] of [
    [`https://other.test:${port}/`, trusting],
    [`https://feeds.test:${port}/`, outbound],
  ] as const) {
    const { outcome, mayHaveArrived } = await failure(url, {}, by)
    expect([outcome, mayHaveArrived]).toEqual(['unreachable', false])
  }
  expect(seen).toHaveLength(1)
})

test.each([
  'http://127.0.0.1',
  'http://[::ffff:127.0.0.1]',
  'http://0.0.0.0',
  'http://0x7f.1',
  'http://inside.test',
  'file:///etc/passwd',
  'http://',
])('PLT-25 redirect to %s is not followed', async (target) => {
  const victim = serve(hello, { hostname: inside })
  const server = serve(() => redirectTo(target.startsWith('http://') ? `${target}:${victim.port}/` : target))
  expect((await failure(server.url())).outcome).toBe('refused_address')
  expect([server.seen.length, victim.seen.length]).toEqual([1, 0])
})

test('PLT-25 three redirects are followed, a fourth is not', async () => {
  const server = serve((request) => {
    const left = Number(new URL(request.url).pathname.slice(1))
    return left > 0 ? redirectTo(`/${left - 1}`) : hello()
  })
  const answer = await outbound.fetch(`${server.url()}3`)
  expect([await answer.text(), answer.url]).toEqual(['Hello', `${server.url()}0`])
  expect((await failure(`${server.url()}4`)).outcome).toBe('too_many_redirects')
  expect((await failure(`${server.url()}4`, { maxRedirects: 20 })).outcome).toBe('too_many_redirects')
  expect((await failure(`${server.url()}1`, { maxRedirects: 0 })).outcome).toBe('too_many_redirects')
})

test('PLT-25 credentials and bodies are not sent to another origin', async () => {
  const other = serve(hello)
  const server = serve((request) => redirectTo(other.url('other.test'), request.method === 'PUT' ? 307 : 302))
  const headers = { authorization: 'Bearer secret', cookie: 'a=1', 'x-api-key': 'secret', accept: 'text/plain' }
  await outbound.fetch(server.url(), { headers })
  expect(server.seen[0]?.headers.get('authorization')).toBe('Bearer secret')
  expect(other.seen[0]?.headers.get('accept')).toBe('text/plain')
  expect(JSON.stringify([...(other.seen[0]?.headers ?? [])])).not.toMatch(/secret|cookie/)
  expect(await failure(server.url(), { method: 'PUT', body: 'password=secret' })).toMatchObject({
    outcome: 'refused_address',
  })
  expect(other.seen).toHaveLength(1)
})

test('PLT-25 credentials are kept within an origin; a POST becomes a GET on 303 and stays a POST on 308', async () => {
  const server = serve(({ url }) => {
    const { pathname } = new URL(url)
    return pathname === '/there' ? hello() : redirectTo('/there', pathname === '/see' ? 303 : 308)
  })
  const init = { method: 'POST', body: 'text', headers: { authorization: 'Bearer mine', 'content-type': 'text/plain' } }
  for (const path of ['see', 'stay']) await outbound.fetch(`${server.url()}${path}`, init)
  const there = server.seen.filter(({ path }) => path === '/there')
  expect(there.map(({ method, body }) => [method, body])).toEqual([
    ['GET', ''],
    ['POST', 'text'],
  ])
  expect(there.map(({ headers }) => headers.get('content-type'))).toEqual([null, 'text/plain'])
  expect(there.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer mine', 'Bearer mine'])
})

test('PLT-25 slow response is aborted at the timeout', async () => {
  const trickle = () =>
    new ReadableStream({
      pull: async (controller) => {
        await Bun.sleep(20)
        controller.enqueue('a little\n')
      },
    })
  const server = serve(() => new Response(trickle()))
  const start = performance.now()
  const { outcome, mayHaveArrived } = await failure(server.url(), { timeoutMs: 200 })
  expect([outcome, mayHaveArrived]).toEqual(['timed_out', true])
  expect(performance.now() - start).toBeLessThan(scaleTime(1500))
})

test('PLT-25 caller’s own signal aborts the call; a call to an unresolvable name counts as not sent', async () => {
  const silent = serve(() => new Promise<Response>(() => {}))
  expect((await failure(silent.url(), { signal: AbortSignal.timeout(100) })).outcome).toBe('timed_out')
  const lost = createOutbound({ ...options, resolve: () => new Promise<string[]>(() => {}) })
  expect((await failure(silent.url(), { timeoutMs: 50 }, lost)).outcome).toBe('unreachable')
})

test('PLT-25 huge response, even a compressed one, is cut off at the limit without filling memory', async () => {
  const bomb = gzipSync(Buffer.alloc(300 * 1024 * 1024))
  const megabyte = new Uint8Array(1024 * 1024)
  const endless = () => new ReadableStream({ pull: (controller) => controller.enqueue(megabyte) })
  const packed = serve(() => new Response(bomb, { headers: { 'content-encoding': 'gzip' } }))
  const long = serve(() => new Response(endless()))
  const before = process.memoryUsage.rss()
  for (const server of [packed, long])
    expect((await failure(server.url(), { maxBytes: 3_000_000 })).outcome).toBe('too_large')
  expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024)
})

test('PLT-25 compressed response within the limit is decompressed; a corrupt one is a lost response', async () => {
  const packed = gzipSync('Hello')
  const headers = { 'content-encoding': 'gzip' }
  const server = serve(({ url }) => new Response(url.endsWith('cut') ? packed.subarray(0, 12) : packed, { headers }))
  const answer = await outbound.fetch(server.url(), { maxBytes: 5 })
  expect([await answer.text(), answer.headers.get('content-encoding')]).toEqual(['Hello', null])
  expect((await failure(`${server.url()}cut`)).outcome).toBe('lost')
})

test('PLT-25 host without an address counts as unreachable, so that nothing has arrived', () => {
  const { outcome, message } = outboundError(
    Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }),
    'a.example',
  )
  expect([outcome, message]).toEqual(['unreachable', 'a.example can’t be reached (ENOTFOUND).'])
})

test('PLT-25 refused connection counts as unreachable; a broken one counts as lost, and the request may have arrived', async () => {
  const closed = serve(hello).url()
  await servers.pop()?.stop(true)
  const { outcome, mayHaveArrived } = await failure(closed)
  expect([outcome, mayHaveArrived]).toEqual(['unreachable', false])
  const unknown = await failure('http://unknown.test/')
  expect([unknown.outcome, unknown.mayHaveArrived]).toEqual(['unreachable', false])
  for (const answer of ['', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc', 'SSH-2.0-OpenSSH\r\n']) {
    const cut = await failure(raw(answer))
    expect([cut.outcome, cut.mayHaveArrived]).toEqual(['lost', true])
  }
})

test('PLT-25 failure after the redirect of a POST counts as possibly arrived', async () => {
  const server = serve(() => redirectTo('http://unknown.test/', 303))
  const { outcome, mayHaveArrived } = await failure(server.url(), { method: 'POST', body: 'x' })
  expect([outcome, mayHaveArrived]).toEqual(['lost', true])
})

test('PLT-25 second address is tried when the first refuses the connection', async () => {
  const server = serve(hello)
  const two = createOutbound({ ...options, permits: () => true, resolve: async () => ['127.0.0.3', outside] })
  expect(await (await two.fetch(server.url())).text()).toBe('Hello')
})

test('PLT-25 end of a streamed response is reported once, read or canceled', async () => {
  const server = serve(() => new Response(new Blob(['x'.repeat(100_000)]).stream()))
  let ends = 0
  const open = () => outbound.fetch(server.url(), { streams: true, onEnd: () => (ends += 1) })
  const read = await open()
  expect(ends).toBe(0)
  await read.text()
  expect(ends).toBe(1)
  await (await open()).body?.cancel()
  expect(ends).toBe(2)
})

test('PLT-25 streamed body is sent from its beginning to the second address', async () => {
  const server = serve(async (request) => new Response(await request.text()))
  const two = createOutbound({ ...options, permits: () => true, resolve: async () => ['127.0.0.3', outside] })
  const body = () => new Blob(['Hel', 'lo']).stream()
  const response = await two.fetch(server.url(), { method: 'POST', body, headers: { 'content-length': '5' } })
  expect(await response.text()).toBe('Hello')
})

test.each([
  'ftp://feeds.test/',
  'javascript:alert(1)',
  'http://user:secret@feeds.test/',
  'http://feeds.test:22/',
  'nonsense',
  'http://feeds.test:99999/',
])('PLT-25 %s is rejected as a URL to call', async (url) => {
  const { outcome, message } = await failure(url)
  expect(outcome).toBe('refused_address')
  expect(message).not.toContain('secret')
})

test('PLT-25 ALLOW_PRIVATE_NETWORK is on in development and test, off elsewhere, and allows loopback', async () => {
  const server = serve(hello, { hostname: inside })
  expect(await (await createOutbound({ allowPrivate: true }).fetch(server.url('localhost'))).text()).toBe('Hello')
  const secret = { DATABASE_URL: 'postgres://a/b', SECRETS_KEY: secretsKey, ...stagingNetworks }
  const deployed = { ...secret, PUBLIC_URL: 'https://atrium.example', SMTP_URL: 'smtp://mail.example' }
  const allowed = (ATRIUM_ENV: string, more = {}) =>
    readConfig({ ATRIUM_ENV, ...deployed, ...more }).ALLOW_PRIVATE_NETWORK
  expect(['development', 'test', 'staging', 'production'].map((env) => allowed(env))).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect(allowed('production', { ALLOW_PRIVATE_NETWORK: 'true' })).toBe(true)
})
