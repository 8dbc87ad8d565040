import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm'
import { newId } from '#lib/ids.ts'
import { requireNoTransaction } from '#lib/outside-calls.ts'
import { endPostedNotices } from '../../src/dashboard/actions/jobs.ts'
import { freeWorkspaces, notifications, workflowRuns } from '../../src/dashboard/schema.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

interface Shown {
  id: string
  title: string
  assignee: { id: string } | null
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
beforeEach(async () => {
  await world.database.sql`DELETE FROM dashboard.notifications`
})
afterAll(() => world.close())

const organizationId = () => world.ada.things.organizations
const draft = { title: 'Send the note', reason: 'The customer called.', href: '/pay/orders' }
const post = (caller: Pick<Caller, 'fetch'>, cause: string, changes: object = {}) =>
  caller.fetch('POST /api/notifications', { ...draft, cause, ...changes })
const postOne = async (cause: string, changes: object = {}): Promise<string> => {
  const response = await post(world.ada, cause, changes)
  expect(response.status).toBe(201)
  const { id } = await response.json()
  return id
}
const list = async (query: string) =>
  (await world.ada.fetchJson<{ items: Shown[] }>(`GET /api/notifications?limit=100&${query}`)).items

/** Open ones of a person or API key, or of as many people as there are. */
const fill = (count: number, postedBy: string | null) =>
  world.database.sql`
    INSERT INTO dashboard.notifications (id, organization_id, surface, service, cause, title, reason, href, actions,
      raised_at, version, sort_at, posted, posted_by, announced_at)
    SELECT gen_random_uuid(), ${organizationId()}, 'notice', 'platform-dashboard-api', gen_random_uuid(), 'x', 'x', '/', '[]',
      now(), 0, '9999-12-31', true, coalesce(${postedBy}::uuid, gen_random_uuid()), now()
    FROM generate_series(1, ${count}::int)`

test('DSH-20 person has at most 200 open posted notifications, also when they are posted at once or reopened', async () => {
  const done = await postOne('done')
  await world.ada.fetchJson(`POST /api/notifications/${done}/resolve`, {}, 204)
  await fill(198, world.ada.id)
  const posted = await Promise.all([1, 2, 3, 4].map((at) => post(world.ada, `at once ${at}`)))
  expect(posted.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409])
  const refused = await post(world.ada, 'one more')
  expect(await refused.json()).toMatchObject({
    code: 'too_many_notifications',
    detail: expect.stringContaining('at most 200 open'),
  })
  const reopened = await world.ada.fetch(`POST /api/notifications/${done}/reopen`, {})
  expect([reopened.status, await reopened.json()]).toMatchObject([409, { code: 'too_many_notifications' }])
  const [first] = await world.database.sql<{ cause: string }[]>`
    SELECT cause FROM dashboard.notifications WHERE cause LIKE 'at once%' LIMIT 1`
  expect((await post(world.ada, first?.cause ?? '')).status).toBe(200)
  const key = await world.ada.createKey({ service: 'platform-dashboard-api', scopes: ['notifications.write'] })
  expect((await post(key, 'of a key')).status).toBe(201)
})

test('DSH-20 organization has at most 1,000 open posted notifications', async () => {
  await fill(999, null)
  const id = await postOne('the last')
  const refused = await post(world.ada, 'one more')
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { code: 'too_many_notifications', detail: expect.stringContaining('at most 1000 open') },
  ])
  await world.ada.fetchJson(`POST /api/notifications/${id}/resolve`, {}, 204)
  await postOne('one more')
})

test('DSH-20 posted notice ends after 30 days, and an action stays', async () => {
  await postOne('notice', { surface: 'notice', title: 'Old notice' })
  await postOne('action', { title: 'Old action' })
  const days = (count: number) => new Date(Date.now() + count * 24 * 60 * 60_000)
  const end = (now: Date) =>
    endPostedNotices.run({ ...world.provided, database: world.database, now: () => now, input: {} })
  const open = async () => (await list('state=open')).map(({ title }) => title)
  await end(days(29))
  expect(await open()).toContain('Old notice')
  await end(days(31))
  expect(await open()).toEqual(['Old action'])
  expect((await list('state=resolved')).map(({ title }) => title)).toEqual(['Old notice'])
})

