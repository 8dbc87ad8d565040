import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
let cookie: string
beforeAll(async () => {
  world = await openWorld()
  ;({ cookie } = await world.ada.signIn())
})
afterAll(() => world.close())

const day = 24 * 3_600_000

/** A brand with a post for each day relative to today: drafts on earlier days, scheduled posts on later ones. */
async function brandWith(days: number[]): Promise<string> {
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Paged', timeZone: 'UTC' }, 201)
  const lastMinute = Date.now() - (Date.now() % day) + day - 60_000
  const rows = days.map((away) => {
    const at = new Date(lastMinute + away * day).toISOString()
    const when = away < 0 ? { status: 'draft', created_at: at } : { status: 'scheduled', scheduled_at: at, due_at: at }
    return { id: newId(), brand_id: id, author_id: world.ada.id, provider: 'sandbox', text: `day ${away};`, ...when }
  })
  for (const row of rows) await world.database.sql`INSERT INTO social.posts ${world.database.sql(row)}`
  return id
}

/** The days in the order of the page and of those behind "Load more". */
async function shown(path: string): Promise<number[]> {
  const html = await (await world.ada.fetch(`GET ${path}`, undefined, { cookie, accept: 'text/html' })).text()
  const days = [...html.matchAll(/row-link clamp"[^>]*>day (-?\d+);/g)].map(([, away]) => Number(away))
  const next = /<a [^>]*href="([^"]*cursor=[^"]*)"/.exec(html)?.[1]?.replaceAll('&#38;', '&').replaceAll('&amp;', '&')
  return next ? [...days, ...(await shown(next))] : days
}

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

test('SOC-11 PLT-12 page of all posts starts with today, continues with later days, then shows earlier ones', async () => {
  const ahead = range(0, 44)
  const before = range(-23, -1)
  const brandId = await brandWith([...before, ...ahead])
  expect(await shown(`/workspace/posts?brandId=${brandId}`)).toEqual([...ahead, ...before.toReversed()])
  expect(await shown(`/workspace/posts?brandId=${brandId}&status=scheduled`)).toEqual(ahead)
  expect(await shown(`/workspace/posts?brandId=${brandId}&status=draft`)).toEqual(before.toReversed())
})

const show = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await world.ada.fetch(`GET ${path}`, undefined, { cookie, accept: 'text/html', ...headers })
  return { status: answer.status, html: await answer.text() }
}
const count = (html: string) => html.match(/<tr id="post-/g)?.length

test('DSH-21 page of posts grows to 100 rows that refresh together, then links to the next page', async () => {
  const brandId = await brandWith(range(-120, -1))
  const drafts = `/workspace/posts?brandId=${brandId}&status=draft`
  const grown = await show(`${drafts}&limit=100`)
  expect(count(grown.html)).toBe(100)
  expect(grown.html.match(/data-live=/g)).toHaveLength(1)
  expect(grown.html).toContain('Showing 100 of 120')
  expect(grown.html).not.toContain('limit=120')
  const next = /href="([^"]*cursor=[^"]*)"/.exec(grown.html)?.[1]?.replaceAll(/&(#38|amp);/g, '&') ?? ''
  const second = await show(next)
  expect(count(second.html)).toBe(20)
  expect(second.html).toContain('Showing 101–120 of 120')
  await world.database
    .sql`DELETE FROM social.posts WHERE brand_id = ${brandId} AND created_at < now() - interval '99 days'`
  const emptied = await show(next)
  expect(count(emptied.html)).toBe(20)
  expect(emptied.html).toContain('Showing 20 of ')
})

test('DSH-21 post that was deleted while its page was open is replaced by a notice; the page itself returns 404', async () => {
  const id = newId()
  const path = `/workspace/posts/${id}`
  const refreshed = await show(`/api/posts/${id}`, { 'hx-request': 'true' })
  expect(refreshed.status).toBe(200)
  expect(refreshed.html).toContain('This post was deleted')
  expect(refreshed.html).not.toContain('data-live')
  expect((await show(path)).status).toBe(404)
})

test('SOC-11 filter dates that the database can’t represent are ignored', async () => {
  for (const query of ['to=9999-12-31', 'from=0000-01-01', 'past=0000-01-01', 'past=9999-12-31', 'from=0001-01-01']) {
    const page = await world.ada.fetch(`GET /workspace/posts?${query}`, undefined, { cookie, accept: 'text/html' })
    expect([query, page.status]).toEqual([query, 200])
  }
})

test.each(['/workspace/posts', '/workspace/posts/new', '/workspace/accounts'])(
  'PLT-23 %s returns 404 for an unknown brand and one of another organization',
  async (path) => {
    const answer = async (query: string) =>
      (await world.ada.fetch(`GET ${path}${query}`, undefined, { cookie, accept: 'text/html' })).status
    expect(await answer(`?brandId=${world.ada.things.brands}`)).toBe(200)
    for (const brandId of [world.mallory.things.brands, newId(), 'nonsense'])
      expect(await answer(`?brandId=${brandId}`)).toBe(404)
    expect([await answer(''), await answer('?brandId=')]).toEqual([200, 200])
  },
)

test('page of 20 posts has fewer than 1,200 elements, and each row loads its menu on demand', async () => {
  const brandId = await brandWith(range(1, 20))
  await world.ada.fetchJson('POST /api/integrations/sandbox/connect', { brandId, handle: 'twenty' }, 201)
  const { html } = await show(`/workspace/posts?brandId=${brandId}`)
  expect(count(html)).toBe(20)
  const body = html.slice(html.indexOf('<body'))
  expect(body.match(/<[a-z][\w-]*[\s>]/g)?.length).toBeLessThan(1200)

  const [, menu = '', from = ''] = /id="(menu-[^"]+)" popover hx-get="([^"]+)" hx-trigger="open"/.exec(html) ?? []
  const loaded = await show(from, { 'hx-request': 'true', 'hx-target': `div#${menu}` })
  expect(loaded.status).toBe(200)
  const labels = [...loaded.html.matchAll(/<span>([^<]+)<\/span>/g)].map(([, label]) => label)
  expect(labels).toEqual(['Edit', 'Duplicate', 'Copy to other accounts', 'Publish now', 'Unschedule', 'Delete'])
  expect(html).not.toContain('Unschedule')
})

/** The states of the steps to the first post; null without them. */
function stepsIn(html: string): string[] | null {
  const [list] = /<ol[^>]* data-first-steps[^]*?<\/ol>/.exec(html) ?? []
  return list ? [...list.matchAll(/<li([^>]*)>/g)].map(([, state = '']) => /current|done/.exec(state)?.[0] ?? '') : null
}

test('first steps follow the account and end with the first post, and only people who can do them see them', async () => {
  await world.database.sql`DELETE FROM social.posts`
  const { id } = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'New', timeZone: 'UTC' }, 201)
  const paths = ['accounts', 'posts', 'posts/new'].map((name) => `/workspace/${name}?brandId=${id}`)
  const steps = () => Promise.all(paths.map(async (path) => stepsIn((await show(path)).html)))
  const writing = ['done', '', 'current']
  expect(await steps()).toEqual([['done', 'current', ''], writing, writing])

  const viewer = { cookie: (await world.vera.signIn()).cookie }
  for (const path of paths.slice(0, 2)) expect(stepsIn((await show(path, viewer)).html)).toBeNull()

  const connected = await world.ada.fetch(
    'POST /api/integrations/sandbox/connect',
    { brandId: id, handle: 'first-steps' },
    { 'hx-request': 'true', accept: 'text/html' },
  )
  const ready = ['done', 'done', 'current']
  expect(stepsIn(await connected.text())).toEqual(ready)
  expect(await steps()).toEqual([ready, ready, ready])

  await world.ada.fetchJson('POST /api/posts', { brandId: id, provider: 'sandbox', text: 'First' }, 201)
  expect(await steps()).toEqual([null, null, null])
})

test('SOC-11 thread that a page ends within is one whole row there, and has none on the next page', async () => {
  const brandId = await brandWith([-2])
  const thread = ['One', 'Two', 'Three', 'Four'].map((text) => ({ text }))
  await world.ada.fetchJson('POST /api/posts', { brandId, provider: 'sandbox', thread }, 201)
  const first = await show(`/workspace/posts?brandId=${brandId}&status=draft&limit=2`)
  expect([count(first.html), first.html.includes('Thread of 4')]).toEqual([1, true])
  const next = /<a [^>]*href="([^"]*cursor=[^"]*)"/
    .exec(first.html)?.[1]
    ?.replaceAll('&#38;', '&')
    .replaceAll('&amp;', '&')
  const second = await show(next ?? '')
  expect([count(second.html), second.html.includes('Thread')]).toEqual([1, false])
})
