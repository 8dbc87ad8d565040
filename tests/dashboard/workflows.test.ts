import { afterAll, beforeAll, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { createOutbound } from '#lib/outbound.ts'
import { handOverEvent } from '#lib/event-subscriptions/hand-over.ts'
import { emitWebhook } from '#lib/outgoing-webhooks/emit.ts'
import { newId } from '#lib/ids.ts'
import { retryDelays } from '../../src/dashboard/workflows/runs/perform-step.ts'
import { runWorkflow } from '../../src/dashboard/workflows/runs/run.job.ts'
import { startPlannedWorkflows } from '../../src/dashboard/workflows/runs/start-planned.job.ts'
import { takeEvent } from '../../src/dashboard/workflows/runs/take-event.ts'
import { socialEvents } from '../../src/social/events.ts'
import { eventually } from '../boot/program.ts'
import { openWorld, type World } from '../support/world.ts'

interface Workflow {
  id: string
  state: string
  nextRunAt: string | null
  failures: number
  version: number
  secret?: string
}

interface Run {
  id: string
  state: string
  startedBy: string
  done: number
  log: { step: number; attempt: number; outcome: string; error: string | null; input: Record<string, string> }[]
}

interface Refusal {
  code: string
  errors: { path: string; message: string }[]
}

const postFailed = socialEvents[1]
const failure = {
  brandId: newId(),
  provider: 'bluesky',
  threadId: null,
  code: 'rejected',
  message: 'Too long',
  retryable: false,
  failedAt: new Date(),
}

let world: World
let address: string
let clock: Date | null = null
const received: { headers: Record<string, string>; body: string }[] = []
let status = 200
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    received.push({ headers: Object.fromEntries(request.headers), body: await request.text() })
    return new Response('Thanks', { status })
  },
})

beforeAll(async () => {
  world = await openWorld()
  address = `http://127.0.0.1:${server.port}/hook`
})
afterAll(async () => {
  await server.stop(true)
  await world.close()
})

const organizationId = () => world.ada.things.organizations
const now = () => clock ?? new Date()
const work = () => ({
  ...world.provided,
  outbound: createOutbound({ allowPrivate: true }),
  database: world.database,
  now,
})

const action = { type: 'action', title: 'Look at {{data.provider}}', reason: '{{data.message}}', href: '/social' }
const onFailure = { type: 'event', event: 'post.failed' }

const create = (draft: object) =>
  world.ada.fetchJson<Workflow>(
    'POST /api/workflows',
    { name: 'Test', trigger: onFailure, steps: [action], ...draft },
    201,
  )
const get = (id: string) => world.ada.fetchJson<Workflow>(`GET /api/workflows/${id}`)
const runsOf = async (id: string) =>
  (await world.ada.fetchJson<{ items: Run[] }>(`GET /api/workflows/${id}/runs?limit=100`)).items
const detail = (id: string, runId: string) => world.ada.fetchJson<Run>(`GET /api/workflows/${id}/runs/${runId}`)
const refusal = async (draft: object) => {
  const response = await world.ada.fetch('POST /api/workflows', {
    name: 'Test',
    trigger: onFailure,
    steps: [action],
    ...draft,
  })
  return { status: response.status, ...((await response.json()) as Refusal) }
}

const emit = (changes: object = {}) =>
  world.database.transaction((tx) =>
    emitWebhook(
      tx,
      { ...world.provided, now },
      {
        organizationId: organizationId(),
        event: postFailed,
        data: { ...failure, postId: newId(), ...changes },
      },
    ),
  )
const hand = (subscriptionId: string, changes: object = {}) => ({
  subscriptionId,
  organizationId: organizationId(),
  messageId: newId(),
  type: 'post.failed',
  timestamp: new Date().toISOString(),
  data: { ...failure, postId: newId() },
  ...changes,
})

