import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import type { Brand, Post } from '#social/types'
import { posts } from '../../src/social/schema.ts'
import { openSocialServer, type SocialServer, type Person, type ProblemBody } from './social-server.ts'
import { markFailed, inMinutes } from './writer.ts'

// As in staging and production: without the sandbox network.

let desk: SocialServer
let ada: Person
let brandId: string
beforeAll(async () => {
  desk = await openSocialServer({ offlineHelps: false })
  ada = desk.person()
  brandId = (await ada.fetch<Brand>('POST /api/brands', { name: 'Acme' })).body.id
})
afterAll(() => desk.close())

const submissions = [
  ['a draft', { provider: 'sandbox' }, 'provider'],
  ['a scheduled post', { provider: 'sandbox', status: 'scheduled', scheduledAt: inMinutes(60) }, 'provider'],
  ['a target', { targets: [{ provider: 'mastodon' }, { provider: 'sandbox' }] }, 'targets.1.provider'],
] as const
test.each(submissions)(
  'SOC-08 %s for the sandbox is rejected where the sandbox is disabled',
  async (_, values, path) => {
    const reported = await ada.fetch<ProblemBody>('POST /api/posts', { brandId, text: 'Hello', ...values })
    expect([reported.status, reported.body.errors.map((error) => error.path)]).toEqual([422, [path]])
  },
)

test('SOC-08 sandbox post from elsewhere, such as a backup, can’t be scheduled or copied', async () => {
  const made = { brandId, authorId: ada.id, provider: 'sandbox' as const, text: 'Hello', id: newId() }
  await desk.database.db.insert(posts).values(made)
  const schedule = { status: 'scheduled', scheduledAt: inMinutes(60) }
  const acts = [
    await ada.fetch<ProblemBody>(`PUT /api/posts/${made.id}`, schedule),
    await ada.fetch<ProblemBody>(`POST /api/posts/${made.id}/publish-now`),
    await ada.fetch<ProblemBody>(`POST /api/posts/${made.id}/duplicate`),
  ]
  await markFailed(desk, made.id)
  acts.push(await ada.fetch<ProblemBody>(`POST /api/posts/${made.id}/retry`))
  for (const { status, body } of acts) expect([status, body.errors]).toMatchObject([422, [{ path: 'provider' }]])
  expect((await ada.fetch<Post>(`GET /api/posts/${made.id}`)).status).toBe(200)
  expect((await ada.fetch<Post>(`DELETE /api/posts/${made.id}`)).status).toBe(204)
})
