import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { openLive } from '../support/live-client.ts'
import { serve, type Served } from '../support/served.ts'
import { bearer, password } from '../support/world.ts'

// A server with tracing on, and a collector for the traces.

interface Spans {
  resourceSpans: { scopeSpans: { spans: Sent[] }[] }[]
}
interface Sent {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: Record<string, unknown> }[]
}

let fresh: TestDatabase
let server: Served
const spans: Sent[] = []
const collector = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    if (new URL(request.url).pathname !== '/v1/traces') return new Response(null, { status: 404 })
    const encoded = request.headers.get('content-encoding') === 'gzip'
    const bytes = await request.bytes()
    const sent: Spans = JSON.parse(new TextDecoder().decode(encoded ? Bun.gunzipSync(bytes) : bytes))
    spans.push(...sent.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    return Response.json({})
  },
})

beforeAll(async () => {
  fresh = await freshDatabase()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url.href, LOG_LEVEL: 'info' }
  server = await serve({ databaseUrl: fresh.url, env })
})
afterAll(async () => {
  await killRest()
  await collector.stop(true)
  await fresh.drop()
})

const send = (path: string, headers: Record<string, string> = {}, body?: unknown) =>
  fetch(`${server.url}${path}`, {
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
const scraped = async () => (await send('/metrics')).text()

/** The value of one sample. */
const valueOf = (text: string, sample: string): number =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length + 1),
  )

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('PLT-33 each step of a post is in the metrics and, as one trace per request, at the collector', async () => {
  const person = { name: 'Ada', email: 'ada@example.com', password, createOrganization: true }
  const { accessToken } = await (await send('/register', {}, person)).json()
  const own = bearer(accessToken)
  const { id: brandId } = await (await send('/api/brands', own, { name: 'Acme' })).json()
  await send('/api/integrations/sandbox/connect', own, { brandId, handle: 'acme' })
  const post = { brandId, provider: 'sandbox', text: 'Hello' }
  const { id } = await (await send('/api/posts', { ...own, traceparent }, post)).json()
  await send(`/api/posts/${id}/publish-now`, own, {})
  const published = async () => (await (await send(`/api/posts/${id}`, own)).json()).status === 'published'
  expect(await eventually(published, 15_000)).toBe(true)
  await send('/nowhere/at/all')

  expect((await (await send('/api/audit/export', own)).text()).length).toBeGreaterThan(0)
  const live = await openLive(new URL(server.url))
  const text = await scraped()
  live.close()
  expect(valueOf(text, 'atrium_http_streams_total{route="/api/audit/export",outcome="completed"}')).toBe(1)
  expect(valueOf(text, 'atrium_sockets_open')).toBe(1)
  expect(valueOf(text, 'atrium_http_requests_total{method="POST",route="/api/posts",status="201"}')).toBe(1)
  expect(valueOf(text, 'atrium_http_requests_total{method="any",route="none",status="404"}')).toBe(1)
  expect(text).not.toContain(id)
  const bucket = 'atrium_http_request_duration_seconds_bucket{method="POST",route="/register",le="+Inf"}'
  expect(valueOf(text, bucket)).toBe(1)
  expect(valueOf(text, 'atrium_publish_lateness_seconds_count{provider="sandbox"}')).toBe(1)
  expect(valueOf(text, 'atrium_publish_lateness_seconds_bucket{provider="sandbox",le="5"}')).toBe(1)
  expect(valueOf(text, 'atrium_database_pool_size')).toBe(10)
  expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e7)
  expect(text).toMatch(/^atrium_queue_jobs\{queue="[\w.-]+",state="ready"\} \d+$/m)
  expect(text).toMatch(/^atrium_database_connections\{state="(active|idle)"\} \d+$/m)

  const sent = (name: string) => spans.find((span) => span.name === name)
  expect(await eventually(async () => Boolean(sent('send post') && sent('POST /api/posts')), 10_000)).toBe(true)
  const request = sent('POST /api/posts')
  expect(request).toMatchObject({ traceId: traceparent.split('-')[1], parentSpanId: traceparent.split('-')[2] })
  const within = spans.filter(({ traceId }) => traceId === request?.traceId)
  expect(within.map(({ name }) => name)).toContain('transaction')
  expect(within.find(({ name }) => name === 'transaction')?.parentSpanId).toBe(request?.spanId)
  const sending = sent('send post')
  expect(JSON.stringify(sending?.attributes)).toContain(id)
  const outgoing = spans.find(
    ({ name, attributes }) => name === 'POST' && JSON.stringify(attributes).includes('server.address'),
  )
  expect(outgoing?.traceId).toBe(sending?.traceId)
  // The sandbox network is on this server: it continued the trace of the post.
  expect(spans.find(({ name }) => name.startsWith('POST /dev/sandbox/'))).toMatchObject({
    traceId: sending?.traceId,
    parentSpanId: outgoing?.spanId,
  })
  expect(JSON.stringify(spans)).not.toMatch(/Hello|ada@example|correct horse/)
})