/** Runs the waiting job of a run, as a server does. */
async function perform(runId: string, provided = work()): Promise<void> {
  const [row] = await world.database.sql<{ round: number }[]>`
    SELECT round FROM dashboard.workflow_runs WHERE id = ${runId}`
  const input = { id: runId, round: row?.round ?? 1, organizationId: organizationId() }
  await runWorkflow.run({ ...provided, input })
}
const startOne = async (id: string, event = hand(id)) => {
  await takeEvent(work(), event)
  const [run] = await runsOf(id)
  if (!run) throw new Error('No run was started')
  return run.id
}
const raised = (runId: string) => world.database.sql<
  { title: string; reason: string; kind: string; person_id: string | null; permission: string; surface: string }[]
>`
  SELECT title, reason, kind, person_id, permission, surface FROM platform.raised_actions
  WHERE cause LIKE ${`dashboard.workflow:${runId}:%`} ORDER BY cause`

test('DSH-38 event that is handed over twice, or on two servers at once, starts one run', async () => {
  const { id } = await create({})
  const event = hand(id)
  await Promise.all([takeEvent(work(), event), takeEvent(work(), event), takeEvent(work(), event)])
  await takeEvent(work(), event)
  expect(await runsOf(id)).toHaveLength(1)
  await takeEvent(work(), hand(id))
  expect(await runsOf(id)).toHaveLength(2)
})

test('DSH-38 filter, pause, another organization and what a workflow raised start nothing', async () => {
  const filter = [{ field: 'provider', value: 'mastodon' }]
  const { id } = await create({ trigger: { ...onFailure, filter } })
  await takeEvent(work(), hand(id))
  await takeEvent(work(), hand(id, { organizationId: world.mallory.things.organizations }))
  const matching = { ...failure, postId: newId(), provider: 'mastodon' }
  await takeEvent(work(), hand(id, { data: { ...matching, kind: 'dashboard.workflow_action' } }))
  expect(await runsOf(id)).toEqual([])
  await world.ada.fetchJson(`PUT /api/workflows/${id}`, { state: 'paused' })
  await takeEvent(work(), hand(id, { data: matching }))
  expect(await runsOf(id)).toEqual([])
  await world.ada.fetchJson(`PUT /api/workflows/${id}`, { state: 'enabled' })
  await takeEvent(work(), hand(id, { data: matching }))
  expect(await runsOf(id)).toHaveLength(1)
})

test('DSH-38 notify step reaches members with a role, or single members', async () => {
  const words = { title: 'Know', reason: 'It happened.', href: '/actions' }
  const steps = [
    { type: 'notify', ...words, role: 'editor' },
    { type: 'notify', ...words, people: [world.ada.id, world.vera.id] },
  ]
  const { id } = await create({ steps })
  const runId = await startOne(id)
  await perform(runId)
  const notices = await raised(runId)
  expect(notices.map(({ surface }) => surface)).toEqual(['notice', 'notice', 'notice'])
  expect(notices[0]).toMatchObject({ permission: 'role:editor', person_id: null })
  expect(
    notices
      .map(({ person_id }) => person_id)
      .filter((each) => each !== null)
      .toSorted(),
  ).toEqual([world.ada.id, world.vera.id].toSorted())
  expect(await refusal({ steps: [{ type: 'notify', ...words, people: [world.mallory.id] }] })).toMatchObject({
    status: 422,
    errors: [{ path: 'steps.0.people.0', message: 'Must be a member.' }],
  })
  expect((await refusal({ steps: [{ type: 'notify', ...words }] })).status).toBe(422)
})

