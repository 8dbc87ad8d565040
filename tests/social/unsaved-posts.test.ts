import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Post, UnsavedContent, UnsavedPost, UnsavedPostList } from '#social/types'
import { newId } from '#lib/ids.ts'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'
import { createWriter, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
})
afterAll(() => desk.close())

const typed = (text: string): UnsavedContent => ({
  texts: [text],
  connectionIds: [],
  media: [],
  tags: 'half, ty',
  when: 'at',
  date: '2099-07-',
  time: '',
  timeZone: 'Europe/Berlin',
})

const put = <Answer = UnsavedPost>(id: string, values: Record<string, unknown>, { person, brand } = ada) =>
  person.fetch<Answer>(`PUT /api/unsaved-posts/${id}`, { brandId: brand.id, ...values })
const read = (id: string, { person } = ada) => person.fetch<UnsavedPost>(`GET /api/unsaved-posts/${id}`)

test('SOC-12 typed text is stored separately from a scheduled post, without changing it', async () => {
  const post = await ada.scheduled('What is sent')
  const id = newId()
  const content = typed('What is typed')
  const stored = await put(id, { postId: post.id, baseVersion: post.version, content })
  expect(stored.body).toMatchObject({ id, postId: post.id, baseVersion: 1, content, version: 1 })
  expect((await ada.person.fetch<Post>(`GET /api/posts/${post.id}`)).body).toMatchObject({
    text: 'What is sent',
    status: 'scheduled',
    version: post.version,
    updatedAt: post.updatedAt,
  })
  const { items } = (await ada.person.fetch<UnsavedPostList>(`GET /api/unsaved-posts?postId=${post.id}`)).body
  expect(items).toMatchObject([{ id, text: 'What is typed' }])
})

test('SOC-12 unsaved text is deleted by the save that names it, in the same transaction', async () => {
  const post = await ada.draft()
  const [edited, created] = [newId(), newId()]
  await put(edited, { postId: post.id, baseVersion: 1, content: typed('Edited') })
  await put(created, { content: typed('Created') })
  expect((await ada.change(post.id, { text: '', unsavedId: edited })).status).toBe(422)
  expect((await ada.change(post.id, { unsavedId: edited })).status).toBe(422)
  expect((await read(edited)).status).toBe(200)
  await ada.change(post.id, { text: 'Edited', unsavedId: edited })
  await ada.write({ text: 'Created', unsavedId: created })
  expect([(await read(edited)).status, (await read(created)).status]).toEqual([404, 404])
})

test('SOC-12 request that is repeated after a lost response returns the stored text, without a conflict or a new version', async () => {
  const id = newId()
  const values = { content: typed('Sent while leaving'), version: 0 }
  const first = await put(id, values)
  expect(await put(id, values)).toMatchObject({ status: 200, body: first.body })
  expect((await put(id, { ...values, content: typed('Other') })).status).toBe(409)
})

test('SOC-12 newer text from another tab is not overwritten', async () => {
  const id = newId()
  const { version } = (await put(id, { content: typed('One'), version: 0 })).body
  expect((await put(id, { content: typed('Two'), version })).body.version).toBe(2)
  const refused = await put<ProblemBody>(id, { content: typed('Three'), version })
  expect([refused.status, refused.body.code]).toEqual([409, 'version_conflict'])
  expect((await read(id)).body.content.texts).toEqual(['Two'])
  const post = await ada.draft()
  for (const text of ['Tab one', 'Tab two'])
    await put(newId(), { postId: post.id, baseVersion: 1, content: typed(text) })
  const { items } = (await ada.person.fetch<UnsavedPostList>(`GET /api/unsaved-posts?postId=${post.id}`)).body
  expect(items.map(({ text }) => text)).toEqual(['Tab two', 'Tab one'])
})

test('PLT-23 unsaved text is visible only to the person who typed it', async () => {
  const id = newId()
  await put(id, { content: typed('Private') })
  const mallory = await createWriter(desk, desk.person())
  expect((await read(id, mallory)).status).toBe(404)
  expect((await mallory.person.fetch(`DELETE /api/unsaved-posts/${id}`)).status).toBe(404)
  expect((await put(id, { content: typed('Theirs'), brandId: ada.brand.id }, mallory)).status).toBe(404)
  const other = await put<ProblemBody>(newId(), { content: typed('Hers'), personId: ada.person.id }, mallory)
  expect([other.status, other.body.code]).toEqual([409, 'other_person'])
  const post = await ada.draft()
  expect((await put(newId(), { postId: post.id, baseVersion: 1, content: typed('x') }, mallory)).status).toBe(404)
})

