import { afterAll, beforeAll, expect, test } from 'bun:test'
import { transact } from '#lib/db.ts'
import type { Spending, UsageReport } from '../../src/gateway/types.ts'
import { insertUsage } from '../../src/gateway/usage/insert.ts'
import { openWorld, type World } from '../support/world.ts'
import { usageRow } from './usage-row.ts'

let world: World
const usd = 1_000_000_000n
const now = new Date()

beforeAll(async () => {
  world = await openWorld()
  // The world’s payments have called their provider.
  await world.database.sql`DELETE FROM gateway.usage_logs`
  await world.database.sql`DELETE FROM gateway.usage_daily`
  await world.database.sql`DELETE FROM gateway.usage_dedupe`
  const organizationId = world.ada.things.organizations
  const row = (requestId: string, more: Partial<Parameters<typeof usageRow>[0]>) =>
    usageRow({ organizationId, requestId, occurredAt: now, ...more })
  const social = { applicationId: 'platform-socialize', family: 'ai', provider: 'openai', model: 'gpt-4o' } as const
  await transact(world.database.db, (tx) =>
    insertUsage(tx, [
      row('1', { ...social, costNanoUsd: 12n * usd, userId: world.ada.id, metadata: { brand: 'Acme', post: 'p1' } }),
      row('2', { ...social, costNanoUsd: 2n * usd, userId: null, certainty: 'suspect', metadata: { brand: 'Acme' } }),
      row('3', { applicationId: 'studio', family: 'email', provider: 'mail', model: null, costNanoUsd: 3n * usd }),
    ]),
  )
})
afterAll(() => world.close())

const pageOf = async (who: Pick<World['ada'], 'fetch'>, path: string) => {
  const response = await who.fetch(`GET ${path}`, undefined, { accept: 'text/html' })
  expect([path, response.status]).toEqual([path, 200])
  return response.text()
}

test('GTW-45 overview tells what the month costs, by family, and names the pages of the gateway', async () => {
  const html = await pageOf(world.ada, '/gateway')
  for (const text of [
    '$17.00',
    'Cost per post',
    '$12.00',
    'Email',
    'href="/gateway/usage"',
    'href="/gateway/telemetry"',
  ])
    expect(html).toContain(text)
  expect(html).not.toContain('Send your first request')
  const spending = await world.ada.fetchJson<Spending>('GET /api/gateway/spending')
  expect(spending).toMatchObject({
    spentNanoUsd: 17_000_000_000,
    requests: 3,
    reservedNanoUsd: 0,
    budget: null,
    posts: { count: 1, costNanoUsd: 12_000_000_000 },
  })
  expect(spending.forecastNanoUsd).toBeGreaterThanOrEqual(spending.spentNanoUsd)
})

test('GTW-34 report splits the cost by app, person, brand and certainty, with names instead of IDs', async () => {
  const groupsBy = async (groupBy: string) => {
    const report = await world.ada.fetchJson<UsageReport>(`GET /api/gateway/usage?groupBy=${groupBy}`)
    expect(report.total).toEqual({ requests: 3, costNanoUsd: 17_000_000_000 })
    expect(report.groups.every(({ costsNanoUsd }) => costsNanoUsd.length === report.days.length)).toBe(true)
    return report.groups.map(({ key, name, costNanoUsd, suspect }) => [name ?? key, costNanoUsd / 1e9, suspect])
  }
  expect(await groupsBy('application')).toEqual([
    ['Social', 14, 1],
    ['studio', 3, 0],
  ])
  expect(await groupsBy('user')).toContainEqual(['Ada', 12, 0])
  expect(await groupsBy('brand')).toEqual([
    ['Acme', 14, 1],
    [null, 3, 0],
  ])
  expect(await groupsBy('certainty')).toEqual([
    ['exact', 15, 0],
    ['suspect', 2, 1],
  ])
})

test('GTW-45 usage page filters by app and keeps the filter in its links', async () => {
  const html = await pageOf(world.ada, '/gateway/usage?applicationId=studio&groupBy=family')
  expect(html).toContain('App: studio')
  expect(await pageOf(world.ada, `/gateway/usage?userId=${world.ada.id}`)).toContain('Person: Ada')
  expect(html).toContain('Verified')
  expect(html).toContain('applicationId=studio')
  expect(html).not.toContain('gpt-4o')
  expect((await world.ada.fetch('GET /gateway/usage?from=2026-02-02&to=2026-02-01')).status).toBe(422)
})

test('GTW-45 organization without usage is shown how to send its first request to a practice model', async () => {
  const html = await pageOf(world.mallory, '/gateway')
  for (const text of ['Send your first request', '/api/ai/v1/chat/completions', 'practice-small'])
    expect(html).toContain(text)
  expect(await pageOf(world.mallory, '/gateway/usage')).toContain('No usage in these days')
  expect(await pageOf(world.mallory, '/gateway/telemetry')).toContain('No calls to providers')
})

