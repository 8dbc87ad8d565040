import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'
import { serviceOf } from './ai-clients.ts'
import { holdOf, requestOf, rowOf } from './books.ts'
import { openUpstream, type ScriptedUpstream } from './upstream.ts'

let world: World
let upstream: ScriptedUpstream
let service: Caller
let organizationId: string
/** 100 tokens of input and 100 of output cost 75,000 nano-USD. */
const model = 'openai/gpt-4o-mini'
const messages = [{ role: 'user', content: 'Hello' }]

beforeAll(async () => {
  upstream = openUpstream(() =>
    Response.json({
      id: 'c1',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 100 },
    }),
  )
  world = await openWorld()
  service = await serviceOf(world, 'platform-socialize')
  organizationId = world.ada.things.organizations
  const key = { label: 'own', secret: { apiKey: 'sk-secret' }, baseUrl: upstream.url }
  await world.ada.fetchJson('PUT /api/credentials/openai', key)
})
afterAll(async () => {
  await world.close()
  upstream.stop()
})
beforeEach(async () => {
  const { sql } = world.database
  await world.provided.ledger.settled()
  await sql`DELETE FROM gateway.limits`
  await sql`UPDATE gateway.limits_version SET version = version + 1`
})

const limitOf = async (scope: object, limitNanoUsd = 1_000_000_000) => {
  const fields = { period: 'total', mode: 'hard', limitNanoUsd, ...scope }
  return (await world.root.fetchJson<{ id: string }>('POST /api/limits', fields, 201)).id
}
const platformLimit = (limitNanoUsd?: number) => limitOf({ scope_type: 'platform' }, limitNanoUsd)

async function stateOf(id: string) {
  await world.provided.ledger.settled()
  const [row] = await world.database.sql<{ spent: string; leased: string; held: string }[]>`
    SELECT spent_nano_usd AS spent, leased_nano_usd AS leased,
      (SELECT coalesce(sum(amount_nano_usd), 0) FROM gateway.budget_leases WHERE limit_id = ${id}) AS held
    FROM gateway.budget_periods WHERE limit_id = ${id}`
  expect(row?.leased).toBe(row?.held ?? '')
  return Number(row?.spent)
}

const event = (more: object = {}) => ({
  requestId: newId(),
  family: 'ai',
  provider: 'own',
  unit: 'request',
  quantity: 1,
  costNanoUsd: 1e13,
  ...more,
})
const report = (caller: Caller, ...events: object[]) =>
  caller.fetchJson<{ accepted: number }>('POST /platform/usage/events', events, 202)
const ask = (more: object = {}) =>
  world.ada.fetch('POST /api/ai/chat/completions', { model, messages, max_tokens: 100, ...more })

test('GTW-33 usage that an organization reports never exhausts the limit of the platform for others', async () => {
  const id = await platformLimit()
  await report(world.ada, event(), event(), event())
  expect(await stateOf(id)).toBe(0)
  const hold = await holdOf(world.provided.budgets, requestOf())
  await world.provided.budgets.settle(hold, [])
  await report(service, event({ organizationId, costNanoUsd: 700 }))
  expect(await stateOf(id)).toBe(700)
})

test('GTW-33 calls with an organization’s own credential and price count at its limits, and not at the platform’s', async () => {
  const platform = await platformLimit(10_000)
  const paid = await stateOf(platform)
  const own = await limitOf({ scope_type: 'organization', scope_value: organizationId }, 9e15)
  const before = await stateOf(own)
  expect((await ask()).status).toBe(200)
  expect((await stateOf(own)) - before).toBe(75_000)
  expect(await stateOf(platform)).toBe(paid)
  // The platform pays for the practice provider, and its limit is too low for this.
  const refused = await ask({ model: 'practice/practice-small', max_tokens: 10_000 })
  expect(refused.status).toBe(402)
  expect(await refused.json()).toMatchObject({ scope: { scope_type: 'platform' } })
})

test('GTW-33 a platform without budget leaves a chain the models that the organization pays', async () => {
  await platformLimit(0)
  await world.ada.fetchJson(`PUT /api/organizations/${organizationId}/model-preferences`, {
    routes: { text: ['practice/practice-small', model] },
  })
  const response = await ask({ model: 'practice/practice-small' })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-atrium-model')).toBe('gpt-4o-mini')
  const dry = await world.ada.fetch('POST /api/ai/chat/completions?dryRun=true', { model, messages, max_tokens: 100 })
  expect(dry.status).toBe(200)
})

