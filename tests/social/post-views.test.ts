import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Attempt, ListedPost, PostDetails, PostList, PostTarget } from '#social/types'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const write = (values: Record<string, unknown> = {}) =>
  world.ada.fetchJson<{ id: string }>(
    'POST /api/posts',
    { brandId: world.ada.things.brands, provider: 'sandbox', text: 'Seen', ...values },
    201,
  )
const getPost = (id: string) => world.ada.fetchJson<PostDetails>(`GET /api/posts/${id}`)

const htmx = { 'hx-request': 'true' }
async function html(route: string, headers: Record<string, string> = htmx, body?: unknown) {
  const response = await world.ada.fetch(route, body, { accept: 'text/html', ...headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const withoutNonces = (text: string) => text.replaceAll(/ (hx-)?nonce="[^"]*"/g, '')
/** Whether a page contains a fragment, nonces aside. */
const contains = (page: string, fragment: string) => withoutNonces(page).includes(withoutNonces(fragment))
const pageAt = async (path: string) => (await html(`GET ${path}`, {})).text

test('SOC-11 post in the API has the names of its brand, account and author, and what the caller can do', async () => {
  const { id } = await write()
  const post = await getPost(id)
  expect(post).toMatchObject({
    brandName: 'Acme Coffee',
    accountName: 'acme',
    authorName: 'Ada',
    threadSize: null,
    isDue: false,
    characters: 4,
    limits: { characters: 500, media: 4, urlCharacters: null, counting: 'graphemes' },
  })
  const draft = {
    update: true,
    delete: true,
    publishNow: true,
    retry: false,
    duplicate: true,
    detach: false,
    withdraw: false,
    correct: false,
  }
  expect(post.can).toEqual(draft)
  expect(post).toMatchObject({
    firstComments: 'allowed',
    firstCommentStatus: null,
    approvals: { needed: 0, missing: 0 },
  })
  const {
    characters: _,
    limits: __,
    brandTimeZone: ___,
    firstComments: ____,
    firstCommentStatus: _____,
    correctionNote: ______,
    linkPreviewImage: _______,
    approvals: ________,
    ...listed
  } = post
  const { items, can } = await world.ada.fetchJson<PostList>('GET /api/posts?limit=100')
  expect([items.find((item) => item.id === id), can]).toEqual([listed, { create: true }])
  await world.ada.fetchJson(`DELETE /api/posts/${id}`, undefined, 204)
})

test('SOC-11 allowed actions on a post depend on its state and on the caller’s role in its brand', async () => {
  const thread = await world.ada.fetchJson<{ items: { id: string }[] }>(
    'POST /api/posts',
    {
      brandId: world.ada.things.brands,
      provider: 'sandbox',
      status: 'scheduled',
      scheduledAt: inHours(30),
      thread: [{ text: 'Head' }, { text: 'Tail' }],
    },
    201,
  )
  const [head = '', tail = ''] = thread.items.map(({ id }) => id)
  const { sql } = world.database
  await sql`UPDATE social.posts SET scheduled_at = now() - interval '1 minute' WHERE id IN ${sql([head, tail])}`
  await sql`UPDATE social.posts SET waiting_for = ${sql.json({ reason: 'thread_predecessor', postId: head })} WHERE id = ${tail}`
  const abilities = async (id: string) => {
    const { can, isDue, threadSize } = await getPost(id)
    return { isDue, threadSize, can: Object.keys(can).filter((name) => can[name as keyof typeof can]) }
  }
  expect(await abilities(head)).toEqual({ isDue: true, threadSize: 2, can: ['duplicate'] })
  expect(await abilities(tail)).toEqual({
    isDue: true,
    threadSize: 2,
    can: ['update', 'delete', 'duplicate', 'detach'],
  })
  await sql`UPDATE social.posts SET status = 'failed', failure_code = 'refused', failed_at = now() WHERE id = ${head}`
  expect((await abilities(head)).can).toEqual(['update', 'delete', 'retry', 'duplicate'])

  const seen = await world.vera.fetchJson<ListedPost>(`GET /api/posts/${tail}`)
  expect(Object.values(seen.can).some(Boolean)).toBe(false)
  expect((await world.vera.fetchJson<PostList>('GET /api/posts')).can).toEqual({ create: false })
  await world.ada.fetchJson(`DELETE /api/posts/${tail}`, undefined, 204)
  await world.ada.fetchJson(`DELETE /api/posts/${head}`, undefined, 204)
})

test('SOC-11 PLT-12 posts can be listed soonest first, for one brand or all, page by page', async () => {
  const days = [50, 53, 51, 52]
  const made = await Promise.all(
    days.map((day) => write({ text: `In ${day} days`, status: 'scheduled', scheduledAt: inHours(24 * day) })),
  )
  const from = encodeURIComponent(inHours(24 * 49))
  for (const brand of ['', `&brandId=${world.ada.things.brands}`]) {
    const list = `GET /api/posts?order=soonest&limit=3&from=${from}${brand}`
    const first = await world.ada.fetchJson<PostList>(list)
    const second = await world.ada.fetchJson<PostList>(`${list}&cursor=${first.nextCursor}`)
    const texts = [...first.items, ...second.items].map(({ text }) => text)
    expect(texts).toEqual(['In 50 days', 'In 51 days', 'In 52 days', 'In 53 days'])
    expect(second.nextCursor).toBeNull()
  }
  expect((await world.ada.fetch('GET /api/posts?order=random')).status).toBe(422)
  for (const { id } of made) await world.ada.fetchJson(`DELETE /api/posts/${id}`, undefined, 204)
})

test('SOC-45 posts of a submission are listed in the order of its targets, but not for other organizations', async () => {
  const { groupId, items } = await world.ada.fetchJson<{ groupId: string; items: { id: string }[] }>(
    'POST /api/posts',
    { brandId: world.ada.things.brands, text: 'Both', targets: [{ provider: 'sandbox' }, { provider: 'bluesky' }] },
    201,
  )
  const list = `GET /api/posts?groupId=${groupId}`
  expect((await world.ada.fetchJson<PostList>(list)).items.map(({ id }) => id)).toEqual(items.map(({ id }) => id))
  expect((await world.mallory.fetchJson<PostList>(list)).items).toEqual([])
  for (const { id } of items) await world.ada.fetchJson(`DELETE /api/posts/${id}`, undefined, 204)
})

test('SOC-21 targets are the brand’s active accounts with their limits; a person who can only read posts has none', async () => {
  const { brands, accounts } = world.ada.things
  const list = `GET /api/posts/targets?brandId=${brands}`
  const { items } = await world.ada.fetchJson<{ items: PostTarget[] }>(list)
  expect(items).toContainEqual({
    provider: 'sandbox',
    target: { connectionId: accounts },
    accountName: 'acme',
    warning: null,
    firstComments: 'allowed',
    limits: {
      characters: 500,
      media: 4,
      title: null,
      videoTags: null,
      refusedCharacters: null,
      firstComment: { characters: 500 },
      linkPreview: null,
      replies: { characters: 500, media: 4 },
      urlCharacters: null,
      counting: 'graphemes',
      videos: null,
      documents: null,
      singleAnimation: false,
      images: expect.any(Object),
    },
  })
  expect((await world.vera.fetchJson<{ items: PostTarget[] }>(list)).items).toEqual([])
  expect((await world.mallory.fetch(list)).status).toBe(404)
})

test('SOC-23 attempts of a post are listed without the payload, but not for other organizations', async () => {
  const { id } = await write()
  const { things } = world.ada
  await world.database.sql`
    INSERT INTO social.publish_attempts (id, brand_id, post_id, number, connection_id, provider, external_account, state,
      retry_safety, payload_hash, payload, lease_owner, events, started_at, settled_at)
    VALUES (gen_random_uuid(), ${things.brands}, ${id}, 1, ${things.accounts}, 'sandbox', 'acme', 'failed', 'safe', 'hash',
      '{}', gen_random_uuid(), '[{"at":"2026-11-21T09:00:00Z","what":"refused","detail":"Too hot."}]', now(), now())`
  const { items } = await world.ada.fetchJson<{ items: Attempt[] }>(`GET /api/posts/${id}/attempts`)
  expect(items).toMatchObject([{ number: 1, state: 'failed', events: [{ what: 'refused', detail: 'Too hot.' }] }])
  expect(Object.keys(items[0] ?? {}).toSorted()).toEqual(['events', 'id', 'number', 'settledAt', 'startedAt', 'state'])
  expect((await world.mallory.fetch(`GET /api/posts/${id}/attempts`)).status).toBe(404)
  expect(contains(await pageAt(`/workspace/posts/${id}`), 'Too hot.')).toBe(true)
  await world.ada.fetchJson(`DELETE /api/posts/${id}`, undefined, 204)
})

test('PLT-06 page of a post contains the fragments of its operations', async () => {
  const { id } = await write({ text: 'In parts', tags: ['launch'] })
  const whole = await pageAt(`/workspace/posts/${id}`)
  for (const route of [`GET /api/posts/${id}`, `GET /api/posts/${id}/attempts`]) {
    const fragment = await html(route)
    expect([fragment.status, fragment.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(fragment.text).toMatch(/^<(div id="post"|section)/)
    expect(contains(whole, fragment.text)).toBe(true)
  }
  await world.ada.fetchJson(`DELETE /api/posts/${id}`, undefined, 204)
})

test('SOC-11 page of a post shows all posts of a thread that is too long for one response', async () => {
  const { brands } = world.ada.things
  const threadId = Bun.randomUUIDv7()
  const rows = await world.database.sql`
    INSERT INTO social.posts (id, brand_id, author_id, provider, thread_id, position, text)
    SELECT gen_random_uuid(), ${brands}, ${world.ada.id}, 'sandbox', ${threadId}, n, 'Part ' || n || repeat('x', 900_000)
    FROM generate_series(0, 2) n RETURNING id`
  const list = await world.ada.fetchJson<PostList>(`GET /api/posts?threadId=${threadId}&limit=100`)
  expect(list.items).toHaveLength(2)
  const whole = await pageAt(`/workspace/posts/${rows[0]?.id}`)
  for (const { id } of rows.slice(1)) expect(whole).toContain(`/workspace/posts/${id}`)
  await world.database.sql`DELETE FROM social.posts WHERE thread_id = ${threadId}`
})

test('PLT-06 page of accounts works for a member who can’t read posts', async () => {
  const accountant = await world.join(world.ada, { name: 'Accountant', role: 'viewer' })
  const overrides = `/api/organizations/${world.ada.things.organizations}/members/${accountant.id}/overrides`
  const permission = `${world.serviceId}.posts:read`
  await world.ada.fetchJson(`POST ${overrides}`, { permission, effect: 'deny' }, 201)
  const page = await accountant.fetch('GET /workspace/accounts', undefined, { accept: 'text/html' })
  const text = await page.text()
  expect([page.status, text.includes('id="accounts"'), text.includes('@acme')]).toEqual([200, true, true])
  expect(text).not.toContain('/workspace/posts?brandId')
})

test('PLT-06 page of posts and composer contain the fragments of counts and targets', async () => {
  const { brands } = world.ada.things
  const counts = await html(`GET /api/posts/counts?brandId=${brands}`)
  expect(counts.text).toStartWith('<nav')
  expect(contains(await pageAt(`/workspace/posts?brandId=${brands}`), counts.text)).toBe(true)
  const targets = await html(`GET /api/posts/targets?brandId=${brands}`)
  expect(targets.text).toStartWith('<fieldset')
  expect(contains(await pageAt(`/workspace/posts/new?brandId=${brands}`), targets.text)).toBe(true)
})

test('PLT-06 HTML list of posts is a table by day, with the same filters and next page as the API', async () => {
  const { brands } = world.ada.things
  const made = [await write({ text: 'First of two' }), await write({ text: 'Second of two' })]
  const list = await html(`GET /api/posts?brandId=${brands}&q=of+two&limit=1`)
  expect(list.text).toMatch(/^<table class="table posts" id="posts"/)
  expect(list.text).toContain('Drafts')
  expect(list.text.match(/<tr id="post-/g)).toHaveLength(1)
  const next = /href="(\/api\/posts[^"]*cursor[^"]*)"/.exec(list.text)?.[1]?.replaceAll(/&(#38|amp);/g, '&') ?? ''
  expect((await html(`GET ${next}`)).text).toContain('First of two')
  const negotiated = { accept: 'application/json;q=0.5, text/html' }
  expect((await html(`GET /api/posts?brandId=${brands}`, negotiated)).text).toStartWith('<table')
  for (const { id } of made) await world.ada.fetchJson(`DELETE /api/posts/${id}`, undefined, 204)
})

test('PLT-06 changed post returns its row or page to htmx, and a form is redirected to its page', async () => {
  const { id } = await write({ text: 'To be changed' })
  const change = (headers: Record<string, string>, text: string) => html(`PUT /api/posts/${id}`, headers, { text })
  const row = await change({ ...htmx, 'hx-target': `tr#post-${id}` }, 'Changed in its row')
  expect(row.text).toStartWith(`<tr id="post-${id}"`)
  expect(row.text).toContain('Changed in its row')
  expect(row.headers.get('hx-trigger')).toContain('Saved')
  const whole = await change({ ...htmx, 'hx-target': 'div#post' }, 'Changed on its page')
  expect(whole.text).toStartWith('<div id="post"')
  expect(contains(await pageAt(`/workspace/posts/${id}`), whole.text)).toBe(true)
  const form = await change({}, 'Changed by a form')
  expect([form.status, form.headers.get('location')]).toEqual([303, `/workspace/posts/${id}`])
  const composer = { ...htmx, 'hx-current-url': `http://localhost/workspace/posts/${id}/edit` }
  expect((await change(composer, 'Changed in the composer')).headers.get('hx-redirect')).toBe(`/workspace/posts/${id}`)
  const deleted = await html(`DELETE /api/posts/${id}`, { ...htmx, 'hx-target': `tr#post-${id}` })
  expect([deleted.status, deleted.text]).toEqual([200, ''])
})

test('PLT-06 change by a caller who can’t read posts succeeds and returns no fragment', async () => {
  const { id } = await write()
  const scopes = ['posts.write']
  const draft = { name: 'Writer', service: 'platform-socialize', scopes }
  const { key } = await world.ada.fetchJson<{ key: string }>('POST /api/api-keys', draft, 201)
  const changed = await world.stranger.fetch(
    `PUT /api/posts/${id}`,
    { text: 'Blind' },
    { authorization: `Bearer ${key}`, ...htmx },
  )
  expect([changed.status, await changed.text()]).toEqual([200, ''])
  expect((await getPost(id)).text).toBe('Blind')
})
