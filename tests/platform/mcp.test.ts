import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createLog } from '#lib/log.ts'
import { operations } from '../operations/every.ts'
import { samplesOf } from '../operations/samples.ts'
import { bearer, dot, openWorld, type World } from '../support/world.ts'

// The Model Context Protocol through its official client, against the whole server.

let world: World
const lines: string[] = []

beforeAll(async () => {
  world = await openWorld({
    env: { ALLOWED_ORIGINS: 'https://friend.example', RATE_LIMIT_WRITES: '2' },
    log: createLog('debug', false, (line) => void lines.push(line)),
  })
})
afterAll(() => world.close())

/** A client that sends these headers. */
async function connect(credential: Record<string, string>, address?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    fetch: (input, init) => world.handle(new Request(input, init), address),
    requestInit: { headers: credential },
  })
  await client.connect(transport)
  return client
}

interface Answer {
  isError?: boolean
  structuredContent?: { id?: string; items?: { id: string }[]; [field: string]: unknown }
  content: { type: string; text: string }[]
  _meta?: Record<string, unknown>
}

const call = async (
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
  meta?: Record<string, unknown>,
) => (await client.callTool({ name, arguments: input, ...(meta && { _meta: meta }) })) as unknown as Answer
const problemIn = ({ isError, content }: Answer) => {
  expect(isError).toBe(true)
  return JSON.parse(content[0]?.text ?? '') as Record<string, unknown>
}
const namesFor = async (credential: Record<string, string>) =>
  (await (await connect(credential)).listTools()).tools.map(({ name }) => name)

const everything = ['posts.read', 'posts.write', 'accounts.read', 'accounts.write']
const draft = () => ({ brandId: world.ada.things.brands, provider: 'sandbox', text: 'From a tool' })

/** A message as a client sends it, with overrides. */
const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const send = (headers: Record<string, string>, body: unknown = message) =>
  world.stranger.fetch('POST /mcp', body, { accept: 'application/json, text/event-stream', ...headers })

test('PLT-16 official client lists the tools of a key: names, schemas and effect annotations', async () => {
  const client = await connect(world.key.credential)
  expect(client.getServerVersion()).toMatchObject({ name: 'atrium', title: 'Atrium' })
  expect(client.getInstructions()).toContain('/openapi')
  const { tools, nextCursor } = await client.listTools()
  expect(nextCursor).toBeUndefined()
  const { items } = await world.key.fetchJson<{ items: { name: string; inputSchema: object }[] }>(
    'GET /api/actions/catalog?limit=100',
  )
  expect(tools.map(({ name }) => name)).toEqual(items.map(({ name }) => name))
  expect(tools.find(({ name }) => name === 'getPost')).toMatchObject({
    description: 'Get a post.',
    inputSchema: { type: 'object', required: ['id'] },
    outputSchema: { type: 'object', properties: { id: { type: 'string' }, text: { type: 'string' } } },
    annotations: { title: 'Get a post', readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  })
  expect(tools.every(({ annotations }) => annotations?.readOnlyHint)).toBe(true)
})

test('PLT-16 key has the tools of its scopes, and a person those of their role', async () => {
  const writer = await world.ada.createKey({ scopes: ['posts.write'] })
  const hints = new Map(
    (await (await connect(writer.credential)).listTools()).tools.map(({ name, annotations }) => [name, annotations]),
  )
  expect(hints.get('createPost')).toMatchObject({ readOnlyHint: false, destructiveHint: false, idempotentHint: false })
  expect(hints.get('updatePost')).toMatchObject({ destructiveHint: true, idempotentHint: true })
  expect(hints.get('deletePost')).toMatchObject({ destructiveHint: true, idempotentHint: true })
  expect(hints.has('listPosts')).toBe(false)
  expect(await namesFor(world.vera.credential)).not.toContain('createPost')
  expect(await namesFor(world.ada.credential)).toEqual(expect.arrayContaining(['createBrand', 'createPost']))
  for (const { credential } of [world.nora, world.service]) expect(await namesFor(credential)).toEqual([])
})

test('PLT-16 tool performs its operation: path, query and body are one object, and the log names the key', async () => {
  const key = await world.ada.createKey({ scopes: everything })
  const client = await connect(key.credential)
  await client.listTools()
  const made = await call(client, 'createPost', draft())
  const id = made.structuredContent?.id ?? ''
  expect(JSON.parse(made.content[0]?.text ?? '')).toEqual(made.structuredContent)
  const edited = await call(client, 'updatePost', { id, text: 'Changed', tags: ['a', 'b'] })
  expect(edited.structuredContent).toMatchObject({ id, text: 'Changed', tags: ['a', 'b'] })
  expect(await world.ada.fetchJson<object>(`GET /api/posts/${id}`)).toMatchObject(edited.structuredContent ?? {})
  const found = await call(client, 'listPosts', { q: 'Changed', status: 'draft', limit: 2 })
  expect(found.structuredContent?.items?.map((post) => post.id)).toEqual([id])
  expect((await call(client, 'deletePost', { id })).content).toEqual([{ type: 'text', text: 'Done.' }])
  expect((await world.ada.fetch(`GET /api/posts/${id}`)).status).toBe(404)
  const { items } = await world.ada.fetchJson<{ items: { operation: string }[] }>(`GET /api/audit?objectId=${id}`)
  expect(items).toMatchObject(
    ['deletePost', 'updatePost', 'createPost'].map((operation) => ({
      operation,
      credential: { kind: 'api_key', id: key.id },
    })),
  )
})

test('PLT-16 PLT-14 batch of messages is rejected as a whole, because each message counts as a request', async () => {
  const listing = { ...message, method: 'tools/list' }
  for (const body of [[listing, listing], [], `${' '.repeat(3_000)}[${JSON.stringify(listing)}]`]) {
    const answer = await send(world.key.credential, body)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32_600, message: expect.stringContaining('one message per request') },
      },
    ])
  }
  expect((await send(world.key.credential, listing)).status).toBe(200)
})

