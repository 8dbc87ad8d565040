import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { newId } from '#lib/ids.ts'
import { deliverSlowWebhook } from '#lib/outgoing-webhooks/deliver.ts'
import { takeAction } from '../../src/dashboard/actions/take.ts'
import { failRun } from '../../src/dashboard/workflows/runs/settle.ts'
import { openWorld, type World } from '../support/world.ts'

interface Sent {
  type: string
  data: Record<string, unknown>
}

interface Endpoint {
  id: string
  secret: string
}

interface Created {
  id: string
}

const types = [
  ...(['action.raised', 'action.resolved', 'action.reopened', 'action.assigned'] as const),
  ...(['app.installed', 'app.uninstalled', 'workflow_run.failed'] as const),
]

let world: World
let endpoint: Endpoint
const received: { body: string; headers: Record<string, string> }[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    received.push({ body: await request.text(), headers: Object.fromEntries(request.headers) })
    return new Response('Thanks')
  },
})

beforeAll(async () => {
  world = await openWorld()
  const draft = { name: 'Desk', url: `http://127.0.0.1:${server.port}/desk`, events: types }
  endpoint = await world.ada.fetchJson<Endpoint>('POST /api/webhooks', draft, 201)
})
afterAll(async () => {
  await server.stop(true)
  await world.close()
})

const work = () => ({ ...world.provided, database: world.database, now: () => new Date() })

/** What the receiver gets of what was emitted since the last call, verified. */
async function sent(): Promise<Sent[]> {
  received.length = 0
  const rows = await world.database.sql<{ id: string; round: number }[]>`
    SELECT id, round FROM platform.webhook_deliveries WHERE endpoint_id = ${endpoint.id} AND state = 'waiting' ORDER BY id`
  for (const { id, round } of rows) await deliverSlowWebhook.run({ ...work(), input: { id, round } })
  const webhook = new Webhook(endpoint.secret)
  return received.map(({ body, headers }) => {
    webhook.verify(body, headers)
    const { type, data } = JSON.parse(body) as Sent
    return { type, data }
  })
}

const notice = (changes: object = {}) => ({
  id: newId(),
  organizationId: world.ada.things.organizations,
  surface: 'action' as const,
  service: 'platform-socialize',
  kind: 'social.post_failed',
  permission: 'posts:read',
  resourceKind: 'brand',
  resourceId: world.ada.things.brands,
  personId: null,
  cause: newId(),
  title: 'A post failed',
  reason: 'It is too long.',
  href: '/workspace/posts',
  actions: [],
  dueAt: null,
  raisedAt: new Date(),
  resolvedAt: null,
  version: 1,
  ...changes,
})

test('DSH-20 webhooks are told once when an action is raised and when its service resolves it, without its texts', async () => {
  const one = notice()
  await takeAction(work(), one)
  await takeAction(work(), one)
  const data = {
    notificationId: one.id,
    service: 'platform-socialize',
    kind: 'social.post_failed',
    resourceKind: 'brand',
    resourceId: world.ada.things.brands,
    dueAt: null,
  }
  expect(await sent()).toEqual([{ type: 'action.raised', data }])
  await takeAction(work(), { ...one, title: 'Two posts failed', version: 2 })
  expect(await sent()).toEqual([])
  await takeAction(work(), { ...one, resolvedAt: new Date(), version: 3 })
  await takeAction(work(), { ...one, resolvedAt: new Date(), version: 3 })
  expect(await sent()).toEqual([{ type: 'action.resolved', data: { ...data, resolvedBy: null } }])
})

test('DSH-20 webhooks are told what people do with actions: post, assign, mark as done, open again; snoozing is private', async () => {
  const draft = { cause: 'roof', title: 'Look at the roof', reason: 'It leaks.', href: '/actions' }
  const { id } = await world.ada.fetchJson<Created>('POST /api/notifications', draft, 201)
  await world.ada.fetchJson('POST /api/notifications', draft, 200)
  await world.ada.fetchJson(`POST /api/notifications/${id}/assign`, { personId: world.vera.id }, 204)
  await world.ada.fetchJson(`POST /api/notifications/${id}/assign`, { personId: world.vera.id }, 204)
  await world.ada.fetchJson(`POST /api/notifications/${id}/snooze`, { hours: 1 }, 204)
  await world.ada.fetchJson(`POST /api/notifications/${id}/resolve`, {}, 204)
  expect((await world.ada.fetch(`POST /api/notifications/${id}/resolve`, {})).status).toBe(409)
  await world.ada.fetchJson(`POST /api/notifications/${id}/reopen`, {}, 204)
  const all = await sent()
  expect(all.map(({ type }) => type)).toEqual([
    'action.raised',
    'action.assigned',
    'action.resolved',
    'action.reopened',
  ])
  for (const { data } of all) expect(data).toMatchObject({ notificationId: id })
  expect(all[1]?.data).toMatchObject({ assigneeId: world.vera.id })
  expect(all[2]?.data).toMatchObject({ resolvedBy: world.ada.id })
})