test('GTW-36 a counted request is in the metrics and a span at the collector, with its provider and cost', async () => {
  const { accessToken } = await (await send('/api/auth/login', {}, { email: 'ada@example.com', password })).json()
  const event = {
    requestId: 'r-1',
    family: 'translation',
    provider: 'maps',
    unit: 'character',
    quantity: 9,
    costNanoUsd: 5,
  }
  const receipt = await send('/platform/usage/events', bearer(accessToken), [event, event])
  expect(await receipt.json()).toMatchObject({ accepted: 1, duplicates: 1 })
  const text = await scraped()
  expect(valueOf(text, 'atrium_usage_requests_total{family="translation"}')).toBe(1)
  expect(valueOf(text, 'atrium_usage_duplicates_total{family="translation"}')).toBe(1)
  const find = () => spans.filter(({ name }) => name === 'usage translation')
  expect(await eventually(() => find().length > 0, 10_000)).toBe(true)
  const attributes = find().map((span) => Object.fromEntries(span.attributes.map(({ key, value }) => [key, value])))
  expect(attributes).toMatchObject([
    { 'gen_ai.provider.name': { stringValue: 'maps' }, 'atrium.usage.cost_nano_usd': { intValue: 5 } },
  ])
})

test('PLT-33 each request has a log line with its route, caller and trace', async () => {
  const { accessToken } = await (await send('/api/auth/login', {}, { email: 'ada@example.com', password })).json()
  const answer = await send('/api/brands?limit=3', { ...bearer(accessToken), traceparent })
  const id = answer.headers.get('x-request-id') ?? ''
  expect(await eventually(async () => server.output().includes(id))).toBe(true)
  const line =
    server
      .output()
      .split('\n')
      .find((text) => text.includes(id)) ?? ''
  expect(JSON.parse(line)).toMatchObject({
    message: 'request',
    route: '/api/brands',
    path: '/api/brands',
    status: 200,
    credential: 'access',
    principal: expect.any(String),
    organization: expect.any(String),
    trace: traceparent.split('-')[1],
    ms: expect.any(Number),
  })
})

test('PLT-33 metrics are served only to this machine, and not through a proxy on it', async () => {
  expect((await send('/metrics')).status).toBe(200)
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
    expect((await send('/metrics', { [header]: '203.0.113.7' })).status).toBe(404)
})

test('PLT-33 METRICS_TOKEN gives access to metrics from anywhere', async () => {
  const env = { METRICS_TOKEN: 'a-token-of-the-scraper' }
  const guarded = await serve({ databaseUrl: fresh.url, env })
  const status = async (headers: Record<string, string>) => (await fetch(`${guarded.url}/metrics`, { headers })).status
  expect(await status({})).toBe(401)
  expect(await status(bearer('another-token-that-is-unknown'))).toBe(401)
  expect(await status({ ...bearer(env.METRICS_TOKEN), 'x-forwarded-for': '203.0.113.7' })).toBe(200)
})