test('DSH-20 snoozing again moves the job that ends the snooze, earlier or later', async () => {
  const id = await postOne('snoozed')
  await world.database.sql`DELETE FROM pgboss.job WHERE name = 'dashboard.wake-snoozed'`
  const waiting = async () => {
    const jobs = await world.database.sql<{ minutes: number }[]>`
      SELECT round(extract(epoch FROM start_after - now()) / 60)::int AS minutes
      FROM pgboss.job WHERE name = 'dashboard.wake-snoozed' AND state = 'created'`
    return jobs.map(({ minutes }) => minutes)
  }
  for (const hours of [3, 1, 24, 2]) {
    await world.ada.fetchJson(`POST /api/notifications/${id}/snooze`, { hours }, 204)
    expect(await waiting()).toEqual([hours * 60])
  }
  const rita = await world.join(world.ada, { name: 'Rita', role: 'reviewer' })
  await rita.fetchJson(`POST /api/notifications/${id}/snooze`, { hours: 5 }, 204)
  expect((await waiting()).toSorted((a, b) => a - b)).toEqual([120, 300])
})

test('DSH-20 DSH-38 identity isn’t asked while a transaction is open: assign, post, rotate a secret', async () => {
  const { identity } = world.provided
  const called: string[] = []
  const spies = (['memberActor', 'organizationState', 'installedApps', 'people', 'isMember'] as const).map((name) => {
    const original = identity[name]
    return spyOn(identity, name).mockImplementation((...given: never[]) => {
      requireNoTransaction(name)
      called.push(name)
      return Reflect.apply(original, identity, given)
    })
  })
  try {
    const id = await postOne('assigned')
    await world.ada.fetchJson(`POST /api/notifications/${id}/assign`, { personId: world.vera.id }, 204)
    await world.ada.fetchJson(`POST /api/notifications/${id}/assign-to-me`, {}, 204)
    const service = world.dashboardServices['platform-socialize'] ?? world.stranger
    expect((await post(service, 'of a service', { organizationId: organizationId() })).status).toBe(201)
    const { id: workflowId } = await world.ada.fetchJson<{ id: string }>(
      'POST /api/workflow-templates/weekly-plan/workflows',
      {},
      201,
    )
    await world.ada.fetchJson(`POST /api/workflows/${workflowId}/rotate-secret`, {}, 201)
    expect(new Set(called)).toEqual(new Set(['memberActor', 'organizationState', 'people', 'isMember']))
    const audit = await world.ada.fetchJson<{ items: { operation: string }[] }>('GET /api/audit?limit=20')
    const operations = audit.items.map(({ operation }) => operation)
    for (const name of ['assignNotification', 'assignToMe', 'rotateWorkflowSecret', 'createNotification'])
      expect(operations).toContain(name)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
})

test('PLT-39 what is erased with a person, ends or is applied late is found by an index', async () => {
  const { db } = world.database
  const person = newId()
  const queries = {
    workflow_runs_people: db
      .select({ id: workflowRuns.id })
      .from(workflowRuns)
      .where(sql`steps @> ${JSON.stringify([{ people: [person] }])}::jsonb`),
    notifications_assignee: db
      .select({ id: notifications.id })
      .from(notifications)
      .where(and(eq(notifications.assigneeId, person), isNull(notifications.resolvedAt))),
    notifications_posted_notices: db
      .select({ id: notifications.id })
      .from(notifications)
      .where(
        and(
          notifications.posted,
          eq(notifications.surface, sql`'notice'`),
          isNull(notifications.resolvedAt),
          lt(notifications.raisedAt, new Date()),
        ),
      )
      .orderBy(asc(notifications.raisedAt)),
    free_workspaces_unapplied: db
      .select({ id: freeWorkspaces.id })
      .from(freeWorkspaces)
      .where(
        and(
          sql`${freeWorkspaces.appliedSequence} < ${freeWorkspaces.sequence}`,
          lt(freeWorkspaces.receivedAt, new Date()),
        ),
      ),
  }
  for (const [index, query] of Object.entries(queries)) {
    const plan = await db.transaction(async (tx) => {
      await tx.execute(sql`SET LOCAL enable_seqscan = off`)
      return tx.execute(sql`EXPLAIN ${query.getSQL()}`)
    })
    expect(JSON.stringify(plan)).toContain(index)
  }
})
