import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { readConfig } from '#config'
import { newId } from '#lib/ids.ts'
import { enqueueActions, handOverAction, type ActionNotice, type TakeAction } from '#lib/raised-actions/hand-over.ts'
import { notificationKind } from '#lib/notification-kind.ts'
import { deleteExpired } from '#lib/db/delete-expired.ts'
import { countUntaken, raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { takerOf } from '../../src/platform/actions/dashboard.ts'
import { eventually } from '../boot/program.ts'
import { exhaustRetries } from '../support/exhaust-retries.ts'
import { openWorld, type World } from '../support/world.ts'

/** The requests to the dashboard in another process, and its next response: 200 by default. */
const reported: {
  headers: Record<string, string>
  path: string
  body: Omit<ActionNotice, 'raisedAt' | 'resolvedAt'>
}[] = []
const answers: number[] = []
const dashboard = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    reported.push({
      headers: request.headers.toJSON(),
      path: new URL(request.url).pathname,
      body: await request.json(),
    })
    const body = new ReadableStream({
      pull: async (controller) => {
        await Bun.sleep(5)
        controller.enqueue(new Uint8Array(1024)) // Continues until it is canceled.
      },
      cancel: () => void canceled++,
    })
    return new Response(body, { status: answers.shift() ?? 200 })
  },
})
let canceled = 0

let world: World
beforeAll(async () => {
  world = await openWorld({
    env: { DASHBOARD_URL: dashboard.url.origin, SERVICES: 'identity,social,gateway,payments' },
  })
  await world.provided.queue.work([handOverAction], world.provided, () => new Date())
})
afterAll(async () => {
  await world.close()
  await dashboard.stop(true)
})
beforeEach(async () => {
  reported.length = answers.length = 0
  await world.database.sql`DELETE FROM platform.raised_actions`
})

const acme = newId()
const kind = notificationKind({
  name: 'social.account',
  service: 'platform-socialize',
  group: 'Publishing',
  title: 'Account disconnected',
  icon: 'plug',
  permission: 'accounts:read',
  defaults: { inApp: true, email: true, push: true, chat: false },
})
const reconnect = (cause: string, organizationId = acme) => ({
  kind,
  organizationId,
  cause,
  title: 'Reconnect @acme',
  reason: 'Bluesky refuses its password.',
  href: '/workspace/accounts',
  actions: [{ label: 'Reconnect', method: 'POST' as const, href: '/api/integrations/bluesky/connect' }],
})
const raise = (cause: string, organizationId = acme) =>
  world.database.transaction((tx) => raiseAction(tx, reconnect(cause, organizationId)))
const resolve = (cause: string) => world.database.transaction((tx) => resolveAction(tx, cause))
const rows = async () => [
  ...(await world.database.sql<{ open: boolean; version: number; title: string }[]>`
    SELECT resolved_at IS NULL AS open, version, title FROM platform.raised_actions ORDER BY id`),
]
const handOver = () => enqueueActions(world.database, world.provided.queue)
const untaken = () => countUntaken(world.database.db)

test('DSH-20 raising and resolving an action are rolled back with their transaction', async () => {
  const undone = async (work: Parameters<typeof world.database.transaction>[0]) =>
    await expect(
      world.database.transaction(async (tx) => {
        await work(tx)
        throw new Error('undone')
      }),
    ).rejects.toThrow('undone')
  await undone((tx) => raiseAction(tx, reconnect('a')))
  expect(await rows()).toEqual([])
  await raise('a')
  await undone((tx) => resolveAction(tx, 'a'))
  expect(await rows()).toMatchObject([{ open: true, version: 1 }])
})

test('DSH-20 an organization has one open action per cause with the latest text, even when the action is raised concurrently', async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, nth) => raise('a', nth % 2 === 0 ? acme : world.ada.things.organizations)),
  )
  expect(await rows()).toMatchObject([
    { open: true, version: 1 },
    { open: true, version: 1 },
  ])
  const said = {
    title: 'Reconnect @acme soon',
    reason: 'It ends today.',
    href: '/workspace/accounts?soon',
    actions: [{ label: 'Reconnect now', method: 'GET' as const, href: '/workspace/accounts' }],
  }
  await raiseAction(world.database.db, { ...reconnect('a'), ...said })
  const changed = await world.database.sql`
    SELECT organization_id, title, reason, href, actions FROM platform.raised_actions WHERE version = 2`
  expect([...changed]).toEqual([{ organization_id: acme, ...said }])
  expect((await rows()).reduce((sum, { version }) => sum + version, 0)).toBe(3)
})

