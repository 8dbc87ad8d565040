import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Post } from '#social/types'
import { createTeam, decide, reviewsOf, submit } from './review-team.ts'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'
import { createWriter, inMinutes, markPublished } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer()
})
afterAll(() => desk.close())

const versions = (posts: readonly Post[]) => posts.map(({ id, version }) => ({ id, version }))

async function createSubmission() {
  const ada = await createWriter(desk)
  const targets = [{ provider: 'sandbox' }, { provider: 'bluesky' }, { provider: 'mastodon', text: 'Its own' }]
  const { body } = await ada.write<{ items: Post[] }>({ provider: undefined, targets, text: 'Shared' })
  const [first, second, third] = body.items
  if (!first || !second || !third) throw new Error('No submission')
  const read = (post: Post) => ada.person.fetch<Post>(`GET /api/posts/${post.id}`).then((found) => found.body)
  return { ada, first, second, third, read }
}

test('SOC-12 edit of one post is applied to other posts of its submission', async () => {
  const { ada, first, second, third, read } = await createSubmission()
  const { status, body } = await ada.change(first.id, {
    version: first.version,
    also: versions([second]),
    text: 'Changed',
    tags: ['coffee'],
    campaign: 'Winter menu',
  })
  expect(status).toBe(200)
  expect(body).toMatchObject({ id: first.id, text: 'Changed', version: 2 })
  const expected = { text: 'Changed', tags: ['coffee'], campaign: 'Winter menu', version: 2 }
  expect(await read(second)).toMatchObject({ ...expected, provider: 'bluesky' })
  expect(await read(third)).toMatchObject({ text: 'Its own', tags: [], campaign: null, version: 1 })
})

test('SOC-12 posts of a submission get the same next free slot', async () => {
  const ada = await createWriter(desk)
  await ada.person.fetch(`PUT /api/brands/${ada.brand.id}`, {
    queueSlots: [{ day: 1, time: '09:00' }],
  })
  const posts = await submit(ada, 'One', 'Two')
  const [first, second] = posts
  if (!first || !second) throw new Error('No submission')
  const scheduled = await ada.change(first.id, {
    also: versions([second]),
    status: 'scheduled',
    scheduledAt: 'next-slot',
  })
  expect(scheduled.body).toMatchObject({ status: 'scheduled' })
  const other = await ada.person.fetch<Post>(`GET /api/posts/${second.id}`)
  expect(other.body).toMatchObject({ status: 'scheduled', scheduledAt: scheduled.body.scheduledAt })
})

test('SOC-12 nothing is changed when one of the posts can’t be', async () => {
  const { ada, first, second, third, read } = await createSubmission()
  const edit = (values: Record<string, unknown>) => ada.change<Post & ProblemBody>(first.id, values)
  await ada.change(second.id, { text: 'In the meantime' })
  const late = await edit({ text: 'Changed', also: versions([third, second]) })
  expect(late.status).toBe(409)
  expect(late.body).toMatchObject({ code: 'other_post_conflict' })
  expect(late.body.detail).toContain('Bluesky')
  const stale = await edit({ text: 'Changed', version: 7, also: versions([third]) })
  expect(stale.body).toMatchObject({ code: 'version_conflict' })
  await markPublished(desk, third.id)
  const out = await edit({ text: 'Changed', also: [{ id: third.id }] })
  expect(out.body).toMatchObject({ status: 409, code: 'published_immutable' })
  expect(out.body.detail).toStartWith('On Mastodon: ')
  const long = await edit({
    text: 'x'.repeat(400),
    status: 'scheduled',
    scheduledAt: inMinutes(600),
    also: [{ id: second.id }],
  })
  expect(long.status).toBe(422)
  expect(long.body.errors[0]?.path).toBe('also.0.id')
  expect(long.body.errors[0]?.message).toStartWith('On Bluesky: ')
  expect(await read(first)).toMatchObject({ text: 'Shared', status: 'draft', version: 1 })
  expect(await read(second)).toMatchObject({ text: 'In the meantime', version: 2 })
})

test('SOC-12 posts of other submissions, brands and organizations are refused', async () => {
  const { ada, first, read } = await createSubmission()
  const alone = await ada.draft('Alone')
  const mallory = await createSubmission()
  const edit = (id: string) => ada.change<Post & ProblemBody>(first.id, { text: 'Changed', also: [{ id }] })
  const refused = await edit(alone.id)
  expect(refused.status).toBe(422)
  expect(refused.body.errors[0]?.path).toBe('also.0.id')
  expect((await edit(mallory.second.id)).status).toBe(404)
  expect((await read(first)).text).toBe('Shared')
  expect((await mallory.read(mallory.second)).text).toBe('Shared')
})

test('SOC-12 post that is named twice and an edit without a shared field are refused', async () => {
  const { ada, first, second, read } = await createSubmission()
  const edit = (values: Record<string, unknown>) => ada.change<ProblemBody>(first.id, values)
  const pathOf = async (values: Record<string, unknown>) => (await edit(values)).body.errors[0]?.path
  expect(await pathOf({ text: 'Changed', also: [{ id: second.id }, { id: second.id }] })).toBe('also.1.id')
  expect(await pathOf({ text: 'Changed', also: [{ id: first.id.toUpperCase() }] })).toBe('also.0.id')
  expect(await pathOf({ firstComment: 'More in the shop', also: [{ id: second.id }] })).toBe('also')
  expect((await read(second)).version).toBe(1)
})

test('SOC-12 parts of a thread are changed with the parts at the same place', async () => {
  const ada = await createWriter(desk)
  const { body } = await ada.write<{ items: Post[] }>({
    provider: undefined,
    text: undefined,
    targets: [{ provider: 'sandbox' }, { provider: 'bluesky' }],
    thread: [{ text: 'Head' }, { text: 'Part' }],
  })
  const of = (provider: string, position: number): Post => {
    const found = body.items.find((post) => post.provider === provider && post.position === position)
    if (!found) throw new Error('No such part')
    return found
  }
  const also = versions([of('bluesky', 1)])
  const refused = await ada.change(of('sandbox', 0).id, { text: 'Changed', also })
  expect(refused.status).toBe(422)
  expect((await ada.change(of('sandbox', 1).id, { text: 'Changed', also })).status).toBe(200)
  const changed = await ada.person.fetch<Post>(`GET /api/posts/${of('bluesky', 1).id}`)
  expect(changed.body.text).toBe('Changed')
})

test('SOC-32 edit of several posts voids the approvals of each', async () => {
  const team = await createTeam(desk)
  const posts = await submit(team, 'One', 'Two')
  const [first, second] = posts
  if (!first || !second) throw new Error('No submission')
  await team.person.fetch(`POST /api/posts/${first.id}/review-requests`)
  expect((await decide(team.ben, first, 'approve', { also: versions([second]) })).status).toBe(201)
  await team.change(first.id, { text: 'Edited', also: [{ id: second.id }] })
  for (const post of posts) expect((await reviewsOf(team.ben, post)).review.state).toBe('pending')
})

test('SOC-12 two requests for the same posts both end, one with a conflict', async () => {
  const { ada, first, second } = await createSubmission()
  const both = await Promise.all([
    ada.change(first.id, { text: 'One', version: 1, also: versions([second]) }),
    ada.change(second.id, { text: 'Two', version: 1, also: versions([first]) }),
  ])
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
})