test('DSH-38 webhook step sends a request that the secret verifies, and the secret is shown once', async () => {
  const { id, secret = '' } = await create({ steps: [{ type: 'webhook', url: address }] })
  expect(secret).toStartWith('whsec_')
  expect((await get(id)).secret).toBeUndefined()
  const runId = await startOne(id)
  received.length = 0
  await perform(runId)
  const [request] = received
  if (!request) throw new Error('No request arrived')
  expect(new Webhook(secret).verify(request.body, request.headers)).toMatchObject({
    type: 'workflow.run',
    data: {
      workflow: { id },
      run: { id: runId, startedBy: 'event' },
      event: 'post.failed',
      data: { provider: 'bluesky' },
    },
  })
  const [stored] = await world.database.sql<{ sealed_secret: string }[]>`
    SELECT sealed_secret FROM dashboard.workflows WHERE id = ${id}`
  expect(stored?.sealed_secret).not.toContain(secret)
  const rotated = await world.ada.fetchJson<Workflow>(`POST /api/workflows/${id}/rotate-secret`, {}, 201)
  expect(rotated.secret).not.toBe(secret)
})

test('DSH-38 secret can be rotated on the page of a workflow that signs requests, as the API says', async () => {
  for (const [step, signsRequests] of [
    [action, false],
    [{ type: 'webhook', url: address }, true],
  ] as const) {
    const { id } = await create({ steps: [step] })
    expect(await get(id)).toMatchObject({ signsRequests })
    const page = await (await world.ada.fetch(`GET /settings/workflows/${id}`)).text()
    expect(page.includes('>Rotate secret<')).toBe(signsRequests)
  }
})

test('DSH-38 URL of a webhook step is shown only to people who can change workflows', async () => {
  const url = new URL('/services/T0/verysecret', address).href
  const { id } = await create({ steps: [{ type: 'webhook', url }] })
  const runId = await startOne(id)
  await perform(runId)
  const paths = [
    '/api/workflows?limit=100',
    `/api/workflows/${id}`,
    `/api/workflows/${id}/preview`,
    `/api/workflows/${id}/runs/${runId}`,
    `/settings/workflows/${id}?run=${runId}`,
  ]
  for (const path of paths)
    for (const [caller, shows] of [
      [world.ada, true],
      [world.vera, false],
    ] as const) {
      const response = await caller.fetch(`GET ${path}`)
      const text = await response.text()
      expect([path, response.status, text.includes('verysecret')]).toEqual([path, 200, shows])
      expect([path, text.includes(new URL(url).host)]).toEqual([path, true])
    }
})

test('DSH-38 failed step is tried again after a pause, continues where it failed, and ends after its attempts', async () => {
  const { id } = await create({ steps: [action, { type: 'webhook', url: address }, { ...action, title: 'After' }] })
  const runId = await startOne(id)
  status = 500
  clock = new Date()
  await perform(runId)
  expect(await detail(id, runId)).toMatchObject({ state: 'waiting', done: 1 })
  const before = received.length
  await perform(runId)
  expect(received).toHaveLength(before)
  for (const delayMs of retryDelays) {
    clock = new Date(clock.getTime() + delayMs + 60_000)
    await perform(runId)
  }
  const failed = await detail(id, runId)
  expect(failed).toMatchObject({ state: 'failed', done: 1 })
  expect(failed.log.map(({ step, outcome }) => [step, outcome])).toEqual([
    [1, 'done'],
    ...Array.from({ length: 5 }, () => [2, 'failed']),
  ])
  expect(failed.log.at(-1)?.error).toBe('The response has the status 500.')
  expect((await get(id)).failures).toBe(1)
  status = 200
  await world.ada.fetchJson(`POST /api/workflows/${id}/runs/${runId}/retry`, {})
  await perform(runId)
  expect(await detail(id, runId)).toMatchObject({ state: 'succeeded', done: 3 })
  expect((await raised(runId)).map(({ title }) => title)).toEqual(['Look at bluesky', 'After'])
  expect((await get(id)).failures).toBe(0)
  expect((await world.ada.fetch(`POST /api/workflows/${id}/runs/${runId}/retry`, {})).status).toBe(409)
  clock = null
})