test('DSH-20 raising a resolved cause creates another action; resolving without an open action does nothing', async () => {
  await resolve('a')
  await raise('a')
  await resolve('b')
  await resolve('a')
  await resolve('a')
  await raise('a')
  expect(await rows()).toMatchObject([
    { open: false, version: 2 },
    { open: true, version: 1 },
  ])
})

test('DSH-20 resolving a cause resolves it for all organizations, and no other cause', async () => {
  await raise('a')
  await raise('a', world.ada.things.organizations)
  await raise('b')
  await resolve('a')
  expect((await rows()).map(({ open }) => open)).toEqual([false, false, true])
})

test.each([
  ['an empty title', { title: '' }],
  ['a link that is not a URL', { href: 'javascript:alert(1)' }],
  ['a URL without a scheme', { href: '//elsewhere.example.com' }],
  ['six buttons', { actions: Array.from({ length: 6 }, () => ({ label: 'Go', method: 'GET' as const, href: '/' })) }],
])('DSH-20 an action with %s is rejected where it is raised', async (_, wrong) => {
  await expect(raiseAction(world.database.db, { ...reconnect('a'), ...wrong })).rejects.toThrow()
  expect(await rows()).toEqual([])
})

test.each([
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '//evil.example',
  'javascript:alert(1)',
  'http://user:password@evil.example',
  'evil.example',
])('DSH-20 action with the link %j is rejected', async (href) => {
  const bad = { ...reconnect('links'), href }
  const badAction = { ...reconnect('links'), actions: [{ label: 'Go', method: 'POST' as const, href }] }
  for (const one of [bad, badAction])
    expect(raiseAction(world.database.db, one)).rejects.toThrow('path or an http(s) URL')
})

test('DSH-20 texts of an action that PostgreSQL can’t store are cleaned, so the change that raises it is kept', async () => {
  await raiseAction(world.database.db, { ...reconnect('cleaned'), title: 'Zero\0byte' })
  expect((await rows()).map(({ title }) => title)).toEqual(['Zero\uFFFDbyte'])
})

test('DSH-20 without a dashboard, actions stay in the outbox, and super admins see how many', async () => {
  expect(takerOf(readConfig({ ATRIUM_ENV: 'test' }), [], async () => 'token')).toBeNull()
  await raise('a')
  await raise('b')
  expect(await world.root.fetchJson('GET /api/admin/queues')).toMatchObject({ untakenActions: 2 })
  const page = async () => (await world.root.fetch('GET /admin/jobs', undefined, { accept: 'text/html' })).text()
  expect(await page()).toContain('2 actions are waiting to be sent to the dashboard.')
  await world.database.sql`DELETE FROM platform.raised_actions`
  expect(await page()).toContain('No actions are waiting to be sent to the dashboard.')
})

test('DSH-20 the dashboard at DASHBOARD_URL receives each change once, with a service token for it', async () => {
  await raise('a')
  await Promise.all([handOver(), handOver()])
  expect(await eventually(async () => (await untaken()) === 0, 20_000)).toBe(true)
  expect(reported).toHaveLength(1)
  const [first] = reported
  expect(first).toMatchObject({
    path: `/api/internal/notifications/${first?.body.id}`,
    body: { surface: 'action', ...reconnect('a'), kind: kind.name, version: 1, resolvedAt: null },
  })
  const claims = JSON.parse(Buffer.from(first?.headers['authorization']?.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ aud: 'platform-dashboard-api', sub: 'platform-socialize' })
  await resolve('a')
  await handOver()
  expect(await eventually(async () => (await untaken()) === 0, 20_000)).toBe(true)
  expect(reported[1]?.body).toMatchObject({ id: first?.body.id, version: 2, resolvedAt: expect.any(String) })
  await handOver()
  expect(reported).toHaveLength(2)
})

