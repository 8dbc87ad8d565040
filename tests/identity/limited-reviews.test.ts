import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { handOverAction } from '#lib/raised-actions/hand-over.ts'
import type { Post, PostComment } from '#social/types'
import { newId } from '#lib/ids.ts'
import { openWorld, unsavedContent, type Person, type World } from '../support/world.ts'

// A member whose role is limited to one brand, after they had access to both: comments, reviews, the feed, corrections,
// the queue and what they were notified about (IDN-27).

/** What she finds in a brand. */
interface Place {
  brand: string
  post: string
  account: string
  comment: string
  unsaved: string
  link: string
}

let world: World
let edda: Person
let cookie: string
let coffee: Place
let bakery: Place

beforeAll(async () => {
  world = await openWorld()
  edda = await world.join(world.ada, { name: 'Edda', role: 'editor' })
  const grant = { permission: `${world.serviceId}.posts:review`, effect: 'grant' }
  await world.ada.fetchJson(`POST ${memberRoute()}/overrides`, grant, 201)
  const other = await world.ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Bakery' }, 201)
  await world.ada.fetchJson('POST /api/integrations/sandbox/connect', { brandId: other.id, handle: 'bakery' }, 201)
  coffee = await fill(world.ada.things.brands, 'A secret roast')
  bakery = await fill(other.id, 'Fresh bread')
  await handOver()
  ;({ cookie } = await edda.signIn())
  expect((await inbox()).map(({ reason }) => reason)).toEqual(['@Edda Fresh bread?', '@Edda A secret roast?'])
  expect(await open('/actions')).toContain('A secret roast')
  await limit(bakery.brand)
})
afterAll(() => world.close())

const memberRoute = () => `/api/organizations/${world.ada.things.organizations}/members/${edda.id}`
const limit = (brandId: string) => {
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: brandId, role: 'editor' }]
  return world.ada.fetchJson(`PUT ${memberRoute()}/resources`, { resources })
}

/** A post in review on which Ada mentions her, and what she adds herself while she has access. */
async function fill(brand: string, text: string): Promise<Place> {
  const { ada } = world
  const draft = { brandId: brand, provider: 'sandbox', text, status: 'scheduled', scheduledAt: '2099-06-01T09:00:00Z' }
  const post = await ada.fetchJson<Post>('POST /api/posts', draft, 201)
  const mention = { text: `@Edda ${text}?` }
  const comment = await ada.fetchJson<PostComment>(`POST /api/posts/${post.id}/comments`, mention, 201)
  expect(comment.mentions.map(({ userId }) => userId)).toEqual([edda.id])
  const accounts = await ada.fetchJson<{ items: { id: string }[] }>(`GET /api/accounts?brandId=${brand}`)
  const unsaved = newId()
  await edda.fetchJson(`PUT /api/unsaved-posts/${unsaved}`, { brandId: brand, content: unsavedContent })
  const shared = { brandId: brand, postIds: [post.id] }
  const link = await edda.fetchJson<{ id: string }>('POST /api/review-links', shared, 201)
  return { brand, post: post.id, account: accounts.items[0]?.id ?? '', comment: comment.id, unsaved, link: link.id }
}

/** Delivers what was raised to the dashboard, as a server does. */
async function handOver(): Promise<void> {
  const rows = await world.database.sql<{ id: string; organization_id: string }[]>`
    SELECT id, organization_id FROM platform.raised_actions WHERE kind = 'comment.mentioned' AND person_id = ${edda.id}
    ORDER BY raised_at`
  for (const { id, organization_id: organizationId } of rows)
    await handOverAction.run({
      ...world.provided,
      database: world.database,
      now: () => new Date(),
      input: { id, organizationId },
    })
}

interface Notice {
  id: string
  kind: string
  reason: string
}

const inbox = async (): Promise<Notice[]> => {
  const { items } = await edda.fetchJson<{ items: Notice[] }>('GET /api/notifications?limit=100')
  return items.filter(({ kind }) => kind === 'comment.mentioned').toReversed()
}