test('DSH-20 notices, and what is for one person alone, are sent to no webhook', async () => {
  for (const changes of [{ surface: 'notice' }, { personId: world.ada.id }]) {
    const one = notice(changes)
    await takeAction(work(), one)
    await takeAction(work(), { ...one, resolvedAt: new Date(), version: 2 })
  }
  expect(await sent()).toEqual([])
})

test('DSH-05 webhooks are told which app a person installed and uninstalled', async () => {
  const { items } = await world.ada.fetchJson<{ items: { id: string; slug: string; can: { uninstall: boolean } }[] }>(
    'GET /api/catalog?limit=100',
  )
  const app = items.find(({ slug }) => slug === 'platform-socialize')
  await world.ada.fetchJson(`DELETE /api/catalog/${app?.id}/install`)
  await world.ada.fetchJson(`POST /api/catalog/${app?.id}/install`, {})
  const data = { appId: app?.id, slug: 'platform-socialize', name: expect.any(String), changedBy: world.ada.id }
  expect(await sent()).toEqual([
    { type: 'app.uninstalled', data },
    { type: 'app.installed', data },
  ])
})

test('DSH-05 webhooks are told of an app once that was installed and uninstalled through the API of identity', async () => {
  const { ada } = world
  const route = `/api/organizations/${ada.things.organizations}/apps`
  const { items } = await ada.fetchJson<{ items: Created[] }>(`GET ${route}`)
  const { items: all } = await ada.fetchJson<{ items: { id: string; slug: string }[] }>('GET /api/catalog?limit=100')
  const app = all.find(({ id, slug }) => slug === 'platform-socialize' && items.some((one) => one.id === id))
  await ada.fetchJson(`DELETE ${route}/${app?.id}`, undefined, 204)
  expect((await ada.fetch(`DELETE ${route}/${app?.id}`)).status).toBe(404)
  await ada.fetchJson(`POST ${route}`, { serviceId: app?.id }, 201)
  expect((await ada.fetch(`POST ${route}`, { serviceId: app?.id })).status).toBe(409)
  const data = { appId: app?.id, slug: 'platform-socialize', name: expect.any(String), changedBy: ada.id }
  expect(await sent()).toEqual([
    { type: 'app.uninstalled', data },
    { type: 'app.installed', data },
  ])
})

test('DSH-38 webhooks are told of a run that failed, but not of one that such an event started', async () => {
  const draft = {
    name: 'Mondays',
    trigger: { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
    steps: [{ type: 'action', title: 'Feed', reason: 'Hungry.', href: '/actions' }],
  }
  const workflow = await world.ada.fetchJson<Created>('POST /api/workflows', draft, 201)
  const failed = async (event: string | null) => {
    const id = newId()
    await world.database.sql`
      INSERT INTO dashboard.workflow_runs (id, organization_id, workflow_id, cause, started_by, event, data, steps, state, created_at)
      SELECT ${id}, organization_id, id, ${id}, ${event === null ? 'schedule' : 'event'}, ${event}, '{}', steps, 'running', now()
      FROM dashboard.workflows WHERE id = ${workflow.id}`
    await failRun(work(), { id, round: 1 })
    await failRun(work(), { id, round: 1 })
    return id
  }
  const id = await failed(null)
  const data = { workflowId: workflow.id, runId: id, startedBy: 'schedule', step: 1 }
  expect(await sent()).toEqual([{ type: 'workflow_run.failed', data }])
  await failed('workflow_run.failed')
  expect(await sent()).toEqual([])
})

test('DSH-20 only those who can read actions can subscribe to them, and no role that is limited to a brand', async () => {
  const { organizations, brands } = world.ada.things
  const edda = await world.join(world.ada, { name: 'Edda', role: 'editor' })
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: brands, role: 'editor' }]
  await world.ada.fetchJson(`PUT /api/organizations/${organizations}/members/${edda.id}/resources`, { resources })
  const draft = { name: 'Mine', url: `http://127.0.0.1:${server.port}/mine`, events: ['action.raised'] }
  for (const caller of [edda, world.vera]) expect((await caller.fetch('POST /api/webhooks', draft)).status).toBe(403)
})
