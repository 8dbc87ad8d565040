import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Post } from '#social/types'
import { newId } from '#lib/ids.ts'
import { takeAction } from '../../src/dashboard/actions/take.ts'
import { openWorld, type Person, type World } from '../support/world.ts'

// A person whose role is limited to one brand never sees another one, on any surface of the workspace (IDN-27).

let world: World
let edda: Person
let coffee: string
let bakery: string
let hidden: Post
let shown: Post
const [from, to] = ['2099-06-01', '2099-06-07']

beforeAll(async () => {
  world = await openWorld()
  coffee = world.ada.things.brands
  edda = await world.join(world.ada, { name: 'Edda', role: 'editor' })
  bakery = (await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Bakery' }, 201)).id
  await world.ada.fetchJson('POST /api/integrations/sandbox/connect', { brandId: bakery, handle: 'bakery' }, 201)
  const plan = (brandId: string, text: string) => {
    const scheduled = { status: 'scheduled', scheduledAt: `${from}T09:00`, timeZone: 'UTC' }
    return world.ada.fetchJson<Post>('POST /api/posts', { brandId, provider: 'sandbox', text, ...scheduled }, 201)
  }
  hidden = await plan(coffee, 'A secret roast')
  shown = await plan(bakery, 'Fresh bread')
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: bakery, role: 'editor' }]
  const member = `/api/organizations/${world.ada.things.organizations}/members/${edda.id}`
  await world.ada.fetchJson(`PUT ${member}/resources`, { resources })
})
afterAll(() => world.close())

const statusOf = async (route: string, body?: unknown) => (await edda.fetch(route, body)).status

/** A page as her browser shows it. */
async function open(path: string): Promise<string> {
  const { cookie } = await edda.signIn()
  const page = await world.stranger.fetch(`GET ${path}`, undefined, { accept: 'text/html', cookie })
  return page.text()
}

test('IDN-27 SOC-34 calendar of a limited role has its brand only, in lists, moves and feeds', async () => {
  const calendar = (brandId: string) => `GET /api/calendar?brandId=${brandId}&from=${from}&to=${to}`
  const { items } = await edda.fetchJson<{ items: { id: string }[] }>(calendar(bakery))
  expect(items.map(({ id }) => id)).toEqual([shown.id])
  expect(await statusOf(calendar(coffee))).toBe(404)
  expect(await statusOf(`PATCH /api/calendar/${hidden.id}`, { date: '2099-06-02' })).toBe(404)
  expect(await statusOf(`PATCH /api/calendar/${shown.id}`, { date: '2099-06-02' })).toBe(200)
  expect(await statusOf('POST /api/calendar/feeds', { brandId: coffee })).toBe(404)
  expect(await statusOf(`GET /api/calendar/feeds?brandId=${coffee}`)).toBe(404)
  for (const path of [`/workspace/calendar?brandId=${coffee}&date=${from}`, `/workspace/calendar/${hidden.id}/move`]) {
    const html = await open(path)
    expect(html).not.toContain('A secret roast')
    expect(html).not.toContain('Acme Coffee')
  }
  expect(await open(`/workspace/calendar?brandId=${bakery}&date=${from}`)).toContain('Fresh bread')
})

test('IDN-27 SOC-16 queue of a limited role has its brand only, in lists and moves', async () => {
  expect(await statusOf(`GET /api/queue?brandId=${bakery}`)).toBe(200)
  expect(await statusOf(`GET /api/queue?brandId=${coffee}`)).toBe(404)
  expect(await statusOf('POST /api/queue/moves', { postId: hidden.id, to: '2099-06-04T10:00:00Z' })).toBe(404)
  expect(await statusOf('POST /api/queue/moves', { postId: shown.id, to: '2099-06-04T10:00:00Z' })).toBe(422)
  for (const path of [`/workspace/queue?brandId=${coffee}&date=${from}`, `/workspace/queue/${hidden.id}/move`]) {
    const html = await open(path)
    expect(html).not.toContain('A secret roast')
    expect(html).not.toContain('Acme Coffee')
  }
  expect(await open(`/workspace/queue?brandId=${bakery}&date=2099-06-01`)).toContain('Fresh bread')
})

test('IDN-27 SOC-36 home of a limited role has its brand only', async () => {
  const dashboard = (brandId: string) => `GET /api/dashboard?app=platform-socialize&brandId=${brandId}`
  expect(await statusOf(dashboard(bakery))).toBe(200)
  expect(await statusOf(dashboard(coffee))).toBe(404)
  const html = await open(`/workspace?brandId=${coffee}`)
  expect(html).not.toContain('A secret roast')
  expect(html).not.toContain('Acme Coffee')
})

test('IDN-27 SOC-12 people who edit posts of other brands are hidden from a limited role', async () => {
  const tabId = crypto.randomUUID()
  expect(await statusOf(`GET /api/posts/${hidden.id}/editors`)).toBe(404)
  expect(await statusOf(`POST /api/posts/${hidden.id}/editors`, { tabId })).toBe(404)
  expect(await statusOf(`POST /api/posts/${shown.id}/editors`, { tabId })).toBe(200)
})

test('IDN-27 SOC-49 links for guests of other brands are neither listed nor created by a limited role', async () => {
  const grant = { permission: `${world.serviceId}.posts:review`, effect: 'grant' }
  const member = `/api/organizations/${world.ada.things.organizations}/members/${edda.id}`
  await world.ada.fetchJson(`POST ${member}/overrides`, grant, 201)
  const link = (brandId: string, post: Post) => ({ brandId, postIds: [post.id] })
  expect(await statusOf(`GET /api/review-links?brandId=${coffee}`)).toBe(404)
  expect(await statusOf('POST /api/review-links', link(coffee, hidden))).toBe(404)
  // Nor with a post of the other brand in a link of hers.
  expect([404, 422]).toContain(await statusOf('POST /api/review-links', link(bakery, hidden)))
  expect(await statusOf('POST /api/review-links', link(bakery, shown))).toBe(201)
})

test('IDN-27 DSH-20 notifications and actions of other brands are hidden from a limited role', async () => {
  const work = { ...world.provided, database: world.database, now: () => new Date() }
  for (const [brandId, title] of [
    [coffee, 'A secret roast failed'],
    [bakery, 'Fresh bread failed'],
  ] as const)
    await takeAction(work, {
      id: newId(),
      organizationId: world.ada.things.organizations,
      surface: 'action',
      service: 'platform-socialize',
      kind: 'social.post_failed',
      permission: 'posts:read',
      resourceKind: 'brand',
      resourceId: brandId,
      personId: null,
      cause: `social.${brandId}`,
      title,
      reason: 'Refused.',
      href: '/workspace/posts',
      actions: [],
      dueAt: null,
      raisedAt: new Date(),
      resolvedAt: null,
      version: 1,
    })
  const titles = async (caller: Pick<Person, 'fetchJson'>) =>
    (await caller.fetchJson<{ items: { title: string }[] }>('GET /api/notifications?limit=100')).items
      .map(({ title }) => title)
      .filter((title) => title.endsWith('failed'))
      .toSorted()
  expect(await titles(world.ada)).toEqual(['A secret roast failed', 'Fresh bread failed'])
  expect(await titles(edda)).toEqual(['Fresh bread failed'])
  const page = await open('/actions')
  expect(page).toContain('Fresh bread failed')
  expect(page).not.toContain('A secret roast')
})
