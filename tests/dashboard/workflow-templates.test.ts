import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { handOverEvent } from '#lib/event-subscriptions/hand-over.ts'
import { newId } from '#lib/ids.ts'
import { createOutbound } from '#lib/outbound.ts'
import { emitWebhook } from '#lib/outgoing-webhooks/emit.ts'
import { runWorkflow } from '../../src/dashboard/workflows/runs/run.job.ts'
import { startPlannedWorkflows } from '../../src/dashboard/workflows/runs/start-planned.job.ts'
import { eventually } from '../boot/program.ts'
import { openWorld, type World } from '../support/world.ts'

interface Template {
  id: string
  event: string | null
  cron: string | null
  steps: string[]
  needsUrl: boolean
}

interface Run {
  id: string
  state: string
  startedBy: string
  log: { step: number; type: string; outcome: string; input: Record<string, string>; error: string | null }[]
}

let world: World
const received: { headers: Record<string, string>; body: string }[] = []
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    received.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
    return new Response('Thanks')
  },
})

const now = () => new Date()
const work = () => ({
  ...world.provided,
  outbound: createOutbound({ allowPrivate: true }),
  database: world.database,
  now,
})

beforeAll(async () => {
  world = await openWorld()
  await world.provided.queue.work([handOverEvent, runWorkflow], work(), now)
})
afterAll(async () => {
  await receiver.stop(true)
  await world.close()
})

const post = () => ({ postId: newId(), brandId: newId(), provider: 'bluesky', threadId: null })
const payment = () => ({ orderId: newId(), paymentId: newId(), currency: 'EUR' })

/** What services emit, which is checked by the schema of the event. Those without data happen through the API. */
const emitted: Record<string, () => object> = {
  'post.failed': () => ({ ...post(), code: 'rejected', message: 'Too long', retryable: false, failedAt: now() }),
  'post.published': () => ({
    ...post(),
    platformPostId: 'p1',
    permalink: 'https://social.example/p/1',
    publishedAt: now(),
  }),
  'connection.needs_attention': () => ({
    connectionId: newId(),
    brandId: newId(),
    provider: 'mastodon',
    name: 'Acme Coffee',
  }),
  'budget.warning': () => ({
    limitId: newId(),
    scope_type: 'organization',
    scope_value: newId(),
    family: null,
    period: 'month',
    mode: 'hard',
    limitNanoUsd: 100_000_000_000n,
    spentNanoUsd: 80_000_000_000n,
    resetsAt: now(),
    percent: 80,
  }),
  'dispute.opened': () => ({
    ...payment(),
    disputeId: newId(),
    status: 'open',
    reason: 'fraudulent',
    amount: 4_200n,
    evidenceDueAt: null,
  }),
  'refund.updated': () => ({
    ...payment(),
    refundId: newId(),
    status: 'succeeded',
    previousStatus: 'pending',
    amount: 10_001n,
    reason: 'damaged',
    failureReason: null,
  }),
  'payment.failed': () => ({ ...payment(), amount: 4_200n, code: 'card_declined', message: 'Your card was declined.' }),
}

/** The real cause of the template's event, or its planned time. */
async function trigger({ event }: Template, workflowId: string): Promise<void> {
  if (event === null) {
    await world.database.sql`UPDATE dashboard.workflows SET next_run_at = now() WHERE id = ${workflowId}`
    return startPlannedWorkflows.run({ ...work(), input: {} })
  }
  if (event === 'member.joined') return void (await world.join(world.ada, { name: 'Nia', role: 'editor' }))
  if (event === 'key.created') {
    const key = { name: 'Nightly', service: 'platform-socialize', scopes: ['posts.read'] }
    return void (await world.ada.fetchJson('POST /api/api-keys', key, 201))
  }
  const declared = world.provided.webhookEvents.find(({ type }) => type === event)
  const data = emitted[event]?.()
  if (!declared || !data) throw new Error(`There is no ${event} to emit`)
  const organizationId = world.ada.things.organizations
  await world.database.transaction((tx) => emitWebhook(tx, work(), { organizationId, event: declared, data }))
}

