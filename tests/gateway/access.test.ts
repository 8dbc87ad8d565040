import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { transact } from '#lib/db.ts'
import { insertUsage, type UsageRow } from '../../src/gateway/usage/insert.ts'
import { openWorld, type World } from '../support/world.ts'
import { lastUsageOf } from './ai-clients.ts'
import { silence } from './silence.ts'
import { usageRow } from './usage-row.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const provision = (id: string, caller = world.gatewayClient) =>
  caller.fetch(`POST /platform/organizations/${id}/provision`, {})

test('GTW-05 a service provisions an organization: identity keeps the grant, and a second request changes nothing', async () => {
  const { mallory, database } = world
  const id = mallory.things.organizations
  await database.sql`DELETE FROM identity.service_access WHERE organization_id = ${id}
    AND service_id = (SELECT id FROM identity.services WHERE slug = 'platform-gateway')`
  const answers = await Promise.all([provision(id), provision(id)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const bodies = await Promise.all(answers.map((answer) => answer.json()))
  expect(bodies.filter(({ created }) => created)).toHaveLength(1)
  const grants =
    await database.sql`SELECT granted_at FROM identity.service_access JOIN identity.services ON id = service_id
    WHERE organization_id = ${id} AND slug = 'platform-gateway'`
  expect(grants).toHaveLength(1)
  expect(await (await provision(id)).json()).toEqual({ ...bodies[0], created: false })
  const entries = await database.sql<
    { after: object | null; ours: boolean }[]
  >`SELECT after, organization_id = ${id} AS ours
    FROM platform.audit_log WHERE operation = 'provisionOrganization' AND object_id = ${id}`
  expect(entries.filter(({ ours }) => ours)).toHaveLength(3)
  expect(entries.filter(({ after }) => after)).toMatchObject([{ after: { service: 'platform-gateway' } }])
  expect((await mallory.fetch('GET /api/usage')).status).toBe(200)
})

test('GTW-05 only services provision; an unknown organization is 404, a suspended one 403', async () => {
  const { ada, root, key, mallory, database } = world
  for (const caller of [ada, root, key]) {
    const refused = await provision(ada.things.organizations, caller)
    expect([refused.status, (await refused.json()).permission]).toEqual([403, 'organizations:provision'])
  }
  const unknown = await provision(newId())
  expect([unknown.status, (await unknown.json()).code]).toEqual([404, 'not_found'])
  const id = mallory.things.organizations
  await database.sql`INSERT INTO identity.suspensions (id, organization_id, reason, suspended_by, suspended_at)
    VALUES (${newId()}, ${id}, 'Unpaid.', ${root.id}, now())`
  const suspended = await provision(id)
  expect([suspended.status, (await suspended.json()).code]).toEqual([403, 'workspace_suspended'])
  await database.sql`DELETE FROM identity.suspensions WHERE organization_id = ${id}`
})

interface Page {
  items: { id: string }[]
  nextCursor: string | null
}

test('GTW-44 apps are those of the own organization’s usage, in pages, with their use and cost of this month', async () => {
  const { ada, mallory, vera, database } = world
  const organizationId = ada.things.organizations
  const apiKeyId = newId()
  const [today, earlier] = [new Date(), new Date(Date.now() - 40 * 86_400_000)]
  const add = (more: Parameters<typeof usageRow>[0]) => usageRow({ organizationId, ...more })
  await transact(database.db, (tx) =>
    insertUsage(tx, [
      add({ applicationId: 'platform-socialize', occurredAt: today, costNanoUsd: 5n }),
      add({ applicationId: 'platform-socialize', occurredAt: today, costNanoUsd: 7n, apiKeyId }),
      add({ applicationId: 'old', occurredAt: earlier, costNanoUsd: 100n }),
      usageRow({ organizationId: mallory.things.organizations, applicationId: 'theirs' }),
    ]),
  )
  const dayOf = (date: Date) => date.toISOString().slice(0, 10)
  const used = { firstUsedOn: dayOf(today), lastUsedOn: dayOf(today) }
  const { items } = await vera.fetchJson<Page>('GET /api/apps?limit=100')
  const ours = items.filter(({ id }) => ['platform-socialize', 'old', 'theirs', apiKeyId].includes(id))
  expect(ours).toEqual([
    { id: apiKeyId, kind: 'api_key', name: null, ...used, monthToDate: { requests: 1, costNanoUsd: 7 } },
    {
      id: 'old',
      kind: 'app',
      name: null,
      firstUsedOn: dayOf(earlier),
      lastUsedOn: dayOf(earlier),
      monthToDate: { requests: 0, costNanoUsd: 0 },
    },
    {
      id: 'platform-socialize',
      kind: 'app',
      name: expect.any(String),
      ...used,
      monthToDate: { requests: 2, costNanoUsd: 12 },
    },
  ] as object[] as Page['items'])
  const paged: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Page = await ada.fetchJson(`GET /api/apps?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
    paged.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  }
  expect(paged).toEqual(items.map(({ id }) => id))
})

test('GTW-10 completions and transcriptions of services and users are attributed to organization, app and user', async () => {
  const { ada, vera, gatewayClient, key } = world
  const organizationId = ada.things.organizations
  const audio = () => {
    const form = new FormData()
    form.set('model', 'practice-audio')
    form.set('file', new File([silence(8_000)], 'silence.wav', { type: 'audio/wav' }))
    return form
  }
  const calls = [
    ['POST /api/ai/completions', () => ({ model: 'practice-small', prompt: 'Say hello' })],
    ['POST /api/ai/transcriptions', audio],
  ] as const
  for (const [route, body] of calls) {
    const delegated = { 'X-Organization-Id': organizationId, 'X-Delegated-User-Id': vera.id }
    const byService = await gatewayClient.fetch(route, body(), { ...delegated, 'X-Application-Id': 'mail' })
    expect([route, byService.status]).toEqual([route, 200])
    expect(await lastUsageOf(world)).toMatchObject({ organizationId, applicationId: 'mail', userId: vera.id })
    const byUser = await ada.fetch(route, body(), {
      'X-Organization-Id': organizationId,
      'X-Application-Id': 'calendar',
    })
    expect([route, byUser.status]).toEqual([route, 200])
    expect(await lastUsageOf(world)).toMatchObject({ organizationId, applicationId: 'calendar', userId: ada.id })
    for (const caller of [vera, key]) {
      const refused = await caller.fetch(route, body())
      expect([refused.status, (await refused.json()).permission]).toEqual([403, 'ai:invoke'])
    }
  }
})

test('GTW-12 the telemetry page shows the circuits of the models that the organization used, and no others', async () => {
  const { ada, mallory, provided } = world
  const hello = { model: 'practice-small', prompt: 'Say hello' }
  expect((await ada.fetch('POST /api/ai/completions', hello)).status).toBe(200)
  const circuit = async (caller: typeof ada) =>
    (await caller.fetchJson<{ items: object[] }>('GET /api/telemetry/circuits?limit=100')).items.find(
      (item) => Reflect.get(item, 'model') === 'practice-small',
    )
  const closed = { provider: 'practice', credential: 'practice', state: 'closed', failures: 0, openedAt: null }
  expect(await circuit(ada)).toMatchObject(closed)
  const { breakers } = provided.upstreams
  try {
    for (let failure = 0; failure < 5; failure++) breakers.fail('practice practice-small')
    expect(await circuit(ada)).toMatchObject({ ...closed, state: 'open', failures: 5, openedAt: expect.any(String) })
    expect(await circuit(mallory)).toBeUndefined()
    const page = await ada.fetch('GET /gateway/telemetry', undefined, { accept: 'text/html' })
    expect(await page.text()).toContain('1 open')
  } finally {
    breakers.succeed('practice practice-small')
  }
})

test('GTW-12 failures and fallbacks of the last day are listed, newest first, and not other calls', async () => {
  const { ada, mallory, database } = world
  const organizationId = ada.things.organizations
  const row = (minutes: number, model: string, details: UsageRow['details']) =>
    usageRow({ organizationId, model, family: 'ai', occurredAt: new Date(Date.now() - minutes * 60_000), details })
  await transact(database.db, (tx) =>
    insertUsage(tx, [
      row(3, 'failing', { status: 503, errorCode: 'provider_failed', latencyMs: 20 }),
      row(2, 'second', { status: 200, fallbacks: 1, latencyMs: 30 }),
      row(1, 'first', { status: 200, fallbacks: 0, latencyMs: 30 }),
      row(25 * 60, 'yesterday', { status: 503, errorCode: 'provider_failed' }),
    ]),
  )
  const first = await ada.fetchJson<Page>('GET /api/telemetry/failures?limit=1')
  expect(first.items).toMatchObject([{ model: 'second', status: 200, errorCode: null, fallbacks: 1 }] as object[])
  const next = `GET /api/telemetry/failures?limit=1&cursor=${encodeURIComponent(first.nextCursor ?? '')}`
  const second = await ada.fetchJson<Page>(next)
  expect(second).toMatchObject({
    nextCursor: null,
    items: [{ model: 'failing', errorCode: 'provider_failed' }],
  })
  expect((await mallory.fetchJson<Page>('GET /api/telemetry/failures')).items).toEqual([])
  const page = await ada.fetch('GET /gateway/telemetry', undefined, { accept: 'text/html' })
  expect(await page.text()).toContain('503 provider_failed')
})
