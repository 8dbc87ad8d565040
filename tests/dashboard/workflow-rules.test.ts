import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { handOverEvent } from '#lib/event-subscriptions/hand-over.ts'
import { createOutbound } from '#lib/outbound.ts'
import { isOwn } from '../../src/dashboard/workflows/check.ts'
import { erasePersonOfWorkflows } from '../../src/dashboard/workflows/erase-person.ts'
import { boundData } from '../../src/dashboard/workflows/runs/bound-data.ts'
import { maxRunsPerMinute } from '../../src/dashboard/workflows/runs/start.ts'
import { runWorkflow } from '../../src/dashboard/workflows/runs/run.job.ts'
import { startPlannedWorkflows } from '../../src/dashboard/workflows/runs/start-planned.job.ts'
import { takeEvent } from '../../src/dashboard/workflows/runs/take-event.ts'
import { cronOf, plainOf, wordsOf } from '../../src/dashboard/workflows/triggers/plain-schedule.ts'
import { nextRuns } from '../../src/dashboard/workflows/triggers/schedule.ts'
import { eventually } from '../boot/program.ts'
import { openWorld, type World } from '../support/world.ts'

interface Workflow {
  id: string
  name: string
  state: string
  version: number
  trigger: { cron?: string; filter?: object[] }
  steps: { type: string; url?: string }[]
  schedule: { words: string } | null
  nextRuns: string[]
  createdBy: { id: string; name: string | null; isMember: boolean } | null
}

interface Run {
  id: string
  state: string
  note: string | null
  nextAttemptAt: string | null
  log: { outcome: string; status: number | null; result: string | null; error: string | null }[]
  can: { retry: boolean; cancel: boolean }
}

let world: World
let address: string
const received: string[] = []
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: (request) => {
    received.push(request.headers.get('webhook-id') ?? '')
    return new Response('Thanks', { status: 202 })
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
const work = () => ({
  ...world.provided,
  outbound: createOutbound({ allowPrivate: true }),
  database: world.database,
  now: () => new Date(),
})
const action = {
  type: 'action',
  title: 'Look at {{data.provider}}',
  reason: '{{data.message}}',
  href: '/actions',
}
const onFailure = { type: 'event', event: 'post.failed' }

const create = (draft: object) =>
  world.ada.fetchJson<Workflow>(
    'POST /api/workflows',
    { name: 'Test', trigger: onFailure, steps: [action], ...draft },
    201,
  )
const runsOf = async (id: string) =>
  (await world.ada.fetchJson<{ items: Run[] }>(`GET /api/workflows/${id}/runs?limit=100`)).items
const detail = (id: string, runId: string) => world.ada.fetchJson<Run>(`GET /api/workflows/${id}/runs/${runId}`)
const hand = (subscriptionId: string, data: object = {}) =>
  takeEvent(work(), {
    subscriptionId,
    organizationId: organizationId(),
    messageId: newId(),
    type: 'post.failed',
    timestamp: new Date().toISOString(),
    data: {
      provider: 'bluesky',
      message: 'Too long',
      failedAt: '2026-03-01T10:00:00Z',
      retryable: false,
      ...data,
    },
  })
async function startOne(id: string): Promise<string> {
  await hand(id)
  return (await runsOf(id))[0]?.id ?? ''
}
async function perform(runId: string): Promise<void> {
  const [row] = await world.database.sql<{ round: number }[]>`
    SELECT round FROM dashboard.workflow_runs WHERE id = ${runId}`
  await runWorkflow.run({
    ...work(),
    input: { id: runId, round: row?.round ?? 1, organizationId: organizationId() },
  })
}

test('DSH-38 eleven templates each create a workflow whose steps and fields are accepted', async () => {
  const { items } = await world.ada.fetchJson<{
    items: { id: string; needsUrl: boolean; can: { use: boolean } }[]
  }>('GET /api/workflow-templates')
  expect(items.filter(({ can }) => can.use)).toHaveLength(11)
  for (const { id, needsUrl } of items) {
    const path = `POST /api/workflow-templates/${id}/workflows`
    const made = await world.ada.fetchJson<Workflow>(path, needsUrl ? { url: address } : {}, 201)
    expect(made).toMatchObject({
      state: 'paused',
      createdBy: { id: world.ada.id, isMember: true },
    })
    if (needsUrl) {
      expect(made.steps.find(({ type }) => type === 'webhook')).toMatchObject({ url: address })
      for (const body of [{}, { url: 'nowhere' }]) {
        const refused = await world.ada.fetch(path, body)
        expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'url' }] }])
      }
    }
    const enabled = await world.ada.fetchJson<Workflow>(`PUT /api/workflows/${made.id}`, {
      state: 'enabled',
    })
    expect(enabled.state).toBe('enabled')
    await world.ada.fetchJson(`DELETE /api/workflows/${made.id}`, {}, 204)
  }
  expect((await world.ada.fetch('POST /api/workflow-templates/none/workflows', {})).status).toBe(404)
  expect((await world.vera.fetch('POST /api/workflow-templates/weekly-plan/workflows', {})).status).toBe(403)
})