test('PLT-16 every read-only tool’s response matches its output schema', async () => {
  const client = await connect(world.ada.credential)
  const { tools } = await client.listTools()
  const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint)
  expect(reading.length).toBeGreaterThan(7)
  for (const { name } of reading) {
    const operation = operations.find((each) => each.name === name)
    const [input = {}] = operation ? samplesOf(operation, world) : []
    const answer = await call(client, name, input)
    expect(answer.isError, name).toBeUndefined()
  }
})

test('PLT-16 image is uploaded as base64', async () => {
  const client = await connect(world.ada.credential)
  const made = await call(client, 'uploadMedia', { brandId: world.ada.things.brands, file: dot, alt: 'A dot' })
  expect(made.structuredContent).toMatchObject({ alt: 'A dot', contentType: 'image/png' })
})

test('PLT-16 PLT-10 operation’s problem is returned as the tool’s error', async () => {
  const client = await connect((await world.ada.createKey({ scopes: everything })).credential)
  const invalid = problemIn(await call(client, 'createPost', { ...draft(), text: ' ' }))
  expect(invalid).toMatchObject({ status: 422, code: 'validation_failed', errors: [{ path: 'text' }] })
  expect(problemIn(await call(client, 'getPost'))).toMatchObject({ status: 422, errors: [{ path: 'id' }] })
  expect(problemIn(await call(client, 'getPost', { id: { $ne: '' } }))).toMatchObject({ status: 422 })
  const deep: unknown = JSON.parse(`${'['.repeat(3000)}${']'.repeat(3000)}`)
  for (const [name, field] of [
    ['listPosts', 'q'],
    ['createPost', 'text'],
  ] as const)
    expect(problemIn(await call(client, name, { ...draft(), [field]: deep }))).toMatchObject({
      status: 400,
      code: 'malformed',
    })
  const theirs = world.mallory.things
  for (const id of [
    theirs.posts,
    crypto.randomUUID(),
    'x',
    '..',
    '../brands',
    '%2e%2e',
    `${world.ada.things.posts}/x`,
    '?',
  ])
    expect(problemIn(await call(client, 'getPost', { id })), id).toMatchObject({ status: 404, code: 'not_found' })
  const smuggled = await call(client, 'createPost', {
    ...draft(),
    brandId: theirs.brands,
    organizationId: theirs.organizations,
  })
  expect(problemIn(smuggled)).toMatchObject({ status: 422, errors: [{ path: 'organizationId' }] })
})

test('PLT-16 tool outside the credential’s scopes doesn’t exist for it', async () => {
  const client = await connect(world.key.credential)
  for (const name of ['createPost', 'createApiKey', 'transferBrand', 'login', 'nothing', '', 'x'.repeat(3000)])
    await expect(client.callTool({ name, arguments: { ...draft() } }), name).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^MCP error -32602: (?!MCP)/),
    })
})

test('PLT-16 PLT-13 repeated tool call with the same key runs once', async () => {
  const client = await connect(world.ada.credential)
  const first = await call(client, 'createPost', draft(), { idempotencyKey: 'once' })
  const again = await call(client, 'createPost', draft(), { idempotencyKey: 'once' })
  expect(again.structuredContent?.id).toBe(first.structuredContent?.id ?? '')
  expect(again).toMatchObject({ _meta: { idempotencyReplayed: true } })
  expect(
    problemIn(await call(client, 'createPost', { ...draft(), text: 'Else' }, { idempotencyKey: 'once' })),
  ).toMatchObject({
    code: 'idempotency_key_reused',
  })
})

