import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** The status of a page, and the name of its sidebar. */
async function visit(caller: Caller, path: string, headers: Record<string, string> = {}) {
  const response = await caller.fetch(`GET ${path}`, undefined, { accept: 'text/html', ...headers })
  const html = await response.text()
  return [response.status, /<nav class="sidebar"[^>]* aria-label="([^"]+)"/.exec(html)?.[1]]
}

test('problem pages show the sidebar of their area to signed-in people', async () => {
  const { cookie } = await world.ada.signIn()
  const seen = (path: string) => visit(world.stranger, path, { cookie })
  expect(await seen('/workspace/nowhere')).toEqual([404, 'Main'])
  expect(await seen(`/workspace/posts/${Bun.randomUUIDv7()}`)).toEqual([404, 'Main'])
  expect(await seen('/settings/nowhere')).toEqual([404, 'Settings'])
  expect(await seen('/nowhere')).toEqual([404, 'Main'])
  expect(await seen('/admin/organizations')).toEqual([403, 'Main'])
})

test('problem pages for visitors and API keys have no sidebar', async () => {
  expect(await visit(world.stranger, '/workspace/nowhere')).toEqual([404, undefined])
  expect(await visit(world.key, '/workspace/nowhere')).toEqual([404, undefined])
  expect(await visit(world.stranger, '/nowhere', { cookie: 'session=wrong' })).toEqual([404, undefined])
})