test('DSH-38 conditions compare texts, numbers and times, and all must match', async () => {
  const matching: [string, object, boolean][] = [
    ['equals', { field: 'provider', value: 'bluesky' }, true],
    ['not_equals', { field: 'provider', value: 'bluesky' }, false],
    ['contains', { field: 'message', value: 'LONG' }, true],
    ['contains', { field: 'message', value: 'short' }, false],
    ['equals', { field: 'retryable', value: false }, true],
    ['greater_than', { field: 'failedAt', value: '2026-02-28' }, true],
    ['less_than', { field: 'failedAt', value: '2026-02-28' }, false],
    ['greater_than', { field: 'provider', value: 5 }, false],
  ]
  for (const [operator, condition, isMatch] of matching) {
    const filter = [
      { field: 'provider', value: 'bluesky' },
      { ...condition, operator },
    ]
    const { id } = await create({ trigger: { ...onFailure, filter } })
    await hand(id)
    expect([condition, (await runsOf(id)).length]).toEqual([condition, isMatch ? 1 : 0])
    await world.ada.fetchJson(`DELETE /api/workflows/${id}`, {}, 204)
  }
  const wrong = {
    ...onFailure,
    filter: [{ field: 'provider', operator: 'less_than', value: 'many' }],
  }
  const refused = await world.ada.fetch('POST /api/workflows', {
    name: 'Wrong',
    trigger: wrong,
    steps: [action],
  })
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'trigger.filter.0.value' }] }])
})

test('DSH-38 schedule of plain fields becomes cron fields, keeps its local time when clocks change, and is previewed', async () => {
  const trigger = {
    type: 'schedule',
    repeat: 'weekly',
    weekday: '0',
    time: '09:30',
    timeZone: 'Europe/Berlin',
  }
  const steps = [{ ...action, title: 'T', reason: 'R' }]
  const weekly = await create({ trigger, steps })
  expect(weekly).toMatchObject({
    trigger: { cron: '30 9 * * 0' },
    schedule: { words: 'Every Sunday at 09:30' },
  })
  expect(weekly.nextRuns).toHaveLength(3)
  for (const repeat of ['daily', 'weekdays', 'weekly', 'monthly'] as const) {
    const plain = { repeat, time: '07:05', ...(repeat === 'weekly' && { weekday: 3 }) }
    const day = repeat === 'monthly' ? ({ day: 'last' } as const) : {}
    expect(plainOf(cronOf({ ...plain, ...day }, ''))).toEqual({ ...plain, ...day })
  }
  expect(wordsOf('*/30 8-18 * * 1-5')).toBe('*/30 8-18 * * 1-5')
  const berlin = (cron: string, from: string, count: number) =>
    nextRuns({ cron, timeZone: 'Europe/Berlin' }, new Date(from), count).map((at) => at.toISOString())
  expect(berlin('0 9 * * *', '2026-03-28T00:00:00Z', 2)).toEqual([
    '2026-03-28T08:00:00.000Z',
    '2026-03-29T07:00:00.000Z',
  ])
  // 2:30 doesn't exist on one day and comes twice on another: it runs once on each.
  const [gap, fold] = [berlin('30 2 * * *', '2026-03-28T12:00:00Z', 2), berlin('30 2 * * *', '2026-10-24T12:00:00Z', 2)]
  expect([gap[0]?.slice(0, 10), gap[1]]).toEqual(['2026-03-29', '2026-03-30T00:30:00.000Z'])
  expect([fold[0]?.slice(0, 10), fold[1]]).toEqual(['2026-10-25', '2026-10-26T01:30:00.000Z'])
  expect(berlin('0 8 L * *', '2026-02-01T00:00:00Z', 2)).toEqual([
    '2026-02-28T07:00:00.000Z',
    '2026-03-31T06:00:00.000Z',
  ])
  const query = 'trigger.type=schedule&trigger.repeat=cron&trigger.timeZone=UTC&trigger.cron='
  const preview = (cron: string) =>
    world.ada.fetchJson<{ problem: string | null; runs: string[] }>(
      `GET /api/workflows/schedule?${query}${encodeURIComponent(cron)}`,
    )
  expect((await preview('0 9 * * *')).runs).toHaveLength(5)
  expect(await preview('* * * * *')).toMatchObject({
    problem: 'Must run at most every 5 minutes.',
    runs: [],
  })
})