test('DSH-38 run of a killed server continues with the step that isn’t done, on one server', async () => {
  const { id } = await create({ steps: [action, { type: 'webhook', url: address }] })
  const runId = await startOne(id)
  // Another server did the first step, and its lease hasn’t ended.
  await world.database.sql`
    UPDATE dashboard.workflow_runs SET state = 'running', done = 1, leased_until = now() + interval '1 minute'
    WHERE id = ${runId}`
  received.length = 0
  await perform(runId)
  expect(received).toHaveLength(0)
  await world.database.sql`UPDATE dashboard.workflow_runs SET leased_until = now() WHERE id = ${runId}`
  await Promise.all([perform(runId), perform(runId), perform(runId)])
  expect(received).toHaveLength(1)
  expect(received[0]?.headers['webhook-id']).toBe(`${runId}.2`)
  expect(await raised(runId)).toHaveLength(0)
  expect((await detail(id, runId)).state).toBe('succeeded')
})

test('DSH-38 ten failed runs in a row pause a workflow and raise an action that enabling it resolves', async () => {
  const { id } = await create({ steps: [{ type: 'webhook', url: address }] })
  const runs: string[] = []
  for (let failures = 0; failures < 10; failures += 1) {
    const runId = await startOne(id)
    runs.push(runId)
    await runWorkflow.onRetriesExhausted?.({
      ...work(),
      input: { id: runId, round: 1, organizationId: organizationId() },
    })
  }
  expect(await get(id)).toMatchObject({ state: 'paused', failures: 10 })
  const open = async () => world.database.sql`
    SELECT title FROM platform.raised_actions WHERE cause = ${`dashboard.workflow-failing:${id}`} AND resolved_at IS NULL`
  expect(await open()).toHaveLength(1)
  await takeEvent(work(), hand(id))
  expect(await runsOf(id)).toHaveLength(10)
  await world.ada.fetchJson(`PUT /api/workflows/${id}`, { state: 'enabled' })
  expect(await open()).toHaveLength(0)
  expect(await get(id)).toMatchObject({ state: 'enabled', failures: 0 })
})