/** A page as her browser shows it. */
const visit = (path: string) => world.stranger.fetch(`GET ${path}`, undefined, { accept: 'text/html', cookie })
const open = async (path: string) => (await visit(path)).text()

describe('IDN-27 limited role reads only of its brand', () => {
  test.each<[string, (place: Place) => string]>([
    ['comments', ({ post }) => `/api/posts/${post}/comments`],
    ['reviews', ({ post }) => `/api/posts/${post}/reviews`],
    ['mention suggestions', ({ post }) => `/api/posts/${post}/mention-suggestions`],
    ['corrections', ({ post }) => `/api/posts/${post}/corrections`],
    ['attempts', ({ post }) => `/api/posts/${post}/attempts`],
    ['feed', ({ brand }) => `/api/feed?brandId=${brand}`],
    ['queue', ({ brand }) => `/api/queue?brandId=${brand}`],
    ['review links', ({ brand }) => `/api/review-links?brandId=${brand}`],
    ['unsaved posts of the brand', ({ brand }) => `/api/unsaved-posts?brandId=${brand}`],
    ['unsaved changes to the post', ({ post }) => `/api/unsaved-posts?postId=${post}`],
    ['its own unsaved post', ({ unsaved }) => `/api/unsaved-posts/${unsaved}`],
    ['account history', ({ account }) => `/api/accounts/${account}/history`],
  ])('%s', async (_, pathOf) => {
    const [hidden, shown] = [await edda.fetch(`GET ${pathOf(coffee)}`), await edda.fetch(`GET ${pathOf(bakery)}`)]
    expect([hidden.status, shown.status]).toEqual([404, 200])
  })

  test.each<[string, (place: Place) => string]>([
    ['feed page', ({ brand }) => `/workspace/feed?brandId=${brand}&show=all`],
    ['queue page', ({ brand }) => `/workspace/queue?brandId=${brand}&date=2099-06-01`],
    ['post page', ({ post }) => `/workspace/posts/${post}`],
  ])('%s', async (_, pathOf) => {
    const [hidden, shown] = [await visit(pathOf(coffee)), await visit(pathOf(bakery))]
    expect([hidden.status, shown.status]).toEqual([404, 200])
    for (const text of ['A secret roast', 'Acme Coffee']) expect(await hidden.clone().text()).not.toContain(text)
    if (!pathOf(bakery).includes('/feed')) expect(await shown.text()).toContain('Fresh bread')
  })

  test('lists of all brands', async () => {
    for (const { post } of [coffee, bakery])
      await world.ada.fetchJson(`POST /api/posts/${post}/review-requests`, {}, 201)
    const feed = 'GET /api/feed?state=all&limit=100'
    const { items, waiting } = await edda.fetchJson<{ items: { post: Post }[]; waiting: number }>(feed)
    expect([items.map(({ post }) => post.id), waiting]).toEqual([[bakery.post], 1])
    const unsaved = await edda.fetchJson<{ items: { id: string }[] }>('GET /api/unsaved-posts')
    expect(unsaved.items.map(({ id }) => id)).toEqual([bakery.unsaved])
    expect(await open(`/workspace/feed?brandId=${bakery.brand}&show=all`)).toContain('Fresh bread')
  })
})