const listTemplates = async () =>
  (await world.ada.fetchJson<{ items: Template[] }>('GET /api/workflow-templates')).items

test('DSH-38 each template runs once by its real trigger, every step succeeds and every text is filled in', async () => {
  const templates = await listTemplates()
  expect(templates.length).toBeGreaterThanOrEqual(10)
  for (const template of templates) {
    received.length = 0
    const url = `http://127.0.0.1:${receiver.port}/${template.id}`
    const { id, secret = '' } = await world.ada.fetchJson<{ id: string; secret?: string }>(
      `POST /api/workflow-templates/${template.id}/workflows`,
      { state: 'enabled', timeZone: 'Europe/Berlin', ...(template.needsUrl && { url }) },
      201,
    )
    await trigger(template, id)
    const path = `GET /api/workflows/${id}/runs`
    const list = async () => (await world.ada.fetchJson<{ items: Run[] }>(path)).items
    const isOver = async () => ['succeeded', 'failed'].includes((await list())[0]?.state ?? '')
    expect([template.id, await eventually(isOver)]).toEqual([template.id, true])
    const [listed, ...others] = await list()
    expect([template.id, others]).toEqual([template.id, []])
    const run = await world.ada.fetchJson<Run>(`${path}/${listed?.id}`)
    expect({ ...run, template: template.id }).toMatchObject({
      template: template.id,
      state: 'succeeded',
      startedBy: template.cron === null ? 'event' : 'schedule',
      log: template.steps.map((type, at) => ({ step: at + 1, type, outcome: 'done', error: null })),
    })
    expect(run.log).toHaveLength(template.steps.length)
    const texts = run.log.flatMap(({ input }) => Object.values(input))
    expect(texts.filter((text) => /\{\{|\}\}|undefined|null|\[object|\b(at|for|is|of)\s*[.,]/.test(text))).toEqual([])
    const raised = await world.database.sql<{ surface: string }[]>`
      SELECT surface FROM platform.raised_actions WHERE cause LIKE ${`dashboard.workflow:${run.id}:%`} ORDER BY cause`
    const expected = template.steps.flatMap((type) =>
      type === 'webhook' ? [] : [type === 'action' ? 'action' : 'notice'],
    )
    expect([template.id, raised.map(({ surface }) => surface)]).toEqual([template.id, expected])
    expect([template.id, received.length]).toEqual([template.id, template.needsUrl ? 1 : 0])
    for (const { headers, body } of received)
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({
        type: 'workflow.run',
        data: { run: { id: run.id } },
      })
    await world.ada.fetchJson(`DELETE /api/workflows/${id}`, {}, 204)
  }
})

test('DSH-38 template with conditions starts nothing when they aren’t met', async () => {
  const create = (template: string) =>
    world.ada.fetchJson<{ id: string }>(`POST /api/workflow-templates/${template}/workflows`, { state: 'enabled' }, 201)
  const emit = async (type: string, changes: object) => {
    const event = world.provided.webhookEvents.find((each) => each.type === type)
    if (!event) throw new Error(`There is no event ${type}`)
    const organizationId = world.ada.things.organizations
    const data = { ...emitted[type]?.(), ...changes }
    await world.database.transaction((tx) => emitWebhook(tx, work(), { organizationId, event, data }))
  }
  const budget = await create('budget-warning')
  const refund = await create('large-refund')
  await emit('budget.warning', { percent: 50 })
  await emit('refund.updated', { amount: 10_000n })
  await emit('refund.updated', { status: 'failed' })
  await emit('refund.updated', {})
  const countRuns = async (id: string) =>
    (await world.ada.fetchJson<{ items: Run[] }>(`GET /api/workflows/${id}/runs`)).items.length
  const countWaiting = async () => {
    const [row] = await world.database.sql<{ open: number }[]>`
      SELECT count(*)::int AS open FROM pgboss.job
      WHERE name = ${handOverEvent.name} AND state IN ('created', 'retry', 'active')`
    return row?.open
  }
  expect(await eventually(async () => (await countWaiting()) === 0)).toBe(true)
  expect([await countRuns(budget.id), await countRuns(refund.id)]).toEqual([0, 1])
})
