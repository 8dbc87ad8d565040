import { afterAll, beforeAll, expect, test } from 'bun:test'
import { transact } from '#lib/db.ts'
import { insertUsage, type UsageRow } from '../../src/gateway/usage/insert.ts'
import { openWorld, type World } from '../support/world.ts'
import { usageRow } from './usage-row.ts'

let world: World
const dayMs = 24 * 60 * 60 * 1000
const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10)

const insert = (rows: UsageRow[]) => transact(world.database.db, (tx) => insertUsage(tx, rows))

interface Page {
  items: Record<string, unknown>[]
  nextCursor: string | null
}

beforeAll(async () => {
  world = await openWorld()
  const organizationId = world.ada.things.organizations
  const at = (daysAgo: number) => new Date(`${dayOf(daysAgo)}T12:00:00Z`)
  await insert([
    usageRow({ organizationId, requestId: 'r-1', occurredAt: at(0), metadata: { brand: 'acme', post: 'p1' } }),
    usageRow({ organizationId, requestId: 'r-2', occurredAt: at(0), applicationId: null, metadata: { brand: 'acme' } }),
    usageRow({ organizationId, requestId: 'r-3', occurredAt: at(1), costNanoUsd: 5n, quantity: 0.5 }),
    usageRow({
      organizationId,
      requestId: 'r-4',
      occurredAt: at(1),
      family: 'ai',
      provider: 'openai',
      model: '=evil',
      unit: 'token',
      quantity: 900,
      costNanoUsd: 70n,
      userId: world.ada.id,
    }),
    usageRow({
      organizationId: world.mallory.things.organizations,
      requestId: 'r-1',
      costNanoUsd: 9n,
      occurredAt: at(0),
    }),
  ])
})
afterAll(() => world.close())

test('GTW-34 records are the own organization’s, newest first, in pages, and as CSV that no spreadsheet runs', async () => {
  const first = await world.ada.fetchJson<Page>('GET /api/usage?limit=3')
  const second = await world.ada.fetchJson<Page>(`GET /api/usage?limit=3&cursor=${first.nextCursor}`)
  const ids = [...first.items, ...second.items].map(({ requestId }) => String(requestId))
  expect(ids.toSorted()).toEqual(['r-1', 'r-2', 'r-3', 'r-4'])
  expect(ids.slice(0, 2).toSorted()).toEqual(['r-1', 'r-2'])
  expect(second.nextCursor).toBeNull()
  const record = { requestId: 'r-4', model: '=evil', quantity: 900, costNanoUsd: 70, certainty: 'exact' }
  expect(await world.ada.fetchJson('GET /api/usage?family=ai')).toMatchObject({ items: [record], nextCursor: null })
  const csv = await world.ada.fetch('GET /api/usage?family=ai', undefined, { accept: 'text/csv' })
  expect(csv.headers.get('content-type')).toStartWith('text/csv')
  expect(await csv.text()).toContain(",'=evil,")
})

test('GTW-34 totals by any dimension: filters, several dimensions, none as null, metadata, pages', async () => {
  const grouped = async (query: string) => (await world.vera.fetchJson<Page>(`GET /api/usage?${query}`)).items
  expect(await grouped('groupBy=family')).toEqual([
    { family: 'ai', count: 1, quantity: 900, costNanoUsd: 70 },
    { family: 'requests', count: 3, quantity: 2.5, costNanoUsd: 2405 },
  ])
  expect(await grouped('groupBy=application,day&family=requests')).toEqual([
    { applicationId: null, day: dayOf(0), count: 1, quantity: 1, costNanoUsd: 1200 },
    { applicationId: 'mail', day: dayOf(1), count: 1, quantity: 0.5, costNanoUsd: 5 },
    { applicationId: 'mail', day: dayOf(0), count: 1, quantity: 1, costNanoUsd: 1200 },
  ])
  expect(await grouped(`groupBy=brand&groupBy=post&from=${dayOf(0)}`)).toEqual([
    { brand: 'acme', post: null, count: 1, quantity: 1, costNanoUsd: 1200 },
    { brand: 'acme', post: 'p1', count: 1, quantity: 1, costNanoUsd: 1200 },
  ])
  const page = await world.ada.fetchJson<Page>('GET /api/usage?groupBy=organization,apiKey,user,provider,model&limit=1')
  expect(page.items).toMatchObject([{ organizationId: world.ada.things.organizations, apiKeyId: null, model: null }])
  const next = await world.ada.fetchJson<Page>(
    `GET /api/usage?groupBy=organization,apiKey,user,provider,model&limit=1&cursor=${page.nextCursor}`,
  )
  expect(next).toMatchObject({
    items: [{ userId: world.ada.id, provider: 'openai', model: '=evil' }],
    nextCursor: null,
  })
  expect(await grouped('groupBy=unit&provider=none')).toEqual([])
})

test('GTW-34 daily totals have the documented form', async () => {
  expect(await world.ada.fetchJson(`GET /api/usage/daily?from=${dayOf(5)}&to=${dayOf(0)}&groupBy=family`)).toEqual({
    items: [
      { day: dayOf(1), family: 'ai', count: 1, quantity: 900, costNanoUsd: 70 },
      { day: dayOf(1), family: 'requests', count: 1, quantity: 0.5, costNanoUsd: 5 },
      { day: dayOf(0), family: 'requests', count: 2, quantity: 2, costNanoUsd: 2400 },
    ],
    nextCursor: null,
  })
  expect((await world.ada.fetchJson<Page>('GET /api/usage/daily')).items).toHaveLength(2)
})

test('GTW-34 other organizations’ usage is for super admins only, and ranges are bounded', async () => {
  const theirs = `organizationId=${world.mallory.things.organizations}`
  expect((await world.ada.fetch(`GET /api/usage?${theirs}`)).status).toBe(404)
  expect((await world.ada.fetch('GET /api/usage/daily?organizationId=all')).status).toBe(404)
  expect(await world.root.fetchJson(`GET /api/usage?${theirs}`)).toMatchObject({ items: [{ costNanoUsd: 9 }] })
  const all = await world.root.fetchJson<Page>('GET /api/usage?organizationId=all&groupBy=organization')
  expect(all.items).toHaveLength(2)
  expect((await world.root.fetchJson<Page>('GET /api/usage?organizationId=all')).items).toHaveLength(3)
  expect((await world.root.fetch(`GET /api/usage?organizationId=all&from=${dayOf(5)}`)).status).toBe(422)
  for (const query of ['from=2026-01-01&to=2027-02-01', 'from=2026-03-02&to=2026-03-01', 'groupBy=color']) {
    const { status } = await world.ada.fetch(`GET /api/usage/daily?${query}`)
    expect([query, status]).toEqual([query, 422])
  }
  expect((await world.ada.fetch('GET /api/usage?from=2026-01-01&to=2026-03-01')).status).toBe(422)
})