describe('IDN-27 limited role changes only what is of its brand', () => {
  const postOf = (id: string) => world.ada.fetchJson<Post>(`GET /api/posts/${id}`)

  /** In an order in which each is possible in her brand; the last ones find nothing to do there. */
  const writes: [string, number, (place: Place, version: number) => [route: string, body?: object]][] = [
    ['comment', 201, ({ post }) => [`POST /api/posts/${post}/comments`, { text: 'Hello' }]],
    ['resolve', 200, ({ post, comment }) => [`PUT /api/posts/${post}/comments/${comment}`, { resolved: true }]],
    ['request a review', 201, ({ post }) => [`POST /api/posts/${post}/review-requests`, {}]],
    ['decide', 201, ({ post }, version) => [`POST /api/posts/${post}/reviews`, { decision: 'approve', version }]],
    ['edit', 200, ({ post }, version) => [`PUT /api/posts/${post}`, { text: 'Edited', version }]],
    ['restore the text', 200, ({ post }) => [`POST /api/posts/${post}/restore-approved-text`, {}]],
    ['extend a link', 200, ({ link }) => [`PATCH /api/review-links/${link}`, { expiresInDays: 9 }]],
    ['discard unsaved text', 204, ({ unsaved }) => [`DELETE /api/unsaved-posts/${unsaved}`]],
    ['move in the queue', 422, ({ post }) => ['POST /api/queue/moves', { postId: post, to: '2099-06-04T10:00:00Z' }]],
    ['correct', 409, ({ post }) => [`POST /api/posts/${post}/corrections`, { text: 'Corrected' }]],
  ]
  test.each(writes)('%s', async (_, status, requestOf) => {
    const before = await postOf(coffee.post)
    expect((await edda.fetch(...requestOf(coffee, before.version))).status).toBe(404)
    expect(await postOf(coffee.post)).toEqual(before)
    expect((await edda.fetch(...requestOf(bakery, (await postOf(bakery.post)).version))).status).toBe(status)
  })

  test('posts, comments and unsaved posts of another brand in a request for its own', async () => {
    const [hidden, shown] = [await postOf(coffee.post), await postOf(bakery.post)]
    const also = [{ id: hidden.id, version: hidden.version }]
    const { version } = shown
    const draft = { brandId: bakery.brand, content: unsavedContent, postId: hidden.id, baseVersion: hidden.version }
    const requests: [string, object?][] = [
      [`PUT /api/posts/${shown.id}`, { text: 'Both', version, also }],
      [`POST /api/posts/${shown.id}/reviews`, { decision: 'approve', version, also }],
      [`PUT /api/posts/${shown.id}/comments/${coffee.comment}`, { resolved: true }],
      [`GET /api/unsaved-posts?brandId=${bakery.brand}&postId=${hidden.id}`],
      [`PUT /api/unsaved-posts/${newId()}`, draft],
      ['POST /api/review-links', { brandId: bakery.brand, postIds: [shown.id, hidden.id] }],
    ]
    const responses = await Promise.all(requests.map((request) => edda.fetch(...request)))
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404])
    expect([await postOf(hidden.id), await postOf(shown.id)]).toEqual([hidden, shown])
    const { items } = await world.ada.fetchJson<{ items: PostComment[] }>(`GET /api/posts/${hidden.id}/comments`)
    expect(items.map(({ id, resolvedAt }) => [id, resolvedAt])).toEqual([[coffee.comment, null]])
  })
})

test('IDN-27 SOC-32 mention in a comment is hidden once the role is limited to another brand, and shown with access again', async () => {
  expect((await inbox()).map(({ reason }) => reason)).toEqual(['@Edda Fresh bread?'])
  const [notice] = await world.database.sql<{ id: string }[]>`
    SELECT id FROM dashboard.notifications WHERE person_id = ${edda.id} AND resource_id = ${coffee.brand}`
  const route = `/api/notifications/${notice?.id}`
  for (const hidden of [`GET ${route}`, `POST ${route}/resolve`, `POST ${route}/assign-to-me`])
    expect([hidden, (await edda.fetch(hidden)).status]).toEqual([hidden, 404])
  for (const path of ['/actions', '/']) expect(await open(path)).not.toContain('A secret roast')
  expect(await open('/actions')).toContain('@Edda Fresh bread?')
  await limit(coffee.brand)
  expect((await inbox()).map(({ reason }) => reason)).toEqual(['@Edda A secret roast?'])
  await limit(bakery.brand)
})