test('GTW-33 a hold of the platform that an organization’s credential settled goes back in full', async () => {
  const platform = await platformLimit()
  const paid = await stateOf(platform)
  const own = await limitOf({ scope_type: 'organization', scope_value: organizationId }, 9e15)
  const before = await stateOf(own)
  const hold = await holdOf(world.provided.budgets, requestOf({ organizationId }))
  const [first, second] = [rowOf(hold, 300n), rowOf(hold, 50n)]
  await world.provided.budgets.settle(hold, [
    { ...first, paidBy: 'organization' },
    { ...second, requestId: newId(), paidBy: 'platform' },
  ])
  expect((await stateOf(platform)) - paid).toBe(50)
  expect((await stateOf(own)) - before).toBe(350)
})

test('GTW-33 a new limit of the platform begins with what the platform has paid, and running requests that it pays', async () => {
  const first = await platformLimit()
  const spent = await stateOf(first)
  await report(world.ada, event())
  await report(service, event({ organizationId, costNanoUsd: 900 }))
  const { budgets } = world.provided
  const holds = [
    await holdOf(budgets, requestOf({ organizationId, paidBy: 'organization' })),
    await holdOf(budgets, requestOf({ organizationId })),
  ]
  await world.database.sql`DELETE FROM gateway.limits WHERE id = ${first}`
  await world.database.sql`UPDATE gateway.limits_version SET version = version + 1`
  const second = await platformLimit()
  const state = await world.root.fetchJson<{ reservedNanoUsd: number }>(`GET /api/limits/${second}`)
  expect(state.reservedNanoUsd).toBe(1_000)
  for (const hold of holds) await budgets.settle(hold, [rowOf(hold, 10n)])
  expect(await stateOf(second)).toBe(spent + 900 + 10)
})

test('GTW-34 usage tells who paid, as records, groups and filter, and verification counts it apart', async () => {
  const hour = await limitOf({ scope_type: 'platform', period: 'hour' })
  const requestId = newId()
  await report(world.ada, event({ requestId, costNanoUsd: 5, provider: 'paid' }))
  await report(service, event({ organizationId, costNanoUsd: 7, provider: 'paid' }))
  const list = (query: string) =>
    world.ada.fetchJson<{ items: Record<string, unknown>[] }>(`GET /api/usage?provider=paid&${query}`)
  expect((await list('paidBy=organization')).items).toMatchObject([{ requestId, paidBy: 'organization' }])
  expect((await list('groupBy=paidBy')).items).toMatchObject([
    { paidBy: 'organization', costNanoUsd: 5 },
    { paidBy: 'platform', costNanoUsd: 7 },
  ])
  expect(await stateOf(hour)).toBeGreaterThanOrEqual(7)
  const verified = await world.root.fetchJson<object>('GET /api/usage/verify?organizationId=all')
  expect(verified).toMatchObject({ agrees: true, differences: [] })
})

test('GTW-33 a limit of the platform refuses organizations without its amounts, which super admins see', async () => {
  const id = await platformLimit(777)
  const amounts = ['limitNanoUsd', 'spentNanoUsd', 'reservedNanoUsd'] as const
  const scope = { scope_type: 'platform', scope_value: 'platform' }
  for (const path of ['chat/completions', 'chat/completions?dryRun=true']) {
    const refuse = async (caller: Caller) => {
      const response = await caller.fetch(`POST /api/ai/${path}`, { messages, model: 'practice/practice-small' })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    }
    const { status, body } = await refuse(world.mallory)
    expect([status, ...amounts.map((name) => body[name])]).toEqual([402, null, null, null])
    expect(body).toMatchObject({ scope, limitId: id, neededNanoUsd: expect.any(Number) })
    expect(JSON.stringify(body)).not.toContain('0.000000777')
    expect((await refuse(world.root)).body).toMatchObject({
      scope,
      limitNanoUsd: 777,
      spentNanoUsd: expect.any(Number),
    })
  }
  await world.database.sql`UPDATE gateway.limits SET limit_nano_usd = ${9e15}`
  await world.database.sql`UPDATE gateway.limits_version SET version = version + 1`
  const mallorys = world.mallory.things.organizations
  const check = { family: 'ai', provider: 'practice', costNanoUsd: 5, organizationId: mallorys }
  const { limits } = await service.fetchJson<{ limits: object[] }>('POST /platform/usage/preflight', check)
  expect(limits).toMatchObject([{ id, limitNanoUsd: null, spentNanoUsd: null, remainingNanoUsd: null }])
})
