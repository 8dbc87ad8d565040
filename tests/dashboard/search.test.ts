import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { takeAction } from '../../src/dashboard/actions/take.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

interface Found {
  kind: string
  label: string
  detail: string | null
  href: string | null
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const own = ['task', 'app', 'workflow']
const find = async (caller: Caller, q: string) =>
  (await caller.fetchJson<{ items: Found[] }>(`GET /api/search?q=${encodeURIComponent(q)}`)).items
    .filter(({ kind }) => own.includes(kind))
    .map(({ kind, label, detail, href }) => ({ kind, label, detail, href }))

/** An action of Acme. */
async function raise(title: string, changes: object = {}): Promise<string> {
  const id = newId()
  await takeAction(
    { ...world.provided, database: world.database, now: () => new Date() },
    {
      id,
      organizationId: world.ada.things.organizations,
      surface: 'action',
      service: 'platform-socialize',
      kind: 'social.post_failed',
      permission: 'posts:read',
      resourceKind: null,
      resourceId: null,
      personId: null,
      cause: id,
      title,
      reason: 'It failed.',
      href: '/workspace/posts',
      actions: [],
      dueAt: null,
      raisedAt: new Date(),
      resolvedAt: null,
      version: 1,
      ...changes,
    },
  )
  return id
}

test('PLT-42 DSH-20 open actions, apps and workflows are found by their words, with a link to each', async () => {
  const id = await raise('The zebra post failed')
  await raise('The zebra post was published', { resolvedAt: new Date() })
  expect(await find(world.ada, 'zebra')).toEqual([
    { kind: 'task', label: 'The zebra post failed', detail: 'Social', href: `/actions#action-${id}` },
  ])
  expect(await find(world.ada, 'gateway')).toContainEqual(expect.objectContaining({ kind: 'app', detail: 'Installed' }))
  const draft = {
    name: 'Giraffe alarm',
    trigger: { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
    steps: [{ type: 'action', title: 'Feed', reason: 'Hungry.', href: '/actions' }],
  }
  const workflow = await world.ada.fetchJson<{ id: string }>('POST /api/workflows', draft, 201)
  expect(await find(world.ada, 'giraffe')).toEqual([
    { kind: 'workflow', label: 'Giraffe alarm', detail: 'Enabled', href: `/settings/workflows/${workflow.id}` },
  ])
  expect(await find(world.ada, '%')).toEqual([])
})

test('PLT-42 DSH-20 search finds no action that the person can’t see, and nothing of other organizations', async () => {
  const { brands, organizations } = world.ada.things
  await raise('The lion of Acme Coffee failed', { resourceKind: 'brand', resourceId: brands })
  await raise('The lion of another brand failed', { resourceKind: 'brand', resourceId: newId() })
  await raise('The lion needs money', { service: 'platform-pay', permission: 'settlements:write' })
  await raise('The lion is for Ada alone', { personId: world.ada.id })
  const labels = async (caller: Caller) => (await find(caller, 'lion')).map(({ label }) => label).toSorted()
  expect(await labels(world.ada)).toEqual([
    'The lion is for Ada alone',
    'The lion needs money',
    'The lion of Acme Coffee failed',
    'The lion of another brand failed',
  ])
  const edda = await world.join(world.ada, { name: 'Edda', role: 'editor' })
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: brands, role: 'editor' }]
  await world.ada.fetchJson(`PUT /api/organizations/${organizations}/members/${edda.id}/resources`, { resources })
  expect(await labels(edda)).toEqual(['The lion of Acme Coffee failed'])
  expect(await find(edda, 'giraffe')).toEqual([])
  expect(await labels(world.mallory)).toEqual([])
})