test('IDN-05 PLT-16 revoked key is rejected on its next message', async () => {
  const key = await world.ada.createKey({ scopes: ['posts.read'] })
  const client = await connect(key.credential)
  expect((await call(client, 'listPosts')).isError).toBeUndefined()
  await world.ada.fetchJson(`DELETE /api/api-keys/${key.id}`)
  await expect(client.callTool({ name: 'listPosts' })).rejects.toThrow('revoked')
  expect((await send(key.credential)).status).toBe(401)
})

test('IDN-36 PLT-16 test key has its tools, and works only with the sandbox network', async () => {
  const client = await connect((await world.ada.createKey({ scopes: everything, mode: 'test' })).credential)
  expect((await call(client, 'createPost', draft())).isError).toBeUndefined()
  const real = await call(client, 'createPost', { ...draft(), provider: 'mastodon' })
  expect(problemIn(real)).toMatchObject({ status: 403, code: 'test_key_not_allowed' })
})

test('PLT-16 request without a bearer token returns 401 with the metadata URL, even with a cookie', async () => {
  const { cookie } = await world.ada.signIn()
  const refused: Record<string, string>[] = [
    {},
    { cookie },
    bearer('nonsense'),
    { authorization: 'Basic YWRhOmFkYQ==' },
  ]
  for (const headers of refused) {
    const answer = await send(headers)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe(
      'Bearer resource_metadata="http://localhost/.well-known/oauth-protected-resource"',
    )
  }
  for (const path of ['', '/mcp']) {
    const reported = await world.stranger.fetchJson<object>(`GET /.well-known/oauth-protected-resource${path}`)
    expect(reported).toMatchObject({ resource: 'http://localhost/mcp', authorization_servers: ['http://localhost'] })
  }
})

