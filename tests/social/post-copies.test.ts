import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Post } from '#social/types'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
/** Another brand of the same organization. */
let tea: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
  tea = await createWriter(desk, ada.person)
})
afterAll(() => desk.close())

interface Copies {
  groupId: string
  items: Post[]
  errors: { path: string; message: string }[]
}
const copy = (id: string, values: Record<string, unknown>, person = ada.person) =>
  person.fetch<Copies>(`POST /api/posts/${id}/duplicate`, values)

const full = { text: 'Maple is back', firstComment: '#latte', tags: ['winter'], campaign: 'Winter menu' }

test('SOC-11 post is copied to several networks as drafts, with its first comment, tags and campaign', async () => {
  const { body: post } = await ada.write(full)
  const { status, body } = await copy(post.id, { targets: [{ provider: 'sandbox' }, { provider: 'bluesky' }] })
  expect(status).toBe(201)
  const shared = { text: full.text, tags: ['winter'], campaign: 'Winter menu', status: 'draft', groupId: body.groupId }
  expect(body.items).toMatchObject([
    { provider: 'sandbox', firstComment: '#latte', ...shared },
    // Which has no first comments.
    { provider: 'bluesky', firstComment: null, ...shared },
  ])
})

test('SOC-11 post is copied to another brand, without the account of its own brand', async () => {
  const { body: post } = await ada.write({ ...full, target: { connectionId: ada.connection.id } })
  const { status, body } = await copy(post.id, { brandId: tea.brand.id })
  expect([status, body.items]).toMatchObject([
    201,
    [{ brandId: tea.brand.id, provider: 'sandbox', target: null, firstComment: '#latte', tags: ['winter'] }],
  ])
  const foreign = {
    brandId: tea.brand.id,
    targets: [{ provider: 'sandbox', target: { connectionId: ada.connection.id } }],
  }
  const refused = await copy(post.id, foreign)
  expect([refused.status, refused.body.errors]).toMatchObject([422, [{ path: 'targets.0.target.connectionId' }]])
})

test('SOC-11 thread is copied as a thread on request, otherwise only the post', async () => {
  const { items } = await ada.thread('One', 'Two')
  const id = items[0]?.id ?? ''
  const whole = await copy(id, { thread: true, targets: [{ provider: 'sandbox' }] })
  expect(whole.body.items.map(({ text, position }) => [text, position])).toEqual([
    ['One', 0],
    ['Two', 1],
  ])
  const alone = await copy(id, { targets: [{ provider: 'sandbox' }] })
  expect(alone.body.items.map(({ text, threadId }) => [text, threadId])).toEqual([['One', null]])
})

test('SOC-11 copy of a post of another organization, or into its brand, is 404', async () => {
  const post = await ada.draft()
  const other = await createWriter(desk)
  const foreign = await other.draft()
  expect((await copy(post.id, { brandId: other.brand.id })).status).toBe(404)
  expect((await copy(foreign.id, { brandId: ada.brand.id })).status).toBe(404)
})

test('SOC-11 copies are at most as many as one request creates, and each is at another place', async () => {
  const { items } = await ada.thread(...Array.from({ length: 48 }, (_, at) => `Part ${at}`))
  const id = items[0]?.id ?? ''
  const targets = [{ provider: 'sandbox' }, { provider: 'bluesky' }]
  const many = await copy(id, { thread: true, targets })
  expect([many.status, many.body.errors]).toMatchObject([422, [{ path: 'targets' }]])
  const twice = await copy(id, { targets: [{ provider: 'sandbox' }, { provider: 'sandbox' }] })
  expect([twice.status, twice.body.errors]).toMatchObject([422, [{ path: 'targets.1' }]])
  const [count] = await desk.database.sql`
    SELECT count(*)::int AS count FROM social.posts WHERE brand_id = ${ada.brand.id} AND text = 'Part 0'`
  expect(count).toEqual({ count: 1 })
})