test('DSH-20 PLT-30 sending to a dashboard that is down or rejects an old token is retried', async () => {
  answers.push(401, 503)
  await raise('a')
  await handOver()
  const state = async () =>
    (
      await world.database.sql`SELECT state FROM pgboss.job WHERE name = ${handOverAction.name} AND state < 'completed'`
    )[0]?.['state']
  expect(await eventually(async () => (await state()) === 'retry', 20_000)).toBe(true)
  expect([reported.length, await untaken()]).toEqual([2, 1])
  expect(reported[0]?.headers['authorization']).not.toBe(reported[1]?.headers['authorization'])
  await world.database
    .sql`UPDATE pgboss.job SET start_after = now() WHERE name = ${handOverAction.name} AND state = 'retry'`
  expect(await eventually(async () => (await untaken()) === 0, 20_000)).toBe(true)
  expect(reported).toHaveLength(3)
})

test('DSH-20 PLT-30 an action whose retries are used up is enqueued again, so a dashboard can be unavailable for days', async () => {
  const { database, provided } = world
  answers.push(503)
  await raise('a')
  await handOver()
  const waiting = () => database.sql`SELECT FROM pgboss.job WHERE name = ${handOverAction.name} AND state = 'retry'`
  expect(await eventually(async () => (await waiting()).length === 1, 20_000)).toBe(true)
  const [row] = await database.sql<{ id: string }[]>`SELECT id FROM platform.raised_actions`
  await exhaustRetries(handOverAction, row?.id ?? '', database, provided)
  await database.sql`DELETE FROM pgboss.job WHERE name = ${handOverAction.name} AND state = 'retry'`
  await handOver()
  expect(await eventually(async () => (await untaken()) === 0, 20_000)).toBe(true)
})

test('DSH-20 body of a dashboard’s response is canceled, which frees its connection', async () => {
  canceled = 0
  answers.push(401)
  await raise('a')
  await handOver()
  expect(await eventually(async () => (await untaken()) === 0, 20_000)).toBe(true)
  expect(reported).toHaveLength(2)
  expect(await eventually(() => canceled === 2, 20_000)).toBe(true)
})

test('DSH-20 an outdated job doesn’t lower the version that the dashboard has received', async () => {
  await raise('a')
  const [row] = await world.database.sql<{ id: string }[]>`SELECT id FROM platform.raised_actions`
  const input = { id: row?.id ?? '', organizationId: acme }
  const call = { ...world.provided, database: world.database, now: () => new Date(), input }
  const overtaken: TakeAction = async () => {
    await resolve('a')
    await handOverAction.run({ ...call, takeAction: async () => {} })
  }
  await handOverAction.run({ ...call, takeAction: overtaken })
  expect(await untaken()).toBe(0)
})

test('DSH-20 a dashboard in this process receives actions', async () => {
  const notices: ActionNotice[] = []
  const keep: TakeAction = async (_, notice) => void notices.push(notice)
  const context = { slug: 'dashboard', operations: {}, pages: [], webhooks: [], jobs: [], takeAction: keep }
  const takeAction = takerOf(world.provided.config, [context], undefined)
  await raise('a')
  const [row] = await world.database.sql<{ id: string }[]>`SELECT id FROM platform.raised_actions`
  const input = { id: row?.id ?? '', organizationId: acme }
  const call = { ...world.provided, takeAction, database: world.database, now: () => new Date(), input }
  await handOverAction.run(call)
  await handOverAction.run(call)
  expect(notices).toMatchObject([
    { ...reconnect('a'), kind: kind.name, version: 1, resolvedAt: null, raisedAt: expect.any(Date) },
  ])
  expect([await untaken(), reported.length]).toEqual([0, 0])
})

test('PLT-39 actions are deleted 90 days after they are resolved; open ones are kept', async () => {
  await raise('a')
  await resolve('a')
  await raise('a')
  const deleteAfter = (days: number) =>
    deleteExpired.run({
      database: world.database,
      input: {},
      now: () => new Date(Date.now() + days * 86_400_000),
    } as never)
  await deleteAfter(89)
  expect(await rows()).toHaveLength(2)
  await deleteAfter(91)
  expect(await rows()).toMatchObject([{ open: true }])
})