test('PLT-16 PLT-21 request from another site’s page is rejected, even with a host name that resolves to this server', async () => {
  const { credential } = world.key
  const body = JSON.stringify(message)
  const headers = { ...credential, accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const from = (host: string, origin: string) =>
    world.handle(new Request(`http://${host}/mcp`, { method: 'POST', headers: { ...headers, origin }, body }))
  for (const [host, origin] of [
    ['localhost', 'https://evil.example'],
    ['localhost', 'http://localhost:1'],
    ['localhost', 'null'],
  ] as const)
    expect((await from(host, origin)).status, origin).toBe(403)
  expect((await from('evil.example', 'http://evil.example')).status).toBe(421)
  for (const origin of ['http://localhost', 'https://friend.example'])
    expect((await from('localhost', origin)).status, origin).toBe(200)
})

test('PLT-16 unsupported protocol features are rejected as the protocol defines: streams, sessions, other media, junk', async () => {
  const { credential } = world.key
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const answer = await world.stranger.fetch(`${method} /mcp`, undefined, {
      ...credential,
      accept: 'text/event-stream',
    })
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('POST')
  }
  expect((await world.stranger.fetch('OPTIONS /mcp')).headers.get('allow')).toBe('POST, OPTIONS')
  expect((await send({ ...credential, accept: 'application/json' })).status).toBe(406)
  expect((await send({ ...credential, 'content-type': 'text/plain' })).status).toBe(415)
  expect((await send({ ...credential, 'mcp-protocol-version': '1999-01-01' })).status).toBe(400)
  for (const junk of ['{', '[]]', '"x"', '{"jsonrpc":"1.0"}', '['.repeat(10_000)])
    expect(await (await send(credential, junk)).json(), junk.slice(0, 20)).toMatchObject({ error: { code: -32700 } })
  const unknown = await send(credential, { ...message, method: 'resources/list' })
  expect(await unknown.json()).toMatchObject({ id: 1, error: { code: -32601 } })
  const cursor = await send(credential, { ...message, params: { cursor: 'x' } })
  expect(await cursor.json()).toMatchObject({ error: { code: -32602 } })
  expect((await send(credential, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413)
  expect((await send(credential, { jsonrpc: '2.0', method: 'notifications/initialized' })).status).toBe(202)
})

test('PLT-16 tool call makes only one in-process request, and reads the catalog directly', async () => {
  const client = await connect(world.key.credential)
  lines.length = 0
  await call(client, 'listBrands')
  const paths = lines.map((line) => (JSON.parse(line) as { path?: string }).path)
  expect(paths.filter((path) => path !== undefined && path !== '/mcp')).toEqual(['/api/brands'])
})

test('PLT-14 PLT-16 tool call counts against the rate limit of its credential, like its operation', async () => {
  const writer = await connect((await world.ada.createKey({ scopes: ['posts.write'] })).credential, '203.0.113.9')
  const made = [await call(writer, 'createPost', draft()), await call(writer, 'createPost', draft())]
  expect(made.map(({ isError }) => isError)).toEqual([undefined, undefined])
  expect(problemIn(await call(writer, 'createPost', draft()))).toMatchObject({ status: 429, code: 'rate_limited' })
})

/** An external app that has published one tool of each kind, and the calls it received. */
async function publishedApp() {
  const sent: { route: string; authorization: string | null; body: string }[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const authorization = request.headers.get('authorization')
      sent.push({ route: `${request.method} ${pathname}${search}`, authorization, body: await request.text() })
      if (pathname === '/away') return Response.redirect('http://127.0.0.1:1/elsewhere')
      return pathname === '/gone' ? new Response('Gone for good', { status: 410 }) : Response.json({ things: 3 })
    },
  })
  const slug = `bot-${server.port}`
  const { sql } = world.database
  const [row] = await sql<{ id: string }[]>`INSERT INTO identity.services (slug, name, description, web_url)
    VALUES (${slug}, 'Bot', 'A bot', ${`${server.url.href}start`}) RETURNING id`
  const serviceId = row?.id ?? ''
  for (const permission of ['things:read', 'things:write']) {
    await sql`INSERT INTO identity.service_permissions (service_id, permission, scope, description)
      VALUES (${serviceId}, ${permission}, ${permission.replace(':', '.')}, 'Things')`
    await sql`INSERT INTO identity.role_bundles (service_id, role, permission) VALUES (${serviceId}, 'owner', ${permission})`
  }
  await sql`INSERT INTO identity.service_access (organization_id, service_id, granted_at)
    VALUES (${world.ada.things.organizations}, ${serviceId}, now())`
  const action = (name: string, method: string, path: string, kind = 'read') => {
    return { name, summary: 'Do it', method, path, permission: `things:${kind}`, inputSchema: { type: 'object' } }
  }
  const actions = [
    action('countThings', 'GET', '/things/:kind'),
    action('makeThing', 'POST', '/things', 'write'),
    action('goneThing', 'GET', '/gone'),
    action('awayThing', 'GET', '/away'),
  ]
  await world.services['platform-developer-console']?.fetchJson('POST /api/internal/service-actions/sync', {
    serviceId,
    actions,
  })
  const person = await world.ada.signIn()
  const makeKey = async (options: object) => {
    const plan = { name: 'Bot', service: slug, scopes: ['things.read', 'things.write'], ...options }
    return bearer((await person.fetchJson<{ key: string }>('POST /api/api-keys', plan, 201)).key)
  }
  return { sent, server, person, makeKey }
}

test('PLT-16 PLT-17 actions of an external app are tools of its own keys, which reach nothing else', async () => {
  const { sent, server, person, makeKey } = await publishedApp()
  const credential = await makeKey({})
  const client = await connect(credential)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['awayThing', 'countThings', 'goneThing', 'makeThing'])
  const counted = await call(client, 'countThings', { kind: 'a b', color: 'red' })
  expect(counted.structuredContent).toEqual({ things: 3 })
  await call(client, 'makeThing', { name: 'x' })
  const authorization = credential['authorization'] ?? ''
  expect(sent).toEqual([
    { route: 'GET /things/a%20b?color=red', authorization, body: '' },
    { route: 'POST /things', authorization, body: '{"name":"x"}' },
  ])
  expect(await call(client, 'goneThing')).toMatchObject({ isError: true, content: [{ text: 'Gone for good' }] })
  expect(problemIn(await call(client, 'awayThing'))).toMatchObject({ status: 502, code: 'app_unreachable' })
  const before = sent.length
  const reader = await connect(await makeKey({ scopes: ['things.read'] }))
  await expect(call(reader, 'makeThing')).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(/^MCP error -32602: (?!MCP)/),
  })
  for (const other of [person.credential, await makeKey({ mode: 'test' })]) {
    const elsewhere = await connect(other)
    expect((await elsewhere.listTools()).tools.map(({ name }) => name)).not.toContain('countThings')
    await expect(call(elsewhere, 'countThings', { kind: 'x' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^MCP error -32602: (?!MCP)/),
    })
  }
  expect(sent.length).toBe(before)
  await server.stop(true)
  expect(problemIn(await call(client, 'makeThing'))).toMatchObject({ code: 'app_unreachable' })
})