test('DSH-38 request of a webhook is repeated once after its server was killed, and never a third time', async () => {
  const { id } = await create({ steps: [{ type: 'webhook', url: address }] })
  const runId = await startOne(id)
  const kill = (sends: number) => world.database.sql`
    UPDATE dashboard.workflow_runs SET state = 'running', sends = ${sends}, leased_until = now() WHERE id = ${runId}`
  received.length = 0
  await kill(2)
  await perform(runId)
  expect(received).toEqual([])
  const failed = await detail(id, runId)
  expect(failed).toMatchObject({ state: 'failed', can: { retry: true } })
  expect(failed.log.at(-1)?.error).toContain('stopped twice')
  await world.ada.fetchJson(`POST /api/workflows/${id}/runs/${runId}/retry`, {})
  await kill(1)
  await perform(runId)
  expect(received).toEqual([`${runId}.1`])
  expect(await detail(id, runId)).toMatchObject({
    state: 'succeeded',
    log: [{}, { outcome: 'done', status: 202 }],
  })
})

test('DSH-38 waiting run is cancelled, doesn’t run, and can be retried', async () => {
  const { id } = await create({})
  const runId = await startOne(id)
  const cancel = () => world.ada.fetch(`POST /api/workflows/${id}/runs/${runId}/cancel`, {})
  expect((await detail(id, runId)).can).toEqual({ retry: false, cancel: true })
  expect((await world.mallory.fetch(`POST /api/workflows/${id}/runs/${runId}/cancel`, {})).status).toBe(404)
  expect((await world.vera.fetch(`POST /api/workflows/${id}/runs/${runId}/cancel`, {})).status).toBe(403)
  expect((await cancel()).status).toBe(200)
  expect((await cancel()).status).toBe(409)
  await perform(runId)
  expect(await detail(id, runId)).toMatchObject({ state: 'cancelled', log: [] })
  await world.ada.fetchJson(`POST /api/workflows/${id}/runs/${runId}/retry`, {})
  await perform(runId)
  expect((await detail(id, runId)).state).toBe('succeeded')
})

test('DSH-38 notify step skips a member who left and says so, and the workflow can still be changed', async () => {
  const notify = {
    type: 'notify',
    title: 'Know',
    reason: 'R',
    href: '/actions',
    people: [world.ada.id, newId()],
  }
  const { id, version } = await create({})
  await world.database.sql`
    UPDATE dashboard.workflows SET steps = ${world.database.sql.json([notify])}, created_by = ${newId()} WHERE id = ${id}`
  const runId = await startOne(id)
  await perform(runId)
  const run = await detail(id, runId)
  expect(run).toMatchObject({ state: 'succeeded' })
  expect(run.log[0]?.result).toBe('1 member left the organization and was skipped. 1 notified.')
  const changed = await world.ada.fetchJson<Workflow>(`PUT /api/workflows/${id}`, {
    steps: [{ ...notify, title: 'Changed' }],
    version,
  })
  expect(changed.createdBy).toMatchObject({ name: null, isMember: false })
  const stranger = { ...notify, people: [newId()] }
  expect((await world.ada.fetch(`PUT /api/workflows/${id}`, { steps: [stranger] })).status).toBe(422)
})

