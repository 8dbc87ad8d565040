import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createMetrics } from '#lib/metrics.ts'
import { observeDashboard } from '../../src/dashboard/metrics.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('DSH-20 DSH-22 DSH-38 metrics count open actions, launches and runs of workflows', async () => {
  const metrics = createMetrics()
  observeDashboard(metrics, world.database)
  const valueOf = async (name: string) => {
    const line = (await metrics.text()).split('\n').find((each) => each.startsWith(`${name} `))
    return Number(line?.split(' ')[1] ?? 0)
  }
  const names = [
    'atrium_actions_open{service="platform-dashboard-api"}',
    'atrium_launches_last_day{surface="catalog",outcome="opened"}',
    'atrium_workflow_runs_last_day{state="waiting"}',
  ]
  const before = await Promise.all(names.map(valueOf))
  const post = { cause: 'metrics', title: 'Look at the roof', reason: 'It leaks.', href: '/actions' }
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/notifications', post, 201)
  await world.ada.fetchJson('POST /api/launches', { serviceId: 'platform-pay', surface: 'catalog' })
  const words = { title: 'Feed', reason: 'Hungry.', href: '/actions' }
  const trigger = { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' }
  const draft = { name: 'Mondays', trigger, steps: [{ type: 'action', ...words }] }
  const workflow = await world.ada.fetchJson<{ id: string }>('POST /api/workflows', draft, 201)
  await world.ada.fetchJson(`POST /api/workflows/${workflow.id}/run`, {}, 201)
  expect(await Promise.all(names.map(valueOf))).toEqual(before.map((count) => count + 1))
  await world.ada.fetchJson(`POST /api/notifications/${id}/resolve`, {}, 204)
  expect(await valueOf(names[0] ?? '')).toBe(before[0] ?? 0)
})