test('SOC-12 unsaved text remains when its post is deleted', async () => {
  const post = await ada.draft()
  const id = newId()
  await put(id, { postId: post.id, baseVersion: 1, content: typed('Kept') })
  await ada.person.fetch(`DELETE /api/posts/${post.id}`)
  expect((await read(id)).body).toMatchObject({ postId: null, content: { texts: ['Kept'] } })
})

test('SOC-12 unscheduling keeps unsaved changes based on the current version; changing the text doesn’t', async () => {
  const post = await ada.scheduled()
  const id = newId()
  await put(id, { postId: post.id, baseVersion: 1, content: typed('Mine') })
  await ada.person.fetch(`POST /api/posts/${post.id}/unschedule`)
  expect((await read(id)).body.baseVersion).toBe(2)
  await ada.change(post.id, { text: 'Theirs' })
  expect((await read(id)).body.baseVersion).toBe(2)
})

test('PLT-11 base version that is too large returns 422 and names the field', async () => {
  const post = await ada.draft()
  const values = { postId: post.id, baseVersion: 3_000_000_000, content: typed('x') }
  const refused = await put<ProblemBody>(newId(), values)
  expect([refused.status, refused.body.errors[0]?.path]).toEqual([422, 'baseVersion'])
})

test('SOC-12 text is stored or refused with 404 when its post is deleted concurrently', async () => {
  for (let nth = 0; nth < 5; nth++) {
    const post = await ada.draft()
    const [stored, deleted] = await Promise.all([
      put(newId(), { postId: post.id, baseVersion: 1, content: typed('x') }),
      ada.person.fetch(`DELETE /api/posts/${post.id}`),
    ])
    expect([200, 404]).toContain(stored.status)
    expect(deleted.status).toBe(204)
  }
})

test('SOC-12 concurrent requests store at most 100 unsaved posts of a person in a brand', async () => {
  const writer = await createWriter(desk, desk.person())
  await desk.database.sql`
    INSERT INTO social.unsaved_posts (id, brand_id, person_id, content)
    SELECT gen_random_uuid(), ${writer.brand.id}, ${writer.person.id}, ${JSON.stringify(typed('x'))}::text::jsonb FROM generate_series(1, 98)`
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => put<ProblemBody>(newId(), { content: typed('x') }, writer)),
  )
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  const refused = answers.find(({ status }) => status !== 200)
  expect([refused?.status, refused?.body.code]).toEqual([409, 'too_many_unsaved_posts'])
})

test('SOC-12 unsaved posts of a person in a brand of more than 5 MiB are refused', async () => {
  const writer = await createWriter(desk, desk.person())
  const large = { ...typed('x'), texts: Array.from({ length: 13 }, () => 'x'.repeat(69_000)) }
  await desk.database.sql`
    INSERT INTO social.unsaved_posts (id, brand_id, person_id, content)
    SELECT gen_random_uuid(), ${writer.brand.id}, ${writer.person.id}, ${JSON.stringify(large)}::text::jsonb FROM generate_series(1, 5)`
  const id = newId()
  expect((await put(id, { content: typed('small') }, writer)).status).toBe(200)
  const refused = await put<ProblemBody>(id, { content: large }, writer)
  expect([refused.status, refused.body.code]).toEqual([409, 'unsaved_posts_too_large'])
  expect(refused.body.detail).toContain('Delete or save some')
  expect((await read(id, writer)).body.content.texts).toEqual(['small'])
})

test('SOC-12 unsaved text keeps its brand and post; another one returns 422 and names the field', async () => {
  const writer = await createWriter(desk, desk.person())
  const [one, two] = [await writer.draft(), await writer.draft()]
  const id = newId()
  await put(id, { postId: one.id, baseVersion: 1, content: typed('One') }, writer)
  const refuse = async (values: Record<string, unknown>) => {
    const { status, body } = await put<ProblemBody>(id, { content: typed('Two'), baseVersion: 1, ...values }, writer)
    return [status, body.errors[0]?.path]
  }
  expect(await refuse({ postId: two.id })).toEqual([422, 'postId'])
  expect(await refuse({ postId: one.id, brandId: ada.brand.id })).toEqual([422, 'brandId'])
  expect((await read(id, writer)).body).toMatchObject({ postId: one.id, version: 1 })
})

test('SOC-12 unsaved text whose post was deleted is refused with 404 until it names no post', async () => {
  const post = await ada.draft()
  const id = newId()
  await put(id, { postId: post.id, baseVersion: 1, content: typed('One') })
  await ada.person.fetch(`DELETE /api/posts/${post.id}`)
  expect((await put(id, { postId: post.id, baseVersion: 1, content: typed('Two') })).status).toBe(404)
  expect((await put(id, { content: typed('Two') })).body).toMatchObject({ postId: null, version: 2 })
})