test('DSH-38 notify step whose members’ accounts were erased notifies no one, and the workflow can still be changed', async () => {
  const words = { title: 'Know', reason: 'R', href: '/actions' }
  const { id } = await create({
    steps: [action, { type: 'notify', ...words, people: [world.vera.id] }],
  })
  const other = await create({})
  await erasePersonOfWorkflows({ ...work(), identity: world.provided.identity }, world.vera.id)
  const path = `PUT /api/workflows/${id}`
  const emptied = { type: 'notify', ...words, people: [] }
  for (const change of [{ state: 'paused' }, { state: 'enabled' }, { steps: [{ ...action, title: 'Now' }, emptied] }])
    expect([change, (await world.ada.fetch(path, change)).status]).toEqual([change, 200])
  await world.ada.fetchJson(`POST /api/workflows/${id}/run`, {}, 201)
  const runId = (await runsOf(id))[0]?.id ?? ''
  await perform(runId)
  expect(await detail(id, runId)).toMatchObject({
    state: 'succeeded',
    log: [{}, { result: expect.stringContaining('No one') }],
  })
  const refused = await world.ada.fetch(`PUT /api/workflows/${other.id}`, { steps: [emptied] })
  expect([refused.status, await refused.json()]).toMatchObject([422, { errors: [{ path: 'steps.0.role' }] }])
})

test('DSH-38 members of a notify step are ignored with a role, and named once', async () => {
  const notify = { type: 'notify', title: 'Know', reason: 'R', href: '/actions' }
  const people = [world.ada.id, world.ada.id]
  const { steps } = await create({
    steps: [
      { ...notify, role: 'admin', people },
      { ...notify, people },
    ],
  })
  expect(steps).toMatchObject([{ role: 'admin', people: [] }, { people: [world.ada.id] }])
})

test('DSH-38 planned time that has come still starts its run after a rename, and not after another schedule', async () => {
  const daily = { type: 'schedule', cron: '0 9 * * *', timeZone: 'UTC' }
  const steps = [{ ...action, title: 'T', reason: 'R' }]
  const rows = [await create({ trigger: daily, steps }), await create({ trigger: daily, steps })]
  const [renamed, replanned] = rows.map(({ id }) => id)
  await world.database.sql`
    UPDATE dashboard.workflows SET next_run_at = now() - interval '1 second' WHERE id IN ${world.database.sql(rows.map(({ id }) => id))}`
  await world.ada.fetchJson(`PUT /api/workflows/${renamed}`, { name: 'Renamed', trigger: daily })
  await world.ada.fetchJson(`PUT /api/workflows/${replanned}`, {
    trigger: { ...daily, cron: '0 10 * * *' },
  })
  await startPlannedWorkflows.run({ ...work(), input: {} })
  expect(await runsOf(renamed ?? '')).toHaveLength(1)
  expect(await runsOf(replanned ?? '')).toHaveLength(0)
})

