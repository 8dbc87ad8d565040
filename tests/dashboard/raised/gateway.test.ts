import { afterAll, beforeAll, expect, test } from 'bun:test'
import { handOverAction } from '#lib/raised-actions/hand-over.ts'
import type { ActionButton } from '#lib/schema.ts'
import { syncModels } from '../../../src/gateway/models/jobs.ts'
import { openWorld, type World } from '../../support/world.ts'
import { openActions, press } from './acting.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const work = () => ({ ...world.provided, database: world.database, now: () => new Date() })

/** The daily job, and what it raised or resolved brought to the dashboard. */
async function syncDaily(): Promise<void> {
  await syncModels.run({ ...work(), input: {} })
  const rows = await world.database.sql<{ id: string; organizationId: string }[]>`
    SELECT id, organization_id AS "organizationId" FROM platform.raised_actions WHERE taken_version < version`
  for (const input of rows) await handOverAction.run({ ...work(), input: { ...input } })
}

interface Shown {
  id: string
  kind: string
  state: string
  title: string
  reason: string
  dueAt: string | null
  actions: ActionButton[]
}

const listed = async () =>
  (await world.ada.fetchJson<{ items: Shown[] }>('GET /api/notifications?surface=action&limit=100')).items.filter(
    ({ kind }) => kind === 'gateway.model',
  )

test('GTW-22 DSH-20 model that retires soon is an action of the daily job, whose buttons lead to its replacement, until it is replaced', async () => {
  const retiresOn = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  await world.root.fetchJson('PUT /api/models/lifecycle', {
    provider: 'openai',
    model: 'gpt-4o',
    status: 'deprecated',
    retiresOn,
    replacement: 'openai/gpt-5',
  })
  const choose = (model: string) => {
    const route = `PUT /api/organizations/${world.ada.things.organizations}/model-preferences`
    return world.ada.fetchJson(route, { routes: { text: [model] } })
  }
  await choose('openai/gpt-4o')
  await syncDaily()
  await syncDaily()
  const [shown, ...others] = await listed()
  expect(others).toEqual([])
  expect(shown).toMatchObject({
    state: 'open',
    title: `gpt-4o retires on ${retiresOn}`,
    reason: 'Your organization still uses it. Its replacement is openai/gpt-5.',
    dueAt: `${retiresOn}T00:00:00.000Z`,
  })
  expect(shown?.actions.map(({ label }) => label)).toEqual(['Change models', 'See the model'])
  const [raised] = await openActions(world, 'model-retires:')
  const opened = async (label: string) => {
    const response = await press(world.ada, raised && { ...raised, actions: shown?.actions ?? [] }, label)
    return [response.status, await response.text()] as const
  }
  expect(await opened('See the model')).toEqual([200, expect.stringContaining('openai/gpt-5')])
  expect(await opened('Change models')).toEqual([200, expect.stringContaining('gpt-4o')])

  await choose('openai/gpt-5')
  await syncDaily()
  expect(await listed()).toEqual([])
  expect(await world.ada.fetchJson(`GET /api/notifications/${shown?.id}`)).toMatchObject({ state: 'resolved' })
})