test('DSH-38 schedule starts one run for its time, whatever number of servers, and plans the next', async () => {
  const { id, nextRunAt } = await create({
    trigger: { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
    steps: [{ type: 'action', title: 'Review', reason: 'Planned at {{data.plannedAt}}', href: '/dashboard' }],
  })
  const planned = new Date(nextRunAt ?? '')
  expect([1, planned.getUTCDay()]).toEqual([1, 1])
  // A week later: the time in between isn’t made up for twice.
  clock = new Date(planned.getTime() + 7 * 24 * 60 * 60_000 + 1_000)
  await Promise.all([1, 2, 3].map(() => startPlannedWorkflows.run({ ...work(), input: {} })))
  await startPlannedWorkflows.run({ ...work(), input: {} })
  const [run, ...others] = await runsOf(id)
  expect(others).toEqual([])
  expect(new Date((await get(id)).nextRunAt ?? '').getTime()).toBeGreaterThan(clock.getTime())
  await perform(run?.id ?? '')
  expect((await raised(run?.id ?? ''))[0]?.reason).toBe(`Planned at ${planned.toISOString()}`)
  clock = null
})

test('DSH-38 refused when saving: unknown fields, events and hosts, private URLs and schedules that are too tight', async () => {
  const step = (changes: object) => ({ steps: [{ ...action, ...changes }] })
  const schedule = (cron: string, timeZone = 'UTC') => ({
    trigger: { type: 'schedule', cron, timeZone },
    steps: [{ ...action, title: 'T', reason: 'R' }],
  })
  const wrong: [object, string][] = [
    [step({ title: '{{data.secret}}' }), 'steps.0.title'],
    [step({ reason: '{{provider}}' }), 'steps.0.reason'],
    [step({ href: 'https://{{data.provider}}.example/' }), 'steps.0.href'],
    [step({ href: 'javascript:alert(1)' }), 'steps.0.href'],
    [{ trigger: { ...onFailure, filter: [{ field: 'x', value: 1 }] } }, 'trigger.filter.0.field'],
    [{ trigger: { type: 'event', event: 'no.such' } }, 'trigger.event'],
    [schedule('*/4 * * * *'), 'trigger.cron'],
    [schedule('0,59 9-10 * * *'), 'trigger.cron'],
    [schedule('* * * * * *'), 'trigger.cron'],
    [schedule('0 0 31 2 *'), 'trigger.cron'],
    [schedule('never'), 'trigger.cron'],
    [schedule('0 9 * * 1', 'Mars/Base'), 'trigger.timeZone'],
    [{ steps: [] }, 'steps'],
    [{ steps: Array.from({ length: 11 }, () => action) }, 'steps'],
  ]
  for (const [draft, path] of wrong)
    expect([draft, await refusal(draft)]).toMatchObject([draft, { status: 422, errors: [{ path }] }])
})

test('DSH-38 workflow needs the permission of its event, and a role or key without limits', async () => {
  const key = await world.ada.createKey({ service: 'platform-dashboard-api', scopes: ['workflows.write'] })
  const draft = { name: 'By key', trigger: onFailure, steps: [action] }
  const refused = await key.fetch('POST /api/workflows', draft)
  expect([refused.status, await refused.json()]).toMatchObject([403, { permission: 'posts:read' }])
  const planned = {
    trigger: { type: 'schedule', cron: '0 9 * * *', timeZone: 'UTC' },
    steps: [{ ...action, title: 'T', reason: 'R' }],
  }
  await key.fetchJson('POST /api/workflows', { ...draft, ...planned }, 201)
  const { id } = await create({})
  const runId = await startOne(id)
  expect((await world.vera.fetch('POST /api/workflows', draft)).status).toBe(403)
  for (const route of ['GET', 'DELETE'])
    expect((await world.mallory.fetch(`${route} /api/workflows/${id}`)).status).toBe(404)
  expect((await world.mallory.fetch(`GET /api/workflows/${id}/runs/${runId}`)).status).toBe(404)
  const reading = await world.ada.createKey({ service: 'platform-dashboard-api', scopes: ['workflows.read'] })
  expect((await reading.fetch(`GET /api/workflows/${id}/runs/${runId}`)).status).toBe(403)
  const { items } = await reading.fetchJson<{ items: { type: string; fields: string[]; can: { use: boolean } }[] }>(
    'GET /api/workflows/events',
  )
  expect(items.find(({ type }) => type === 'post.failed')).toMatchObject({
    fields: expect.arrayContaining(['provider', 'message']),
    can: { use: false },
  })
})

test('DSH-38 change is refused when another one was saved since', async () => {
  const { id, version } = await create({})
  const ifMatch = { 'if-match': `"${version}"` }
  expect((await world.ada.fetch(`PUT /api/workflows/${id}`, { name: 'First' }, ifMatch)).status).toBe(200)
  expect((await world.ada.fetch(`PUT /api/workflows/${id}`, { name: 'Second' }, ifMatch)).status).toBe(409)
})

test('DSH-38 test run uses examples, and neither counts as a failure nor pauses', async () => {
  const { id } = await create({})
  const run = await world.ada.fetchJson<Run>(`POST /api/workflows/${id}/run`, { data: { provider: 'mastodon' } }, 201)
  await perform(run.id)
  expect(await raised(run.id)).toMatchObject([{ title: 'Look at mastodon', reason: 'Example message' }])
  expect((await world.ada.fetch(`POST /api/workflows/${id}/run`, { data: { x: 'y' } })).status).toBe(422)
})

test('DSH-38 organization has at most 50 workflows, 1,000 runs a day and 5 at once', async () => {
  const owner = world.mallory
  const draft = {
    name: 'Many',
    trigger: { type: 'schedule', cron: '0 9 1 1 *', timeZone: 'UTC' },
    steps: [{ ...action, title: 'T', reason: 'R' }],
  }
  const { id } = await owner.fetchJson<Workflow>('POST /api/workflows', draft, 201)
  const created = await Promise.all(Array.from({ length: 52 }, () => owner.fetch('POST /api/workflows', draft)))
  expect(new Set(created.map(({ status: each }) => each))).toEqual(new Set([201, 409]))
  const organization = owner.things.organizations
  const [counted] = await world.database.sql<{ count: number }[]>`
    SELECT count(*)::int FROM dashboard.workflows WHERE organization_id = ${organization}`
  expect(counted?.count).toBe(50)
  await world.database.sql`
    INSERT INTO dashboard.workflow_runs
      (id, organization_id, workflow_id, cause, started_by, data, steps, state, created_at, leased_until)
    SELECT gen_random_uuid(), organization_id, id, 'busy:' || n, 'test', '{}', steps, 'running', now(),
      now() + interval '1 minute'
    FROM dashboard.workflows, generate_series(1, 5) n WHERE id = ${id}`
  const run = await owner.fetchJson<Run>(`POST /api/workflows/${id}/run`, {}, 201)
  const input = { id: run.id, round: 1, organizationId: organization }
  await runWorkflow.run({ ...work(), input })
  const stateOf = async () => (await owner.fetchJson<Run>(`GET /api/workflows/${id}/runs/${run.id}`)).state
  expect(await stateOf()).toBe('waiting')
  await world.database.sql`UPDATE dashboard.workflow_runs SET leased_until = NULL WHERE cause = 'busy:1'`
  await runWorkflow.run({ ...work(), input })
  expect(await stateOf()).toBe('succeeded')
  await world.database.sql`
    INSERT INTO dashboard.workflow_runs
      (id, organization_id, workflow_id, cause, started_by, data, steps, state, created_at, settled_at)
    SELECT gen_random_uuid(), organization_id, id, 'past:' || n, 'test', '{}', steps, 'failed', now(), now()
    FROM dashboard.workflows, generate_series(1, 1000) n WHERE id = ${id}`
  const limited = await owner.fetch(`POST /api/workflows/${id}/run`, {})
  expect([limited.status, await limited.json()]).toMatchObject([429, { code: 'run_limit_reached' }])
})

test('DSH-38 run of a suspended organization is skipped, and can be retried later', async () => {
  const { id } = await create({})
  const runId = await startOne(id)
  const suspended = { ...world.provided.identity, isSuspended: async () => true }
  await perform(runId, { ...work(), identity: suspended })
  expect((await detail(id, runId)).state).toBe('skipped')
  expect(await raised(runId)).toHaveLength(0)
  await world.ada.fetchJson(`POST /api/workflows/${id}/runs/${runId}/retry`, {})
  await perform(runId)
  expect((await detail(id, runId)).state).toBe('succeeded')
})

// The last one: from here on, this server works the queue itself.
test('DSH-38 event that is emitted starts a run, which raises an action with its data', async () => {
  const { id } = await create({})
  await world.provided.queue.work([handOverEvent, runWorkflow], work(), now)
  await emit()
  expect(await eventually(async () => (await runsOf(id))[0]?.state === 'succeeded')).toBe(true)
  const [run] = await runsOf(id)
  expect(await raised(run?.id ?? '')).toMatchObject([
    { title: 'Look at bluesky', reason: 'Too long', kind: 'dashboard.workflow_action', surface: 'action' },
  ])
  expect((await detail(id, run?.id ?? '')).log).toMatchObject([{ step: 1, attempt: 1, outcome: 'done', error: null }])
  await world.ada.fetchJson(`DELETE /api/workflows/${id}`, {}, 204)
  await emit()
  const rows = await world.database.sql`SELECT id FROM platform.event_subscriptions WHERE id = ${id}`
  expect(rows).toHaveLength(0)
})
