import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createMetrics } from '#lib/metrics.ts'
import type { UsageRow } from '../../src/gateway/usage/insert.ts'
import { createUsageMonitor } from '../../src/gateway/usage/monitor.ts'
import { observeUsage } from '../../src/gateway/usage/observe.ts'
import { reportUsage } from '../../src/gateway/usage/events.operations.ts'
import { eventually } from '../boot/program.ts'
import { openWorld, type World } from '../support/world.ts'
import { usageRow } from './usage-row.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const request = (organizationId = 'o', at = 0) => ({
  organizationId,
  service: 'platform-socialize',
  operation: `operation-${at}`,
  occurredAt: new Date(),
})

test('GTW-32 a service’s own requests are counted as requests, apart from other usage', async () => {
  const organizationId = world.ada.things.organizations
  world.provided.usageMonitor.record({ ...request(organizationId), userId: world.ada.id, latencyMs: 12.4 })
  const record = {
    provider: 'platform-socialize',
    unit: 'request',
    metadata: { operation: 'operation-0' },
    latencyMs: 12,
  }
  const listed = async () => (await world.ada.fetchJson<{ items: object[] }>('GET /api/usage?family=requests')).items
  expect(await eventually(async () => (await listed()).length > 0)).toBe(true)
  expect(await listed()).toMatchObject([record])
})

test('GTW-32 requests of API keys to a service are counted with their operation, those of people are not', async () => {
  const get = (credential: Record<string, string>) =>
    world.handle(new Request('http://localhost/api/brands', { headers: credential }), '127.0.0.1')
  expect([(await get(world.key.credential)).status, (await get(world.ada.credential)).status]).toEqual([200, 200])
  const listed = async () =>
    (await world.ada.fetchJson<{ items: object[] }>(`GET /api/usage?apiKeyId=${world.key.id}`)).items
  expect(await eventually(async () => (await listed()).length > 0)).toBe(true)
  expect(await listed()).toMatchObject([
    { family: 'requests', provider: 'platform-socialize', metadata: { operation: 'listBrands' }, costNanoUsd: 0 },
  ])
  const all = await world.ada.fetchJson<{ items: object[] }>('GET /api/usage?groupBy=family')
  expect(all.items).toMatchObject([{ family: 'requests', count: 2 }])
})

test('GTW-32 an unreachable ledger neither blocks nor fails requests, nor fills the memory; then nothing is counted twice', async () => {
  const sent: UsageRow[][] = []
  const errors: unknown[] = []
  let isAway = true
  const monitor = createUsageMonitor({
    gatherMs: 1,
    maxBatch: 4,
    maxWaiting: 10,
    onError: (error) => errors.push(error),
    send: async (rows) => {
      if (isAway) throw new Error('away')
      sent.push([...rows])
    },
  })
  for (let at = 0; at < 15; at++) monitor.record(request('o', at))
  expect(monitor.dropped).toBe(5)
  expect(await eventually(() => errors.length > 0)).toBe(true)
  isAway = false
  expect(await eventually(() => sent.flat().length === 10)).toBe(true)
  monitor.record(request())
  await monitor.stop()
  monitor.record(request())
  expect([sent.flat().length, new Set(sent.flat().map(({ requestId }) => requestId)).size]).toEqual([11, 11])
  expect([monitor.dropped, errors.length]).toEqual([6, 1])
})

test('GTW-36 committed usage and provider calls are counted in /metrics, duplicates apart', async () => {
  const metrics = createMetrics()
  const unwatch = world.provided.ledger.watch(observeUsage(metrics))
  const { ledger } = world.provided
  const row = usageRow({ family: 'ai', provider: 'openai', costNanoUsd: 70n, details: { status: 503, latencyMs: 300 } })
  await ledger.commit([row, { ...row }, usageRow({ family: 'email', costNanoUsd: 5n })], { durable: false })
  unwatch()
  await ledger.commit([usageRow({ family: 'email' })], { durable: false })
  const lines = (await metrics.text()).split('\n')
  expect(lines).toContain('atrium_usage_requests_total{family="ai"} 1')
  expect(lines).toContain('atrium_usage_cost_nano_usd_total{family="ai"} 70')
  expect(lines).toContain('atrium_usage_duplicates_total{family="ai"} 1')
  expect(lines).toContain('atrium_usage_requests_total{family="email"} 1')
  expect(lines).toContain('atrium_provider_calls_total{provider="openai",outcome="error"} 1')
  expect(lines).toContain('atrium_provider_call_seconds_bucket{provider="openai",le="0.5"} 1')
})

test('GTW-30 reports that wait for an unreachable database don’t fill the memory', async () => {
  const away = Promise.withResolvers<never>()
  const row = { family: 'requests', provider: 'p', unit: 'request', quantity: 1 }
  const events = Array.from({ length: 1000 }, (_, at) => ({ ...row, requestId: `${at}` }))
  const call = {
    ...world.provided,
    body: new TextEncoder().encode(JSON.stringify(events)),
    request: { headers: new Headers({ 'content-type': 'application/json' }) },
    actor: { tokenType: 'access', organization: { id: world.ada.things.organizations } },
    now: () => new Date(),
    ledger: { commit: () => away.promise },
  }
  const report = () => reportUsage.run(call as never)
  const waiting = Array.from({ length: 50 }, () => report().catch(() => 'gone'))
  await expect(report()).rejects.toMatchObject({ status: 503, code: 'busy' })
  away.reject(new Error('gone'))
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['gone']))
  await expect(report()).rejects.toThrow('gone')
})