test('DSH-38 test run is refused with more than 100 fields, in a short response', async () => {
  const { id } = await create({})
  const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field${at}`, at]))
  const refused = await world.ada.fetch(`POST /api/workflows/${id}/run`, { data })
  const text = await refused.text()
  expect([refused.status, text.length < 2_000]).toEqual([422, true])
})

test('DSH-38 failed run raises one action with a retry, which a run that succeeds resolves', async () => {
  const { id, name } = await create({})
  const runId = await startOne(id)
  const input = { id: runId, round: 1, organizationId: organizationId() }
  await runWorkflow.onRetriesExhausted?.({ ...work(), input })
  const open = () => world.database.sql<{ title: string; actions: { href: string }[] }[]>`
    SELECT title, actions FROM platform.raised_actions
    WHERE cause = ${`dashboard.workflow-failing:${id}`} AND resolved_at IS NULL`
  const [raised] = await open()
  expect(raised?.title).toBe(`A run of the workflow ${name} failed`)
  await world.ada.fetchJson(`POST ${raised?.actions[0]?.href}`, {})
  await perform(runId)
  expect(await open()).toHaveLength(0)
})

test('DSH-38 runs beyond 60 a minute wait for the next minute, and test runs are refused', async () => {
  const { id } = await create({})
  await world.database.sql`
    INSERT INTO dashboard.workflow_runs
      (id, organization_id, workflow_id, cause, started_by, data, steps, state, created_at, settled_at)
    SELECT gen_random_uuid(), organization_id, id, 'past:' || n, 'test', '{}', steps, 'failed', now(), now()
    FROM dashboard.workflows, generate_series(1, ${maxRunsPerMinute}) n WHERE id = ${id}`
  await hand(id)
  const delayed = (await runsOf(id)).find(({ state }) => state === 'waiting')
  const waitMs = new Date(delayed?.nextAttemptAt ?? 0).getTime() - Date.now()
  expect(waitMs).toBeGreaterThan(30_000)
  const refused = await world.ada.fetch(`POST /api/workflows/${id}/run`, {})
  expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'run_limit_reached' }])
  await world.database.sql`DELETE FROM dashboard.workflow_runs WHERE workflow_id = ${id}`
})

test('DSH-38 event that is too large is cut, and a webhook step can’t call Atrium itself', async () => {
  const large = {
    provider: 'bluesky',
    items: Array.from({ length: 9_000 }, () => 'a long item'),
    message: 'é'.repeat(999),
  }
  const { data, note } = boundData(large)
  expect([Object.keys(data), String(data['message']).length]).toEqual([['provider', 'message'], 500])
  expect(note).toContain('64 KiB')
  expect(boundData({ provider: 'x' })).toEqual({ data: { provider: 'x' }, note: null })
  const config = { ...world.provided.config, PUBLIC_URL: 'https://atrium.example', PORT: 3000 }
  const hosts = {
    services: new Map([['pay.atrium.example', ['platform-pay']]]),
    all: new Set(['atrium.example', 'atrium.internal']),
  }
  const isCaller = (url: string) => isOwn({ config, hosts }, URL.parse(url))
  const own = [
    'https://atrium.example/api/posts',
    'https://ATRIUM.example./api/posts',
    'https://pay.atrium.example/api/orders',
    'http://atrium.internal:3000/api/posts',
    'http://127.0.0.1:3000/',
    'http://api.localhost:3000/',
  ]
  expect(own.filter((url) => !isCaller(url))).toEqual([])
  // Another port of the machine is another server.
  const others = ['https://other.example/', 'https://atrium.example:5678/hook', 'http://127.0.0.1:5678/', 'nowhere']
  expect(others.filter(isCaller)).toEqual([])
})

test('DSH-38 preview fills in the fields of an example event, encoded in links', async () => {
  const { id } = await create({ steps: [{ ...action, href: '/search?q={{data.message}}' }] })
  expect(await world.ada.fetchJson<object>(`GET /api/workflows/${id}/preview`)).toMatchObject({
    data: { provider: 'Example provider', retryable: true },
    steps: [{ input: { title: 'Look at Example provider', href: '/search?q=Example%20message' } }],
  })
  const event = await world.ada.fetchJson<{ fields: string[] }>('GET /api/workflows/event?trigger.event=post.failed')
  expect(event.fields).toContain('provider')
  const people = await world.ada.fetchJson<{ items: { id: string }[] }>('GET /api/workflows/people')
  expect(people.items.map((person) => person.id)).toContain(world.ada.id)
})

// The last one: from here on, this server works the queue itself.
test('DSH-38 template for new members starts once for a person who accepts an invitation, with their name and role', async () => {
  const path = 'POST /api/workflow-templates/new-member/workflows'
  const { id } = await world.ada.fetchJson<Workflow>(path, { state: 'enabled' }, 201)
  await world.provided.queue.work([handOverEvent, runWorkflow], work(), work().now)
  await world.join(world.ada, { name: 'Nia', role: 'editor' })
  expect(await eventually(async () => (await runsOf(id))[0]?.state === 'succeeded')).toBe(true)
  const [run, ...others] = await runsOf(id)
  expect(others).toEqual([])
  expect(await world.ada.fetchJson<object>(`GET /api/workflows/${id}/runs/${run?.id}`)).toMatchObject({
    log: [
      { outcome: 'done', input: { title: 'Nia joined', reason: expect.stringContaining('Their role is editor.') } },
      { outcome: 'done', input: { title: 'Welcome Nia' } },
    ],
  })
})