test('GTW-45 viewer sees the pages of the gateway without actions, and other organizations see nothing of it', async () => {
  const theirs = { organizationId: world.mallory.things.organizations, requestId: '1', model: 'secret-model' }
  await transact(world.database.db, (tx) => insertUsage(tx, [usageRow({ ...theirs, occurredAt: now })]))
  for (const path of ['/gateway', '/gateway/usage?groupBy=model', '/gateway/telemetry']) {
    expect(await pageOf(world.vera, path)).not.toMatch(/hx-(post|put|patch|delete)="\/api\/(limits|credentials|models)/)
    expect(await pageOf(world.ada, path)).not.toContain('secret-model')
    expect(await pageOf(world.mallory, path)).not.toContain('gpt-4o')
  }
})

test('GTW-45 GET /api/widget of the gateway has the spend of the month and of each day', async () => {
  for (const path of ['/api/widget?app=platform-gateway'])
    expect(await world.ada.fetchJson(`GET ${path}`)).toMatchObject({
      app: { slug: 'platform-gateway', name: 'Gateway' },
      metrics: [
        { label: 'Spent this month', value: '17.000000000', unit: 'USD' },
        { label: 'Forecast' },
        { label: 'Requests' },
      ],
      series: [{ label: 'Spend per day' }],
    })
  expect((await world.stranger.fetch('GET /api/widget?app=platform-gateway')).status).toBe(401)
})

test('GTW-45 search finds pages, used models and limits of the own organization', async () => {
  const limit = { scope_type: 'application', scope_value: 'platform-socialize', family: 'email', period: 'month' }
  await world.ada.fetchJson('POST /api/limits', { ...limit, mode: 'observe', limitNanoUsd: 1 }, 201)
  const find = async (who: Pick<World['ada'], 'fetchJson'>, words: string) => {
    const { items } = await who.fetchJson<{ items: { kind: string; label: string; href: string }[] }>(
      `GET /api/search?q=${words}`,
    )
    return items.map(({ kind, label, href }) => `${kind} ${label} ${href}`)
  }
  expect(await find(world.ada, 'telemetry')).toContain('page Telemetry /gateway/telemetry')
  expect(await find(world.ada, 'gpt')).toContain('model gpt-4o /gateway/models/openai/gpt-4o')
  await pageOf(world.ada, '/gateway/models/openai/gpt-4o')
  expect(await find(world.ada, 'limit')).toContain('limit Limit of Social /gateway/limits')
  expect((await find(world.mallory, 'gpt')).filter((each) => each.startsWith('model'))).toEqual([])
  expect((await find(world.mallory, 'limit')).join()).not.toContain('Social')
})

test('GTW-34 usage names API keys and brands of the own organization only', async () => {
  const { sql, db } = world.database
  await world.ada.createKey({ name: 'Night batch', service: 'platform-gateway', scopes: ['ai.invoke'] })
  const [key] = await sql<{ id: string }[]>`SELECT id FROM identity.api_keys WHERE name = 'Night batch'`
  const brandId = world.ada.things.brands
  const [brand] = await sql<{ name: string }[]>`SELECT name FROM social.brands WHERE id = ${brandId}`
  await transact(db, (tx) =>
    insertUsage(
      tx,
      [world.ada, world.mallory].map(({ things }, at) =>
        usageRow({
          organizationId: things.organizations,
          requestId: `named ${at}`,
          occurredAt: now,
          apiKeyId: key?.id ?? null,
          metadata: { brand: brandId },
        }),
      ),
    ),
  )
  const namesFor = async (who: World['ada'], groupBy: string) =>
    (await who.fetchJson<UsageReport>(`GET /api/gateway/usage?groupBy=${groupBy}`)).groups.map(({ name }) => name)
  expect(await namesFor(world.ada, 'apiKey')).toContain('Night batch')
  expect(await namesFor(world.ada, 'brand')).toContain(brand?.name ?? '')
  for (const groupBy of ['apiKey', 'brand'])
    expect(new Set(await namesFor(world.mallory, groupBy))).toEqual(new Set([null]))
  const html = await pageOf(world.ada, `/gateway/usage?apiKeyId=${key?.id}`)
  expect(html).toContain('API key: Night batch')
})

test('GTW-36 page of a model draws the latency of each day, with gaps for days without calls', async () => {
  const details = { status: 200, latencyMs: 1_500, firstByteMs: 200, streamed: false, fallbacks: 0 }
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * 60 * 60 * 1000)
  await transact(world.database.db, (tx) =>
    insertUsage(
      tx,
      [5, 1, 0].map((days) =>
        usageRow({
          organizationId: world.ada.things.organizations,
          requestId: `latency ${days}`,
          occurredAt: daysAgo(days),
          family: 'ai',
          provider: 'openai',
          model: 'gpt-4o-mini',
          details,
        }),
      ),
    ),
  )
  const query = `model=gpt-4o-mini&groupBy=day&from=${daysAgo(6).toISOString().slice(0, 10)}`
  const { items } = await world.ada.fetchJson<{ items: object[] }>(`GET /api/telemetry?${query}`)
  expect(items).toMatchObject(
    [5, 1, 0].map((days) => ({ day: daysAgo(days).toISOString().slice(0, 10), latencyMs: { p50: 1_500, p95: 1_500 } })),
  )
  const html = await pageOf(world.ada, '/gateway/models/openai/gpt-4o-mini')
  // A lone day, and a line between two.
  expect(html).toMatch(/class="line" data-series="1" d="M0\.3 [\d.]+L0\.7 [\d.]+M4\.5 [\d.]+L5\.5 [\d.]+"/)
  expect(html.match(/<td data-num>1\.5\ss</g)?.length).toBe(6)
  expect(await pageOf(world.ada, '/gateway/telemetry')).toMatch(/Calls today<\/dt><dd>1<\/dd><dd><span>1 yesterday/)
})
