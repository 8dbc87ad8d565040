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

/** The text of a problem page, without its frame. */
async function read(path: string, cookie?: string): Promise<string> {
  const response = await world.stranger.fetch(`GET ${path}`, undefined, {
    accept: 'text/html',
    ...(cookie && { cookie }),
  })
  const [, empty = ''] = (await response.text()).split('class="empty"')
  const [content = ''] = empty.split('</main>')
  return content.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('PLT-40 problem pages say who can open a page, what is wrong with a link, and the way on', async () => {
  const { cookie } = await world.vera.signIn()
  const keys = await read('/settings/keys', cookie)
  expect(keys).toContain('Only admins and owners can open this page. You’re a viewer.')
  expect(keys).toContain('View members')
  const composer = await read('/workspace/posts/new', cookie)
  expect(composer).toContain('You’re a viewer. Your role doesn’t include this page. Ask an admin for access.')
  expect(await read('/admin/jobs', cookie)).toContain('Only super admins can open this page.')
  const missing = await read('/workspace/posts/not-an-id', cookie)
  expect(missing).toContain('It may have been deleted, or you don’t have access to it.')
  expect(missing).toContain('Search')
  const link = await read(`/sso/authorize?service_id=${world.serviceId}&redirect_uri=https://evil.example/`)
  expect(link).toContain('This link doesn’t work')
  expect(link).toContain('redirect_uri: Must be')
  expect(await visit(world.stranger, '/developers', { cookie })).toEqual([403, 'Developers'])
})

test('DSH-38 refused form without scripts says that nothing was saved, a link to the API that it doesn’t work', async () => {
  const { cookie } = await world.ada.signIn()
  const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  const refused = await world.stranger.fetch('POST /api/workflows', 'name=', form)
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('Nothing was saved')])
  // Browsers send forms that update or delete as POST.
  const changed = `POST /api/brands/${world.ada.things.brands}?_method=PUT`
  const update = await world.stranger.fetch(changed, 'name=', { ...form, 'sec-fetch-mode': 'navigate' })
  expect([update.status, await update.text()]).toEqual([422, expect.stringContaining('Nothing was saved')])
  const link = await read('/api/notifications?limit=0', cookie)
  expect(link).toContain('This link doesn’t work')
  expect(link).not.toContain('send the form again')
})
