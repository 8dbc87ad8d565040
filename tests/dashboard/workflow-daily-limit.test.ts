import { afterAll, beforeAll, expect, test } from 'bun:test'
import { handOverEvent } from '#lib/event-subscriptions/hand-over.ts'
import { newId } from '#lib/ids.ts'
import { emitWebhook } from '#lib/outgoing-webhooks/emit.ts'
import { enqueueActions, handOverAction } from '#lib/raised-actions/hand-over.ts'
import { maxRunsPerDay } from '../../src/dashboard/workflows/runs/start.ts'
import { runWorkflow } from '../../src/dashboard/workflows/runs/run.job.ts'
import { startPlannedWorkflows } from '../../src/dashboard/workflows/runs/start-planned.job.ts'
import { socialEvents } from '../../src/social/events.ts'
import { eventually } from '../boot/program.ts'
import { openOffice, type Office } from './notify/office.ts'

const dayMs = 24 * 60 * 60_000
/** Noon in UTC, so that hours before and after it are of the same day. */
const noon = new Date(`${new Date(Date.now() + dayMs).toISOString().slice(0, 10)}T12:00:00Z`)

let office: Office
let clock = noon
beforeAll(async () => {
  office = await openOffice()
  const jobs = [handOverEvent, runWorkflow, handOverAction]
  await office.world.provided.queue.work(jobs, work(), () => clock)
})
afterAll(() => office.close())

const work = () => ({ ...office.world.provided, database: office.world.database, now: () => clock })
const postFailed = socialEvents[1]

interface Run {
  id: string
  state: string
  startedBy: string
}

interface Workflow {
  id: string
  nextRunAt: string | null
}

const create = (trigger: object) => {
  const steps = [{ type: 'action', title: 'Look', reason: 'It ran.', href: '/actions' }]
  return office.world.ada.fetchJson<Workflow>('POST /api/workflows', { name: 'Daily', trigger, steps }, 201)
}

const runsOf = async ({ id }: Workflow) =>
  (await office.world.ada.fetchJson<{ items: Run[] }>(`GET /api/workflows/${id}/runs?limit=100`)).items

/** As publishing does when posts fail; returns when each event was handed over. */
async function failPosts(count: number): Promise<void> {
  const data = { brandId: newId(), provider: 'bluesky', threadId: null, code: 'rejected', message: 'No' } as const
  const emit = () =>
    office.world.database.transaction((tx) =>
      emitWebhook(tx, work(), {
        organizationId: office.organizationId,
        event: postFailed,
        data: { ...data, postId: newId(), retryable: false, failedAt: clock },
      }),
    )
  await Promise.all(Array.from({ length: count }, emit))
  await untilDone(handOverEvent.name)
}

async function untilDone(job: string): Promise<void> {
  const countOpen = async () => {
    const [row] = await office.world.database.sql<{ open: number }[]>`
      SELECT count(*)::int AS open FROM pgboss.job WHERE name = ${job} AND state IN ('created', 'retry', 'active')`
    return row?.open
  }
  expect(await eventually(async () => (await countOpen()) === 0)).toBe(true)
}

/** The scheduler at the planned time of the workflow. */
async function reachPlannedTime({ id }: Workflow): Promise<string | null> {
  const { sql } = office.world.database
  await sql`UPDATE dashboard.workflows SET next_run_at = ${clock} WHERE id = ${id}`
  await startPlannedWorkflows.run({ ...work(), input: {} })
  return (await office.world.ada.fetchJson<Workflow>(`GET /api/workflows/${id}`)).nextRunAt
}

async function handOverActions(): Promise<void> {
  await enqueueActions(office.world.database, office.world.provided.queue)
  await untilDone(handOverAction.name)
}

const notices = async () =>
  (
    await office.world.ada.fetchJson<{ items: { id: string; title: string; reason: string }[] }>(
      'GET /api/notifications?surface=notice&limit=100',
    )
  ).items.filter(({ title }) => title.startsWith('Workflows ran'))

test('DSH-38 events and planned times start no run beyond the 1,000 of a day, and the owner gets one notice', async () => {
  const { ada, database } = office.world
  const onEvent = await create({ type: 'event', event: 'post.failed' })
  const hourly = await create({ type: 'schedule', cron: '0 * * * *', timeZone: 'UTC' })
  const busy = await create({ type: 'schedule', cron: '0 9 1 1 *', timeZone: 'UTC' })
  const earlier = new Date(noon.getTime() - 60 * 60_000)
  await database.sql`
    INSERT INTO dashboard.workflow_runs
      (id, organization_id, workflow_id, cause, started_by, data, steps, state, created_at, settled_at)
    SELECT gen_random_uuid(), organization_id, id, 'past:' || n, 'event', '{}', steps, 'succeeded', ${earlier}, ${earlier}
    FROM dashboard.workflows, generate_series(1, ${maxRunsPerDay - 2}) n WHERE id = ${busy.id}`
  await failPosts(1)
  await reachPlannedTime(hourly)
  expect(await runsOf(onEvent)).toMatchObject([{ startedBy: 'event' }])
  expect(await runsOf(hourly)).toMatchObject([{ startedBy: 'schedule' }])
  expect(await notices()).toEqual([])

  // Those of a day are used: from here on, nothing starts, whatever the trigger is.
  await failPosts(6)
  clock = new Date(noon.getTime() + 60 * 60_000)
  const nextRunAt = await reachPlannedTime(hourly)
  expect(new Date(nextRunAt ?? 0).getTime()).toBe(clock.getTime() + 60 * 60_000)
  await handOverActions()
  expect(await runsOf(onEvent)).toHaveLength(1)
  expect(await runsOf(hourly)).toHaveLength(1)
  const [notice, ...others] = await notices()
  expect(others).toEqual([])
  expect(notice?.reason).toContain('1,000 times a day')
  office.setClock(clock.toISOString())
  await office.announce()
  const emails = async () =>
    (await office.deliveries(notice?.id)).filter(
      ({ channel, target_id }) => channel === 'email' && target_id === ada.id,
    )
  expect(await emails()).toHaveLength(1)

  // Also after the owner has resolved it.
  await ada.fetchJson(`POST /api/notifications/${notice?.id}/resolve`, {}, 204)
  await failPosts(2)
  await reachPlannedTime(hourly)
  await handOverActions()
  await office.announce()
  const [row] = await database.sql`
    SELECT count(*)::int AS notices FROM dashboard.notifications WHERE title LIKE 'Workflows ran%'`
  expect([row?.['notices'], (await emails()).length]).toEqual([1, 1])

  clock = new Date(noon.getTime() + dayMs)
  await failPosts(1)
  await reachPlannedTime(hourly)
  expect(await runsOf(onEvent)).toHaveLength(2)
  expect(await runsOf(hourly)).toHaveLength(2)
})
